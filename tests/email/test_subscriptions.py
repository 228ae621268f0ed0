"""Stopping mail by the link in it: one click in the mail program, a button on the page."""

import re

import pytest
from django.core.signing import Signer
from django.test import Client

from games.models import MutedGame, OutboxEmail, User
from games.services import outbox
from games.services.email import delivery, subscriptions
from tests.support.client import forms_of, text_of
from tests.support.tables import MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db
REMINDERS = ["reminder"]


def strict():
    """A mail program or browser without a session, at a site that insists on its CSRF checks."""
    return Client(enforce_csrf_checks=True)


def link(person, what):
    return f"/unsubscribe/{subscriptions.token_for(person, what)}/"


@pytest.fixture
def anna():
    open_table("Anna", "Boris", "Clara")
    return User.objects.get(name="Anna")


@pytest.fixture
def game(anna):
    return anna.seats.get().game


def unwanted(person):
    person.refresh_from_db()
    return person.unwanted_emails


def test_a_get_shows_a_button_and_changes_nothing(anna, game):
    for what in (game, "reminders", "substitutes"):
        page = strict().get(link(anna, what))
        assert page.status_code == 200
        assert list(forms_of(page.content.decode()))[-1] == link(anna, what)
        assert "Unsubscribe" in page.content.decode()
    assert not MutedGame.objects.exists()
    assert unwanted(anna) == []


def test_one_click_stops_the_digest_and_all_that_was_in_it(anna):
    anna.digest_emails, anna.unwanted_emails = ["offer", "mention"], ["game_over"]
    anna.save()
    page = link(anna, "digest")
    assert "You're currently getting a digest" in text_of(strict().get(page))
    assert unwanted(anna) == ["game_over"]
    for _ in range(2):
        assert "won't get the digest" in text_of(strict().post(page))
        assert unwanted(anna) == ["game_over", "offer", "mention"]
    assert "You're currently getting a digest" in text_of(strict().post(f"{page}undo/"))
    assert unwanted(anna) == ["game_over"]
    assert anna.digest_emails == ["offer", "mention"]


def test_undo_brings_back_only_what_was_stopped_with_the_digest(anna):
    """Not what was in it and had been turned off before, kind by kind."""
    anna.digest_emails = ["offer", "reminder"]
    anna.save()
    strict().post(link(anna, "reminders"))
    for _ in range(2):
        strict().post(link(anna, "digest"))
        assert set(unwanted(anna)) == {"offer", "reminder"}
    strict().post(f"{link(anna, 'digest')}undo/")
    assert unwanted(anna) == ["reminder"]


def test_one_click_stops_a_game_without_a_session_or_a_csrf_token(anna, game):
    for _ in range(2):
        page = strict().post(link(anna, game), {"List-Unsubscribe": "One-Click"})
        assert page.status_code == 200
    assert list(MutedGame.objects.values_list("user", "game")) == [(anna.pk, game.pk)]
    assert unwanted(anna) == []


def test_one_click_stops_reminders_of_all_games_and_keeps_other_wishes(anna):
    User.objects.filter(pk=anna.pk).update(unwanted_emails=["mention"])
    for _ in range(2):
        page = strict().post(link(anna, "reminders"), {"List-Unsubscribe": "One-Click"})
    assert unwanted(anna) == ["mention", *REMINDERS]
    assert "You won't get email reminders for any of your games." in text_of(page)


@pytest.mark.parametrize("what", ["game", "reminders", "substitutes"])
def test_the_page_offers_to_send_it_again(what, anna, game):
    address = link(anna, game if what == "game" else what)
    page = strict().post(address)
    again = list(forms_of(page.content.decode()))[-1]
    assert again == f"{address}undo/"
    assert "Unsubscribe" in strict().post(again).content.decode()
    assert not MutedGame.objects.exists()
    assert unwanted(anna) == []


def test_nothing_is_sent_again_by_a_get(anna, game):
    strict().post(link(anna, game))
    assert strict().get(f"{link(anna, game)}undo/").status_code == 405
    assert MutedGame.objects.exists()


def test_a_link_that_was_made_up_does_nothing(anna, game):
    good = subscriptions.token_for(anna, game)
    other_salt = Signer(salt="something else", algorithm="sha256").sign_object([anna.pk, game.pk])
    for token in ("x", good[:-1], f"{good}x", other_salt, "a:b:c", "%00"):
        for address in (f"/unsubscribe/{token}/", f"/unsubscribe/{token}/undo/"):
            assert strict().post(address).status_code == 404
    assert not MutedGame.objects.exists()


@pytest.mark.parametrize(
    ("name", "switch"), [("reminders", "reminder"), ("substitutes", "substitute_wanted")]
)
def test_a_link_in_an_old_email_keeps_working(name, switch, anna):
    token = Signer(salt="subscriptions", algorithm="sha256").sign_object([anna.pk, name])
    assert strict().post(f"/unsubscribe/{token}/").status_code == 200
    assert unwanted(anna) == [switch]


def test_a_link_of_somebody_who_has_gone_does_nothing(anna):
    address = link(anna, "reminders")
    anna.seats.update(user=None)
    User.objects.filter(pk=anna.pk).delete()
    assert strict().get(address).status_code == 404


def test_the_link_of_an_email_works(smtp, anna, game):
    [seat] = seats_to_move(game)
    OutboxEmail.objects.all().delete()
    outbox.enqueue(
        "reminder",
        game=game,
        person=seat.user,
        now=MONDAY,
        deadline_version=seat.deadline_version,
    )
    delivery.drain(now=MONDAY)
    raw = dict(smtp.messages[0].raw_items())["List-Unsubscribe"]
    path = re.fullmatch(r"<https?://[^/]+(/\S+)>", raw.strip()).group(1)
    strict().post(path, {"List-Unsubscribe": "One-Click"})
    assert unwanted(seat.user) == REMINDERS
