"""What moderators do, each action one function."""
