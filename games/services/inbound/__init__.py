"""Email that comes in: who wrote it, in which conversation, and what it says."""
