"""Where moderators work: what they read (`rows`), and what they do (`acts`)."""

from games.admin import rows
from games.admin.site import site

__all__ = ["rows", "site"]
