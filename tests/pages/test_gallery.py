"""The gallery of developers: every stage, every reader, and nothing of it stays."""

import pytest
from django.urls import clear_url_caches

from games.engine import EDITIONS, Stage
from games.models import Game, User
from games.services.operations.scratch import nothing_stays
from intrigue_site.scenarios import SCENARIOS, lay_out
from tests.support.tables import MONDAY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def gallery(settings):
    settings.ROOT_URLCONF = "tests.support.demo_urls"
    clear_url_caches()
    yield
    clear_url_caches()


def test_without_bin_dev_there_is_no_gallery(client):
    assert client.get("/gallery/").status_code == 404


@pytest.mark.full
def test_it_shows_every_stage_and_every_edition():
    stages, editions = set(), set()
    for case in SCENARIOS:
        with nothing_stays():
            game = lay_out(case, MONDAY)
            stages.add(game.decoded().stage)
            editions.add(game.edition)
    assert stages == set(Stage)
    assert editions == set(EDITIONS)
    assert not Game.objects.exists()


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.usefixtures("gallery")
@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.key)
def test_a_case_is_the_real_page_for_each_reader_and_nothing_stays(client, case):
    page = client.get(f"/gallery/{case.key}/").content.decode()
    readers = [name for name in ("awaited", "other", "spectator") if f"/{name}/" in page]
    assert "spectator" in readers
    assert ("awaited" in readers) == (case.key not in {"over", "parked", "paused"})
    for reader in readers:
        shown = client.get(f"/gallery/{case.key}/{reader}/")
        assert shown.status_code == 200
        assert "frame-ancestors 'self'" in shown["Content-Security-Policy"]
        assert ("/move/" in shown.content.decode()) == (reader == "awaited")
    assert not User.objects.exists()


@pytest.mark.usefixtures("gallery")
def test_what_is_not_there_is_not_found(client):
    assert client.get("/gallery/nothing/").status_code == 404
    assert client.get("/gallery/over/awaited/").status_code == 404
