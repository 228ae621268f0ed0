"""Offers made in threads: hidden from all but those who sit in the seats of the thread.

A substitute knows those that are the seat's own, and what was offered since (days 30).

They stand beside the game: the events of the game judge them, and reveal it to nobody else. What
becomes of them is written into the thread (`PrivateMessage.deal`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from games.engine import Event as EngineEvent
from games.engine import State, Table
from games.engine.ledger import Entry, Ledger, Status, follow
from games.engine.promises import Verdict
from games.models import Cause, Game, PrivateMessage, Thread, ThreadMember, User
from games.services import live, outbox
from games.services.game.locked_game import LockedGame
from games.services.game.offers import (
    Deal,
    Offers,
    as_stored,
    offers_from_events,
    settled,
    stored_offers,
)
from games.services.game.read_seats import Came, Seats
from games.services.game.replay import EventRow, StoredEvent, surviving
from games.services.people.display_names import is_read_by_stranger
from games.table_events import (
    OFFER_EVENTS,
    SETTLING,
    OfferEvent,
    OfferLapsed,
    PromiseJudged,
    Rewound,
    encode_table_event,
)


class PrivateLedger(NamedTuple):
    """The offers of a thread that a reader may know, and the seats that it is between."""

    thread: Thread
    offers: Offers

    @property
    def numbers(self) -> set[int]:
        """The numbers of these offers in the ledger of the thread."""
        return {entry.id for entry in self.offers.ledger}


class LedgerRow(NamedTuple):
    """An event of the log; of the ledger of a `thread` if it's known to its readers alone."""

    row: StoredEvent
    thread: Thread | None


def ledgers_of(game: Game, table: Table, seat: int | None, read: Seats) -> list[PrivateLedger]:
    """The private offers that the player of this seat may know; None is a spectator.

    All of them where private conversations are open to everybody by now, but for strangers.
    """
    all_may_know = game.threads_are_open and not is_read_by_stranger()
    ledgers = [
        PrivateLedger(
            thread,
            offers if all_may_know else _known(offers, thread, seat, read.came),
        )
        for thread in read.threads
        for offers in [stored_offers(thread, table)]
    ]
    return [one for one in ledgers if one.offers.ledger]


def _known(offers: Offers, thread: Thread, seat: int | None, came: Came) -> Offers:
    """Those of a thread that the player of this seat may know."""
    if seat is None or seat not in thread.seats:
        return Offers()
    since = came.get((thread.pk, seat), 0)
    known = [
        (entry, made)
        for entry, made in zip(offers.ledger, offers.made, strict=True)
        if made > since or seat in (entry.by, entry.other)
    ]
    return Offers(tuple(entry for entry, _made in known), tuple(made for _entry, made in known))


def belong(game: Game, number: int, user: User) -> None:
    """Make a substitute at a seat of a locked game belong to its threads from now on."""
    ThreadMember.objects.bulk_create(
        [
            ThreadMember(
                thread=thread,
                user=user,
                seat_number=number,
                last_read=thread.length,
                since=thread.length,
            )
            for thread in game.threads.filter(seats__contains=[number])
        ],
        ignore_conflicts=True,
    )


class Happened(NamedTuple):
    """An event that happened in this state and has this number.

    `cause` is that of the decision behind it; `forced` says that there was no choice.
    """

    state: State
    event: EngineEvent
    seq: int
    cause: Cause
    forced: bool


class PrivateOffers:
    """The threads with offers of a locked game that is being advanced."""

    def __init__(self, locked: LockedGame) -> None:
        self._locked = locked
        self._table = locked.state.table
        self.threads = threads = locked.read.threads
        self.came = locked.read.came
        self.offers = {thread.pk: stored_offers(thread, self._table) for thread in threads}
        self.deals: list[tuple[PrivateMessage, User | None]] = []

    def known_to(self, seat: int) -> Ledger:
        """The entries of all threads that the player of this seat may know."""
        known = (_known(self.offers[one.pk], one, seat, self.came) for one in self.threads)
        return tuple(entry for offers in known for entry in offers.ledger)

    def unknown_to(self, thread: Thread, entry: Entry, made: int) -> list[int]:
        """The seats of a thread whose person may not know this offer, the message `made`."""
        offer = Offers((entry,), (made,))
        return [seat for seat in thread.seats if not _known(offer, thread, seat, self.came).ledger]

    def judge(self, happened: Happened) -> None:
        """Write into the threads what an event makes of their offers."""
        for thread in self.threads:
            offers = self.offers[thread.pk]
            if all(entry.is_settled for entry in offers.ledger):
                continue
            after = follow(offers.ledger, happened.state, [happened.event], forced=happened.forced)
            self.offers[thread.pk] = offers._replace(ledger=after)
            for old, new in zip(offers.ledger, after, strict=True):
                for outcome in settled(self._table, old, new):
                    self._settle(thread, outcome, new, happened)

    def _settle(
        self,
        thread: Thread,
        outcome: OfferLapsed | PromiseJudged,
        entry: Entry,
        happened: Happened,
    ) -> None:
        """Write into the thread what was settled; a player who was betrayed gets email."""
        betrayed, cause = None, Cause.RULES
        if isinstance(outcome, PromiseJudged):
            other = self._locked.seats[
                entry.promise.seat if outcome.in_return else entry.promise.to
            ]
            betrayed = other.user if outcome.verdict == Verdict.BROKEN else None
            cause = happened.cause
        row = deal(thread, outcome, happened.state, happened.seq, cause)
        made = self.offers[thread.pk].made[entry.id - 1]
        row.unknown_to = self.unknown_to(thread, entry, made)
        self.deals.append((row, betrayed))

    def rewind(self, rows: Iterable[StoredEvent]) -> None:
        """Take all offers back to what they were after these events, which are all up to there."""
        rows = list(rows)
        for thread in self.threads:
            last = rows[-1].seq
            past = [one for one in deals_in(thread) if one.after < last + (one.kind in SETTLING)]
            self.offers[thread.pk] = offers_from_events(rows, past)

    def write(self) -> None:
        """Write what became of the offers, and email players to whom a promise was broken."""
        locked = self._locked
        for row, _person in self.deals:
            row.at = locked.now
        PrivateMessage.objects.bulk_create([row for row, _person in self.deals])
        changed = []
        for thread in self.threads:
            ledger = as_stored(self.offers[thread.pk], self._table)
            if ledger != thread.ledger:
                thread.ledger = ledger
                changed.append(thread)
        Thread.objects.bulk_update(changed, ["length", "ledger"])
        readers = {
            seat for row, _ in self.deals for seat in row.thread.seats if seat not in row.unknown_to
        }
        live.people_concerned(locked.seats[number].user_id for number in readers)
        betrayed = {(person, row.thread): row for row, person in self.deals if person is not None}
        waits = locked.now + outbox.NEWS_WAITS
        for (person, _thread), row in betrayed.items():
            locked.email_person("private_message", person, about=row.pk, not_before=waits)


def deal(  # noqa: PLR0913 (a row says much, most of it by name)
    thread: Thread,
    event: OfferEvent,
    state: State,
    after: int,
    cause: Cause,
    *,
    author: User | None = None,
    seat: int | None = None,
    text: str = "",
    token: UUID | None = None,
) -> PrivateMessage:
    """The next row of a thread, unsaved, about an offer; the thread counts it."""
    thread.length += 1
    return PrivateMessage(
        thread=thread,
        number=thread.length,
        author=author,
        seat_number=seat,
        text=text,
        round=state.round,
        turn_of=state.active,
        deal=encode_table_event(event),
        cause=cause,
        after=after,
        token=token or uuid4(),
    )


def deals_in(thread: Thread, until: datetime | None = None) -> list[Deal]:
    """The offers and replies of a thread and what became of them, in order; `until` a time."""
    rows = thread.messages.filter(deal__isnull=False).order_by("number")
    if until is not None:
        rows = rows.filter(at__lte=until)
    return [Deal(row.number, row.after, *_kind_and_payload(row)) for row in rows]


def _kind_and_payload(row: PrivateMessage) -> tuple[str, dict[str, Any]]:
    """The kind of a deal's event, and the rest of it."""
    payload = dict(row.deal or {})
    return payload.pop("kind"), payload


def private_offers_from_events(rows: Iterable[StoredEvent], thread: Thread) -> Offers:
    """The offers that the events of a game and the rows of one of its threads lead to."""
    return offers_from_events(rows, deals_in(thread))


def deals_that_stand(
    messages: Iterable[PrivateMessage], rows: Iterable[StoredEvent]
) -> list[PrivateMessage]:
    """The deals that no rewind has undone; `rows` are all events of the game.

    What an event settled stands with that event; what was dealt behind the last event that a rewind
    left goes with the rest.
    """
    rewinds = [(row.seq, row.payload["to_seq"]) for row in rows if row.kind == Rewound.__name__]

    def stands(one: PrivateMessage) -> bool:
        is_settling = _kind_and_payload(one)[0] in SETTLING
        first = one.after if is_settling else one.after + 1
        return not any(to < first and one.after < seq for seq, to in rewinds)

    return [one for one in messages if one.deal is not None and stands(one)]


def as_row(deal: PrivateMessage, phase_no: int = 0) -> EventRow:
    """A deal as an event with the number of the event that it stands behind."""
    kind, payload = _kind_and_payload(deal)
    return EventRow(deal.after, phase_no, kind, payload, deal.cause, deal.at)


def with_deals(thread: Thread, rows: list[EventRow]) -> list[EventRow]:
    """The events that count, with the offers of a thread in place of those made in front of all.

    `rows` are all events of the game; a deal has the number of the event that it stands behind.
    """
    behind: dict[int, list[EventRow]] = {}
    for deal in deals_that_stand(thread.messages.filter(deal__isnull=False), rows):
        behind.setdefault(deal.after, []).append(as_row(deal))
    merged: list[EventRow] = []
    for row in surviving(rows):
        if row.kind not in OFFER_EVENTS:
            merged.append(row)
        merged += behind.get(row.seq, [])
    return merged


def private_verdicts(
    ledgers: Iterable[PrivateLedger], rows: Sequence[StoredEvent]
) -> list[LedgerRow]:
    """The verdicts on private promises that a reader may know, in order; not what was rewound.

    Each has the number of the event that it stands behind. `rows` are all events of the game, or
    the latest and all rewinds. The database is asked only where one of these promises is settled.
    """
    judged = {
        one.thread.pk: one
        for one in ledgers
        if any(_is_judged(entry) for entry in one.offers.ledger)
    }
    if not judged:
        return []
    deals = PrivateMessage.objects.filter(
        thread__in=judged, deal__kind=PromiseJudged.__name__
    ).order_by("after", "pk")
    phases = {row.seq: row.phase_no for row in rows}
    found = []
    for deal in deals_that_stand(deals, rows):
        row, private = as_row(deal, phases.get(deal.after, 0)), judged[deal.thread_id]
        if row.payload["number"] in private.numbers:
            found.append(LedgerRow(row, private.thread))
    return found


def _is_judged(entry: Entry) -> bool:
    """Whether there is a verdict on it, or on what was promised in return."""
    settled_one = {entry.verdict, *([entry.condition] if entry.promise.in_return() else [])}
    return entry.status is Status.ACCEPTED and settled_one != {Verdict.PENDING}


def known_deals(private: PrivateLedger, rows: list[EventRow]) -> list[EventRow]:
    """The events that count, with the offers of a thread that a reader may know."""
    merged, known = with_deals(private.thread, rows), private.numbers
    return [row for row in merged if row.kind not in OFFER_EVENTS or row.payload["number"] in known]
