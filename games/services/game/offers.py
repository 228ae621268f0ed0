"""The offers and promises of a table: the engine's ledger with the events that tell of it.

The ledger is stored with the game, as the state is: a cache of what the events tell.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final, NamedTuple

from games.engine import Scholar, State, Table
from games.engine.binding import accept
from games.engine.ledger import Entry, Ledger, Status, follow, offer, reply
from games.engine.promise_codec import (
    decode_ledger,
    decode_promise,
    encode_ledger,
    encode_promise,
)
from games.models import Game, Thread
from games.services.game.replay import StoredEvent, rule_event, states
from games.table_events import (
    OfferLapsed,
    OfferMade,
    OfferReplied,
    PromiseJudged,
    Rewound,
    is_table_event,
)


class Offers(NamedTuple):
    """The ledger of a table or a thread; `made` has for each entry the number of its `OfferMade`.

    That number names an offer for good: after a rewind, another one may be the third of its game.
    """

    ledger: Ledger = ()
    made: tuple[int, ...] = ()

    def entry(self, seq: int) -> Entry | None:
        """The offer that the event with this number made; None if it was taken back, or is none."""
        return self.ledger[self.made.index(seq)] if seq in self.made else None


def promised(ledger: Ledger) -> set[Scholar]:
    """The scholars that promises still to be kept are about."""
    deeds = [promise.deed for entry in ledger for promise in entry.owed]
    return {one for deed in deeds if (one := getattr(deed, "scholar", None)) is not None}


def stored_offers(stored: Game | Thread, table: Table) -> Offers:
    """The offers of a game that has started, in front of all or those of a thread."""
    if not stored.ledger:
        return Offers()
    return Offers(decode_ledger(table, stored.ledger), tuple(one["made"] for one in stored.ledger))


def as_stored(offers: Offers, table: Table) -> list[dict[str, Any]]:
    """What `Game.ledger` holds."""
    entries: list[Any] = encode_ledger(table, offers.ledger)
    return [{"made": seq, **entry} for seq, entry in zip(offers.made, entries, strict=True)]


class Talk(NamedTuple):
    """An offer or a reply: its number, the event that came before it, and what it says."""

    seq: int
    after: int
    kind: str
    payload: dict[str, Any]


TALK: Final = frozenset({OfferMade.__name__, OfferReplied.__name__})


def offers_told(rows: Iterable[StoredEvent], thread: Iterable[Talk] | None = None) -> Offers:
    """The offers that the events lead to; `rows` are all events up to some point, by number.

    In front of all, or where there is a `thread`, those that were made in it. What is settled is
    judged anew: `OfferLapsed` and `PromiseJudged` are not read.
    """
    rows = list(rows)
    said = [_public(row) for row in rows if row.kind in TALK] if thread is None else list(thread)
    behind = {after: list(group) for after, group in groupby(said, lambda one: one.after)}
    past: list[tuple[int, Offers]] = [(0, Offers())]
    offers, state = Offers(), None
    for row, moment in zip(rows, states(rows), strict=True):
        if row.kind == Rewound.__name__:
            offers = next(then for seq, then in past[::-1] if seq <= row.payload["to_seq"])
        elif state is not None and not is_table_event(row.kind):
            offers = offers._replace(ledger=follow(offers.ledger, state, [rule_event(row)]))
        if thread is not None:
            past.append((row.seq, offers))
        state = moment.state
        for one in behind.get(row.seq, []):
            offers = _after_talk(offers, state, one)
        if thread is None:
            past.append((row.seq, offers))
    return offers


def _public(row: StoredEvent) -> Talk:
    return Talk(row.seq, row.seq, row.kind, row.payload)


def _after_talk(offers: Offers, state: State, said: Talk) -> Offers:
    told, ledger = said.payload, offers.ledger
    if said.kind == OfferMade.__name__:
        promise = decode_promise(state.table, told["by"], told["terms"])
        return Offers(offer(ledger, state, told["by"], promise), (*offers.made, said.seq))
    given = Status(told["reply"])
    if given is Status.ACCEPTED:
        return offers._replace(ledger=accept(ledger, state, told["seat"], told["number"]))
    return offers._replace(ledger=reply(ledger, told["seat"], told["number"], given))


def made(table: Table, entry: Entry, remark: str) -> OfferMade:
    """The event of a new offer."""
    terms = encode_promise(table, entry.by, entry.promise)
    return OfferMade(entry.by, entry.id, entry.by, terms, remark)


def replied(table: Table, entry: Entry, seat: int, remark: str) -> OfferReplied:
    """The event of a reply; the entry is as it stands after it."""
    terms = encode_promise(table, entry.by, entry.promise)
    return OfferReplied(seat, entry.id, entry.by, terms, entry.status.value, remark)


def settled(table: Table, before: Entry, after: Entry) -> list[OfferLapsed | PromiseJudged]:
    """The events that tell what an event of the game has made of an offer or its promises."""
    if before == after:
        return []
    number, by, promise = after.id, after.by, after.promise
    terms = encode_promise(table, by, promise)
    if after.status is Status.LAPSED:
        return [OfferLapsed(by, number, by, terms)]
    told: list[OfferLapsed | PromiseJudged] = []
    if before.verdict != after.verdict:
        verdict = after.verdict.value
        told.append(PromiseJudged(promise.seat, number, by, terms, verdict, in_return=False))
    if before.condition != after.condition and promise.in_return() is not None:
        verdict = after.condition.value
        told.append(PromiseJudged(promise.to, number, by, terms, verdict, in_return=True))
    return told
