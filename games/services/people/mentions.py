"""Whom a message in the chat mentions."""

import re
from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from games.models import Game, Message, Seat, User
from games.services.people.display_names import mention

MOST_SEARCHED: Final = 100
"""How many messages are searched for a mention, the latest first."""


def mentioned(text: str, seats: Iterable[Seat]) -> set[User]:
    """The players of these seats whom the text mentions: "@Anna", in any letter case.

    The longest name counts: "@Anna Maria" does not mention Anna.
    """
    players = [(mention(seat), seat.user) for seat in seats if seat.user is not None]
    if not players:
        return set()
    longest_first = sorted(players, key=lambda player: -len(player[0]))
    names = "|".join(f"({re.escape(name)})" for name, _user in longest_first)
    found = re.finditer(rf"(?<!\w)(?:{names})(?!\w)", text, re.IGNORECASE)
    return {longest_first[match.lastindex - 1][1] for match in found if match.lastindex}


def is_mentioned(user: User, messages: QuerySet[Message], game: Game) -> bool:
    """Whether one of these messages at a table mentions a player there."""
    seats = list(game.seats.select_related("user"))
    own = next((seat for seat in seats if seat.user == user), None)
    if own is None:
        return False
    found = messages.filter(text__icontains=mention(own)).order_by("-pk")
    texts = found.values_list("text", flat=True)[:MOST_SEARCHED]
    return any(user in mentioned(text, seats) for text in texts)
