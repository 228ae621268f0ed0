"""Email, from a row in the outbox to the mail server."""
