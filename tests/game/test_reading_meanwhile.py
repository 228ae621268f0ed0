"""A page that is read while somebody sits down is a page, whenever in the reading that happens."""

from itertools import count

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from games.models import Game
from games.services.game import seats
from games.services.lobby import tables
from tests.support.client import browser, person
from tests.support.moderators import moderator
from tests.support.tables import open_table, seat_of

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]


@pytest.fixture
def game():
    """A game in which a seat wants a substitute."""
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now)
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=now)
    game.refresh_from_db()
    return game


def read_while(client: Client, url: str, number: int, act) -> tuple[int, bool]:
    """Get a page while somebody acts before its query of this number; its status, and if so."""
    numbers, done = count(), []

    def meanwhile(execute, sql, params, many, context):
        writing = not connection.atomic_blocks[-1]._from_testcase
        if not (done or writing) and next(numbers) == number:
            done.append(True)
            act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meanwhile):
        return client.get(url).status_code, bool(done)


@pytest.mark.long(after=2)
@pytest.mark.parametrize("path", ["", "history/", "history/3/", "deadlines/", "orders/"])
def test_a_substitute_sits_down(game, path):
    emil, clara = person("Emil"), seat_of(game, "Clara")
    anna = browser(seat_of(game, "Anna").user)
    url = f"{game.get_absolute_url()}{path}"
    assert meanwhile_at_every_query(anna, url, lambda: sit_down(game, emil, clara)) >= 8


def test_a_substitute_sits_down_while_a_moderator_reads_the_events(game):
    emil, clara = person("Emil"), seat_of(game, "Clara")
    marta = browser(moderator())
    for url in ("/admin/games/event/", f"/admin/games/game/{game.pk}/change/"):
        assert meanwhile_at_every_query(marta, url, lambda: sit_down(game, emil, clara)) > 5


def test_the_last_one_sits_down_and_the_game_starts():
    game = open_table("Anna", "Boris", size=3)
    clara, now = person("Clara"), timezone.now()
    anna = browser(seat_of(game, "Anna").user)
    for url in (game.get_absolute_url(), "/"):
        assert (
            meanwhile_at_every_query(
                anna, url, lambda: tables.join(game_id=game.pk, user=clara, now=now)
            )
            > 5
        )


def sit_down(game: Game, user, seat) -> None:
    seats.take_over(game_id=game.pk, number=seat.number, user=user, now=timezone.now())


def meanwhile_at_every_query(client: Client, url: str, act) -> int:
    """At how many places somebody has acted while the page was read; it was shown every time."""
    for number in count():
        attempt = transaction.atomic()
        attempt._from_testcase = True  # what is durable may be inside, as in a test
        with attempt:
            status, acted = read_while(client, url, number, act)
            transaction.set_rollback(True)
        assert status == 200, number
        if not acted:
            break
    return number
