"""The audit log as moderators read it."""
