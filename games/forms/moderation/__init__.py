"""The forms of moderators."""
