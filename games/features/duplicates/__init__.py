"""Accounts that may be one person's."""
