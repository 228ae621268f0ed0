"""A row of the table of all kinds of email (`games.services.email.kinds`)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise

from games.models import OutboxEmail, Seat, User
from games.services.email.switches import Switch


def sites_language(_email: OutboxEmail) -> str:
    """Nothing, for the language of the site."""
    return ""


def no_deadline(_email: OutboxEmail, _seat: Seat | None) -> datetime | None:
    """None: it asks for nothing."""
    return None


@dataclass(frozen=True, kw_only=True)
class EmailKind:
    """A kind of email. Functions get the row of the outbox, and its person's seat at its game."""

    key: str
    label: Promise
    """Its name for moderators."""

    link_text: Promise
    """The text of its button, unless its context gives another."""

    context: Callable[[OutboxEmail, Seat | None], dict[str, Any]]
    """Makes the context of its templates. Mail programs show `preheader` after the subject."""

    is_relevant: Callable[[OutboxEmail, Seat | None], bool]
    """Whether it still applies when it is about to be sent."""

    switch: Switch | None = None
    """The switch that turns it off; None if it is essential: it comes once and can't be missed."""

    deadline: Callable[[OutboxEmail, Seat | None], datetime | None] = no_deadline
    """The deadline of what it asks for, in UTC."""

    ends: Callable[[OutboxEmail, Seat | None], datetime | None] = no_deadline
    """The end of what it announces, in UTC, where it asks for nothing."""

    language: Callable[[OutboxEmail], str] = sites_language
    """The language of one that goes to an address without an account."""

    in_guided_games: bool = False
    """Whether an optional email is sent about a guided game, which is played in one go."""

    to_banned_people: bool = False

    quotes_messages: bool = False
    """Whether it quotes what somebody wrote, which they may edit for a while."""

    tells_who_talks: bool = False
    """Whether only its person may know of it: that it was sent shows who talks privately."""

    about_for: Callable[[User], QuerySet[Any, Any]] | None = None
    """The ids of `OutboxEmail.about` that a moderator may know of, where others must not."""

    in_its_time: bool = False
    """Whether it is written long before it is due, so that no other email takes it along."""

    for_many_tables: bool = False
    """Whether what waits of it leaves as one email, however many tables it is about.

    Templates of its own, KEY`_at_many`, begin that.
    """

    by_email_only: bool = False
    """A response to email, or a code: browsers aren't notified, and no quiet hours hold it back."""

    sample: str = ""
    """The path of the function that makes its sample, where the previews don't know its rows."""

    as_spectators_read: bool = False
    """Whether it can be written without a seat: it holds nothing that only its reader may know, and
    no link that is a way in. Moderators can read it then as a spectator would."""

    about_a_report: bool = False
    """Whether `OutboxEmail.about` is a report, which not every moderator may know of."""


def always(_email: OutboxEmail, _seat: Seat | None) -> bool:
    """What it is about can't be undone, and people who have left the table should know too."""
    return True
