"""Guests: people who try a first game without an account, and may keep it (days 32).

A guest is a person without an address, a password or a name of their own. Nobody else ever meets
one: they play against computer players, one game at a time, which is in no list, count or
statistic.
"""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Event, Game, Message, Move, Seat, Sitting, User, Visit
from games.services.people import names
from games.services.refused import Refused

MOST_IN_A_DAY: Final = 2000
"""How many guests the site takes within 24 hours for first games, and how many for seats."""

KEPT_FOR: Final = timedelta(days=2)
"""How long after their last visit a guest and their game are removed."""

WANTED_NAME: Final = "wanted_name"
"""Where the session of a guest holds how they want to be called once they have an account."""

WANTED_SEAT: Final = "wanted_seat"
"""Where a session holds, as a `WantedSeat`, at which table who makes an account wants to sit."""

NO_ADDRESS: Final = "guest.invalid"
"""In place of the address that every account has: nothing is ever sent there."""


class WantedSeat(NamedTuple):
    """A seat that a guest gets once their address is confirmed, by the token of its table.

    `invitation` is the token of theirs, "" where they came by the link of the table. `settings` is
    the version of the table's settings that they have seen.
    """

    guest: int
    table: str
    invitation: str = ""
    settings: int = 0

    @property
    def page(self) -> str:
        """The page on which they have asked for it."""
        if self.invitation:
            return reverse("games:invitation", args=[self.invitation])
        return reverse("games:table", args=[self.table])


def wanted_seat(session: Mapping[str, Any]) -> WantedSeat | None:
    """The seat that somebody has asked for in this session who has not entered the code yet."""
    stored = session.get(WANTED_SEAT)
    return WantedSeat(**stored) if stored is not None else None


def wanted_page(session: Mapping[str, Any]) -> str:
    """The page on which they have asked for it; "" for none."""
    wanted = wanted_seat(session)
    return wanted.page if wanted is not None else ""


def who_wants_seat(session: Mapping[str, Any]) -> User | None:
    """Who has asked for a seat in this session, while they have neither an account nor a game."""
    wanted = wanted_seat(session)
    if wanted is None:
        return None
    return User.objects.filter(pk=wanted.guest, is_guest=True, last_login=None).first()


def arrive(*, language: str, time_zone: str, now: datetime, for_seat: bool = False) -> User:
    """A new guest. `Refused` where too many have come for the same.

    Whoever comes for a seat isn't signed in before they have an account; for a first game, at once.
    So those who want the one never keep out those who want the other.
    """
    lately = User.objects.filter(
        is_guest=True, date_joined__gt=now - timedelta(days=1), last_login__isnull=for_seat
    )
    if lately.count() >= MOST_IN_A_DAY:
        raise Refused(
            _("Too many people are trying the game right now. Sign up to play, or come back later.")
        )
    guest = User(
        email=f"{secrets.token_hex(16)}@{NO_ADDRESS}",
        name=_("Guest"),
        name_key=None,
        is_guest=True,
        language=language,
        time_zone=time_zone,
        date_joined=now,
    )
    guest.set_unusable_password()
    guest.save()
    return guest


def own_game(guest: User) -> Game | None:
    """The last game of a guest, or of somebody who was one."""
    return Game.objects.filter(guided=True, seats__user=guest).order_by("-pk").first()


def sits_at(guest: User, token: str) -> bool:
    """Whether the table of this token is their own: they see no other that is running."""
    return Seat.objects.filter(user=guest, game__token=token).exists()


def settle(guest: User, *, time_zone: str) -> None:
    """Note by which clock a guest lives."""
    guest.time_zone = time_zone
    guest.save(update_fields=["time_zone"])


def keep(guest: User, *, name: str) -> None:
    """Make an account of a guest whose address has been verified: the same row, the same game.

    The `name` is theirs from now on, if it is still free. Until then nobody may read it.
    """
    guest.is_guest, guest.name = False, name
    guest.save(update_fields=["is_guest", "name"])
    names.claim(guest)


def remove_long_gone(now: datetime, most: int) -> int:
    """Remove guests whose last visit was long ago, with their games; how many guests.

    At most so many games. One that a moderator had to do with stays.
    """
    for game in _long_gone(now).order_by("pk")[:most]:
        with suppress(ProtectedError), transaction.atomic():
            _remove(game)
    gone = User.objects.filter(is_guest=True, date_joined__lt=now - KEPT_FOR, seats=None)
    keys = list(gone.order_by("pk").values_list("pk", flat=True)[:most])
    User.objects.filter(pk__in=keys).delete()
    return len(keys)


def _remove(game: Game) -> None:
    """Remove what otherwise is never removed: nobody else has ever seen this game."""
    seats = Seat.objects.filter(game=game)
    for rows in (
        Move.objects.filter(game=game),
        Event.objects.filter(game=game),
        Message.objects.filter(game=game),
        Sitting.objects.filter(seat__in=seats),
        seats,
    ):
        rows.delete()
    game.delete()


def _long_gone(now: datetime) -> QuerySet[Game]:
    """The games of guests whose last visit, to any game of theirs, was long ago."""
    lately = Visit.objects.filter(user=OuterRef("host"), at__gt=now - KEPT_FOR)
    old = Game.objects.filter(host__is_guest=True, created_at__lt=now - KEPT_FOR)
    return old.exclude(Exists(lately))
