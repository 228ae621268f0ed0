"""How many promises each player of a game has kept, broken and let pass."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple

from games.engine.events import BribesPaid, BribesSealed
from games.engine.promises import Verdict
from games.models import Cause, Game, Miss, Sitting
from games.presentation.log.promise_story import LET_PASS
from games.services.game.private_offers import with_deals
from games.services.game.replay import (
    EventRow,
    event_rows,
    mover_of,
    rule_event,
    surviving,
)
from games.table_events import (
    HousePlayerSat,
    OfferReplied,
    PromiseJudged,
    SeatAbsent,
    SeatGivenBack,
    SeatReopened,
    SeatReturned,
    SubstituteSat,
    decode_table_event,
    is_table_event,
)

HANDS = frozenset({Cause.PLAYER, Cause.SUBSTITUTE})

_SOMEBODY_SITS: Final = frozenset(
    {SeatReturned.__name__, SubstituteSat.__name__, SeatGivenBack.__name__}
)
_NOBODY_SITS: Final = frozenset(
    {SeatAbsent.__name__, SeatReopened.__name__, HousePlayerSat.__name__}
)


class Judged(NamedTuple):
    """A verdict with all that decides for whom it counts.

    `decision` is the event of the promiser's decision behind it, None if time settled it; behind a
    sealed bribe that is its hand-in. `is_present` says that the seat's player was not absent.
    """

    row: EventRow
    decision: EventRow | None
    agreed_at: datetime
    is_present: bool

    @property
    def seat(self) -> int:
        """The seat whose promise it was."""
        seat: int = self.row.payload["seat"]
        return seat

    @property
    def event(self) -> PromiseJudged:
        """What became of it."""
        event = decode_table_event({"kind": self.row.kind, **self.row.payload})
        if not isinstance(event, PromiseJudged):
            raise TypeError(f"{self.row.kind} is no verdict.")
        return event

    @property
    def done(self) -> EventRow:
        """What kept or broke it: the decision, or the verdict where time settled it."""
        return self.row if self.decision is None else self.decision


class Misses:
    """The deadlines that players of a game have missed, read when they are first asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: set[tuple[int | None, int]] | None = None

    def how_it_counts(self, judged: Judged) -> str:
        """The verdict, or `LET_PASS`.

        In a game that ended before the two were counted apart it is as it was shown then.
        """
        verdict: str = judged.row.payload["verdict"]
        decision = judged.decision
        if verdict != Verdict.BROKEN or decision is None or decision.cause != Cause.CLOCK:
            return verdict
        return LET_PASS if self.has(judged.seat, decision.phase_no) else verdict

    def has(self, seat: int, phase_no: int) -> bool:
        """Whether a miss of this seat in this phase makes its broken promises let pass."""
        if self._found is None:
            self._found = self._read()
        return (seat, phase_no) in self._found

    def _read(self) -> set[tuple[int | None, int]]:
        sittings = Sitting.objects.filter(seat__game=self._game)
        if self._game.is_over and not sittings.exclude(promises_let_pass=None).exists():
            return set()
        misses = Miss.objects.filter(seat__game=self._game)
        return set(misses.values_list("seat__number", "phase_no"))


def judged_in(rows: Iterable[EventRow]) -> Iterator[Judged]:
    """The verdicts among these events: all that count, with the offers of one ledger."""
    agreed_at: dict[int, datetime] = {}
    absent: set[int] = set()
    handed_in: dict[int, EventRow] = {}
    last: EventRow | None = None
    for row in rows:
        seat = row.payload.get("seat")
        if row.kind == PromiseJudged.__name__:
            decision = _decision(last, seat, handed_in)
            yield Judged(row, decision, agreed_at[row.payload["number"]], seat not in absent)
        elif row.kind == OfferReplied.__name__:
            agreed_at[row.payload["number"]] = row.at
        elif row.kind in _NOBODY_SITS:
            absent.add(row.payload["seat"])
        elif row.kind in _SOMEBODY_SITS:
            absent.discard(row.payload["seat"])
        elif not is_table_event(row.kind):
            last = row
            if row.kind == BribesSealed.__name__:
                handed_in[row.payload["seat"]] = row


def _decision(
    last: EventRow | None, seat: int | None, handed_in: dict[int, EventRow]
) -> EventRow | None:
    """The event of the seat's decision that the last one of the rules is, or follows from."""
    if last is None or seat is None or mover_of(rule_event(last)) != seat:
        return None
    return handed_in.get(seat, last) if last.kind == BribesPaid.__name__ else last


def count_promises(game: Game) -> None:
    """Store for everybody who sat at a finished game how many promises they kept and broke.

    A verdict counts for the person whose hand or order caused it, or who sat there when the time
    was up. What the clock broke after a missed deadline counts as let pass for its promiser.
    All else that the clock, a computer player or a forced choice did counts for nobody, and neither
    does what a substitute has inherited. Private promises count where everybody can read them now.
    """
    threads = game.threads.exclude(ledger=[]) if game.threads_are_open else []
    if not (game.ledger or threads):
        return
    sat_here = Sitting.objects.filter(seat__game=game)
    sat_here.update(promises_let_pass=0)  # from now on they are counted apart
    sittings = list(sat_here.select_related("seat"))
    if game.promises_count:
        rows, misses = event_rows(game), Misses(game)
        ledgers = [surviving(rows), *(with_deals(thread, rows) for thread in threads)]
        for judged in chain.from_iterable(map(judged_in, ledgers)):
            _count(sittings, judged, misses.how_it_counts(judged))
    Sitting.objects.bulk_update(sittings, ["promises_kept", "promises_broken", "promises_let_pass"])


def _count(sittings: Iterable[Sitting], judged: Judged, counts_as: str) -> None:
    if judged.decision is None:
        counts = judged.is_present
    else:
        counts = Cause(judged.decision.cause) in HANDS or counts_as == LET_PASS
    for one in sittings if counts else ():
        sat_there = one.ended_at is None or judged.done.at < one.ended_at
        if one.seat.number == judged.seat and one.began_at <= judged.agreed_at and sat_there:
            one.promises_kept += counts_as == Verdict.KEPT
            one.promises_broken += counts_as == Verdict.BROKEN
            one.promises_let_pass = (one.promises_let_pass or 0) + (counts_as == LET_PASS)
            return
