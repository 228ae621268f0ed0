"""Pages at which people get stuck elsewhere: each keeps what was typed and has a way on."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.test import Client, RequestFactory

from games.forms import submitted
from games.forms.submitted import entries_of
from games.models import Game, Message
from games.services.lobby import tables
from games.views import errors, resend
from tests.support.client import as_shown, browser, forms_of, person, text_of, verified
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move

pytestmark = pytest.mark.django_db

PASSWORD = "not so secret"


def links_of(page):
    return set(re.findall(r'<a [^>]*href="([^"]*)"', page.content.decode()))


def sign_in(client, user, page):
    """Fill in the sign-in to which the page led, and follow on."""
    form = next(
        fields
        for action, fields in forms_of(page.content.decode()).items()
        if action.startswith("/accounts/login/") and "password" in fields
    )
    typed = as_shown(form) | {"login": user.email, "password": PASSWORD}
    return client.post("/accounts/login/", typed, follow=True)


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara")


@pytest.fixture
def anna(game):
    """Anna, whose address is confirmed."""
    user = seat_of(game, "Anna").user
    user.emailaddress_set.create(email=user.email, primary=True, verified=True)
    return user


class TestSignedOut:
    def test_a_message_is_there_after_signing_in_and_sent_with_one_click(self, game, anna):
        client = Client()
        url = f"{game.get_absolute_url()}talk/"
        said = {"talk-text": "Clara, you promised!", "talk-token": str(uuid4())}
        page = client.post(url, said, follow=True)
        assert "What you typed has been saved: sign in to submit it." in text_of(page)
        page = sign_in(client, anna, page)
        assert page.redirect_chain[-1][0] == "/kept/"
        assert "Message to everyone Clara, you promised!" in text_of(page)
        assert url in links_of(page)
        assert not Message.objects.exists()
        response = client.post(url, as_shown(forms_of(page.content.decode())[url]))
        assert response["Location"] == f"{game.get_absolute_url()}#chat"
        assert Message.objects.get().text == "Clara, you promised!"
        assert client.get("/kept/")["Location"] == "/"

    def test_a_move_is_there_after_signing_in(self, game, anna):
        client = Client()
        seat = seats_to_move(game)[0]
        scholar = f"{seat.colour}-clerk-1"
        response = {"phase_no": "1", "token": str(uuid4()), "send-scholar-1": scholar}
        response |= {"send-palace-1": "yellow", scholar: "3000"}
        page = client.post(f"{game.get_absolute_url()}review/", response, follow=True)
        page = sign_in(client, anna, page)
        text = text_of(page)
        assert f"Scholar 1 to send {seat.colour} clerk 1" in text
        assert "Scholar 1 goes to yellow" in text
        assert f"{seat.colour} clerk 1: Bribe 3000" in text
        assert response["token"] not in text

    @pytest.mark.parametrize(
        ("address", "typed", "text"),
        [
            ("/tables/new/", {"name": "Rialto", "answer_unit": "days"}, "Unit days"),
            ("/accounts/profile/", {"name": "Annabel", "time_zone": "UTC"}, "Public name Annabel"),
        ],
    )
    def test_other_forms_are_kept_too(self, anna, address, typed, text):
        client = Client()
        page = sign_in(client, anna, client.post(address, typed, follow=True))
        assert text in text_of(page)

    def test_a_player_who_typed_nothing_comes_to_the_table(self, game, anna):
        table = open_table("Dora", size=3)
        client = Client()
        page = client.post(f"{table.get_absolute_url()}join/", follow=True)
        assert "What you typed" not in text_of(page)
        page = sign_in(client, anna, page)
        assert page.redirect_chain[-1][0] == table.get_absolute_url()

    def test_invited_addresses_are_kept(self, anna):
        table = open_table("Dora", size=3)
        client = Client()
        url = f"{table.get_absolute_url()}invite/"
        page = client.post(url, {"addresses": "emil@example.org"}, follow=True)
        assert "Names or email addresses emil@example.org" in text_of(sign_in(client, anna, page))

    def test_passwords_are_never_kept(self):
        client = Client()
        client.post("/accounts/profile/", {"name": "Anna", "password1": "red scholar"})
        assert client.session["kept"]["fields"] == [["name", "Anna"]]
        assert "red scholar" not in str(client.session["kept"])

    def test_a_password_is_wanted_again(self, anna):
        client = Client()
        sent = {"name": "Annabel", "password1": "red scholar"}
        page = sign_in(client, anna, client.post("/accounts/profile/", sent, follow=True))
        form = forms_of(page.content.decode())["/accounts/profile/"]
        assert as_shown(form) | {"csrfmiddlewaretoken": ""} == {
            "csrfmiddlewaretoken": "",
            "name": "Annabel",
            "password1": "",
        }

    def test_it_is_forgotten_after_an_hour(self, anna, monkeypatch):
        client = Client()
        page = client.post("/tables/new/", {"name": "Rialto"}, follow=True)
        monkeypatch.setattr(resend, "HOW_LONG", timedelta(0))
        page = sign_in(client, anna, page)
        assert "What you typed is no longer available." in text_of(page)
        assert "kept" not in client.session

    def test_too_much_is_not_kept(self):
        client = Client()
        response = client.post("/tables/new/", {"name": "x" * 20_001})
        assert response["Location"] == "/accounts/login/?next=/tables/new/"
        assert "kept" not in client.session

    def test_nobody_reads_it_without_signing_in(self):
        client = Client()
        client.post("/tables/new/", {"name": "Rialto"})
        assert client.get("/kept/")["Location"] == "/accounts/login/?next=/kept/"

    def test_a_script_is_refused(self, game):
        response = Client(headers={"Accept": "application/json"}).post(
            f"{game.get_absolute_url()}talk/", {"talk-text": "Hello"}
        )
        assert (response.status_code, response.content) == (403, b"Please sign in.")


class TestEntries:
    """What was entered, on pages that can't show the form itself."""

    @pytest.mark.parametrize(
        ("name", "value", "label", "text"),
        [
            (
                "red-clerk-1-how",
                "above",
                "red clerk 1: Pay",
                "more than the highest rival bribe so far",
            ),
            ("clerk-winner", "blue-clerk-2", "Which clerk is hired", "blue clerk 2"),
            ("clerk-area", "8000", "Salary: clerk", "8000"),
            ("sending-palace-2", "green", "Scholar 2 goes to", "green"),
            ("bribing", "sequential", "Bribing", "one after another, openly"),
            ("broke", "bank", "If a player can't pay the minimum", "the bank pays the rest"),
            ("notes-text", "Mistrust Boris", "Your notes", "Mistrust Boris"),
            ("first_day", "2026-03-09", "First day", "2026-03-09"),
            ("decision-wait_if_addressed", "on", WAIT := (
                "Wait until the deadline if someone mentions me or makes me an offer"), "yes"),
            ("clerk-winner", "red-clerk-1", "Which clerk is hired", "red clerk 1"),
            ("days", "7", "Days", "7"),
            ("edition", "russian", "Edition", "Интрига, Russian rules"),
            ("what_is-this", "?", "Your entry", "?"),
        ],
    )  # fmt: skip
    def test_fields_have_the_labels_of_their_forms(self, name, value, label, text):
        request = RequestFactory().post("/", {name: value, "csrfmiddlewaretoken": "x"})
        assert entries_of(request.POST) == [(label, text)]

    def test_what_the_page_filled_in_and_passwords_are_not_shown(self):
        names = ("phase_no", "token", "talk-token", "opening_token", "about", "next", "password2")
        request = RequestFactory().post("/", dict.fromkeys(names, "x") | {"name": ""})
        assert entries_of(request.POST) == []

    def test_every_field_of_every_form_has_a_label(self):
        names = {name for form in submitted.forms_of_the_site() for name in form}
        entered = [name for name in names if submitted.is_entered(name)]
        assert len(entered) > 50
        entries = submitted.entries_in([(name, "x") for name in entered])
        assert "Your entry" not in {entry.label for entry in entries}


class TestNotFound:
    @pytest.mark.parametrize(
        ("address", "headline"),
        [
            ("/nowhere/", "This page doesn't exist"),
            ("/invitations/nothing/", "This invitation doesn't exist"),
            ("/unsubscribe/nothing/", "This link no longer works"),
        ],
    )
    def test_a_stranger_reads_what_is_missing_and_may_sign_in(self, client, address, headline):
        page = client.get(address)
        assert page.status_code == 404
        assert headline in text_of(page)
        assert {"/", "/accounts/login/"} <= links_of(page)

    def test_a_player_is_led_to_their_games(self):
        page = browser(person("Anna")).get("/tables/nothing/")
        assert page.status_code == 404
        assert "This table doesn't exist" in text_of(page)
        assert {"/", "/tables/"} <= links_of(page)


def test_people_who_may_not_see_a_page_can_sign_in_as_somebody_else():
    page = browser(person("Gustav")).get("/admin/login/")
    assert page.status_code == 403
    assert "You're signed in as Gustav, but this account can't view this page." in text_of(page)
    assert {"/", "/tables/"} <= links_of(page)


class TestTablesThatTakeNobody:
    def test_a_closed_table_leads_to_others(self):
        table = open_table("Anna", size=3)
        tables.cancel(game_id=table.pk, user=table.host, now=MONDAY)
        page = browser(person("Dora")).get(table.get_absolute_url())
        assert "This table is closed." in text_of(page)
        assert {"/tables/new/", "/tables/"} <= links_of(page)

    def test_a_table_that_started_without_me_leads_to_others(self, game):
        page = browser(person("Dora")).post(f"{game.get_absolute_url()}join/", follow=True)
        assert "The game has started: there are no free seats left." in text_of(page)
        assert "There may be a seat for you at another table" in text_of(page)
        assert "/tables/" in links_of(page)

    @pytest.mark.parametrize(
        ("status", "text"),
        [
            ("cancelled", "This table is closed."),
            ("finished", "The game at this table is over."),
            ("running", "The game has started: there are no free seats left."),
        ],
    )
    def test_an_invitation_that_came_too_late_leads_on(self, client, status, text):
        table = open_table("Anna", "Boris", "Clara")
        invitation = table.invitations.create(
            email="dora@example.org", invited_by=table.host, created_at=MONDAY
        )
        deadline = table.deadline_at if status == "running" else None
        Game.objects.filter(pk=table.pk).update(status=status, deadline_at=deadline)
        page = client.get(invitation.get_absolute_url())
        assert text in text_of(page)
        assert {"/accounts/signup/", "/accounts/login/"} <= links_of(page)
        page = browser(verified("Dora")).get(invitation.get_absolute_url())
        assert text in text_of(page)
        assert {"/tables/", "/tables/new/"} <= links_of(page)


class TestFaults:
    def test_the_page_speaks_every_language_and_needs_nothing(self, rf, settings):
        html = errors.broken(rf.get("/")).content.decode()
        spoken = {"en", *re.findall(r' lang="(\w+)"', html)}
        assert spoken == {code for code, _name in settings.LANGUAGES}
        assert html.count('href="/status/"') == len(settings.LANGUAGES)
        assert "{" not in html

    def test_the_style_of_its_page_is_there(self, rf, settings):
        html = errors.broken(rf.get("/")).content.decode()
        [style] = re.findall(r'rel="stylesheet" href="([^"]*)"', html)
        assert style.startswith(f"{settings.STATIC_URL}games/")
        assert finders.find(style.removeprefix(settings.STATIC_URL))

    def test_browsers_that_ask_for_an_icon_get_one(self, client):
        assert client.get("/favicon.ico")["Location"] == "/static/games/icon.svg"
