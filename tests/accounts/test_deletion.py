"""Deleting an account: what goes, what stays, and how the games go on."""

from datetime import timedelta

import pytest
from django.test import Client

from games.models import Game, Order, Sitting, User
from games.services.accounts.account import delete_account
from games.services.operations import clock
from games.services.people.display_names import player_name
from tests.support.client import browser, person, verified
from tests.support.tables import DAY, MONDAY, open_table, seat_of, tick

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.full
def test_rosa_deletes_her_account_by_typing_her_name():
    rosa = browser(verified("Rosa"))
    page = rosa.get("/accounts/delete/").content.decode()
    assert "Nobody" in page
    asked = rosa.post("/accounts/delete/", {"name": "Rosa"})
    assert asked["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Fdelete%2F"
    assert User.objects.get().name == "Rosa"
    refused = rosa.post(asked["Location"], {"password": "quite secret"})
    assert "Incorrect password." in refused.content.decode()
    assert User.objects.get().name == "Rosa"
    answer = rosa.post(asked["Location"], {"password": "not so secret"}, follow=True)
    assert "Your account has been deleted." in answer.content.decode()
    assert not User.objects.exists()
    assert rosa.get("/accounts/profile/").status_code == 302


def test_a_name_that_looks_like_html_is_only_a_name():
    rosa = person("Rosa")
    rosa.name = '"><svg/onload=alert(1)>'
    rosa.save()
    page = browser(rosa).get("/accounts/delete/").content.decode()
    assert "Please type &#34;&gt;&lt;svg/onload=alert(1)&gt; to confirm." in page
    assert "<svg/onload" not in page


@pytest.mark.parametrize("typed", ["", "rosa", "Yvette"])
def test_another_name_deletes_nothing(typed):
    rosa = browser(person("Rosa"))
    answer = rosa.post("/accounts/delete/", {"name": typed})
    assert answer.status_code == 200
    assert User.objects.filter(name="Rosa").exists()
    assert 'role="status"' in answer.content.decode()


def test_looking_at_the_page_deletes_nothing_and_strangers_sign_in_first():
    rosa = browser(person("Rosa"))
    rosa.get("/accounts/delete/")
    assert User.objects.get().name == "Rosa"
    assert Client().post("/accounts/delete/", {"name": "Rosa"}).status_code == 302


@pytest.mark.full
def test_a_game_goes_on_with_nobody_where_rosa_sat():
    game = open_table("Rosa", "Boris", "Clara")
    seat = seat_of(game, "Rosa")
    Order.objects.create(seat=seat, kind="sending", formula={}, made_at=MONDAY)
    sitting = Sitting.objects.filter(seat=seat, ended_at=None).first()
    sitting = sitting or Sitting.objects.create(seat=seat, user=seat.user, began_at=MONDAY)
    delete_account(seat.user, MONDAY)
    seat.refresh_from_db()
    sitting.refresh_from_db()
    assert player_name(seat) == "Nobody"
    assert (sitting.user, sitting.ended_at) == (None, MONDAY)
    assert not Order.objects.exists()
    now = MONDAY
    for _ in range(200):
        now += DAY + timedelta(minutes=1)
        tick(now)
        clock.sweep(now=now)
        game.seats.update(missed=[])  # nobody else becomes absent
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            break
    assert game.status == Game.Status.FINISHED
    page = browser(User.objects.get(name="Boris")).get(game.get_absolute_url())
    assert "(free seat)" in page.content.decode()


def test_a_table_that_waits_loses_rosa_and_gets_another_host():
    game = open_table("Rosa", "Boris", size=4)
    alone = open_table("Olga", size=3)
    delete_account(User.objects.get(name="Rosa"), MONDAY)
    delete_account(User.objects.get(name="Olga"), MONDAY)
    game.refresh_from_db()
    alone.refresh_from_db()
    assert [player_name(seat) for seat in game.seats.all()] == ["Boris"]
    assert game.host.name == "Boris"
    assert alone.status == Game.Status.CANCELLED
