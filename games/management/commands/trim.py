"""`manage.py trim`: take away what only grows, to the end; the clock does the same in portions."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.services.operations import trim


class Command(BaseCommand):
    help = (
        "Delete old data: email sent or failed 90 days ago, expired sessions, drafts of games that "
        "ended a week ago, sign-ins from 90 days ago, accounts whose address was not confirmed "
        "within 7 days, the text of messages removed 90 days ago, exports made a day ago, and "
        "private messages of games that ended a year ago, which were announced to end."
    )

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        now = timezone.now()
        deleted = trim.Trimmed(*[0] * len(trim.Trimmed._fields))
        while any(trimmed := trim.trim(now=now)):
            deleted = trim.Trimmed(*map(sum, zip(deleted, trimmed, strict=True)))
        self.stdout.write(
            f"Deleted {deleted.emails} emails, {deleted.sessions} sessions, "
            f"{deleted.drafts} drafts, {deleted.sign_ins} sign-ins, "
            f"{deleted.accounts} unconfirmed accounts and {deleted.removed_texts} removed texts."
        )
