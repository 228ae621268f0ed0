"""The ledger of a game: every settled promise, and how many each kept and broke to each other."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.engine.promises import Verdict
from games.models import Game, Thread, User
from games.presentation.log.promise_story import LET_PASS
from games.presentation.text.promises import deed_clause, promise_text, sentence
from games.services.game.position import Position, read_position
from games.services.game.private_offers import known_deals
from games.services.game.promise_counts import Judged, judged_in
from games.services.game.queries.causes import cause_text, cause_with_heir
from games.services.game.queries.doers import Doer, doer_of
from games.services.game.queries.promises import Promises, read_promises
from games.services.game.queries.verdicts import Outcome, Verdicts
from games.services.game.replay import EventRow, event_rows, surviving


class Settled(NamedTuple):
    """A promise that was kept, broken or void. `seq` is the number of the event that says so.

    Of a private one it is that of the event that settled it. `verdict` is `LET_PASS` where the
    clock broke it after a missed deadline.

    `name` is the player who kept or broke it, `other` the one who had the promise then; the
    promise is in the words in which it was given, `deed` without what it depends on. `cause` is
    empty where the player did it or it follows by the rules; it says whose promise it was if
    another player gave it, and why a promise is void. `against_interest` says that it was kept
    though a higher bribe lost.
    """

    seq: int
    name: str
    other: str
    deed: str
    text: str
    verdict: str
    cause: str
    is_private: bool
    against_interest: bool
    names: Sequence[str]

    @property
    def terms(self) -> str:
        """The promise with its condition or what was promised in return; "" if it has neither."""
        return "" if self.text == self.deed else self.text


class Tally(NamedTuple):
    """How many promises to one player were kept, broken and let pass."""

    kept: int
    broken: int
    let_pass: int


class TallyRow(NamedTuple):
    """A player's promises kept, broken and let pass to each other player; None for their seat.

    What a player inherited has a row of its own; `names` are those in its `name`.
    """

    name: str
    names: Sequence[str]
    colour: str
    cells: list[Tally | None]


class LedgerPage(NamedTuple):
    """Every settled promise, the latest first, the matrix, and what is still open.

    `columns` are all to whom something was promised, and who sits there now.
    """

    settled: list[Settled]
    names: list[str]
    columns: list[str]
    matrix: list[TallyRow]
    promises: Promises

    @property
    def lets_pass(self) -> bool:
        return any(promise.verdict == LET_PASS for promise in self.settled)


def read_ledger(game: Game, user: User | None) -> LedgerPage:
    """The ledger of a started game as `user` (None: nobody who sits there) may read it."""
    position, rows = read_position(game, user), event_rows(game)
    position.holders.know(rows)
    judged = _all_judged(position, rows)
    columns, matrix = _matrix(position, judged)
    return LedgerPage(
        settled=[_settled(position, one) for one in reversed(judged)],
        names=position.people.names,
        columns=columns,
        matrix=matrix,
        promises=read_promises(position, suggests=True),
    )


def _settled(position: Position, one: "_Judged") -> Settled:
    holders, row, outcome = position.holders, one.judged.row, one.outcome
    given = holders.given(outcome.event.number, row.seq, one.thread)
    then = holders.after(row.seq if given is None else given.seq)
    people, promise = position.people.then(then), outcome.promise
    done = holders.after(one.judged.done.seq)
    heir = holders.heir_text(position.people, promise.seat, given, one.judged.done.seq)
    why = outcome.why(position.people.then(done))
    return Settled(
        seq=row.seq,
        name=done[promise.seat],
        other=done[promise.to],
        deed=sentence(deed_clause(people, promise)),
        text=promise_text(people, promise),
        verdict=outcome.event.verdict,
        cause=cause_with_heir(heir, cause_text(row.cause), row.cause, why),
        is_private=one.thread is not None,
        against_interest=outcome.against_interest,
        names=[*then, *done],
    )


def _matrix(position: Position, judged: list["_Judged"]) -> tuple[list[str], list[TallyRow]]:
    """To whom promises were made, and for each who made them how many were kept and broken.

    Everybody who sits there now, and of those who left whom the reader may know to have promised
    something, or to have been promised.
    """
    now = position.people.names
    counts: Counter[tuple[Doer, tuple[int, str], str]] = Counter()
    rows, columns = [], []
    for one in judged:
        to = one.outcome.promise.to
        doer = doer_of(position.holders, one.judged, one.thread)
        other = (to, position.holders.after(one.judged.done.seq)[to])
        counts[doer, other, one.outcome.event.verdict] += 1
        rows.append(doer)
        columns.append(other)
    here = list(enumerate(now))
    columns = sorted(dict.fromkeys([*columns, *here]), key=lambda column: column[0])
    rows = sorted(
        dict.fromkeys([*rows, *(Doer(*one, one[1]) for one in here)]), key=lambda doer: doer.seat
    )
    return [name for _seat, name in columns], [
        TallyRow(
            doer.text,
            doer.names,
            position.people.colour(doer.seat),
            [
                None if column[0] == doer.seat else _tally(counts, doer, column)
                for column in columns
            ],
        )
        for doer in rows
    ]


def _tally(
    counts: Counter[tuple[Doer, tuple[int, str], str]], doer: Doer, other: tuple[int, str]
) -> Tally:
    return Tally(*(counts[doer, other, how] for how in (Verdict.KEPT, Verdict.BROKEN, LET_PASS)))


class _Judged(NamedTuple):
    """A verdict, its story, and the thread of a private one."""

    judged: Judged
    outcome: Outcome
    thread: Thread | None


def _all_judged(position: Position, rows: list[EventRow]) -> list[_Judged]:
    """All verdicts that stand and that the reader may know, in order."""
    ledgers: list[tuple[Thread | None, list[EventRow]]] = [(None, surviving(rows))]
    ledgers += [(one.thread, known_deals(one, rows)) for one in position.private]
    found = [
        _Judged(judged, outcome, thread)
        for thread, events in ledgers
        for judged, (_place, outcome) in zip(
            judged_in(events), Verdicts(position.game, position.people, events), strict=True
        )
    ]
    return sorted(found, key=lambda one: one.judged.row.seq)
