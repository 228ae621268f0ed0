"""What moderators read."""
