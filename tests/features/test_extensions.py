"""A feature of some lines is called by the core, which says no word of it."""

import re
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.urls import reverse

from games.models import Game, MailServer, OutboxEmail, OutboxPush, PushSubscription, Tick
from games.services import outbox
from games.services.email.kinds import SWITCHES
from games.services.email.reachability import gets_nothing_about_turns
from games.services.game import interventions
from games.services.operations import alarms
from tests.features.tiny import here
from tests.support.choices import choices
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator
from tests.support.tables import DAY, MONDAY, finished, open_table, submit_move

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def tiny(settings):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE pigeons (kind text, person_id bigint)")
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "tests.features.tiny"]
    here.ended.clear()
    here.PIGEON.__init__()


def pigeons():
    with connection.cursor() as cursor:
        cursor.execute("SELECT kind, person_id FROM pigeons ORDER BY kind, person_id")
        return cursor.fetchall()


@pytest.mark.full
def test_it_adds_to_pages_and_knows_what_they_show():
    lobby, game = open_table("Anna", size=3), open_table("Boris", "Clara", "Dora")
    anna, boris = lobby.host, game.host
    for reader, address, given in [
        (anna, "/", "home."),
        (anna, "/tables/", "."),
        (anna, lobby.get_absolute_url(), "game."),
        (boris, game.get_absolute_url(), "form, game, "),
        (anna, reverse("games:person", args=[boris.pk]), "reading."),
        (anna, "/accounts/profile/", "."),
        (anna, "/accounts/notifications/", "."),
    ]:
        page = text_of(browser(reader).get(address))
        assert f"Tiny for {reader.name}: {given}" in page, address


@pytest.mark.full
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


@pytest.mark.parametrize("push_key", ["", "a key"])
def test_its_channel_writes_with_each_email_once_and_beside_other_channels(settings, push_key):
    settings.PUSH_KEY = push_key
    anna, boris = person("Anna"), person("Boris")
    PushSubscription.objects.create(user=anna, endpoint="https://push.example/", created_at=MONDAY)
    game = open_table("Clara", size=3)
    for reader in (anna, boris, boris):
        outbox.enqueue("table_closed", game=game, person=reader, now=MONDAY)
    assert OutboxEmail.objects.count() == 2
    assert pigeons() == [("table_closed", anna.pk), ("table_closed", boris.pk)]
    notified = OutboxPush.objects.values_list("email__person", flat=True)
    assert list(notified) == ([anna.pk] if push_key else [])


@pytest.mark.full
def test_its_channel_is_a_column_of_the_choices():
    rosa = person("Rosa")
    sent = choices() | {f"pigeon_{switch.key}": "on" for switch in SWITCHES}
    del sent["pigeon_reminder"]
    shown = browser(rosa).post("/accounts/notifications/", sent, follow=True)
    assert "Email Pigeon " in text_of(shown)
    assert here.PIGEON.not_by_pigeon == {"Rosa": ["reminder"]}


def test_who_is_reached_by_its_channel_is_not_without_notice_of_turns():
    rosa = person("Rosa", unwanted_emails=["your_turn"])
    assert gets_nothing_about_turns(rosa)
    here.PIGEON.roosts.add("Rosa")
    assert not gets_nothing_about_turns(rosa)
    here.PIGEON.not_by_pigeon["Rosa"] = ["your_turn"]
    assert gets_nothing_about_turns(rosa)


def test_its_channel_takes_the_alarm_to_moderators(settings):
    moderator("Marta")
    settings.PUSH_KEY = "a key"
    MailServer.objects.create(failing_since=MONDAY)
    Tick.objects.create(name=Tick.MAIL, at=MONDAY)
    later = MONDAY + DAY
    assert alarms.watch_email(later)
    assert here.PIGEON.alarms == [(MailServer.Alarm.FAILS, ["Marta"], later)]


def test_parts_are_listed_where_features_look_for_them():
    """Each page that asks for parts, by its name, is in the docstring of `Feature.parts`."""
    sources = [*ROOT.glob("games/**/*.py"), *ROOT.glob("games/**/*.html")]
    sources += ROOT.glob("templates/**/*.html")
    asked_for = {
        page for path in sources for page in re.findall(r'parts_of\(\s*"(\w+)"', path.read_text())
    }
    about = (ROOT / "games/extensions.py").read_text().partition("    parts: ")[2]
    listed = re.findall(r"`(\w+)`", about.split('"""')[1])
    assert {"home", "sign_ins", "head"} <= asked_for
    assert sorted(listed) == sorted(asked_for)
