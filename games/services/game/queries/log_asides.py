"""What computer players say to each other: the log has one line of it for each turn, which opens.

It concerns nobody else. A promise that one breaks is news all the same; what came to nothing is in
the ledger alone.
"""

from collections.abc import Collection, Iterable
from enum import Enum, auto

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.promises import Verdict
from games.presentation.log.promise_story import promise_of
from games.presentation.text.direction import ComputerName
from games.presentation.text.words import People, listed_names
from games.services.game.replay import StoredEvent
from games.table_events import (
    OFFER_EVENTS,
    OfferEvent,
    OfferLapsed,
    OfferReplied,
    PromiseJudged,
    decode_table_event,
)


class Place(Enum):
    """Where the log has an event: as a line, among others behind one line, or not at all."""

    LINE = auto()
    FOLD = auto()
    NOWHERE = auto()


def computers_of(people: People) -> set[int]:
    """The seats that computer players have, by what the seats are called."""
    return {seat for seat, name in enumerate(people.names) if isinstance(name, ComputerName)}


def place_of(row: StoredEvent, people: People, computers: Collection[int]) -> Place:
    """Where the log has this event, at a table where computer players have these seats."""
    if row.kind not in OFFER_EVENTS or len(computers) < 2:
        return Place.LINE
    event = _offer_event(row)
    if not parties(people, event) <= set(computers):
        return Place.LINE
    if isinstance(event, PromiseJudged) and event.verdict == Verdict.BROKEN:
        return Place.LINE
    came_to_nothing = isinstance(event, PromiseJudged) and event.verdict == Verdict.VOID
    return Place.NOWHERE if came_to_nothing or isinstance(event, OfferLapsed) else Place.FOLD


def parties(people: People, event: OfferEvent) -> set[int]:
    """The two players whom an offer is about."""
    promise = promise_of(people, event)
    return {promise.seat, promise.to}


def asides_text(people: People, rows: Iterable[StoredEvent]) -> str:
    """What was said behind one line, in short: who said it, and how many deals came of it."""
    events = [_offer_event(row) for row in rows]
    seats = sorted(set().union(*(parties(people, event) for event in events)))
    deals = sum(isinstance(one, OfferReplied) and one.reply == "accepted" for one in events)
    names = listed_names([people.name(seat) for seat in seats])
    if not deals:
        return _("{names} negotiated but made no deal.").format(names=names)
    text = ngettext(
        "{names} made a deal with each other.",
        "{names} made {count} deals with each other.",
        deals,
    )
    return text.format(names=names, count=deals)


def _offer_event(row: StoredEvent) -> OfferEvent:
    event = decode_table_event({"kind": row.kind, **row.payload})
    if not isinstance(event, OfferEvent):
        raise TypeError(f"{row.kind} is nothing that happens to an offer.")
    return event
