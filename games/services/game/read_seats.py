"""Reads the seats of a game with all that a move or a page has to know of them, in one statement.

Whoever posts a move or opens the page of a game waits for it: by the ORM it takes nine queries
more, and seventeen times the CPU time. `tests/game/test_read_seats.py` holds it against the models.
"""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from games.models import (
    Acquaintance,
    DaysOff,
    Draft,
    EmailOutage,
    Event,
    Game,
    Order,
    Seat,
    Sitting,
    Thread,
    ThreadMember,
    User,
)
from games.services.people.display_names import HIDDEN, is_read_by_stranger
from games.services.sql import Columns, select, table


class Days(NamedTuple):
    """Announced days off of a player, both included; `pk` is that of the row.

    A deadline has been counted with those up to `given_until`.
    """

    pk: int
    first_day: date
    last_day: date
    announced_at: datetime
    given_until: date | None = None


type AllDaysOff = dict[int, list[Days]]
type Came = dict[tuple[int, int], int]


class Seats(NamedTuple):
    """The seats of a started game by number, each with its `game` and its `user`.

    `sat` holds for each seat the names of all who sat there, the first one first, None for those
    without an account by now, and `HIDDEN` for those whose name the reader doesn't learn.
    `days_off` are by the id of the seat, in order; `by_substitute` and `with_orders` are ids of
    seats. `has_drafts` says whether anybody has a draft of a move, and `last_event` is the number
    of the game's last event. `known` are the ids of any two of the players who know each other, in
    the order in which they came to. `threads` are those in which offers were made, without the
    columns that offers don't need. `came` has the number of the last message before a substitute
    came to a thread, by the thread's id and the seat. `email_outage` says whether email is down,
    or was and players may still have to be given time.
    """

    rows: list[Seat]
    sat: list[list[str | None]]
    days_off: AllDaysOff
    by_substitute: set[int]
    with_orders: set[int]
    has_drafts: bool
    last_event: int
    known: list[tuple[int, int]]
    threads: list[Thread]
    came: Came
    email_outage: bool


def read_seats(game: Game) -> Seats:
    """The seats of a game as they stand now. Lock the game first to keep them so."""
    reader = {"by_stranger": is_read_by_stranger(), "has_threads": game.has_threads}
    found = select(_SEATS, {"game": game.pk, **reader})
    *_columns, has_drafts, last_event, known, threads_json, later, email_outage = found[0]
    pairs = [(person, other) for person, other in json.loads(known)]
    threads = [_thread(game, values) for values in json.loads(threads_json or "[]")]
    came = {(thread, seat): since for thread, seat, since in json.loads(later or "[]")}
    seats = Seats(
        [], [], {}, set(), set(), has_drafts, last_event or 0, pairs, threads, came, email_outage
    )
    for row in found:
        seat = _SEAT.read(row)
        seat._state.fields_cache["game"] = game  # noqa: SLF001 (as select_related() does)
        seat._state.fields_cache["user"] = (  # noqa: SLF001
            None if seat.user_id is None else _USER.read(row[_SEAT.width :])
        )
        names, days_off, by_substitute, with_orders, *_ = row[_SEAT.width + _USER.width :]
        seats.rows.append(seat)
        seats.sat.append(names)
        seats.days_off[seat.pk] = [_days(*days) for days in json.loads(days_off)]
        if by_substitute:
            seats.by_substitute.add(seat.pk)
        if with_orders:
            seats.with_orders.add(seat.pk)
    return seats


def _thread(game: Game, values: Sequence[Any]) -> Thread:
    thread = Thread.from_db(connection.alias, _THREAD, values)
    thread.seats = _THREAD_SEATS.sound(thread.seats)
    thread.game = game
    return thread


def _days(
    pk: int, first_day: str, last_day: str, announced_at: str, given_until: str | None
) -> Days:
    return Days(
        pk,
        date.fromisoformat(first_day),
        date.fromisoformat(last_day),
        datetime.fromisoformat(announced_at),
        None if given_until is None else date.fromisoformat(given_until),
    )


_SEAT: Final = Columns(Seat, "seat")
_USER: Final = Columns(User, "person")
_THREAD: Final = ("id", "game_id", "token", "seats", "length", "ledger")
_THREAD_SEATS: Final[Any] = Thread._meta.get_field("seats")  # noqa: SLF001 (documented)
_SEATS: Final = f"""
SELECT {_SEAT.sql}, {_USER.sql},
    ARRAY(
        SELECT CASE
            WHEN sitter.named_to_strangers OR NOT %(by_stranger)s THEN sitter.name
            WHEN sitter.id IS NOT NULL THEN '{HIDDEN}'
        END FROM {table(Sitting)} sitting
        LEFT JOIN {table(User)} sitter ON sitter.id = sitting.user_id
        WHERE sitting.seat_id = seat.id ORDER BY sitting.id
    ),
    (
        SELECT coalesce(
            jsonb_agg(
                jsonb_build_array(
                    off.id, off.first_day, off.last_day, off.announced_at, off.given_until
                )
                ORDER BY off.first_day, off.id
            ),
            '[]'
        )
        FROM {table(DaysOff)} off WHERE off.seat_id = seat.id
    ),
    EXISTS (
        SELECT FROM {table(Sitting)} sitting
        WHERE sitting.seat_id = seat.id AND sitting.ended_at IS NOT NULL
    ),
    EXISTS (SELECT FROM {table(Order)} standing WHERE standing.seat_id = seat.id),
    EXISTS (
        SELECT FROM {table(Draft)} WHERE game_id = %(game)s AND about = '{Draft.About.MOVE}'
    ),
    (SELECT max(seq) FROM {table(Event)} WHERE game_id = %(game)s),
    (
        SELECT coalesce(
            jsonb_agg(
                jsonb_build_array(known.person_id, known.other_id)
                ORDER BY known.confirmed_at, known.id
            ),
            '[]'
        )
        FROM {table(Acquaintance)} known
        JOIN {table(Seat)} one ON one.user_id = known.person_id AND one.game_id = %(game)s
        JOIN {table(Seat)} two ON two.user_id = known.other_id AND two.game_id = %(game)s
        WHERE known.confirmed_at IS NOT NULL
    ),
    CASE WHEN %(has_threads)s THEN (
        SELECT jsonb_agg(jsonb_build_array({", ".join(_THREAD)}) ORDER BY id)
        FROM {table(Thread)} WHERE game_id = %(game)s AND ledger <> '[]'
    ) END,
    CASE WHEN %(has_threads)s THEN (
        SELECT jsonb_agg(jsonb_build_array(member.thread_id, member.seat_number, member.since))
        FROM {table(Thread)} thread
        JOIN {table(ThreadMember)} member ON member.thread_id = thread.id AND member.since > 0
        JOIN {table(Seat)} taken ON taken.game_id = %(game)s
            AND taken.number = member.seat_number AND taken.user_id = member.user_id
        WHERE thread.game_id = %(game)s
    ) END,
    EXISTS (SELECT FROM {table(EmailOutage)})
FROM {table(Seat)} seat LEFT JOIN {table(User)} person ON person.id = seat.user_id
WHERE seat.game_id = %(game)s ORDER BY seat.number, seat.id
"""  # noqa: S608 - only names of our own tables and columns
