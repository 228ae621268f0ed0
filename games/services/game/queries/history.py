"""The history of a game, step by step, as one person may read it.

A step is an event that is told in the log. Its board is the position right after it; the last
step's is the position at present.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine import View, look_back
from games.models import Event, Game, User
from games.presentation.board.board import Board, board
from games.presentation.charts.charts import Charts, charts
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import LogLine, LogTurn, Reader, people_then, read_log
from games.services.game.replay import event_rows, events_with_states, states
from games.services.refused import Refused


class HistoryStep(NamedTuple):
    """One step: what happened, the board after it, and the way to other steps.

    `position` counts the `steps` from 1. `turn` is the turn to which the step belongs, and `turns`
    are all of them, the first one first. `back` and `forward` are None at the ends.
    """

    line: LogLine
    position: int
    steps: list[LogLine]
    turn: LogTurn
    turns: list[LogTurn]
    board: Board
    view: View
    back: LogLine | None
    forward: LogLine | None

    @property
    def last(self) -> LogLine:
        return self.steps[-1]


def read_turns(game: Game, user: User | None, zone: str) -> list[LogTurn]:
    """The whole log as `user` (None: nobody who sits there) may read it, from the beginning."""
    return read_log(game, event_rows(game), _reader(game, user, zone))[::-1]


def steps_of(turns: Sequence[LogTurn]) -> list[LogLine]:
    """The steps of a game out of its turns, the first turn first."""
    steps = []
    for turn in turns:
        steps += turn.all_lines
    return steps


def read_step(game: Game, user: User | None, zone: str, seq: int) -> HistoryStep | None:
    """The step of the event `seq`, or of the last one told before it; None for no such event."""
    rows = event_rows(game)
    if not 1 <= seq <= rows[-1].seq:
        return None
    reader = _reader(game, user, zone)
    turns = read_log(game, rows, reader)[::-1]
    steps = steps_of(turns)
    here = max(place for place, step in enumerate(steps) if step.seq <= seq or not place)
    line, last = steps[here], here == len(steps) - 1
    back = steps[here - 1] if here else None
    now, before = _views(game, rows, reader, rows[-1].seq if last else line.seq, back)
    return HistoryStep(
        line=line,
        position=here + 1,
        steps=steps,
        turn=next(turn for turn in turns if line in steps_of([turn])),
        turns=turns,
        board=board(people_then(rows, reader, line.seq), now, before),
        view=now,
        back=back,
        forward=None if last else steps[here + 1],
    )


def _views(
    game: Game, rows: Sequence[Event], reader: Reader, seq: int, back: LogLine | None
) -> tuple[View, View | None]:
    """What the reader may see of the state after the event `seq`, and of that one step back."""
    over = game.status == Game.Status.FINISHED
    seen = {
        moment.seq: look_back(moment.state, reader.seat, over=over)
        for moment in states(rows)
        if moment.seq == seq or (back is not None and moment.seq == back.seq)
    }
    return seen[seq], seen[back.seq] if back is not None else None


def _reader(game: Game, user: User | None, zone: str) -> Reader:
    return read_game(game, user).reader._replace(zone=zone)


def read_charts(game: Game) -> Charts:
    """The charts of a finished game; `Refused` while it is going on, for they tell the money."""
    if game.status != Game.Status.FINISHED:
        raise Refused(_("The charts are available when the game is over."))
    return charts(read_game(game, None).people, list(events_with_states(event_rows(game))))
