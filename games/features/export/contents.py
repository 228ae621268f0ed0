"""The whole of an export, in the language of its person; docs/export-format.md describes it."""

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils import translation

from games import extensions
from games.features.export import about_person, at_tables, with_others
from games.features.export.instants import instant
from games.models import User

FORMAT: Final = "intrigue-export/1"


def contents_of(person: User, now: datetime) -> dict[str, Any]:
    """All that is stored about the person, as they may read it: nobody's secrets or addresses."""
    with translation.override(person.language or settings.LANGUAGE_CODE):
        return {
            "format": FORMAT,
            "site": settings.SITE_URL,
            "made_at": instant(now),
            "account": about_person.account(person),
            "sessions": about_person.sessions(person),
            "sign_ins": about_person.sign_ins(person),
            "notified_browsers": about_person.notified_browsers(person),
            "people": with_others.people(person),
            "invitations": with_others.invitations(person),
            "reports": with_others.reports(person),
            "sanctions": about_person.sanctions(person),
            **extensions.exported(person),
            "games": at_tables.games(person),
        }
