"""What a suspension or a ban does at once in running games, and what is left of it afterwards."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Cause, Game, Move, Seat, User
from games.presentation.text.words import listed
from games.services.game.dormancy import tables_dormant_without
from games.services.roles import own_tables


class StillAway(NamedTuple):
    """A running game at which somebody is absent; `move` is the first that the clock made since."""

    game: Game
    seat: int
    move: int | None


def what_follows(person: User) -> list[str]:
    """Where they are absent at once, where the clock plays for them, and what comes to rest."""
    seats = list(_seats(person).filter(absent_since=None))
    dormant = tables_dormant_without(person)
    due = [
        seat.game
        for seat in seats
        if seat.deadline_at is not None and seat.game.paused_at is None and seat.game not in dormant
    ]
    sentences = []
    if seats:
        text = _("{name} is marked absent right away in: {games}.")
        sentences.append(_with(text, person, (seat.game for seat in seats)))
    if due:
        text = _(
            "{name} is to move, and the clock plays for them right away, in: {games}. These "
            "moves stand even if the decision is reversed."
        )
        sentences.append(_with(text, person, due))
    text = _(
        "Nobody else is left at the table {game}, so the game will go dormant. It will "
        "continue once somebody is at the table again; otherwise it will end after {days} "
        "days."
    )
    days = Game.LONGEST_DORMANCY.days
    return [*sentences, *(text.format(game=game, days=days) for game in dormant)]


def still_away(person: User, since: datetime, reader: User) -> list[StillAway]:
    """The running games, not those of the reader, at which they are absent since then."""
    seats = _seats(person).filter(absent_since__gte=since).exclude(game__in=own_tables(reader))
    made = Move.objects.filter(
        game__in=seats.values("game"), cause=Cause.CLOCK, abandoned=False, at__gte=since
    )
    first: dict[int, int] = dict(made.order_by("-pk").values_list("seat", "pk"))
    return [StillAway(seat.game, seat.drawn_number, first.get(seat.pk)) for seat in seats]


def _seats(person: User) -> QuerySet[Seat]:
    seats = Seat.objects.filter(user=person, number__isnull=False, game__in=Game.objects.in_play())
    return seats.select_related("game").defer("game__state").order_by("game")


def _with(text: str, person: User, games: Iterable[Game]) -> str:
    return text.format(name=person.name, games=listed(str(game) for game in games))
