"""Games are found by players, words of the description, and old names, and filtered by size."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from tests.support.client import browser
from tests.support.moderators import marta_acts, moderator
from tests.support.tables import open_table, seat_of

pytestmark = [pytest.mark.full, pytest.mark.django_db]


@pytest.fixture
def nora():
    return browser(moderator("Nora"))


def listed(client, query: str) -> set[int]:
    """The keys of the games of a list."""
    page = client.get(f"/admin/games/game/?{query}").content.decode()
    return {
        int(key) for key in re.findall(r'<th scope="row"><a href="/admin/games/game/(\d+)/', page)
    }


def searched(client, words: str) -> str:
    """What the dashboard finds, in at most 15 queries."""
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/admin/", {"q": words}).content.decode()
    assert len(queries) <= 15
    assert 'id="piles"' not in page
    return page.split('id="found-title"')[1].split("</section>")[0]


def test_by_a_player_with_edition_size_and_state(nora):
    five = open_table("Anke", "Boris", "Clara", "Dora", "Emil", name="Parma", now=timezone.now())
    three = open_table("Ankele", "Ines", "Jan", name="Lucca", now=timezone.now())
    waiting = open_table("Ankerl", size=5, name="Siena")
    open_table("Fritz", "Gerda", "Hanna", name="Pisa", now=timezone.now())
    assert listed(nora, "q=anke") == {five.pk, three.pk, waiting.pk}
    assert listed(nora, "q=anke&size=5") == {five.pk, waiting.pk}
    assert listed(nora, "q=anke&size=5&status__exact=running") == {five.pk}
    assert listed(nora, f"q=anke&edition__exact={three.edition}&size=3") == {three.pk}
    assert listed(nora, "size=9") == {game.pk for game in Game.objects.all()}


def test_by_a_player_who_has_left(nora):
    game = open_table("Anke", "Boris", "Clara", name="Parma", now=timezone.now())
    marta_acts(game, "reopen", seat=seat_of(game, "Anke").number)
    assert listed(nora, "q=anke") == {game.pk}


def test_by_the_description_and_by_a_name_of_before(nora):
    game = open_table("Anna", "Boris", size=3, name="Death to all", description="Beginners only.")
    marta_acts(game, "rename", name="The quiet table")
    other = open_table("Dora", size=3, name="Pisa")
    for words in ("beginn", "death", "quiet", "anna"):
        assert listed(nora, f"q={words}") == {game.pk}
        assert f"/game/{game.pk}/change/" in searched(nora, words)
        assert f"/game/{other.pk}/change/" not in searched(nora, words)


def test_people_are_found_with_their_unfinished_games(nora):
    game = open_table("Anna", "Boris", "Clara", name="Parma", now=timezone.now())
    over = open_table("Annabel", "Dora", "Emil", name="Pisa", now=timezone.now())
    Game.objects.filter(pk=over.pk).update(status=Game.Status.CANCELLED, deadline_at=None)
    people = searched(nora, "anna").split("People")[1]
    assert f"/game/{game.pk}/change/" in people
    assert f"/game/{over.pk}/change/" not in people
