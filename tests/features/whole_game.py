"""Plays a whole game, with its pages and its email, with whatever features there are."""

import django

django.setup()

from django.test import Client  # noqa: E402 (once the apps are there)

from games.models import Game, OutboxEmail, database_now  # noqa: E402
from games.services.email import delivery  # noqa: E402
from tests.support.tables import open_table, seats_to_move, submit_move  # noqa: E402

PAGES = (
    "/",
    "/accounts/profile/",
    "/accounts/notifications/",
    "/tables/",
    "/tables/new/",
    "/people/",
)


def see(user, *addresses):
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    for address in addresses:
        status = client.get(address, secure=True).status_code
        assert status == 200, (address, status)


game = open_table("Anna", "Boris", "Clara", now=database_now())
see(game.host, *PAGES)
while to_move := seats_to_move(game):
    see(to_move[0].user, game.get_absolute_url())
    delivery.drain(now=database_now())
    submit_move(game, to_move[0].user, database_now())
    game.refresh_from_db()
see(game.host, game.get_absolute_url(), f"{game.get_absolute_url()}history/")
delivery.drain(now=database_now())
assert game.status == Game.Status.FINISHED
assert not OutboxEmail.objects.exclude(status__in=("sent", "dropped", "ready")).exists()
