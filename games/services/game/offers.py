"""The offers and promises of a table: the engine's ledger with the events behind it.

The ledger is stored with the game, as the state is: a cache of what the events say.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from games.engine import Scholar, State, Table
from games.engine.binding import accepted
from games.engine.ledger import Entry, Ledger, Status, reply, with_bribes, with_offer
from games.engine.promise_codec import (
    decode_ledger,
    decode_promise,
    encode_ledger,
    encode_promise,
)
from games.engine.promises import Verdict
from games.models import Game, Thread
from games.services.game.replay import StoredEvent, rule_event, states
from games.table_events import (
    OFFER_EVENTS,
    SETTLING,
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
    """The offers as `Game.ledger` holds them."""
    entries: list[Any] = encode_ledger(table, offers.ledger)
    return [{"made": seq, **entry} for seq, entry in zip(offers.made, entries, strict=True)]


class Deal(NamedTuple):
    """An event about an offer: its number, the event that came before it, and its payload."""

    seq: int
    after: int
    kind: str
    payload: dict[str, Any]


def offers_from_events(rows: Iterable[StoredEvent], thread: Iterable[Deal] | None = None) -> Offers:
    """The offers that the events lead to; `rows` are all events up to some point, by number.

    In front of all, or where there is a `thread`, those that were made in it. What was stored
    stands: what would be refused or judged otherwise today is neither refused nor judged anew.
    """
    rows = list(rows)
    with_row, behind = _deals(rows, thread)
    past: list[tuple[int, Offers]] = [(0, Offers())]
    offers, state = Offers(), None
    for row, moment in zip(rows, states(rows), strict=True):
        if row.kind == Rewound.__name__:
            offers = next(then for seq, then in past[::-1] if seq <= row.payload["to_seq"])
        elif state is not None and not is_table_event(row.kind):
            offers = offers._replace(ledger=with_bribes(offers.ledger, state, rule_event(row)))
        state = moment.state
        offers = _after(offers, state, with_row.get(row.seq, ()))
        past.append((row.seq, offers))
        offers = _after(offers, state, behind.get(row.seq, ()))
    return offers


def _deals(
    rows: list[StoredEvent], thread: Iterable[Deal] | None
) -> tuple[dict[int, list[Deal]], dict[int, list[Deal]]]:
    """The deals that stand or fall with an event, and those that were made behind it."""
    if thread is None:
        event = [row for row in rows if row.kind in OFFER_EVENTS]
        return _by_row(Deal(row.seq, row.seq, row.kind, row.payload) for row in event), {}
    deals = list(thread)
    return (
        _by_row(one for one in deals if one.kind in SETTLING),
        _by_row(one for one in deals if one.kind not in SETTLING),
    )


def _by_row(deals: Iterable[Deal]) -> dict[int, list[Deal]]:
    return {after: list(group) for after, group in groupby(deals, lambda one: one.after)}


def _after(offers: Offers, state: State, deals: Iterable[Deal]) -> Offers:
    for one in deals:
        offers = (_after_settling if one.kind in SETTLING else _after_offer_or_reply)(
            offers, state, one
        )
    return offers


def _after_offer_or_reply(offers: Offers, state: State, deal: Deal) -> Offers:
    payload, ledger = deal.payload, offers.ledger
    if deal.kind == OfferMade.__name__:
        promise = decode_promise(state.table, payload["by"], payload["terms"])
        return Offers(with_offer(ledger, state, payload["by"], promise), (*offers.made, deal.seq))
    given = Status(payload["reply"])
    if given is Status.ACCEPTED:
        return offers._replace(ledger=accepted(ledger, state, payload["seat"], payload["number"]))
    return offers._replace(ledger=reply(ledger, payload["seat"], payload["number"], given))


def _after_settling(offers: Offers, _state: State, deal: Deal) -> Offers:
    number = deal.payload["number"]
    entry = offers.ledger[number - 1]
    if deal.kind == OfferLapsed.__name__:
        entry = entry._replace(status=Status.LAPSED)
    elif deal.payload["in_return"]:
        entry = entry._replace(condition=Verdict(deal.payload["verdict"]))
    else:
        entry = entry._replace(verdict=Verdict(deal.payload["verdict"]))
    ledger = (*offers.ledger[: number - 1], entry, *offers.ledger[number:])
    return offers._replace(ledger=ledger)


def made(table: Table, entry: Entry, remark: str) -> OfferMade:
    """The event of a new offer."""
    terms = encode_promise(table, entry.by, entry.promise)
    return OfferMade(entry.by, entry.id, entry.by, terms, remark)


def replied(table: Table, entry: Entry, seat: int, remark: str) -> OfferReplied:
    """The event of a reply; the entry is as it stands after it."""
    terms = encode_promise(table, entry.by, entry.promise)
    return OfferReplied(seat, entry.id, entry.by, terms, entry.status.value, remark)


def settled(table: Table, before: Entry, after: Entry) -> list[OfferLapsed | PromiseJudged]:
    """The events that follow from an event of the game for an offer and its promises."""
    if before == after:
        return []
    number, by, promise = after.id, after.by, after.promise
    terms = encode_promise(table, by, promise)
    if after.status is Status.LAPSED:
        return [OfferLapsed(by, number, by, terms)]
    found: list[OfferLapsed | PromiseJudged] = []
    if before.verdict != after.verdict:
        verdict = after.verdict.value
        found.append(PromiseJudged(promise.seat, number, by, terms, verdict, in_return=False))
    if before.condition != after.condition and promise.in_return() is not None:
        verdict = after.condition.value
        found.append(PromiseJudged(promise.to, number, by, terms, verdict, in_return=True))
    return found
