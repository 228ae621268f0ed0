"""What a person may read of a game. Everything goes through the engine's `view`."""

from datetime import datetime
from typing import Any, NamedTuple

from games.engine import Event as EngineEvent
from games.engine import View, decode_event, view, view_event
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    StageOpened,
)
from games.engine.record import write_record
from games.models import Cause, DaysOff, Event, Game, Seat, User
from games.presentation.board import Board, board
from games.presentation.question import Question, question
from games.presentation.story import is_heading, tell
from games.presentation.words import People
from games.services.refused import Refused
from games.table_events import SubstituteSat, TableEvent, decode_table_event, is_table_event


class LogLine(NamedTuple):
    """One line of the log; `cause` is empty where the player did it or the rules say so."""

    seq: int
    text: str
    cause: str
    at: datetime


class LogTurn(NamedTuple):
    """What happened in one turn; the heading is empty for what came before the first."""

    heading: str
    lines: list[LogLine]


class Waiting(NamedTuple):
    """Somebody who is awaited, and until when."""

    name: str
    deadline_at: datetime | None


class Sitter(NamedTuple):
    """Who sits at a seat, and what everybody may know of it."""

    number: int
    name: str
    colour: str
    own: bool
    house: bool
    absent: bool
    awaited: bool
    played_by: str
    may_take_over: bool
    days_off: list[DaysOff]


class GameReading(NamedTuple):
    """A started game as one person may see it; `seat` is their own, None for a spectator.

    `names_in_order` holds for each seat the names of those who sat there, the first one first.
    """

    seat: Seat | None
    view: View
    people: People
    board: Board
    question: Question | None
    deadline_at: datetime | None
    waiting: list[Waiting]
    sitters: list[Sitter]
    names_in_order: list[list[str]]


def read_game(game: Game, user: User | None) -> GameReading:
    """The position of a started game, as `user` (None: nobody who sits there) may see it."""
    seats = list(game.seats.select_related("user").prefetch_related("days_off", "sittings__user"))
    own = next((seat for seat in seats if user is not None and seat.user == user), None)
    number = own.number if own is not None else None
    seen = view(game.decoded(), number)
    people = People(seen.table, seat_names(seats))
    return GameReading(
        seat=own,
        view=seen,
        people=people,
        board=board(people, seen),
        question=question(people, seen),
        deadline_at=own.deadline_at if own is not None else None,
        waiting=[
            Waiting(people.name(seat.drawn_number), seat.deadline_at)
            for seat in seats
            if seat.number in seen.awaited
        ],
        sitters=[_sitter(game, seat, people, seen, own, user) for seat in seats],
        names_in_order=[_names_in_order(seat) for seat in seats],
    )


def _sitter(
    game: Game, seat: Seat, people: People, seen: View, own: Seat | None, user: User | None
) -> Sitter:
    running = game.status == Game.Status.RUNNING
    return Sitter(
        number=seat.drawn_number,
        name=people.name(seat.drawn_number),
        colour=seat.colour,
        own=seat == own,
        house=bool(seat.house_player),
        absent=running and seat.wants_substitute(),
        awaited=seat.number in seen.awaited,
        played_by=played_by(game),
        may_take_over=running and seat.wants_substitute() and own is None and user is not None,
        days_off=list(seat.days_off.all()),
    )


def played_by(game: Game) -> str:
    """Who plays for absent seats, in words."""
    if game.absent_player == "default":
        return "the clock"
    return f"the house player {game.absent_player}"


def read_log(game: Game, reading: GameReading) -> list[LogTurn]:
    """The log as the reader may see it: the latest turn first, each told from its beginning.

    Whoever did something is called by the name of who sat there then. That a standing order did it
    is told when the game is over, never which one.
    """
    ordered = _played_by_order(game)
    names = [list(own) for own in reading.names_in_order]
    people = reading.people._replace(names=[own.pop(0) for own in names])
    turns = [LogTurn("", [])]
    for row in game.events.order_by("seq"):
        event = read_event(row, reading.view.seat)
        if isinstance(event, StageOpened):
            people = people._replace(among=event.contenders)
        elif isinstance(event, SubstituteSat):
            people.names[event.seat] = names[event.seat].pop(0)
        text = tell(people, event)
        if is_heading(event):
            turns.append(LogTurn(text, []))
        elif text:
            cause = f"by {row.get_cause_display()}" if row.cause in TOLD_CAUSES else ""
            if row.cause in BY_A_PERSON and (row.phase_no, _who_moved(event)) in ordered:
                cause = "by a standing order"
            turns[-1].lines.append(LogLine(row.seq, text, cause, row.at))
    return turns[::-1]


def _played_by_order(game: Game) -> set[tuple[int, int | None]]:
    """The phases and seats in which a standing order played; none while the game is going on."""
    if game.status != Game.Status.FINISHED:
        return set()
    return set(game.moves.filter(by_order=True).values_list("phase_no", "seat__number"))


def _who_moved(event: EngineEvent | TableEvent) -> int | None:
    """The seat whose move an event is, or None for what is nobody's."""
    match event:
        case ScholarHired(palace) | ScholarKept(palace) | ScholarBanished(palace):
            return palace
        case BribesPaid(seat) | BribesSealed(seat) | ScholarsSent(seat):
            return seat
        case _:
            return None


def last_seq(log: list[LogTurn]) -> int:
    """The number of the last line of the log; 0 where there is none."""
    return max((line.seq for turn in log for line in turn.lines), default=0)


def read_event(row: Event, seat: int | None) -> EngineEvent | TableEvent:
    """A stored event as this seat (None: a spectator) may read it."""
    told = {"kind": row.kind, **row.payload}
    if is_table_event(row.kind):
        return decode_table_event(told)
    return view_event(decode_event(told), seat)


def _names_in_order(seat: Seat) -> list[str]:
    """The names of those who sat at a seat, the first one first."""
    sat = [sitting.user.name if sitting.user else NOBODY for sitting in seat.sittings.all()]
    return sat or [_seat_name(seat)]


NOBODY = "Nobody"
"""What somebody without an account any more is called."""

BY_A_PERSON = {Cause.PLAYER, Cause.SUBSTITUTE}

TOLD_CAUSES = {Cause.CLOCK, Cause.HOUSE, Cause.SUBSTITUTE}
"""What somebody else than the player did is told so."""


def seat_names(seats: list[Seat]) -> list[str]:
    """What the table calls each seat, in order of their numbers."""
    return [_seat_name(seat) for seat in seats]


def _seat_name(seat: Seat) -> str:
    if seat.user is not None:
        return seat.user.name
    return f"{seat.colour.capitalize()} house" if seat.house_player else f"{NOBODY} ({seat.colour})"


def game_record(game: Game) -> dict[str, Any]:
    """The record of a finished game (docs/record-format.md); `Refused` while it is going on."""
    if game.status != Game.Status.FINISHED:
        raise Refused("The record can be had when the game is over.")
    table = game.decoded().table
    return write_record(table, list(game.moves.values_list("move", flat=True)), name=game.name)
