"""The site: settings, addresses, and the ways in for the web server and Celery."""

from intrigue_site import settings_checks as settings_checks  # importing registers them
from intrigue_site.celery import app as celery_app

__all__ = ["celery_app"]
