"""Facts: rows, constraints, indexes and querysets. The verbs are in games/services."""

from games.models.game import Cause, Event, Game, Move, Seat
from games.models.mail import OutboxMail
from games.models.people import User

__all__ = ["Cause", "Event", "Game", "Move", "OutboxMail", "Seat", "User"]
