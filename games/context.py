"""What the head of every page shows: how many games wait for the reader, and the next of them."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest

from games.models import User
from games.services.waiting import WaitingGame, waiting_games


def waiting(request: HttpRequest) -> dict[str, Callable[[], Any]]:
    """`waiting_count` and `next_game`, the most urgent game but the one that the page is about.

    Asked for by the template only: no query on a page that does not show them, nor for a stranger,
    and one on any other.
    """

    @cache
    def games() -> list[WaitingGame]:
        user = getattr(request, "user", None)
        return waiting_games(user) if isinstance(user, User) else []

    def next_game() -> WaitingGame | None:
        match = request.resolver_match
        here = match.kwargs.get("token") if match else None
        return next((game for game in games() if game.token != here), None)

    return {"waiting_count": lambda: len(games()), "next_game": next_game}
