"""People and games: a few made by the site's services, the mass copied from them by the database.

Copies are whole games (seats, events, moves, email), so that `verify_games` finds nothing wrong.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from importlib import import_module
from typing import NamedTuple

import psycopg
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import get_random_string

from games.engine import BRIBING, default_move
from games.models import Event, Game, Move, OutboxEmail, Seat, Sitting, User
from games.services.game import seats
from games.services.lobby import tables
from tests.support.tables import seats_to_move, submit_move, table_settings, tick

LONG = 300
"""Events of a long game."""

CSRF = "b" * 32
PACE = timedelta(days=7)


class World(NamedTuple):
    """The games that others are copied from: of 3 events, of some, of 300, and a whole one."""

    new: Game
    middle: Game
    long: Game
    over: Game
    waiting: Game


def make() -> World:
    """The games that are copied."""
    now = timezone.now()
    tick(now)
    new = open_game("New")
    middle = open_game("Middle")
    _play(middle, lambda game: game.events.count() >= 9)
    long = open_game("Long", size=5, edition="fx-schmid-1994")
    _play(long, _is_late)
    _lengthen(long)
    over = open_game("Over")
    _play(over, lambda game: game.is_over)
    waiting = open_game("Waiting", size=4, people=3, listed=True)
    return World(new, middle, long, over, waiting)


def open_game(name: str, size: int = 4, people: int | None = None, **more: object) -> Game:
    """A table of people of its own, which has begun if all seats are taken."""
    now = timezone.now()
    host, *others = [
        User.objects.create_user(f"{name}{number}@example.org".lower(), f"{name} {number}")
        for number in range(size if people is None else people)
    ]
    agreed = table_settings(name=f"The {name} table", size=size, move_time=PACE, **more)
    game = tables.open_table(host=host, settings=agreed, now=now)
    for user in others:
        tables.join(game_id=game.pk, user=user, now=now)
    game.refresh_from_db()
    return game


def _play(game: Game, is_enough: Callable[[Game], bool]) -> None:
    """Play moves until it is enough: not the least bribes throughout, so that it is a real game."""
    while not is_enough(game):
        seat = seats_to_move(game)[0]
        submit_move(game, seat.user, timezone.now(), default_move(game.decoded(), seat.number))
        game.refresh_from_db()


def _is_late(game: Game) -> bool:
    """Whether somebody is asked for a bribe in the last rounds, as in a new game."""
    state = game.decoded()
    return state.round >= 5 and state.stage in BRIBING


def _lengthen(game: Game) -> None:
    """Somebody who is not to move leaves and comes back, until the game is a long one."""
    to_move = {seat.pk for seat in seats_to_move(game)}
    user = game.seats.exclude(pk__in=to_move).select_related("user").first().user
    while game.events.count() < LONG:
        seats.step_aside(game_id=game.pk, user=user, now=timezone.now())
        seats.come_back(game_id=game.pk, user=user, now=timezone.now())
    game.refresh_from_db()


# Copies


def add_people(db: psycopg.Connection, count: int, name: str) -> range:
    """The ids of so many more people, who have accounts and no password."""
    first = _next_id(db, User)
    into = {
        "id": f"{first} + n",
        "email": f"'{name.lower().replace(' ', '-')}' || n || '@people.example.org'",
        "name": f"'{name} ' || n",
        "name_key": f"'{name.lower()} ' || n",
    }
    model = User.objects.order_by("pk").first()
    rows = f"games_user one, generate_series(0, {count - 1}) n WHERE one.id = {model.pk}"
    _insert(db, User, rows, into)
    _set_next_id(db, User)
    return range(first, first + count)


def copy_games(db: psycopg.Connection, source: Game, count: int, people: range) -> range:
    """The ids of so many copies of a game, in whose seats these people sit in turn."""
    first = _next_id(db, Game)
    db.execute("DROP TABLE IF EXISTS copies")
    db.execute(
        f"CREATE TEMP TABLE copies AS SELECT n, {first} + n AS id "
        f"FROM generate_series(0, {count - 1}) n"
    )
    person = f"{people.start} + (c.n * {source.size} + {{}}) % {len(people)}"
    _insert(
        db,
        Game,
        f"copies c, games_game one WHERE one.id = {source.pk}",
        {
            "id": "c.id",
            "name": "one.name || ' ' || c.n",
            "token": "'copy' || c.id",
            "opening_token": "NULL",
            "host_id": person.format(0),
        },
    )
    place = "coalesce(one.number, one.id::int % 5)"
    _insert(
        db,
        Seat,
        f"copies c, games_seat one WHERE one.game_id = {source.pk}",
        {"game_id": "c.id", "user_id": person.format(place)},
    )
    db.execute("ANALYZE copies")
    db.execute("ANALYZE games_seat")  # else all seats are searched for each row
    _copy_rows(db, source)
    _set_next_id(db, Game)
    return range(first, first + count)


def _copy_rows(db: psycopg.Connection, source: Game) -> None:
    """What hangs on games and seats. A seat is found again by its number."""

    def rows(one: str) -> str:
        return (
            f"copies c, games_seat old, games_seat new, {one} AND old.game_id = {source.pk}"
            " AND new.game_id = c.id AND new.number = old.number ORDER BY c.id, one.id"
        )

    who = {"user_id": "CASE WHEN one.user_id IS NULL THEN NULL ELSE new.user_id END"}
    of_seat = "{} one WHERE one.seat_id = old.id"
    _insert(db, Sitting, rows(of_seat.format("games_sitting")), {"seat_id": "new.id"} | who)
    moved = {"game_id": "c.id", "seat_id": "new.id", "token": "NULL"} | who
    _insert(db, Move, rows(of_seat.format("games_move")), moved)
    mail = "games_outboxemail one WHERE one.person_id = old.user_id AND one.game_id = old.game_id"
    sent = {"status": "'sent'", "message_id": "'<copy@example.org>'", "sent_at": "one.created_at"}
    _insert(db, OutboxEmail, rows(mail), {"game_id": "c.id", "person_id": "new.user_id"} | sent)
    events = f"copies c, games_event one WHERE one.game_id = {source.pk} ORDER BY c.id, one.id"
    _insert(db, Event, events, {"game_id": "c.id"})


def _insert(db: psycopg.Connection, model: type, rows: str, into: dict[str, str]) -> None:
    """Rows made of `rows`, with these columns as expressions and all others as they are."""
    meta = model._meta
    columns = [
        field.column
        for field in meta.concrete_fields
        if not field.primary_key or field.column in into
    ]
    chosen = [into.get(column, f'one."{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    db.execute(f'INSERT INTO "{meta.db_table}" ({names}) SELECT {", ".join(chosen)} FROM {rows}')


def _next_id(db: psycopg.Connection, model: type) -> int:
    return db.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {model._meta.db_table}").fetchone()[0]


def _set_next_id(db: psycopg.Connection, model: type) -> None:
    name = model._meta.db_table
    db.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}")


# Sessions


def sign_in(db: psycopg.Connection, people: Sequence[int]) -> dict[int, str]:
    """Sessions of these people; the header with their cookies by id."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    known = User.objects.in_bulk(people)
    now, keys = timezone.now(), {}
    with db.cursor().copy(
        "COPY django_session (session_key, session_data, expire_date) FROM STDIN"
    ) as copy:
        for person in people:
            keys[person] = get_random_string(32, "0123456789abcdefghijklmnopqrstuvwxyz")
            told = {
                "_auth_user_id": str(person),
                "_auth_user_backend": settings.AUTHENTICATION_BACKENDS[0],
                "_auth_user_hash": known[person].get_session_auth_hash(),
                "prolonged_on": now.date().isoformat(),
            }
            copy.write_row((keys[person], store.encode(told), now + timedelta(days=100)))
    return {person: cookie(key) for person, key in keys.items()}


def cookie(session_key: str) -> str:
    """The cookies of a browser; without a session for ""."""
    csrf = f"{settings.CSRF_COOKIE_NAME}={CSRF}"
    return f"{settings.SESSION_COOKIE_NAME}={session_key}; {csrf}" if session_key else csrf
