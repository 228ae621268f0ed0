"""The pages of the rules: the game in a minute, each edition, and each table."""
