"""Negotiation time before the first bribes of a turn (docs/play-over-days.md, 24).

While it runs nobody is to move. It ends at `Game.talk_until`, or as soon as everybody whom
the bribes concern has said that they are ready.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from games.engine import BRIBING, Stage, State, View
from games.engine.events import StageOpened, TurnBegan
from games.engine.view import involved
from games.models import Cause, Game, Seat
from games.services.game import deadlines, reminders, to_move
from games.services.game.deadlines import Calendar
from games.services.game.locked_game import LockedGame
from games.services.game.replay import StoredEvent, rule_event, surviving
from games.table_events import TalkClosed, TalkOpened, is_table_event


class Concerned(NamedTuple):
    """A player whom the bribes concern, and whether they are ready."""

    seat: Seat
    ready: bool


def opens(kinds: Sequence[str], stage: Stage) -> bool:
    """Whether the stage that opens after events of these kinds has the first bribes of a turn."""
    turn = max((at for at, kind in enumerate(kinds) if kind == TurnBegan.__name__), default=None)
    if turn is None or stage not in BRIBING:
        return False
    return StageOpened.__name__ not in kinds[turn:]


def begin(writer: LockedGame) -> None:
    """Open the negotiation time of a turn with bribes, if the table has one."""
    if writer.game.talk_seconds:
        talk = timedelta(seconds=writer.game.talk_seconds)
        until = max(one.after(writer.now, talk) for one in _calendars(writer))
        writer.record(TalkOpened(until), Cause.RULES)
        set_end(writer, until)


def set_end(writer: LockedGame, until: datetime) -> None:
    """Set its end. Everybody whom it concerns is reminded once, and nobody of anything else."""
    writer.game.clock = writer.game.clock.talk(until)
    for seat in writer.seats.values():
        seat.remind_at = None
    for one in concerned(writer.state, writer.seats, writer.game):
        one.seat.deadline_set_at = writer.now  # from when on reminders are counted
        reminders.plan(one.seat, writer.now)


def _calendars(writer: LockedGame) -> list[Calendar]:
    """The play time of the table and of everybody present whom it concerns; no fixed hour."""
    every = to_move.calendars_of(writer)
    numbers = {one.seat.drawn_number for one in concerned(writer.state, writer.seats, writer.game)}
    pace = calendar_of(writer.game).pace
    own = [every[number]._replace(pace=pace) for number in numbers]
    return own or [Calendar(pace)]


def calendar_of(game: Game) -> Calendar:
    """The play time of the table, without its fixed hour."""
    return Calendar(replace(deadlines.pace_of(game), fixed_hour=None))


def begin_again_if_rewound(writer: LockedGame, rows: Iterable[StoredEvent]) -> None:
    """After a rewind: begin anew where the game is before the first bribes of a turn.

    `rows` are the events up to the boundary.
    """
    writer.game.clock = writer.game.clock.talk(until=None)
    counting = [row for row in surviving(rows) if not is_table_event(row.kind)]
    last = rule_event(counting[-1])
    if isinstance(last, StageOpened) and opens([row.kind for row in counting[:-1]], last.stage):
        begin(writer)


def concerned(state: State | View, seats: Mapping[int, Seat], game: Game) -> list[Concerned]:
    """The present people who own the palace or somebody who bribes there this turn, by seat."""
    owners = involved(state)
    return [
        Concerned(seat, seat.ready_phase == game.phase_no)
        for number, seat in sorted(seats.items())
        if number in owners and seat.is_present()
    ]


def close_if_ready(writer: LockedGame) -> bool:
    """Close it as soon as everybody is ready; whether the game can go on."""
    if not writer.game.is_negotiation_time:
        return True
    if not all(one.ready for one in concerned(writer.state, writer.seats, writer.game)):
        return False
    _close(writer, early=True)
    return True


def close_if_passed(writer: LockedGame) -> None:
    """Close it when its time is over; only the clock does, once it has made up for an outage."""
    until = writer.game.talk_until
    if until is not None and until <= writer.now:
        _close(writer, early=False)


def _close(writer: LockedGame, *, early: bool) -> None:
    """Close it: the time to move begins now."""
    game = writer.game
    game.clock = game.clock.talk(until=None)
    for seat in writer.seats.values():
        seat.remind_at = None
    to_move.open_phase(writer)
    writer.record(TalkClosed(early=early), Cause.RULES)


def waits_for(state: State | View, seats: Mapping[int, Seat], game: Game) -> list[Seat]:
    """The seats for which the bribes still wait; none if there is no negotiation time."""
    if game.talk_until is None:
        return []
    return [one.seat for one in concerned(state, seats, game) if not one.ready]
