"""Whole first games through their forms, page by page."""

from collections.abc import Iterator
from random import Random

from django.test import Client

from games.models import Game
from tests.support.client import as_shown, at_random, move_form
from tests.support.guests import arrive, reply


def pages_of(
    client: Client, seed: int, replies: str, *, at_once: bool, bribe: int | None = None
) -> Iterator[tuple[str, Game]]:
    """Each page of a guest's whole first game, with the game as it stands then.

    They submit each form as it is, `at_once`, or filled in at random, and "accept" or "decline"
    every offer; "" leaves open what doesn't stop the game. Each `bribe` is of this amount, if it is
    given and may be.
    """
    chance, url = Random(seed), arrive(client)
    game = Game.objects.latest("pk")
    for _ in range(80):
        html = client.get(url).content.decode()
        game.refresh_from_db()
        yield html, game
        fields = move_form(html)
        if (replies or fields is None) and reply(client, html, replies or "decline"):
            continue
        if fields is None:
            break
        filled = as_shown(fields) if at_once else at_random(fields, chance)
        if bribe is not None:
            filled |= {name: str(bribe) for name, one in fields.items() if one.numbers}
        response = client.post(f"{url}move/", filled | {"reviewed": "yes"})
        if response.status_code == 422:
            client.post(f"{url}move/", as_shown(fields) | {"reviewed": "yes"})
    assert game.status == Game.Status.FINISHED
