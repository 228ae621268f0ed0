"""Tables with people at them, for tests."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from games.engine import Move as EngineMove
from games.engine import Stage, decode, decode_move, default_move
from games.models import Game, Seat, Tick, User
from games.services.game import moves, seats
from games.services.game.moves import Outcome
from games.services.lobby.settings import TableSettings
from games.services.operations import sample_games
from tests.support.client import person

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def open_table(
    *names: str,
    size: int | None = None,
    now: datetime = MONDAY,
    seed: int | None = None,
    **more: object,
) -> Game:
    """A table at which these people sit; it has started where they fill it."""
    host, *others = [person(name) for name in names]
    settings = table_settings(size=size or len(names), **more)
    return sample_games.open_table(settings, host, *others, now=now, seed=seed)


def table_settings(**more: object) -> TableSettings:
    """Settings of a table; `more` are those that matter to the test."""
    usual = {"name": "The Venice table", "edition": "mayfair-2005", "size": 4, "move_time": DAY}
    return TableSettings(**(usual | more))


def alone(name: str = "Anna", computer_player: str = "default") -> Game:
    """A game of one person against the house."""
    game = open_table(name, size=3)
    sample_games.start_with_computer_players(game, game.host, computer_player, MONDAY)
    return game


def leave(game: Game, *names: str, now: datetime = MONDAY) -> None:
    """These people step aside."""
    for name in names:
        seats.step_aside(game_id=game.pk, user=User.objects.get(name=name), now=now)
    game.refresh_from_db()


def seat_of(game: Game, name: str) -> Seat:
    return game.seats.get(user__name=name)


def seats_to_move(game: Game) -> list[Seat]:
    return list(game.seats.filter(deadline_at__isnull=False).select_related("user"))


def submit_move(
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
    return moves.submit_moves(game_id=game.pk, user=user, now=now, **(asked | more))


def read_move(game: Game, text: dict[str, object]) -> EngineMove:
    """A move written as in a record, without the player."""
    table = decode(game.state).table
    return decode_move(table, {"player": table.players[0], **text})[1]


def finished(name: str = "The Venice table") -> Game:
    """A game of three that is over."""
    game = open_table("Anna", "Boris", "Clara", seed=3, name=name, options={"rounds": 2})
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    return game


def tick(now: datetime) -> None:
    """The clock has ticked a moment before `now`: it has not stood still."""
    last = {"at": now - timedelta(seconds=15), "interval": None}
    Tick.objects.update_or_create(name=Tick.SWEEP, defaults=last)


def long_game(host: str, other: str, now: datetime = MONDAY) -> Game:
    """A game of five in its last round with more than 400 events; only the host is to move.

    No game has so many moves: the other player has stepped aside and returned again and again.
    """
    settings = table_settings(
        name="The Venice table", edition="fx-schmid-1994", size=5, move_time=DAY
    )
    players = person(host), person(other)
    game = sample_games.open_table(settings, *players, now=now, seed=1)
    sample_games.start_with_computer_players(game, players[0], "courtier", now)
    sample_games.decline_offers(game, now)
    while not _is_last_decision(game, players[0]):
        seat, user = sample_games.people_to_move(game)[0]
        move = default_move(game.decoded(), seat.drawn_number)
        sample_games.submit(game, user, move, now)
        sample_games.decline_offers(game, now)
    while game.events.count() <= 400:
        seats.step_aside(game_id=game.pk, user=players[1], now=now)
        seats.come_back(game_id=game.pk, user=players[1], now=now)
    game.refresh_from_db()
    return game


def _is_last_decision(game: Game, player: User) -> bool:
    """Whether only this player is to move in the last round, and not to send scholars."""
    state = game.decoded()
    is_alone = [user for _, user in sample_games.people_to_move(game)] == [player]
    return is_alone and state.round == 6 and state.stage is not Stage.SENDING
