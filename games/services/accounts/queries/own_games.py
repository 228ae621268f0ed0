"""Reads the games of one person for their home page, however many they are, in four statements.

Written in SQL because the ORM takes longer to build it than the database to answer it;
`tests/pages/test_own_statements.py` holds it against the models.
"""

import json
from typing import Final, NamedTuple

from games.engine.events import (
    BribesPaid,
    BribesSealed,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
)
from games.models import Acquaintance, Event, Game, Invitation, Seat, Sitting, User, Vote
from games.services.game.replay import REWOUND, EventRow
from games.services.sql import Columns, select, table
from games.table_events import GamePaused, GameResumed, OfferMade, OfferReplied

TOLD_LAST: Final = [
    *(
        event.__name__
        for event in (
            ScholarHired, ScholarKept, ScholarBanished, ScholarsSent, BribesPaid, BribesSealed,
            OfferMade, OfferReplied, GamePaused, GameResumed,
        )
    ),
    REWOUND,
]  # fmt: skip
"""What somebody did at a table: the last such event is told in a list of games."""


class OwnGame(NamedTuple):
    """A game that waits or is being played, with the reader's seat and what happened there last.

    `seats` are all seats by number, each with its user, and `last` is the last event of a kind in
    `TOLD_LAST`, None before the first one.
    """

    own: Seat
    seats: list[Seat]
    last: EventRow | None


class Also(NamedTuple):
    """What else the home page has to show: how many of it, or whether there is any at all."""

    finished: int
    votes: bool
    invitations: bool
    requests: bool


def own_games(user: User) -> list[OwnGame]:
    """The person's games that wait or are being played, by the nearest deadline.

    That is the person's own, or else that of the game.
    """
    games: dict[int, OwnGame] = {}
    for row in select(_OWN, {"user": user.pk, "told": TOLD_LAST}):
        game, seat = _GAME.read(row), _SEAT.read(row[_GAME.width :])
        seat._state.fields_cache["game"] = game  # noqa: SLF001 (as select_related() does)
        *_, seq, phase_no, kind, payload, cause, at = row
        last = None
        if seq is not None:
            last = EventRow(seq, phase_no, kind, json.loads(payload), cause, at)
        games[seat.game_id] = OwnGame(seat, [], last)
    for row in select(_SEATS, {"games": list(games)}) if games else ():
        seat = _SEAT.read(row)
        person = None if seat.user_id is None else _USER.read(row[_SEAT.width :])
        seat._state.fields_cache["user"] = person  # noqa: SLF001
        games[seat.game_id].seats.append(seat)
    return list(games.values())


def over_games(user: User, most: int) -> list[Sitting]:
    """Where the person sat in games that are over or went on without them, the latest first.

    Each with its seat, and that with its game.
    """
    sittings = []
    for row in select(_OVER, {"user": user.pk, "most": most}):
        sitting, rest = _SITTING.read(row), row[_SITTING.width :]
        seat, game = _SEAT.read(rest), _GAME.read(rest[_SEAT.width :])
        seat._state.fields_cache["game"] = game  # noqa: SLF001
        sitting._state.fields_cache["seat"] = seat  # noqa: SLF001
        sittings.append(sitting)
    return sittings


def what_else(user: User) -> Also:
    """What else there is for the person: to show more of it takes a query each."""
    values = {"user": user.pk, "email": user.email}
    return Also(*select(_ALSO, values)[0])


_GAME: Final = Columns(Game, "game")
_SEAT: Final = Columns(Seat, "seat")
_USER: Final = Columns(User, "person")
_SITTING: Final = Columns(Sitting, "sitting")
_OWN: Final = f"""
SELECT {_GAME.sql}, {_SEAT.sql}, last.*
FROM {table(Seat)} seat
JOIN {table(Game)} game ON game.id = seat.game_id
LEFT JOIN LATERAL (
    SELECT seq, phase_no, kind, payload, cause, at FROM {table(Event)}
    WHERE game_id = game.id AND kind = ANY(%(told)s) ORDER BY seq DESC LIMIT 1
) last ON game.status = '{Game.Status.RUNNING}'
WHERE seat.user_id = %(user)s
    AND game.status IN ('{Game.Status.WAITING}', '{Game.Status.RUNNING}')
ORDER BY seat.deadline_at NULLS LAST, game.deadline_at NULLS LAST, seat.id
"""  # noqa: S608 - only names of our own tables and columns
_SEATS: Final = f"""
SELECT {_SEAT.sql}, {_USER.sql}
FROM {table(Seat)} seat LEFT JOIN {table(User)} person ON person.id = seat.user_id
WHERE seat.game_id = ANY(%(games)s) ORDER BY seat.number, seat.id
"""  # noqa: S608
_IS_OVER: Final = f"""sitting.user_id = %(user)s
    AND (sitting.ended_at IS NOT NULL OR game.status = ANY('{{{",".join(Game.OVER)}}}'))"""
_OVER: Final = f"""
SELECT {_SITTING.sql}, {_SEAT.sql}, {_GAME.sql}
FROM {table(Sitting)} sitting
JOIN {table(Seat)} seat ON seat.id = sitting.seat_id
JOIN {table(Game)} game ON game.id = seat.game_id
WHERE {_IS_OVER}
ORDER BY coalesce(sitting.ended_at, game.finished_at) DESC NULLS LAST, sitting.id
LIMIT %(most)s
"""  # noqa: S608
_ALSO: Final = f"""
SELECT
    (
        SELECT count(*) FROM {table(Sitting)} sitting
        JOIN {table(Seat)} seat ON seat.id = sitting.seat_id
        JOIN {table(Game)} game ON game.id = seat.game_id
        WHERE {_IS_OVER}
    ),
    EXISTS (
        SELECT FROM {table(Vote)} vote JOIN {table(Seat)} seat ON seat.game_id = vote.game_id
        WHERE seat.user_id = %(user)s AND vote.closed_at IS NULL
    ),
    EXISTS (
        SELECT FROM {table(Invitation)}
        WHERE email = %(email)s AND status = '{Invitation.Status.OPEN}'
    ),
    EXISTS (
        SELECT FROM {table(Acquaintance)} WHERE other_id = %(user)s AND confirmed_at IS NULL
    )
"""  # noqa: S608
