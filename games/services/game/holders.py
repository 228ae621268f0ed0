"""Who held each seat of a started game when: what was done there stays theirs.

The names of today are for what is so today. Whatever happened is told with the names of then, also
after a substitute sat down; docs/architecture.md has a table of the cases.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple, Self

from games.engine.events import TurnBegan
from games.engine.ledger import Entry, Status
from games.models import Event, Game, PrivateMessage, Seat, Thread
from games.presentation.text.said import INHERITED, INHERITED_OFFER
from games.presentation.text.words import People
from games.services.game.replay import REWOUND, StoredEvent, surviving
from games.services.people.display_names import names_after, names_in_order, with_names
from games.table_events import (
    NAME_CHANGES,
    NameChange,
    OfferMade,
    OfferReplied,
    PromiseJudged,
    decode_table_event,
)

_OFFERING: Final = (OfferMade.__name__, OfferReplied.__name__, TurnBegan.__name__, REWOUND)


class Given(NamedTuple):
    """When a promise was given, or offered: the last event of the game then, and the round."""

    seq: int
    round: int


class Holders:
    """The names of those who held the seats of a started game, at any moment of it.

    `sat` are those of each seat's people, the first one first, None without an account by now.
    Asks the database only where somebody has left a seat: once for who sat there when, and up to
    twice for promises.
    """

    def __init__(self, game: Game, seats: list[Seat], sat: Iterable[Sequence[str | None]]) -> None:
        self.game = game
        self.seats = seats
        self._sat = list(sat)

    @classmethod
    def of(cls, game: Game) -> Self:
        """Those of a game of which no seats were read yet."""
        return cls.of_seats(game, with_names(game.seats.select_related("user")))

    @classmethod
    def of_seats(cls, game: Game, seats: Iterable[Seat]) -> Self:
        """Those of a game whose seats were read `with_names`, in order."""
        rows = list(seats)
        return cls(game, rows, [vars(seat)["sat"] for seat in rows])

    @cached_property
    def in_order(self) -> list[list[str]]:
        """For each seat the names of all who sat there, the first one first."""
        return [names_in_order(*both) for both in zip(self.seats, self._sat, strict=True)]

    @property
    def everybody(self) -> list[str]:
        """The names of all who have sat there, and of computer players."""
        return [name for names in self.in_order for name in names]

    def know(self, rows: Sequence[StoredEvent]) -> None:
        """Take what was read already: all events of the game."""
        self.know_changes(rows)
        self._offering = [row for row in rows if row.kind in _OFFERING]

    def know_changes(self, rows: Sequence[StoredEvent]) -> None:
        """Take what was read already: all events after which a seat has another name, and more."""
        self._changes = [row for row in rows if row.kind in NAME_CHANGES]

    def after(self, seq: int) -> list[str]:
        """What each seat was called after the event with this number."""
        return self.names_after(row for row in self._changes if row.seq <= seq)

    def at(self, moment: datetime) -> list[str]:
        """What each seat was called at that time."""
        return self.names_after(row for row in self._changes if row.at <= moment)

    def names_after(self, rows: Iterable[StoredEvent]) -> list[str]:
        """What each seat was called after these events, which are all up to some moment."""
        events = (
            decode_table_event({"kind": row.kind, **row.payload})
            for row in rows
            if row.kind in NAME_CHANGES
        )
        changes = [event for event in events if isinstance(event, NameChange)]
        return names_after(self.game, self.in_order, changes)

    @property
    def has_changed(self) -> bool:
        """Whether somebody has left a seat, and not got it back."""
        both = zip(self.seats, self._sat, strict=True)
        return any(len(sat) > 1 or (sat and seat.user_id is None) for seat, sat in both)

    @cached_property
    def _changes(self) -> list[StoredEvent]:
        """The events after which the table calls a seat by another name."""
        read_changes([self])
        return self._changes

    @cached_property
    def _offering(self) -> list[StoredEvent]:
        """The offers made in front of all, the replies, and the turns in which they were."""
        rows = self.game.events.filter(kind__in=_OFFERING).order_by("seq")
        return list(rows) if self.has_changed else []

    @cached_property
    def _deals(self) -> list[PrivateMessage]:
        """The offers made in threads, and the replies."""
        rows = PrivateMessage.objects.filter(thread__game=self.game, deal__isnull=False)
        return list(rows.order_by("number")) if self.has_changed else []

    def heir_to(self, people: People, seat: int, entry: Entry, thread: Thread | None = None) -> str:
        """Who has an open offer or a promise of this seat from whom; "" if it's their own."""
        if not self.has_changed:
            return ""
        last = self._changes[-1].seq if self._changes else 0
        is_given = entry.status is Status.ACCEPTED
        given = self.given(entry.id, None, thread, is_given=is_given)
        return self.heir_text(people, seat, given, last, is_given=is_given)

    def heir_judged(
        self, people: People, event: PromiseJudged, seq: int, thread: Thread | None = None
    ) -> str:
        """Who kept or broke whose promise; "" if it was their own. `seq` is the event's number."""
        if not self.has_changed:
            return ""
        return self.heir_text(people, event.seat, self.given(event.number, seq, thread), seq)

    def heir_text(
        self, people: People, seat: int, given: Given | None, seq: int, *, is_given: bool = True
    ) -> str:
        """Who held the seat after an event, and of whom they had what was given or offered.

        "" where both are the same person.
        """
        if given is None:
            return ""
        people, before = people.then(self.after(seq)), self.after(given.seq)[seat]
        if people.name(seat) == before:
            return ""
        said = INHERITED if is_given else INHERITED_OFFER
        return said.about(people, seat, other=before, round=given.round)

    def names_given(self, event: PromiseJudged, seq: int, thread: Thread | None) -> list[str]:
        """What each seat was called when a promise was given; `seq` is that of its verdict."""
        given = self.given(event.number, seq, thread) if self.has_changed else None
        return self.after(seq if given is None else given.seq)

    def given(
        self, number: int, until: int | None, thread: Thread | None, *, is_given: bool = True
    ) -> Given | None:
        """When the offer with this number, made in a `thread` or in front of all, was accepted.

        As the game stood after the event `until`, None for now. When it was made, if it isn't
        `is_given` yet.
        """
        kind = OfferReplied.__name__ if is_given else OfferMade.__name__
        found = self._publicly(kind, number, until)
        if thread is not None:
            found = self._privately(kind, number, until, thread)
        return found[-1] if found else None

    def _publicly(self, kind: str, number: int, until: int | None) -> list[Given]:
        rows = surviving(row for row in self._offering if until is None or row.seq <= until)
        return [
            Given(row.seq, round_at(rows, row.seq))
            for row in rows
            if row.kind == kind and row.payload["number"] == number
        ]

    def _privately(self, kind: str, number: int, until: int | None, thread: Thread) -> list[Given]:
        return [
            Given(one.after, one.round or 0)
            for one in self._deals
            if one.thread_id == thread.pk and (until is None or one.after <= until)
            if one.deal and (one.deal["kind"], one.deal["number"]) == (kind, number)
        ]


def round_at(rows: Iterable[StoredEvent], seq: int) -> int:
    """The round at the event with this number; `rows` are events that count, by number."""
    began = [row for row in rows if row.kind == TurnBegan.__name__ and row.seq <= seq]
    number: int = began[-1].payload["round"] if began else 1
    return number


def read_changes(many: Iterable[Holders]) -> None:
    """Read for several games who sat there when, in one query; in none if nobody has left."""
    games = list(many)
    changed = [one.game for one in games if one.has_changed]
    rows: dict[int, list[StoredEvent]] = defaultdict(list)
    if changed:
        for row in Event.objects.filter(game__in=changed, kind__in=NAME_CHANGES).order_by("seq"):
            rows[row.game_id].append(row)
    for one in games:
        one._changes = rows[one.game.pk]  # noqa: SLF001 (its own module)
