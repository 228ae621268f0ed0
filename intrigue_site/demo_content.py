"""The demo: people, a game against computer players, and links to become one of them."""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.core.signing import BadSignature, Signer

from games.engine.computer_players import COMPUTER_PLAYERS
from games.models import Game, Seat, User
from games.names import key_of
from games.services import roles
from games.services.game.queries.game_view import read_game
from games.services.lobby.settings import TableSettings
from games.services.operations.sample_games import (
    decline_offers,
    open_table,
    start_with_computer_players,
    submit,
)

PLAYERS: Final = ("Alice", "Bob", "Clara")
MODERATOR: Final = "Marta"


def prepare(now: datetime) -> list[User]:
    """Make the content of the demo, where it is missing; return its people, the players first."""
    players = [_person(name, now) for name in PLAYERS]
    moderator = _person(MODERATOR, now)
    roles.appoint(moderator, roles.MODERATOR)
    if not Seat.objects.filter(user=players[0]).exists():
        _make_tables(*players, now=now)
    return [*players, moderator]


def _make_tables(alice: User, bob: User, clara: User, *, now: datetime) -> None:
    """A finished game, one in the middle where Alice is to move, and an open table of Bob's.

    People without an account read Bob's name, and of Alice and Clara the colours.
    """
    User.objects.filter(pk=bob.pk).update(named_to_strangers=True)
    _play_on(_against_the_house("The Genoa table", alice, now - timedelta(days=9)), MANY, alice)
    _play_on(_against_the_house("The Venice table", alice, now - timedelta(hours=1)), SOME, alice)
    settings = TableSettings(
        name="The Florence table",
        edition="fx-schmid-1994",
        size=4,
        move_time=timedelta(days=1),
        listed=True,
        strangers=Game.Strangers.EVERYONE,
        description="A friendly game. Newcomers welcome.",
    )
    open_table(settings, bob, clara, now=now)


SOME: Final = 7
MANY: Final = 1000


def _against_the_house(name: str, host: User, now: datetime) -> Game:
    """A game that the host plays alone against three computer players, and everybody may watch."""
    settings = TableSettings(
        name=name,
        edition="mayfair-2005",
        size=4,
        move_time=timedelta(days=1),
        listed=True,
        strangers=Game.Strangers.EVERYONE,
    )
    game = open_table(settings, host, now=now)
    start_with_computer_players(game, host, "courtier", now)
    decline_offers(game, now)
    return game


def _play_on(game: Game, most: int, host: User) -> None:
    """Make this many moves for the host as a computer player would, or play to the end."""
    now = game.created_at
    for number in range(most):
        if game.status != Game.Status.RUNNING:
            return
        now += timedelta(minutes=number)
        move = COMPUTER_PLAYERS["courtier"](read_game(game, host).view, number)
        submit(game, host, move, now)
        decline_offers(game, now)


def sign_in_token(person: User) -> str:
    """The part of a sign-in link that names its person."""
    return _signer().sign(str(person.pk))


def person_of(token: str) -> int | None:
    """The id of the person whom a sign-in link is for; None where the link was made up."""
    try:
        return int(_signer().unsign(token))
    except BadSignature:
        return None


def _person(name: str, now: datetime) -> User:
    defaults = {"name": name, "date_joined": now, "password": make_password(None)}
    defaults["name_key"] = key_of(name)
    return User.objects.get_or_create(email=f"{name.lower()}@example.com", defaults=defaults)[0]


def _signer() -> Signer:
    return Signer(salt="demo sign-in", algorithm="sha256")
