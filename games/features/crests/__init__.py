"""Crests: the small round pictures by which people are recognized."""
