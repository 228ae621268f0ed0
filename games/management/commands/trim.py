"""`manage.py trim`: take away what only grows, to the end; the clock does the same in portions."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.services import trim


class Command(BaseCommand):
    help = "Delete mail that was sent or given up 90 days ago, and sessions that have ended."

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        now = timezone.now()
        mails = sessions = 0
        while any(trimmed := trim.trim(now=now)):
            mails += trimmed.mails
            sessions += trimmed.sessions
        self.stdout.write(f"Deleted {mails} mails and {sessions} sessions.")
