"""One's own account: signing up, signing in, deleting it, the home page."""
