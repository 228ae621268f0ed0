"""How reliable people are, from what every table saw: moves, and full times that were let pass."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from games.models import Game, Miss, Move, User
from games.models.people import ProfilePart
from games.services.people.display_names import is_read_by_stranger

COUNTED_MONTHS: Final = 12
COUNTED: Final = timedelta(days=COUNTED_MONTHS * 365 // 12)
ENOUGH: Final = 10
"""With fewer turns there is no share: they say little about a person."""


class Reliability(NamedTuple):
    """How many turns somebody had in the last months, and in how many of them they moved in time.

    What happened in a game that was abandoned, or that had no deadlines, counts for nobody.
    """

    moved: int = 0
    counted: int = 0

    @property
    def percent(self) -> int | None:
        """The share of moves made in time, rounded down; None of a newcomer."""
        return None if self.counted < ENOUGH else 100 * self.moved // self.counted


def reliability_of(people: Iterable[int], now: datetime) -> dict[int, Reliability]:
    """How reliable each of these people is, by their keys; two queries for all, none for nobody."""
    keys, since = list(people), now - COUNTED
    if not keys:
        return {}
    moves = Move.objects.filter(user__in=keys, abandoned=False, at__gt=since)
    moves = moves.filter(game__move_seconds__lt=Game.NO_DEADLINES.total_seconds())
    moved = _by_person(moves.exclude(game__status=Game.Status.ABANDONED))
    misses = Miss.objects.filter(user__in=keys, at__gt=since)
    missed = _by_person(misses.exclude(seat__game__status=Game.Status.ABANDONED))
    return {
        key: Reliability(moved.get(key, 0), moved.get(key, 0) + missed.get(key, 0)) for key in keys
    }


def _by_person(rows: QuerySet[Move] | QuerySet[Miss]) -> dict[int, int]:
    """How many of these rows are of whom."""
    return dict(rows.order_by().values_list("user").annotate(rows=Count("pk")))


def in_time_text(person: User | None, known: Mapping[int, Reliability]) -> str:
    """How reliable somebody is in few words; "" for a newcomer, and for who doesn't show it.

    As all of a profile, it is for members only.
    """
    if person is None or is_read_by_stranger() or ProfilePart.RELIABILITY in person.hidden_parts:
        return ""
    percent = known[person.pk].percent
    return "" if percent is None else _("{percent}% in time").format(percent=percent)
