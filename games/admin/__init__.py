"""Where moderators work: what they read (the modules of rows), and what they do (`actions`)."""

from games.admin import audit_rows, people_rows, report_rows, rows
from games.admin.site import site

__all__ = ["audit_rows", "people_rows", "report_rows", "rows", "site"]
