"""The guided first game: how people who know nothing of the game get to play it."""
