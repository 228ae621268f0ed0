"""The deadline of what an email asks for: in UTC, None if it asks for nothing any more.

Each function gets the row of the outbox, and its person's seat at its game.
"""

from datetime import datetime

from games.models import OutboxEmail, Seat, Vote


def deadline(_email: OutboxEmail, seat: Seat | None) -> datetime | None:
    """The deadline of the player's move."""
    return seat.deadline_at if seat is not None else None


def end_of_talk(email: OutboxEmail, _seat: Seat | None) -> datetime | None:
    """The end of the negotiation time."""
    return email.the_game.talk_until


def end_of_vote(email: OutboxEmail, _seat: Seat | None) -> datetime | None:
    """The end of the vote."""
    closes = Vote.objects.filter(pk=email.about).values_list("closes_at", flat=True)
    return closes.first()
