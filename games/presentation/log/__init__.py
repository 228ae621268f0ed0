"""The events of a game in words."""
