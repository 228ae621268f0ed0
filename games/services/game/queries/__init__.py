"""What pages and email show of a game."""
