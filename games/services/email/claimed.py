"""Reads claimed email with all that decides whether it is sent, in one statement.

`tests/email/test_claimed.py` holds it against the models.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.models import Game, MutedGame, OutboxEmail, Seat, User
from games.services.sql import Columns, select, table


class Claimed(NamedTuple):
    """A claimed email with its person and game, and the seat of its person at its game."""

    email: OutboxEmail
    seat: Seat | None
    is_muted: bool
    """Whether the person wants no optional email about the game."""


def read_claimed(ids: Sequence[int]) -> list[Claimed]:
    """The emails with these ids, the one that was ready first before the others."""
    return [_claimed(row) for row in select(_CLAIMED, {"ids": list(ids)})]


def _claimed(row: Sequence[Any]) -> Claimed:
    email = _EMAIL.read(row)
    person_at = _EMAIL.width
    game_at = person_at + _PERSON.width
    seat_at = game_at + _GAME.width
    email.person = None if email.person_id is None else _PERSON.read(row[person_at:])
    email.game = None if email.game_id is None else _GAME.read(row[game_at:])
    seat_id, is_muted = row[seat_at], row[-1]
    return Claimed(email, None if seat_id is None else _SEAT.read(row[seat_at:]), is_muted)


_EMAIL: Final = Columns(OutboxEmail, "email")
_PERSON: Final = Columns(User, "person")
_GAME: Final = Columns(Game, "game")
_SEAT: Final = Columns(Seat, "seat")
_CLAIMED: Final = f"""
SELECT {_EMAIL.sql}, {_PERSON.sql}, {_GAME.sql}, {_SEAT.sql},
    EXISTS (
        SELECT FROM {table(MutedGame)} muted
        WHERE muted.user_id = email.person_id AND muted.game_id = email.game_id
    )
FROM {table(OutboxEmail)} email
LEFT JOIN {table(User)} person ON person.id = email.person_id
LEFT JOIN {table(Game)} game ON game.id = email.game_id
LEFT JOIN {table(Seat)} seat ON seat.game_id = email.game_id AND seat.user_id = email.person_id
WHERE email.id = ANY(%(ids)s) ORDER BY email.not_before, email.id
"""  # noqa: S608 - only names of our own
