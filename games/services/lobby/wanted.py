"""What somebody looks for in the lists of tables, and which tables fit."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext_lazy

from games.engine.editions import EDITIONS
from games.models import Game, Seat, User
from games.models.people import ProfilePart
from games.services.lobby.word_search import with_words
from games.services.people.display_names import is_read_by_stranger

MOST_PEOPLE: Final = 200
"""How many people of the same name are looked for; nobody reads so many tables."""


class Pace(StrEnum):
    """How fast a table is, as people look for one. Values stand in addresses."""

    EVENING = "evening"
    DAILY = "daily"
    RELAXED = "relaxed"


PACE_NAMES: Final[Mapping[Pace, Any]] = {
    Pace.EVENING: gettext_lazy("in one evening"),
    Pace.DAILY: gettext_lazy("up to about a day per move"),
    Pace.RELAXED: gettext_lazy("more than a day per move"),
}

_PACES: Final = {
    Pace.EVENING: Q(move_seconds__lt=timedelta(hours=3).total_seconds()),
    Pace.DAILY: Q(
        move_seconds__gte=timedelta(hours=3).total_seconds(),
        move_seconds__lte=timedelta(hours=30).total_seconds(),
    ),
    Pace.RELAXED: Q(move_seconds__gt=timedelta(hours=30).total_seconds()),
}


class Order(StrEnum):
    """Which open tables come first. Values stand in addresses."""

    SOONEST = "soonest"
    NEWEST = "newest"


ORDER_NAMES: Final[Mapping[Order, Any]] = {
    Order.SOONEST: gettext_lazy("fewest free seats"),
    Order.NEWEST: gettext_lazy("newest"),
}


class Wanted(NamedTuple):
    """What somebody looks for; what is empty may be any.

    `text` are the first letters of words in the name of the table, of a player or of the host; of
    strangers it counts for nothing, since it would tell them names. `bribes` and `promises` are
    values of these rules.
    """

    text: str = ""
    edition: str = ""
    pace: Pace | None = None
    language: str = ""
    size: int | None = None
    press: str = ""
    bribes: str = ""
    promises: str = ""
    newcomers: bool = False

    def among(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """These of the games."""
        wanted = [
            Q(edition=self.edition) if self.edition else None,
            Q(language__in=[self.language, ""]) if self.language else None,
            Q(size=self.size) if self.size else None,
            Q(press=self.press) if self.press else None,
            _by_rule("bribing", self.bribes) if self.bribes else None,
            _by_rule("promises", self.promises) if self.promises else None,
            Q(newcomers_welcome=True) if self.newcomers else None,
            _PACES[self.pace] if self.pace else None,
            _called(self.text) if self.text and not is_read_by_stranger() else None,
        ]
        return games.filter(*(one for one in wanted if one is not None))


def _by_rule(name: str, value: str) -> Q:
    """The games with this value of a rules option, chosen or as their edition has it."""
    editions = [key for key, edition in EDITIONS.items() if getattr(edition, name) == value]
    unchanged = Q(edition__in=editions) & ~Q(options__has_key=name)
    return Q(**{f"options__{name}": value}) | unchanged


def _called(text: str) -> Q:
    """The games with these words in their name, or in the name of somebody who has a seat there.

    Nobody is found who doesn't want their games to be shown on their page.
    """
    by_name = with_words(Game.objects.all(), ["name"], text).values("pk")
    known = User.objects.exclude(hidden_parts__contains=[ProfilePart.GAMES.value])
    # The index has both columns; whom only the address fits isn't meant.
    found = with_words(with_words(known, ["name", "email"], text), ["name"], text)
    people = list(found.order_by("-pk").values_list("pk", flat=True)[:MOST_PEOPLE])
    seats = Seat.objects.filter(user__in=people).values("game")
    return Q(pk__in=by_name) | Q(pk__in=seats) | Q(host__in=people)


def in_order(games: QuerySet[Game], order: Order) -> QuerySet[Game]:
    """Open tables in this order: by the fewest free seats, the oldest of these first, or by age."""
    if order is Order.NEWEST:
        return games.order_by("-created_at", "-pk")
    return games.alias(free=F("size") - Count("seats")).order_by("free", "created_at", "pk")
