"""The rules of an edition in words, and the guide through a first game."""
