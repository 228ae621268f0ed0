"""Email about the settings of a table that its host has changed before the start."""

from typing import Any

from games.models import OutboxEmail, Seat
from games.services.lobby.changed_settings import changes_for

type Context = dict[str, Any]


def settings_changed(email: OutboxEmail, seat: Seat | None) -> Context:
    """What the reader is asked to agree to: as it was when they last agreed, and as it is."""
    changes = changes_for(seat, email.the_game) if seat is not None else []
    return {"changes": changes, "preheader": changes[0] if changes else ""}


def is_to_agree(email: OutboxEmail, seat: Seat | None) -> bool:
    """The reader hasn't agreed yet, and nothing has been changed since: else there is another."""
    is_latest = email.about == email.the_game.settings_version
    return is_latest and seat is not None and bool(changes_for(seat, email.the_game))
