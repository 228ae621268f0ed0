"""The board and the decision to be made, in words and shapes."""
