"""What every channel beside email asks of an email before it tells of it, and what it says.

A `Channel` of `games.extensions` writes its rows with the email; when it sends one, it asks here
first when it may, then whether it is still wanted, and then for the text.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import OutboxEmail, Seat
from games.presentation.board.turn_summary import decision_in_short
from games.presentation.text.words import People, capital, day_and_hour
from games.services.email import timing
from games.services.email.claimed import Claimed
from games.services.email.kinds import KIND_BY_KEY, kind_of
from games.services.email.subscriptions import is_quiet
from games.services.game.hours import QuietHours
from games.services.game.unreadable import view_of
from games.services.people.display_names import isolated_names, seat_names

TOO_OLD: Final = timedelta(days=1)
"""Nobody is notified of yesterday's news, such as after a restore."""

TURN_KINDS: Final = frozenset({"your_turn", "reminder", "last_reminder"})
"""The kinds of email about a move that is due."""


def quiet_until(claim: Claimed, now: datetime) -> datetime | None:
    """The end of the quiet hours that hold this back, like its email; None if none do."""
    email, kind = claim.email, KIND_BY_KEY.get(claim.email.kind)
    if kind is None or email.person is None or QuietHours.of(email.person) is None:
        return None
    return timing.quiet_until(email.person, email.game, kind.deadline(email, claim.seat), now)


def is_still_wanted(claim: Claimed, unwanted: Collection[str], now: datetime) -> bool:
    """Whether its person wants to be notified of this, and it is still true.

    `unwanted` are the keys of the switches that they have turned off for the channel.
    """
    email, seat, is_muted = claim
    kind = KIND_BY_KEY.get(email.kind)
    if kind is None or email.person is None or now - email.created_at > TOO_OLD:
        return False
    if kind.by_email_only or kind.switch is None or kind.switch.key in unwanted:
        return False
    return not is_quiet(email.game, kind, is_muted=is_muted) and kind.is_relevant(email, seat)


def short_text(email: OutboxEmail, seat: Seat | None) -> str:
    """What it is about, and in a second line by when a move is due, in its person's language.

    `seat` is theirs at the game. Only people with an account are notified: `ValueError` for others.
    """
    if email.person is None:
        raise ValueError("Only people with an account are notified.")
    with translation.override(email.person.language or settings.LANGUAGE_CODE), isolated_names():
        return "\n".join(_lines(email, seat, email.person.time_zone))


def _lines(email: OutboxEmail, seat: Seat | None, zone: str) -> Iterator[str]:
    yield _subject(email, seat)
    deadline = kind_of(email).deadline(email, seat)
    if deadline is not None:
        yield _("By {time}").format(time=day_and_hour(deadline, zone))


def _subject(email: OutboxEmail, seat: Seat | None) -> str:
    """Its kind; of a move that is due also what is to be decided."""
    label, game = capital(str(kind_of(email).label)), email.game
    if email.kind not in TURN_KINDS or game is None or seat is None:
        return label
    seen = view_of(game, seat.number)
    if seen is None or seen.choice is None:
        return label
    seats = game.seats.select_related("user").order_by("number")
    decision = decision_in_short(People(seen.table, seat_names(seats)), seen)
    return _("{label}: {asked}").format(label=label, asked=decision)
