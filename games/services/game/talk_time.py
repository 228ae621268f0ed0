"""Time for talk before the first bribes of a turn (docs/play-over-days.md, 24).

While it runs nobody is asked anything. It ends at `Game.talk_until`, or as soon as everybody whom
the bribes concern has said that they are ready.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from games.engine import BRIBING, Stage, State, View
from games.engine.events import StageOpened, TurnBegan
from games.engine.view import involved
from games.models import Cause, Game, Seat
from games.services.game import deadlines, to_move
from games.services.game.deadlines import Calendar
from games.services.game.hours import QuietHours
from games.services.game.locked_game import LockedGame
from games.services.game.replay import StoredEvent, rule_event, surviving
from games.table_events import TalkClosed, TalkMoved, TalkOpened, is_table_event


class Concerned(NamedTuple):
    """Somebody whom the bribes concern, and whether they are ready."""

    seat: Seat
    ready: bool


def opens(kinds: Sequence[str], stage: Stage) -> bool:
    """Whether the stage that opens after events of these kinds has the first bribes of a turn."""
    turn = max((at for at, kind in enumerate(kinds) if kind == TurnBegan.__name__), default=None)
    if turn is None or stage not in BRIBING:
        return False
    return StageOpened.__name__ not in kinds[turn:]


def begin(writer: LockedGame) -> None:
    """Open the time for talk of a turn that asks for bribes, if the table has one."""
    game = writer.game
    game.talk_until = game.talk_seconds_left = None
    if game.talk_seconds:
        talk = timedelta(seconds=game.talk_seconds)
        game.talk_until = max(one.after(writer.now, talk) for one in _calendars(writer))
        writer.record(TalkOpened(game.talk_until), Cause.RULES)
        _remind(writer, game.talk_until)


def _remind(writer: LockedGame, until: datetime) -> None:
    """Everybody whom it concerns is reminded once, and nobody of anything else."""
    for seat in writer.seats.values():
        seat.remind_at = None
    for one in concerned(writer.state, writer.seats, writer.game):
        reminder = deadlines.next_reminder(
            deadline_set_at=writer.now,
            deadline_at=until,
            after=writer.now,
            quiet=QuietHours.of(one.seat.user, writer.game),
        )
        one.seat.remind_at = None if reminder is None else reminder.at


def _calendars(writer: LockedGame) -> list[Calendar]:
    """The play time of the table and of everybody present whom it concerns; no fixed hour."""
    every = to_move.calendars_of(writer.game, writer.seats, writer.days_off)
    who = {one.seat.drawn_number for one in concerned(writer.state, writer.seats, writer.game)}
    pace = _calendar(writer.game).pace
    own = [every[number]._replace(pace=pace) for number in who]
    return own or [Calendar(pace)]


def _calendar(game: Game) -> Calendar:
    """The play time of the table, without its fixed hour."""
    return Calendar(replace(deadlines.pace_of(game), fixed_hour=None))


def begin_again_if_rewound(writer: LockedGame, rows: Iterable[StoredEvent]) -> None:
    """After a rewind: begin anew where the game is before the first bribes of a turn.

    `rows` are the events up to the boundary.
    """
    writer.game.talk_until = writer.game.talk_seconds_left = None
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
        if number in owners and not seat.is_played_for()
    ]


def close_if_ready(writer: LockedGame) -> bool:
    """Close it as soon as everybody is ready; whether the game can go on."""
    if not writer.game.is_time_for_talk:
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
    """Answering time begins now."""
    game = writer.game
    game.talk_until = game.talk_seconds_left = None
    for seat in writer.seats.values():
        seat.remind_at = None
    to_move.open_phase(game, writer.seats.values(), writer.now)
    writer.record(TalkClosed(early=early), Cause.RULES)


def stop_or_go_on(writer: LockedGame) -> None:
    """Keep what is left of it while the game doesn't go on, and give it back afterwards."""
    game, calendar = writer.game, _calendar(writer.game)
    if game.is_going_on and game.talk_seconds_left is not None:
        game.talk_until = calendar.after(writer.now, timedelta(seconds=game.talk_seconds_left))
        game.talk_seconds_left = None
        _remind(writer, game.talk_until)
    elif not game.is_going_on and game.talk_until is not None:
        left = calendar.play_time(writer.now, game.talk_until)
        game.talk_until, game.talk_seconds_left = None, int(left.total_seconds())
        for seat in writer.seats.values():
            seat.remind_at = None  # the clock reminds in paused and dormant games, too


def record_pause(writer: LockedGame, paused_at: datetime, cause: Cause) -> None:
    """Note that its end moves because of a pause; `stop_or_go_on` moves it."""
    game, calendar = writer.game, _calendar(writer.game)
    if game.talk_seconds_left is not None:
        left = timedelta(seconds=game.talk_seconds_left)
        before, after = calendar.after(paused_at, left), calendar.after(writer.now, left)
        writer.record(TalkMoved(before, after, "pause"), cause)


def begin_again_if_woken(writer: LockedGame) -> None:
    """In a game that was dormant, begin anew: everybody has full time."""
    if writer.game.is_time_for_talk:
        begin(writer)


def move(
    writer: LockedGame,
    change: Callable[[datetime, Calendar, datetime], datetime],
    cause: Cause,
    why: str,
) -> int | None:
    """Move its end as deadlines are moved, and note it; the number of the event, if it moved."""
    game, before = writer.game, writer.game.talk_until
    if before is None:
        return None
    game.talk_until = change(before, _calendar(game), game.phase_opened_at or writer.now)
    if game.talk_until == before:
        return None
    _remind(writer, game.talk_until)
    for seat in writer.seats.values():
        seat.deadline_version += 1  # what a moderator saw is not so any more
    return writer.record(TalkMoved(before, game.talk_until, why), cause)


def waits_for(state: State | View, seats: Mapping[int, Seat], game: Game) -> list[Seat]:
    """The seats for which the bribes still wait; none if there is no time for talk."""
    if game.talk_until is None:
        return []
    return [one.seat for one in concerned(state, seats, game) if not one.ready]
