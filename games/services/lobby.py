"""Tables before the game: opening one, joining, leaving, starting."""

import secrets
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import transaction

from games.engine import COLOURS, BadSetup, encode, new_game
from games.engine.editions import Options
from games.engine.houses import HOUSE_PLAYERS
from games.engine.state import FEWEST_PLAYERS, make_table
from games.models import Cause, Game, Seat, User
from games.services.refused import Refused
from games.services.writer import Writer

LEAST_ANSWER_TIME: Final = timedelta(hours=1)
MOST_ANSWER_TIME: Final = timedelta(days=7)


def open_table(
    *,
    host: User,
    name: str,
    edition: str,
    options: Options,
    size: int,
    answer_time: timedelta,
    now: datetime,
) -> Game:
    """Open a table at which the host sits; `Refused` for rules or times that cannot be."""
    if not FEWEST_PLAYERS <= size <= len(COLOURS):
        raise Refused("A table has 3, 4 or 5 seats.")
    if not LEAST_ANSWER_TIME <= answer_time <= MOST_ANSWER_TIME:
        raise Refused("The time for an answer can be from 1 hour to 7 days.")
    try:
        make_table(edition, options, COLOURS[:size], COLOURS[0])
    except BadSetup as reason:
        raise Refused(str(reason)) from reason
    with transaction.atomic(durable=True):
        game = Game.objects.create(
            name=name,
            host=host,
            edition=edition,
            options=dict(options),
            size=size,
            answer_seconds=int(answer_time.total_seconds()),
            seed=secrets.randbits(62),
            created_at=now,
        )
        Seat.objects.create(game=game, user=host, joined_at=now)
    return game


def join(*, game_id: int, user: User, now: datetime) -> None:
    """Take a free seat; the game starts when it was the last one. Sitting already is no error."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.seats.filter(user=user).exists():
            return
        if game.status != Game.Status.WAITING:
            raise Refused("This table takes no more players.")
        Seat.objects.create(game=game, user=user, joined_at=now)
        if game.seats.count() == game.size:
            _start(game, now)


def leave(*, game_id: int, user: User) -> None:
    """Give a seat back before the game starts. The last one to leave closes the table."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.status != Game.Status.WAITING:
            raise Refused("A game that has started cannot be left.")
        game.seats.filter(user=user).delete()
        longest = game.seats.order_by("pk").first()
        if longest is None:
            game.status = Game.Status.CANCELLED
        elif game.host_id == user.pk:
            game.host = longest.user
        game.save()


def start_with_house_players(*, game_id: int, user: User, house_player: str, now: datetime) -> None:
    """Fill the free seats with house players of one kind and start. Only the host may."""
    if house_player not in HOUSE_PLAYERS:
        raise Refused(f"The house players are {', '.join(HOUSE_PLAYERS)}.")
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.status == Game.Status.RUNNING:
            return
        if game.status != Game.Status.WAITING:
            raise Refused("This table is closed.")
        if game.host_id != user.pk:
            raise Refused("Only the host of the table can start the game.")
        free = game.size - game.seats.count()
        Seat.objects.bulk_create(
            Seat(game=game, house_player=house_player, joined_at=now) for _ in range(free)
        )
        _start(game, now)


def _start(game: Game, now: datetime) -> None:
    """Draw seats and first player by the stored seed, and begin. The game is locked."""
    chance = Random(game.seed)  # noqa: S311 (stored, so that the draw can be checked)
    seats = list(game.seats.order_by("pk"))
    chance.shuffle(seats)
    for number, seat in enumerate(seats):
        seat.number = number
    Seat.objects.bulk_update(seats, ["number"])
    began = new_game(game.edition, game.options, game.colours, chance.choice(game.colours))
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.state = encode(began.state)
    writer = Writer(game, now)
    writer.tell(began.events, Cause.RULES)
    writer.play_house_players()
    writer.commit()
