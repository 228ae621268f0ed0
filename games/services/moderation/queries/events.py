"""Events of any games in words: as the log of their table shows them to a spectator."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from games.engine import encode_event
from games.engine.events import GameStarted, StageOpened
from games.models import Cause, Event, Seat
from games.presentation.log.story import event_text
from games.presentation.text.words import People
from games.services.game.holders import Holders
from games.services.game.queries.log import Reader, people_then, read_event
from games.services.game.replay import mover_of
from games.services.game.unreadable import UNREADABLE
from games.services.people.display_names import seat_names, with_names
from games.table_events import NAME_CHANGES, is_table_event

AROUND = (GameStarted.__name__, StageOpened.__name__, *NAME_CHANGES)
"""The kinds that hold the names of then, and the scholars who competed."""


def events_text(events: Iterable[Event]) -> dict[int, str]:
    """A sentence for each event by its key, with the names of then; "" where there is none.

    Three queries, of however many games the events are.
    """
    by_game: dict[int, list[Event]] = defaultdict(list)
    for event in events:
        by_game[event.game_id].append(event)
    seats, around = _seats(by_game), _around(by_game)
    text: dict[int, str] = {}
    for game_id, own in by_game.items():
        text |= _text(own, around[game_id], seats[game_id])
    return text


def _seats(games: Iterable[int]) -> dict[int, list[Seat]]:
    rows = Seat.objects.filter(game__in=games, number__isnull=False)
    rows = rows.select_related("user", "game").defer("game__state")
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in with_names(rows).order_by("number"):
        found[seat.game_id].append(seat)
    return found


def _around(by_game: dict[int, list[Event]]) -> dict[int, list[Event]]:
    rows = Event.objects.filter(game__in=by_game, kind__in=AROUND).order_by("seq")
    found: dict[int, list[Event]] = defaultdict(list)
    for row in rows:
        found[row.game_id].append(row)
    return found


def _text(events: list[Event], around: list[Event], seats: list[Seat]) -> dict[int, str]:
    """The sentences of events of one game; "" for one that cannot be read."""
    text = dict.fromkeys((event.pk for event in events), "")
    try:
        reader = _spectator(around, seats)
    except UNREADABLE:
        return text
    for event in events:
        before = [row for row in around if row.seq <= event.seq]
        try:
            text[event.pk] = event_text(_people(before, reader, event), read_event(event, None))
        except UNREADABLE:
            continue
    return text


def _spectator(around: Sequence[Event], seats: list[Seat]) -> Reader:
    """A reader without a seat, at the table that the first event is about."""
    started = read_event(around[0], None)
    if not isinstance(started, GameStarted):
        raise TypeError("A game begins with its start.")
    game = seats[0].game
    people = People(started.table, seat_names(seats), has_deadlines=game.has_deadlines)
    return Reader(None, people, Holders.of_seats(game, seats))


def _people(before: Sequence[Event], reader: Reader, event: Event) -> People:
    """Who was who at this event, and which scholars competed then."""
    people = people_then(before, reader, event.seq)
    opened = [row for row in before if row.kind == StageOpened.__name__]
    stage = read_event(opened[-1], None) if opened else None
    return people._replace(among=stage.contenders) if isinstance(stage, StageOpened) else people


def played_by_clock(event: Event) -> int | None:
    """The seat for which the clock made this move; None if the event is anything else."""
    if event.cause != Cause.CLOCK or is_table_event(event.kind):
        return None
    try:
        return mover_of(read_event(event, None))
    except UNREADABLE:
        return None


def public_payload(event: Event) -> dict[str, Any]:
    """An event as it is stored, without what a spectator may not see; of a broken one its kind."""
    if is_table_event(event.kind):
        return {"kind": event.kind, **event.payload}
    try:
        text: Any = read_event(event, None)
    except UNREADABLE:
        return {"kind": event.kind}
    return encode_event(text)
