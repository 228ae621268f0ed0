"""The referee's desk: what needs a person now, each with the next step. It counts no rows."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, OutboxMail, Seat, Tick
from games.presentation.words import moment
from games.services.health import CLOCK, late_after

MOST: Final = 20
"""How many lines of each kind are shown."""

ABSENT_FOR: Final = timedelta(days=3)
FAILED_WITHIN: Final = timedelta(days=7)
FAILS_OFTEN: Final = 2
"""From so many failed mails in a week on, a person's address needs a look."""


class DeskLine(NamedTuple):
    """Something that waits: what, and the act on the game by which it goes on.

    `act` is its slug, "" where there is none; `given` is what its form is filled in with.
    """

    text: str
    game_id: int | None = None
    act: str = ""
    given: str = ""
    person_id: int | None = None


class Pile(NamedTuple):
    """All lines of one kind; `more` says that there are others."""

    title: str
    lines: list[DeskLine]
    more: bool


def read_desk(now: datetime, zone: str) -> list[Pile]:
    """What waits for a moderator, the most urgent first; piles without anything are left out."""
    piles = [
        _pile(_("The clock"), _clock(now, zone)),
        _pile(_("Parked games"), _parked(zone)),
        _pile(_("Overdue games"), _overdue(now, zone)),
        _pile(_("People whose mail fails"), _unreachable(now)),
        _pile(_("Failed mail"), _failed(now)),
        _pile(_("Absent, and no substitute for days"), _absent(now, zone)),
        _pile(_("Paused without an end"), _paused(zone)),
    ]
    return [pile for pile in piles if pile.lines]


def _pile(title: str, lines: Iterable[DeskLine]) -> Pile:
    found = list(lines)
    return Pile(title, found[:MOST], len(found) > MOST)


def _clock(now: datetime, zone: str) -> Iterator[DeskLine]:
    at = Tick.objects.filter(name=CLOCK).values_list("at", flat=True).first()
    if at is None:
        yield DeskLine(_("The clock has never ticked: start a worker and beat."))
    elif at < now - late_after():
        told = _("The clock stands still since {moment}: look at worker and beat.")
        yield DeskLine(told.format(moment=moment(at, zone)))


def _parked(zone: str) -> Iterator[DeskLine]:
    parked = Game.objects.filter(status=Game.Status.RUNNING, parked_at__isnull=False)
    for game in parked.order_by("parked_at", "pk")[: MOST + 1]:
        if game.parked_at is not None:
            told = _("{game}: parked since {moment}. {error}").format(
                game=game,
                moment=moment(game.parked_at, zone),
                error=" ".join(game.error.splitlines()[-1:]),
            )
            yield DeskLine(told, game.pk, "retry")


def _overdue(now: datetime, zone: str) -> Iterator[DeskLine]:
    due = Game.objects.filter(status=Game.Status.RUNNING, deadline_at__lt=now - late_after())
    for game in due.order_by("deadline_at", "pk")[: MOST + 1]:
        if game.deadline_at is not None:
            told = _("{game}: its deadline passed at {moment}, and no default was played.")
            at = moment(game.deadline_at, zone)
            yield DeskLine(told.format(game=game, moment=at), game.pk, "extend")


def _recently_failed(now: datetime) -> list[OutboxMail]:
    failed = OutboxMail.objects.filter(
        status=OutboxMail.Status.FAILED, created_at__gt=now - FAILED_WITHIN
    )
    return list(failed.select_related("person", "game").order_by("-created_at")[: 5 * MOST])


def _unreachable(now: datetime) -> Iterator[DeskLine]:
    by_person = sorted(
        (mail for mail in _recently_failed(now) if mail.person_id is not None),
        key=lambda mail: mail.person_id or 0,
    )
    for person_id, mails in groupby(by_person, key=lambda mail: mail.person_id):
        failed = list(mails)
        if len(failed) >= FAILS_OFTEN:
            told = ngettext(
                "{name}: {count} mail was given up this week.",
                "{name}: {count} mails were given up this week.",
                len(failed),
            )
            text = told.format(name=failed[0].person, count=len(failed))
            yield DeskLine(text, person_id=person_id)


def _failed(now: datetime) -> Iterator[DeskLine]:
    for mail in _recently_failed(now)[: MOST + 1]:
        told = _("{mail}, about {game}: {error}")
        error = " ".join(mail.error.splitlines()[-1:])
        text = told.format(mail=mail, game=mail.game, error=error)
        yield DeskLine(text, mail.game_id, "send-again", f"mail_id={mail.pk}")


def _absent(now: datetime, zone: str) -> Iterator[DeskLine]:
    seats = Seat.objects.filter(
        absent_since__lt=now - ABSENT_FOR, game__status=Game.Status.RUNNING, house_player=""
    )
    for seat in seats.select_related("game", "user").order_by("absent_since", "pk")[: MOST + 1]:
        if seat.absent_since is not None:
            told = _("{game}: {name} is absent since {moment}.").format(
                game=seat.game, name=seat.player_name, moment=moment(seat.absent_since, zone)
            )
            yield DeskLine(told, seat.game_id, "house-player", f"seat={seat.number}")


def _paused(zone: str) -> Iterator[DeskLine]:
    paused = Game.objects.filter(
        status=Game.Status.RUNNING, paused_at__isnull=False, paused_until=None
    )
    for game in paused.order_by("paused_at", "pk")[: MOST + 1]:
        if game.paused_at is not None:
            told = _("{game}: paused since {moment}.")
            text = told.format(game=game, moment=moment(game.paused_at, zone))
            yield DeskLine(text, game.pk, "resume")
