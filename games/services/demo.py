"""What the demo shows: people, a game against house players, and links to become one of them."""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.core.signing import BadSignature, Signer

from games.models import Seat, User
from games.services import lobby
from games.services.table_settings import TableSettings

PLAYERS: Final = ("Alice", "Bob", "Clara")
MODERATOR: Final = "Marta"


def prepare(now: datetime) -> list[User]:
    """Make what the demo shows, where it is not there yet; its people, the players first."""
    players = [_person(name, now) for name in PLAYERS]
    moderator = _person(MODERATOR, now)
    if not moderator.is_superuser:
        moderator.is_staff = moderator.is_superuser = True
        moderator.save(update_fields=["is_staff", "is_superuser"])
    if not Seat.objects.filter(user=players[0]).exists():
        _start_a_game(players[0], now)
    return [*players, moderator]


def _start_a_game(host: User, now: datetime) -> None:
    """A game that the host plays alone against three house players."""
    settings = TableSettings(
        name="The Venice table", edition="mayfair-2005", size=4, answer_time=timedelta(days=1)
    )
    game = lobby.open_table(host=host, settings=settings, now=now)
    lobby.start_with_house_players(game_id=game.pk, user=host, house_player="random", now=now)


def sign_in_token(person: User) -> str:
    """The part of a sign-in link that says who it is for."""
    return _signer().sign(str(person.pk))


def person_of(token: str) -> int | None:
    """The id of the person whom a sign-in link is for; None where the link was made up."""
    try:
        return int(_signer().unsign(token))
    except BadSignature:
        return None


def _person(name: str, now: datetime) -> User:
    defaults = {"name": name, "date_joined": now, "password": make_password(None)}
    return User.objects.get_or_create(email=f"{name.lower()}@example.com", defaults=defaults)[0]


def _signer() -> Signer:
    return Signer(salt="demo sign-in", algorithm="sha256")
