"""The charts of a game that is over."""
