"""A feature of some lines is called by the core, which says no word of it."""

import pytest
from django.db import transaction
from django.urls import reverse

from games.models import Game
from games.services.game import interventions
from tests.features.tiny import here
from tests.support.client import browser, text_of
from tests.support.tables import DAY, MONDAY, finished, open_table, submit_move

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tiny(settings):
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "tests.features.tiny"]
    here.ended.clear()


def test_it_adds_to_pages_and_knows_what_they_show():
    lobby, game = open_table("Anna", size=3), open_table("Boris", "Clara", "Dora")
    anna, boris = lobby.host, game.host
    for reader, address, given in [
        (anna, "/", "home"),
        (anna, "/tables/", ""),
        (anna, lobby.get_absolute_url(), "game"),
        (boris, game.get_absolute_url(), "form, game, muted, page"),
        (anna, reverse("games:person", args=[boris.pk]), "reading"),
        (anna, "/accounts/profile/", ""),
        (anna, "/accounts/notifications/", ""),
    ]:
        page = text_of(browser(reader).get(address))
        assert f"Tiny for {reader.name}: {given}." in page, address


def test_it_hears_once_of_each_game_that_ends_with_a_winner():
    game = finished("The Rome table")
    assert here.ended == [("The Rome table", Game.Status.FINISHED, game.finished_at)]


def test_it_hears_of_a_game_that_ends_without_a_winner_but_not_of_a_move():
    game = open_table("Anna", "Boris", "Clara")
    submit_move(game, game.seats.exclude(deadline_at=None).get().user, MONDAY)
    assert here.ended == []
    with transaction.atomic():
        interventions.give_up(Game.objects.lock(game.pk), MONDAY + DAY)
    assert here.ended == [(game.name, Game.Status.ABANDONED, MONDAY + DAY)]
