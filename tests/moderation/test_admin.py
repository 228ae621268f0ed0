"""The admin: read-only, and without the secrets of a running game."""

import pytest
from django.db.models import Model
from django.test import Client

from games.admin import site
from games.models import Event, Game, Invitation, Move, Order, Seat, User
from tests.support.busy_site import fill_tables
from tests.support.client import browser
from tests.support.moderators import key_of, moderator
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

pytestmark = [pytest.mark.full, pytest.mark.django_db]


@pytest.fixture
def marta() -> Client:
    return browser(moderator())


SHOWN = [*site._registry]


@pytest.fixture
def busy_tables() -> None:
    fill_tables()


def listing(model: type[Model]) -> str:
    return f"/admin/games/{model._meta.model_name}/"


@pytest.mark.slow
def test_what_is_shown_cannot_be_changed(marta, busy_tables):
    for model in SHOWN:
        address = listing(model)
        page_of_row = f"{address}{key_of(model.objects.order_by('pk').last())}"
        assert marta.get(f"{address}?q=Venice").status_code in {200, 302}, model
        page = marta.get(f"{page_of_row}/change/")
        assert page.status_code == 200, model
        assert 'name="_save"' not in page.content.decode(), model
        assert marta.get(f"{address}add/").status_code == 403, model
        assert marta.post(f"{page_of_row}/change/", {}).status_code == 403, model
        assert marta.post(f"{page_of_row}/delete/", {"post": "yes"}).status_code == 403, model


def test_a_list_needs_few_queries_however_long_it_is(
    marta, busy_tables, django_assert_max_num_queries
):
    for model in SHOWN:
        assert model.objects.count() > 10
        with django_assert_max_num_queries(15, info=model):
            assert marta.get(listing(model)).status_code == 200


def test_what_libraries_register_and_what_is_secret_is_not_there(marta):
    page = marta.get("/admin/").content.decode()
    assert "/admin/games/game/" in page
    for place in ("account/emailaddress", "mfa/authenticator", "auth/group"):
        assert f"/admin/{place}/" not in page
        assert marta.get(f"/admin/{place}/").status_code == 404
    assert not {Order, Move} & set(SHOWN)
    assert {Game, Seat, Event, User} <= set(SHOWN)


def test_people_are_shown_without_their_passwords_and_invitations_without_their_links(
    marta, busy_tables
):
    anna = User.objects.get(name="Anna 1")
    page = marta.get(f"{listing(User)}{anna.pk}/change/").content.decode()
    assert "anna 1@example.org" in page
    assert anna.password not in page
    assert "md5" not in page
    invitation = Invitation.objects.first()
    page = marta.get(f"{listing(Invitation)}{invitation.pk}/change/").content.decode()
    assert invitation.email in page
    assert invitation.token not in page


def test_no_page_of_the_admin_tells_what_is_sealed_or_what_players_hold(marta):
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    while len(seats_to_move(game)) < 2:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    sealed = Event.objects.get(kind="BribesSealed", game=game, phase_no=game.phase_no)
    assert sealed.payload["bribes"]
    page = marta.get(f"/admin/games/event/{sealed.pk}/change/").content.decode()
    assert "&quot;bribes&quot;: []" in page
    page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert "cash" not in page
    assert str(game.seed) not in page
