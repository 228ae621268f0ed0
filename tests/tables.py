"""Tables with people at them, for tests."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from games.engine import Move as EngineMove
from games.engine import decode, decode_move, default_move
from games.models import Game, Seat, Tick, User
from games.services import clock, lobby, play
from games.services.play import Outcome
from games.services.table_settings import TableSettings
from tests.web import person

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def open_table(
    *names: str, size: int | None = None, now: datetime = MONDAY, **more: object
) -> Game:
    """A table at which these people sit; it has started where they fill it."""
    host, *others = [person(name) for name in names]
    settings = table_settings(size=size or len(names), **more)
    game = lobby.open_table(host=host, settings=settings, now=now)
    for user in others:
        lobby.join(game_id=game.pk, user=user, now=now)
    game.refresh_from_db()
    return game


def table_settings(**more: object) -> TableSettings:
    """Settings of a table; `more` are those that matter to the test."""
    usual = {"name": "The Venice table", "edition": "mayfair-2005", "size": 4, "answer_time": DAY}
    return TableSettings(**(usual | more))


def seat_of(game: Game, name: str) -> Seat:
    return game.seats.get(user__name=name)


def awaited_seats(game: Game) -> list[Seat]:
    return list(game.seats.filter(deadline_at__isnull=False).select_related("user"))


def answer(
    game: Game, user: User, now: datetime, move: EngineMove | None = None, **more: object
) -> Outcome:
    """Hand in a move of somebody, the default one where none is given."""
    game.refresh_from_db()
    number = game.seats.get(user=user).number
    asked = {
        "phase_no": game.phase_no,
        "token": uuid4(),
        "moves": [move or default_move(decode(game.state), number)],
    }
    return play.submit_moves(game_id=game.pk, user=user, now=now, **(asked | more))


def read_move(game: Game, text: dict[str, object]) -> EngineMove:
    """A move written as in a record, without the player."""
    table = decode(game.state).table
    return decode_move(table, {"player": table.players[0], **text})[1]


def tick(now: datetime) -> None:
    """The clock has ticked a moment before `now`: it has not stood still."""
    Tick.objects.update_or_create(name=clock.TICK, defaults={"at": now - timedelta(seconds=15)})
