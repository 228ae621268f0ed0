"""What a host can switch off; each folder is an app of its own (see `games.extensions`)."""
