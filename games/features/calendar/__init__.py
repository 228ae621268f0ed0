"""The deadlines of one's moves in one's own calendar app."""
