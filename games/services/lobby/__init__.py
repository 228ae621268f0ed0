"""Tables before the game: opening, inviting, joining, leaving, starting."""
