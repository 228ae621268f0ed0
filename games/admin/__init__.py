"""Where moderators work: what they read (`rows`), and what they do (`acts`)."""

from games.admin import report_rows, rows
from games.admin.site import site

__all__ = ["report_rows", "rows", "site"]
