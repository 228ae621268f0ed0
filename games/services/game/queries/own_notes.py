"""The notebook of a person at a table: how far they read, their notes and drafts.

Whoever opens the page of a game waits for it: by the ORM, the game and all this are four queries
more, and a sixth of the page's CPU time.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from games.models import Draft, Game, MutedGame, Note, User, Visit
from games.services.sql import Columns, select, table


class Kept(NamedTuple):
    """Text typed into a form and not sent, by the names of its fields, and when."""

    fields: Mapping[str, str]
    at: datetime


class Notebook(NamedTuple):
    """A person's notes, drafts and marks at a table; all of it is theirs alone.

    `last_event` and `last_message` are the last they have seen; 0 before the first visit.
    `move` is a draft of a move in the present phase, `message` one of a chat message. Of a `muted`
    table they want no email.
    """

    visited: bool = False
    last_event: int = 0
    last_message: int = 0
    notes: str = ""
    move: Kept | None = None
    message: Kept | None = None
    muted: bool = False


def read_notebook(game: Game, user: User | None) -> Notebook:
    """The notebook of this person at this table; an empty one for a stranger. One query."""
    if user is None:
        return Notebook()
    return _find("game.id = %(key)s", game.pk, user)[1]


def game_and_notebook(token: str, user: User | None) -> tuple[Game, Notebook]:
    """The table of this address with its host, and what the person has left there. One query.

    `Game.DoesNotExist` if there is none.
    """
    return _find("game.token = %(key)s", token, user)


def _find(condition: str, key: int | str, user: User | None) -> tuple[Game, Notebook]:
    who = None if user is None else user.pk
    for row in select(f"{_GAME_AND_NOTEBOOK} WHERE {condition}", {"key": key, "user": who}):
        game = _GAME.read(row)
        host, rest = row[_GAME.width :], row[_GAME.width + _HOST.width :]
        game._state.fields_cache["host"] = (  # noqa: SLF001 (as select_related() does)
            None if game.host_id is None else _HOST.read(host)
        )
        return game, _notebook(game, rest)
    raise Game.DoesNotExist


def _notebook(game: Game, columns: Sequence[Any]) -> Notebook:
    last_event, last_message, notes, phase_no, move, move_at, message, message_at, muted = columns
    return Notebook(
        visited=last_event is not None,
        last_event=last_event or 0,
        last_message=last_message or 0,
        notes=notes or "",
        move=_kept(move, move_at) if phase_no == game.phase_no else None,
        message=_kept(message, message_at),
        muted=muted,
    )


def _kept(fields: str | None, at: datetime | None) -> Kept | None:
    return None if fields is None or at is None else Kept(json.loads(fields), at)


def _draft(name: str, about: Draft.About) -> str:
    return f"""LEFT JOIN {table(Draft)} {name}
    ON {name}.game_id = game.id AND {name}.user_id = %(user)s AND {name}.about = '{about}'"""


_GAME: Final = Columns(Game, "game")
_HOST: Final = Columns(User, "host")
_GAME_AND_NOTEBOOK: Final = f"""
SELECT {_GAME.sql}, {_HOST.sql}, visit.last_event, visit.last_message, note.text,
    move.phase_no, move.fields, move.at, message.fields, message.at,
    EXISTS (
        SELECT FROM {table(MutedGame)} muted
        WHERE muted.game_id = game.id AND muted.user_id = %(user)s
    )
FROM {table(Game)} game
LEFT JOIN {table(User)} host ON host.id = game.host_id
LEFT JOIN {table(Visit)} visit ON visit.game_id = game.id AND visit.user_id = %(user)s
LEFT JOIN {table(Note)} note ON note.game_id = game.id AND note.user_id = %(user)s
{_draft("move", Draft.About.MOVE)}
{_draft("message", Draft.About.MESSAGE)}
"""  # noqa: S608 - only names of our own tables and columns
