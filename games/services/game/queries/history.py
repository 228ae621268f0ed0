"""The history of a game, step by step, as one person may read it.

A step is an event that has a line in the log. Its board is the position right after it; the last
step's is the position at present.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine import View, look_back
from games.models import Game, User
from games.presentation.board.board import Board, board
from games.services.game.position import read_position
from games.services.game.private_offers import private_verdicts
from games.services.game.queries.log import (
    Log,
    LogLine,
    LogTurn,
    fresh_of,
    people_then,
)
from games.services.game.replay import EventRow, event_rows, states


class HistoryStep(NamedTuple):
    """One step: what happened, the board after it, and the way to other steps.

    Steps are named by the numbers of their events: `steps` are all of them, and `position` counts
    from 1. `turn` is the turn to which the step belongs, and `openings` are those of all turns,
    the first one (None) first. `back` and `forward` are None at the ends. `breaches` are
    the lines of promises to the reader that weren't kept at this step. `can_chat` says whether the
    reader has a seat at a table with a chat.
    """

    line: LogLine
    breaches: list[LogLine]
    position: int
    steps: list[int]
    turn: LogTurn[LogLine]
    openings: list[LogLine | None]
    board: Board
    view: View
    back: int | None
    forward: int | None
    can_chat: bool

    @property
    def first(self) -> int:
        return self.steps[0]

    @property
    def last(self) -> int:
        return self.steps[-1]


def read_turns(game: Game, user: User | None, zone: str) -> list[LogTurn[LogLine]]:
    """The whole log as `user` (None: nobody who sits there) may read it, from the beginning."""
    return _log(game, event_rows(game), user, zone).all()[::-1]


def read_folded_turns(game: Game, user: User | None, zone: str) -> list[LogTurn[LogLine]]:
    """The same with what computer players said among themselves behind one line of each turn."""
    return _log(game, event_rows(game), user, zone).folded()[::-1]


def read_steps(game: Game, user: User | None, zone: str) -> list[int]:
    """The numbers of the events that are steps, in order."""
    return _log(game, event_rows(game), user, zone).numbers()


def read_step(game: Game, user: User | None, zone: str, seq: int) -> HistoryStep | None:
    """The step of the event `seq`, or of the last line before it; None for no such event."""
    rows = event_rows(game)
    if not 1 <= seq <= rows[-1].seq:
        return None
    log = _log(game, rows, user, zone)
    steps, reader = log.numbers(), log.reader
    here = max(place for place, step in enumerate(steps) if step <= seq or not place)
    back, last = steps[here - 1] if here else None, here == len(steps) - 1
    turn = log.turn_of(steps[here])
    moments = states(rows)
    state = next(one.state for one in moments if one.seq == (rows[-1].seq if last else steps[here]))
    now = look_back(state, reader.seat, over=game.status == Game.Status.FINISHED)
    just_now = [row for row in rows if (back or 0) < row.seq <= steps[here]]
    return HistoryStep(
        line=next(line for line in turn.all_lines if line.seq == steps[here]),
        breaches=[one for one in turn.lines if one.breach and one.seq == steps[here]],
        position=here + 1,
        steps=steps,
        turn=turn,
        openings=log.openings()[::-1],
        board=board(people_then(rows, reader, steps[here]), now, fresh_of(just_now, reader.seat)),
        view=now,
        back=back,
        forward=None if last else steps[here + 1],
        can_chat=reader.seat is not None and not game.is_silent,
    )


def _log(game: Game, rows: Sequence[EventRow], user: User | None, zone: str) -> Log:
    position = read_position(game, user)
    private = private_verdicts(position.private, rows)
    return Log(game, rows, position.reader._replace(zone=zone), private=private)
