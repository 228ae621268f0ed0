"""What pages show of one's own games."""
