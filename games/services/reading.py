"""What a person may read of a game. Everything goes through the engine's `view`."""

from datetime import datetime
from typing import Any, NamedTuple

from games.engine import View, decode_event, view, view_event
from games.engine.events import StageOpened
from games.engine.record import write_record
from games.models import Cause, Game, Seat, User
from games.presentation.board import Board, board
from games.presentation.question import Question, question
from games.presentation.story import is_heading, tell
from games.presentation.words import People
from games.services.refused import Refused


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
    colour: str
    deadline_at: datetime | None
    own: bool


class GameReading(NamedTuple):
    """A started game as one person may see it."""

    view: View
    people: People
    board: Board
    question: Question | None
    deadline_at: datetime | None
    waiting: list[Waiting]


def read_game(game: Game, user: User | None) -> GameReading:
    """The position of a started game, as `user` (None: nobody who sits there) may see it."""
    seats = list(game.seats.select_related("user"))
    own = next((seat for seat in seats if user is not None and seat.user == user), None)
    return read_seat(game, seats, own)


def read_seat(game: Game, seats: list[Seat], own: Seat | None) -> GameReading:
    """The same for one of the game's seats, or for a spectator."""
    number = own.number if own is not None else None
    seen = view(game.decoded(), number)
    people = People(seen.table, seat_names(seats))
    return GameReading(
        view=seen,
        people=people,
        board=board(people, seen),
        question=question(people, seen),
        deadline_at=own.deadline_at if own is not None else None,
        waiting=[
            Waiting(people.name(seat.number or 0), seat.colour, seat.deadline_at, seat == own)
            for seat in seats
            if seat.number in seen.awaited
        ],
    )


def read_log(game: Game, reading: GameReading) -> list[LogTurn]:
    """The log as the reader may see it: the latest turn first, each told from its beginning."""
    people = reading.people
    turns = [LogTurn("", [])]
    for row in game.events.order_by("seq"):
        event = view_event(decode_event({"kind": row.kind, **row.payload}), reading.view.seat)
        if isinstance(event, StageOpened):
            people = people._replace(among=event.contenders)
        text = tell(people, event)
        if is_heading(event):
            turns.append(LogTurn(text, []))
        elif text:
            cause = f"by {row.get_cause_display()}" if row.cause in TOLD_CAUSES else ""
            turns[-1].lines.append(LogLine(row.seq, text, cause, row.at))
    return turns[::-1]


TOLD_CAUSES = {Cause.CLOCK, Cause.HOUSE}
"""What somebody else than the player did is told so."""


def seat_names(seats: list[Seat]) -> list[str]:
    """What the table calls each seat, in order of their numbers."""
    return [
        seat.user.name if seat.user is not None else f"{seat.colour.capitalize()} house"
        for seat in seats
    ]


def game_record(game: Game) -> dict[str, Any]:
    """The record of a finished game (docs/record-format.md); `Refused` while it is going on."""
    if game.status != Game.Status.FINISHED:
        raise Refused("The record can be had when the game is over.")
    table = game.decoded().table
    return write_record(table, list(game.moves.values_list("move", flat=True)), name=game.name)
