"""Where sessions are kept: Django's table, with a shorter life for those of nobody."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games.services import live

WHILE_SIGNED_OUT: Final = timedelta(hours=1)
"""Long enough for a code by email, and for what was typed to be kept (games/views/resend.py)."""


class SessionStore(db.SessionStore):
    """A session lasts for SESSION_COOKIE_AGE once somebody has signed in, and an hour before.

    Also where allauth asks for more before the sign-in is complete.
    """

    def delete(self, session_key: str | None = None) -> None:
        """End a session, and then the streams of the pages that are open in it."""
        key = session_key or self.session_key
        held = {} if key is None else type(self)(key).load()
        super().delete(session_key)
        if SESSION_KEY in held:
            live.people_concerned([int(held[SESSION_KEY])])

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 (Django's)
        """Save the session. Where the database does not respond, that is what is raised.

        Django takes it for a session that was ended meanwhile, which is the visitor's trouble.
        """
        try:
            super().save(must_create)
        except UpdateError as lost:
            if isinstance(lost.__context__, OperationalError | InterfaceError):
                raise lost.__context__ from None
            raise

    def get_expiry_age(self, **known: Any) -> int:
        age = super().get_expiry_age(**known)
        return age if SESSION_KEY in self else min(age, int(WHILE_SIGNED_OUT.total_seconds()))

    def get_expiry_date(self, **known: Any) -> datetime:
        date: datetime = super().get_expiry_date(**known)
        if SESSION_KEY in self:
            return date
        changed: datetime = known.get("modification") or timezone.now()
        return min(date, changed + WHILE_SIGNED_OUT)
