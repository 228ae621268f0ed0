"""The ledger of a game: every settled promise, and how many each kept and broke to each other."""

from collections import Counter
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.promises import Verdict
from games.engine.teacher import TEACHER
from games.models import Game, User
from games.presentation.log.promise_story import promise_of
from games.presentation.text.promises import deed_text, terms_text
from games.services.game.negotiation import character_at
from games.services.game.position import Position, read_position
from games.services.game.private_offers import known_deals
from games.services.game.promise_counts import LET_PASS, Misses, judged_in
from games.services.game.queries.log import cause_text
from games.services.game.queries.promises import Promises, read_promises
from games.services.game.replay import EventRow, event_rows, surviving
from games.table_events import PromiseJudged, decode_table_event


class Settled(NamedTuple):
    """A promise that was kept, broken or void. `seq` is the number of the event that says so.

    Of a private one it is that of the event that settled it. `verdict` is `LET_PASS` where the
    clock broke it after a missed deadline.

    `terms` are its condition or what was promised in return, "" if there were none; `cause` is
    empty where the player did it or it follows by the rules.
    """

    seq: int
    name: str
    other: str
    colour: str
    text: str
    terms: str
    verdict: str
    cause: str
    is_private: bool


class Tally(NamedTuple):
    """How many promises to one player were kept, broken and let pass."""

    kept: int
    broken: int
    let_pass: int


class TallyRow(NamedTuple):
    """One player's promises kept, broken and let pass to each other player; None for themselves."""

    name: str
    colour: str
    cells: list[Tally | None]


class LedgerPage(NamedTuple):
    """Every settled promise, the latest first, the matrix, and what is still open.

    `characters` are those of the computer players, shown when the game is over.
    """

    settled: list[Settled]
    names: list[str]
    matrix: list[TallyRow]
    promises: Promises
    characters: list[str]

    @property
    def lets_pass(self) -> bool:
        return any(promise.verdict == LET_PASS for promise in self.settled)


def read_ledger(game: Game, user: User | None) -> LedgerPage:
    """The ledger of a started game as `user` (None: nobody who sits there) may read it."""
    position = read_position(game, user)
    people, seats = position.people, range(game.size)
    settled: list[Settled] = []
    counts: Counter[tuple[int, int, str]] = Counter()
    for row, verdict, is_private in _all_judged(position, event_rows(game)):
        promise = promise_of(people, _event(row))
        counts[promise.seat, promise.to, verdict] += 1
        settled.append(
            Settled(
                seq=row.seq,
                name=people.name(promise.seat),
                other=people.name(promise.to),
                colour=people.colour(promise.seat),
                text=deed_text(people, promise),
                terms=terms_text(people, promise),
                verdict=verdict,
                cause=cause_text(row.cause),
                is_private=is_private,
            )
        )
    matrix = [
        TallyRow(
            people.name(one),
            people.colour(one),
            [None if one == other else _tally(counts, one, other) for other in seats],
        )
        for one in seats
    ]
    return LedgerPage(
        settled=settled[::-1],
        names=people.names,
        matrix=matrix,
        promises=read_promises(position, suggests=True),
        characters=_characters(position) if game.is_over else [],
    )


def _tally(counts: Counter[tuple[int, int, str]], one: int, other: int) -> Tally:
    return Tally(*(counts[one, other, how] for how in (Verdict.KEPT, Verdict.BROKEN, LET_PASS)))


def _characters(position: Position) -> list[str]:
    text = _("{name}: greed {greed}, loyalty {loyalty}, vengeance {vengeance}")
    return [
        text.format(name=position.people.name(seat.drawn_number), **character._asdict())
        for seat in position.seats
        if (character := character_at(position.game, seat)) is not None
        and seat.computer_player != TEACHER
    ]


class _Judged(NamedTuple):
    row: EventRow
    verdict: str
    is_private: bool


def _all_judged(position: Position, rows: list[EventRow]) -> list[_Judged]:
    """All verdicts that stand and that the reader may know, in order."""
    misses = Misses(position.game)
    ledgers = [surviving(rows), *(known_deals(one, rows) for one in position.private)]
    found = [
        _Judged(judged.row, misses.how_it_counts(judged), is_private=number > 0)
        for number, events in enumerate(ledgers)
        for judged in judged_in(events)
    ]
    return sorted(found, key=lambda one: one.row.seq)


def _event(row: EventRow) -> PromiseJudged:
    event = decode_table_event({"kind": row.kind, **row.payload})
    if not isinstance(event, PromiseJudged):
        raise TypeError(f"Event {row.seq} is no verdict.")
    return event
