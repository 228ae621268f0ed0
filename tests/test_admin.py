"""The admin: read-only, and without the secrets of a running game."""

import pytest
from django.test import Client

from games.models import Event, Game, OutboxMail, Seat
from tests.tables import MONDAY, answer, awaited_seats, open_table
from tests.web import browser, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def marta() -> Client:
    marta = person("Marta")
    marta.is_staff = marta.is_superuser = True
    marta.save()
    return browser(marta)


@pytest.mark.parametrize("model", [Game, Seat, Event, OutboxMail])
def test_games_seats_events_and_mails_are_shown_and_cannot_be_changed(marta, model):
    open_table("Anna", "Boris", "Clara")
    address = f"/admin/games/{model._meta.model_name}/"
    row = model.objects.first()
    assert marta.get(address).status_code == 200
    assert marta.get(f"{address}?q=Venice").status_code in {200, 302}
    page = marta.get(f"{address}{row.pk}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert marta.get(f"{address}add/").status_code == 403
    assert marta.post(f"{address}{row.pk}/change/", {}).status_code == 403
    assert marta.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_no_page_of_the_admin_tells_what_is_sealed_or_what_players_hold(marta):
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    while len(awaited_seats(game)) < 2:
        answer(game, awaited_seats(game)[0].user, MONDAY)
    answer(game, awaited_seats(game)[0].user, MONDAY)
    sealed = Event.objects.get(kind="BribesSealed", game=game, phase_no=game.phase_no)
    assert sealed.payload["bribes"]
    page = marta.get(f"/admin/games/event/{sealed.pk}/change/").content.decode()
    assert "&#x27;bribes&#x27;: []" in page
    page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert "cash" not in page
    assert str(game.seed) not in page
