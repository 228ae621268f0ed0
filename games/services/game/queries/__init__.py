"""The parts of a game that pages and email show."""
