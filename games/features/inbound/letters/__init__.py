"""An email that came in, by itself: who wrote it, and what it says without quotes and endings."""
