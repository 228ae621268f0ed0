"""What keeps somebody from acting: one list for pages, for replies by email, and for what comes."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from games.models import User
from games.services import site_state
from games.services.accounts import terms
from games.services.site_state import Site


class Hindrance(StrEnum):
    """What keeps a person from acting; on views it stands whom they are open to all the same."""

    BANNED = "banned"
    FACTOR_OWED = "owing a second factor"
    GUEST = "guest"
    TERMS_OWED = "owing terms"
    NAME_OWED = "owing a name"
    SUSPENDED = "suspended"


def hindrances(person: User, now: datetime) -> Iterator[Hindrance]:
    """All that keep this person from acting now, in the order in which they have to settle them.

    A second factor is owed until it is shown, which only who asks can know: in the session of a
    page it may have been, in an email it can't.
    """
    if not person.is_active:
        yield Hindrance.BANNED
    if person.needs_second_factor:
        yield Hindrance.FACTOR_OWED
    if person.is_guest:
        yield Hindrance.GUEST
    if terms.are_owed_by(person):
        yield Hindrance.TERMS_OWED
    if person.name_key is None and not person.is_guest:
        yield Hindrance.NAME_OWED
    if person.is_suspended(now):
        yield Hindrance.SUSPENDED


def maintenance() -> Site | None:
    """The state of the site while nobody may change anything; None at any other time."""
    site = site_state.read()
    return None if site.maintenance_since is None else site
