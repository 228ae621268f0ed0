"""What cannot be undone is confirmed first, on a page that works without scripts."""

import pytest
from django.utils import timezone

from games.models import Vote
from games.services.lobby import tables
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.tables import open_table, seat_of

pytestmark = pytest.mark.django_db


def press(client, page_url: str, address: str):
    """Press the button of a form as the page shows it; the confirmation, and a click on yes."""
    form = as_shown(forms_of(client.get(page_url).content.decode())[address])
    asked = client.post(address, form)
    assert asked.status_code == 200
    sure = as_shown(forms_of(asked.content.decode())[""])
    return asked, lambda: client.post(address, sure)


@pytest.fixture
def game():
    return open_table("Anna", "Boris", size=4, now=timezone.now())


@pytest.mark.full
def test_closing_a_table(game):
    url = game.get_absolute_url()
    asked, yes = press(browser(game.host), url, f"{url}cancel/")
    game.refresh_from_db()
    assert game.status == "waiting"
    assert "Everyone at the table will be notified by email" in text_of(asked)
    assert f'<a class="button quiet" href="{url}">Back</a>' in asked.content.decode()
    assert '<button class="danger">Close the table</button>' in asked.content.decode()
    assert yes()["Location"] == url
    game.refresh_from_db()
    assert game.status == "cancelled"


def test_leaving_a_table(game):
    url = game.get_absolute_url()
    _, yes = press(browser(seat_of(game, "Boris").user), url, f"{url}leave/")
    assert game.seats.count() == 2
    yes()
    assert game.seats.count() == 1


def test_sending_somebody_away(game):
    url = game.get_absolute_url()
    asked, yes = press(browser(game.host), url, f"{url}remove/")
    assert "Remove Boris from this table?" in text_of(asked)
    assert game.seats.count() == 2
    yes()
    assert list(game.seats.values_list("user__name", flat=True)) == ["Anna"]


def test_ending_the_game_by_a_vote():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    client, address = browser(game.host), f"{game.get_absolute_url()}votes/"
    asked = client.post(address, {"kind": "end"})
    assert "End the game now, without a winner?" in text_of(asked)
    assert not Vote.objects.exists()
    client.post(address, as_shown(forms_of(asked.content.decode())[""]))
    assert Vote.objects.get().kind == "end"


def test_the_confirmation_hides_in_what_was_kept_for_the_sign_in(client, game):
    """A person who confirms after the session has ended is not shown the page's own field."""
    address = f"{game.get_absolute_url()}remove/"
    client.post(address, {"seat": "1", "sure": "yes"})
    person("Dora")
    client.force_login(game.host)
    assert "sure" not in text_of(client.get("/kept/"))


@pytest.mark.full
def test_what_is_dangerous_looks_so(game):
    url = game.get_absolute_url()
    page = browser(game.host).get(url).content.decode()
    assert page.count('class="quiet danger"') == 2
    assert page.count('class="link danger"') == 1
    tables.cancel(game_id=game.pk, user=game.host, now=timezone.now())
    assert "danger" not in browser(game.host).get(url).content.decode()
