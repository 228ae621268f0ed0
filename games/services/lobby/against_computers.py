"""A game against computer players that begins at once: its table waits for nobody.

Only its player is there, so it has no deadlines. Nothing plays for them, nothing reminds them, and
nobody learns what became of their promises.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games.models import Game, User
from games.services.lobby import tables
from games.services.lobby.settings import TableSettings, refuse_impossible
from games.services.people import joining, sanctions

COMPUTER_PLAYER: Final = "courtier"
"""The kind that takes the seats: it plays to win, and negotiates."""

EDITION: Final = "mayfair-2005"
SEATS: Final = 4


def play_as_usual(*, user: User, now: datetime, token: UUID | None = None) -> Game:
    """Open and start a game of the usual edition; the same `token` is one game."""
    usual = TableSettings(name="", edition=EDITION, size=SEATS, move_time=Game.NO_DEADLINES)
    with transaction.atomic(durable=True):
        return begin(usual, host=joining.lock_person(user, now), now=now, token=token)


def play(*, user: User, settings: TableSettings, now: datetime, token: UUID | None = None) -> Game:
    """Open and start a game with the rules of these settings; the same `token` is one game."""
    refuse_impossible(settings)
    with transaction.atomic(durable=True):
        person = joining.lock_person(user, now)
        sanctions.refuse_who_may_not_write(person, now)
        return begin(settings, host=person, now=now, token=token)


def begin(
    settings: TableSettings,
    *,
    host: User,
    now: datetime,
    token: UUID | None = None,
    rematch_of: Game | None = None,
) -> Game:
    """Open and start a game of a locked person; `Refused` where they have or open too many."""
    opened = Game.objects.filter(opening_token=token).first() if token is not None else None
    if opened is not None:
        return opened
    tables.refuse_one_more(host, now, waits=False)
    game = tables.make(_alone(settings), host=host, now=now, token=token, rematch_of=rematch_of)
    tables.start_against(game, [COMPUTER_PLAYER] * (game.size - 1), now)
    return game


def _alone(settings: TableSettings) -> TableSettings:
    """The same rules at a table where nobody else waits, writes or looks."""
    return replace(
        settings,
        listed=False,
        move_time=Game.NO_DEADLINES,
        no_play_days=(),
        fixed_hour=None,
        days_off=0,
        talk_seconds=0,
        press=Game.Press.PUBLIC,
        threads_shown=False,
        threads_published=False,
        computer_players_allowed=True,
        promises_count=False,
    )
