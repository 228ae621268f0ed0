"""An action on who may look at a game."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.services.lobby.strangers import save
from games.services.moderation.actions.game_action import lock
from games.services.moderation.actions.requests import GameRequest, write_audit_line
from games.services.refused import Refused


def choose_who_watches(request: GameRequest, *, strangers: str) -> None:
    """Say when strangers may look at a game."""
    with transaction.atomic(durable=True):
        game = lock(request)
        before = game.strangers
        if before == strangers:
            raise Refused(_("The table already has this setting."))
        save(game, strangers)
        write_audit_line(
            "game.watch",
            request,
            game=game,
            person=game.host,
            before={"strangers": before},
            after={"strangers": strangers},
        )
