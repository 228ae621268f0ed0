"""A game that has started: moves, deadlines, absence, votes; `writer` alone changes it."""
