"""Reads the games of one person for their home page, in as many queries for many as for one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.engine import View
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
)
from games.engine.ledger import Ledger, Status
from games.models import Event, Game, Seat, Sitting, Thread, User
from games.services.game.holders import Holders, read_changes
from games.services.game.offers import stored_offers
from games.services.game.replay import REWOUND
from games.services.game.talk_time import waits_for
from games.services.game.unreadable import view_of
from games.services.people.display_names import with_names
from games.table_events import GamePaused, GameResumed, OfferMade, OfferReplied

LATEST_SHOWN: Final = [
    *(
        event.__name__
        for event in (
            ScholarHired, ScholarKept, ScholarBanished, ScholarsSent, BribesPaid, BribesSealed,
            OfferMade, OfferReplied, GamePaused, GameResumed,
        )
    ),
    REWOUND,
]  # fmt: skip
"""What somebody did at a table: the last such event is told in a list of games."""


class OwnGame(NamedTuple):
    """A game that waits or is being played, with the reader's seat and what happened there last.

    `holders` know all seats and, once it has started, who sat there when. `last` is the last event
    of a kind in `LATEST_SHOWN`, None before the first one. `seen` is the game as the reader sees
    it; None while it waits for players, and where it can't be read.
    """

    own: Seat
    holders: Holders
    last: Event | None
    seen: View | None

    @property
    def seats(self) -> list[Seat]:
        """All seats by number, each with its user."""
        return self.holders.seats

    @property
    def is_to_move(self) -> bool:
        """Whether the reader is; never in a dormant game, nor at a seat somebody plays for."""
        own = self.own
        if self.seen is None:
            return False
        return own.deadline_at is not None and own.game.is_going_on and own.absent_since is None

    @property
    def is_to_talk(self) -> bool:
        """Whether the bribes of the turn wait for the reader to talk, or to be ready."""
        if self.seen is None:
            return False
        seats = {seat.drawn_number: seat for seat in self.seats}
        return self.own in waits_for(self.seen, seats, self.own.game)


def own_games(user: User) -> list[OwnGame]:
    """The person's games that wait or are being played, by the nearest deadline.

    That is the person's own, or else that of the game.
    """
    done = Event.objects.filter(game=OuterRef("game"), kind__in=LATEST_SHOWN).order_by("-seq")
    seats = (
        Seat.objects.filter(user=user, game__status__in=Game.UNFINISHED)
        .annotate(last_event=Subquery(done.values("pk")[:1]))
        .select_related("game")
        .prefetch_related(Prefetch("game__seats", with_names(Seat.objects.select_related("user"))))
        .order_by(
            F("deadline_at").asc(nulls_last=True), F("game__deadline_at").asc(nulls_last=True), "pk"
        )
    )
    last = Event.objects.in_bulk([seat.last_event for seat in seats if seat.last_event])
    games = [
        OwnGame(
            seat,
            Holders.of_seats(seat.game, seat.game.seats.all()),
            last.get(seat.last_event),
            view_of(seat.game, seat.number),
        )
        for seat in seats
    ]
    read_changes(game.holders for game in games)
    return games


class OwnLedger(NamedTuple):
    """The offers at one of these tables, in front of all or those of a `thread`."""

    table: OwnGame
    thread: Thread | None
    ledger: Ledger


def ledgers_of(tables: Sequence[OwnGame]) -> list[OwnLedger]:
    """All of these tables. One query if there are private conversations at any of them."""
    seen = {table.own.game_id: (table, table.seen) for table in tables if table.seen}
    private = [key for key, (table, _seen) in seen.items() if table.own.game.has_threads]
    threads = list(Thread.objects.filter(game__in=private)) if private else []
    found = [
        OwnLedger(table, None, stored_offers(table.own.game, view.table).ledger)
        for table, view in seen.values()
    ]
    for thread in threads:
        table, view = seen[thread.game_id]
        found.append(OwnLedger(table, thread, stored_offers(thread, view.table).ledger))
    return found


def offers_to(ledgers: Iterable[OwnLedger]) -> Counter[int]:
    """How many open offers wait for the reader at each of these tables, by the game's id."""
    offers: Counter[int] = Counter()
    for table, _thread, ledger in ledgers:
        offers[table.own.game_id] += sum(
            entry.status is Status.OPEN and entry.other == table.own.drawn_number
            for entry in ledger
        )
    return offers


def over_games(user: User) -> QuerySet[Sitting]:
    """Where the person sat in games that are over or went on without them, the latest first.

    Each with its seat, and that with its game.
    """
    is_over = Q(ended_at__isnull=False) | Q(seat__game__status__in=Game.OVER)
    ended = Coalesce("ended_at", "seat__game__finished_at").desc(nulls_last=True)
    sittings = Sitting.objects.filter(is_over, user=user).select_related("seat__game")
    return sittings.order_by(ended, "pk")
