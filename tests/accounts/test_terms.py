"""The terms and the privacy notice of the host: accepted at sign-up, and again when they change."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.core import mail
from django.test import Client

from games.models import Message, User
from games.services import legal
from games.services.accounts import terms
from tests.accounts.test_codes import FLORA
from tests.accounts.test_second_factor import set_up, sign_in
from tests.support.client import (
    all_forms,
    as_shown,
    browser,
    errors_of,
    forms_of,
    person,
    text_of,
    verified,
)
from tests.support.guests import code_of
from tests.support.legal import texts_in, write
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

PAGE = "/accounts/terms/"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
REFUSED = {"accepts": ["Please read these pages and tick this box."]}


@pytest.fixture
def folder(settings, tmp_path):
    with texts_in(settings, tmp_path) as folder:
        yield folder


@pytest.fixture
def texts(folder):
    write(folder, terms="Be kind.", privacy="We keep little.", imprint="Nadja, Vienna")
    return folder


def who_accepted(name: str) -> User:
    """Somebody who has accepted the texts as they are."""
    user = verified(name)
    terms.accept(user, NOW)
    return user


@pytest.mark.full
def test_without_texts_there_is_nothing_to_accept(folder, smtp):
    write(folder, imprint="Nadja, Vienna")
    page = Client().get("/accounts/signup/").content.decode()
    assert "accepts" not in forms_of(page)["/accounts/signup/"]
    assert Client().post("/accounts/signup/", FLORA)["Location"] == "/accounts/confirm-email/"
    flora = User.objects.get()
    assert (flora.accepted_terms, flora.accepted_terms_at) == ("", None)
    client = browser(verified("Rosa"))
    assert client.get("/tables/").status_code == 200
    assert client.get(PAGE)["Location"] == "/"


def test_whoever_signs_up_accepts_them_and_what_and_when_is_noted(texts, smtp):
    page = Client().get("/accounts/signup/").content.decode()
    for kind in ("terms", "privacy"):
        assert f'<a href="/{kind}/" target="_blank">' in page
    refused = Client().post("/accounts/signup/", FLORA)
    assert errors_of(refused) == REFUSED
    assert 'value="Flora"' in refused.content.decode()
    with time_machine.travel(NOW, tick=False):
        Client().post("/accounts/signup/", FLORA | {"accepts": "on"})
    flora = User.objects.get()
    assert (flora.accepted_terms, flora.accepted_terms_at) == (legal.version(), NOW)
    assert not terms.are_owed_by(flora)


@pytest.mark.full
def test_guests_play_without_and_accept_them_with_the_account(texts):
    client = Client()
    url = client.post("/first-game/")["Location"]
    assert client.get(url).status_code == 200
    given = {"email": "nina@example.org", "name": "Nina", "time_zone": "UTC"}
    assert errors_of(client.post("/keep/", given)) == REFUSED
    client.post("/keep/", given | {"accepts": "on"})
    client.post("/accounts/confirm-email/", {"code": code_of(mail.outbox[-1].body)})
    assert User.objects.get().accepted_terms == legal.version()
    assert client.get("/tables/").status_code == 200


@pytest.mark.full
@pytest.mark.parametrize("changed", ["terms", "privacy", "privacy.de"])
def test_once_they_change_they_are_accepted_before_one_goes_on_and_only_once(texts, changed):
    client = browser(who_accepted("Rosa"))
    table = open_table("Anna", size=3).get_absolute_url()
    before = legal.version()
    assert client.get(table).status_code == 200
    write(texts, **{changed: "Be very kind."})
    assert legal.version() != before
    led = client.get(f"{table}?from=email")["Location"]
    assert led == f"{PAGE}?next=%2Ftables%2F{table.split('/')[2]}%2F%3Ffrom%3Demail"
    page = client.get(led)
    assert "These pages have changed since you accepted them." in text_of(page)
    filled = as_shown(forms_of(page.content.decode())[PAGE])
    assert "accepts" not in filled  # no box is ticked for anybody
    assert errors_of(client.post(PAGE, filled)) == REFUSED
    assert client.get("/tables/").status_code == 302
    answer = client.post(PAGE, filled | {"accepts": "on"})
    assert answer["Location"] == f"{table}?from=email"
    assert client.get(answer["Location"]).status_code == 200
    rosa = User.objects.get(name="Rosa")
    assert rosa.accepted_terms == legal.version()
    assert rosa.accepted_terms_at > NOW
    assert client.get(PAGE)["Location"] == "/"


def test_the_imprint_is_not_accepted(texts):
    client = browser(who_accepted("Rosa"))
    write(texts, imprint="Nadja, Graz")
    assert client.get("/tables/").status_code == 200


def test_whoever_has_never_seen_any_is_not_told_of_a_change(texts):
    page = browser(verified("Rosa")).get(PAGE)
    assert "have changed" not in text_of(page)
    assert "Please read these pages." in text_of(page)


@pytest.mark.full
def test_what_was_typed_is_kept_and_sent_afterwards(texts):
    rosa = who_accepted("Rosa")
    game = open_table("Anna", size=3)
    client = browser(rosa)
    talk = f"{game.get_absolute_url()}talk/"
    client.post(f"{game.get_absolute_url()}join/")
    shown = next(
        as_shown(fields)
        for _, fields in all_forms(client.get(game.get_absolute_url()).content.decode())
        if "talk-text" in fields
    )
    write(texts, terms="Be very kind.")
    led = client.post(talk, shown | {"talk-text": "I am in."})["Location"]
    assert led == f"{PAGE}?next=%2Fkept%2F"
    assert not Message.objects.filter(text="I am in.").exists()
    assert client.post(led, {"accepts": "on", "next": "/kept/"})["Location"] == "/kept/"
    page = client.get("/kept/").content.decode()
    assert "I am in." in page
    client.post(talk, as_shown(forms_of(page)[talk]))
    assert Message.objects.filter(text="I am in.").exists()


def test_a_click_leads_home_afterwards_and_a_strange_page_is_never_led_to(texts):
    client = browser(verified("Rosa"))
    game = open_table("Anna", size=3)
    led = client.post(f"{game.get_absolute_url()}join/")["Location"]
    assert led == f"{PAGE}?next=%2F"
    answer = client.post(PAGE, {"accepts": "on", "next": "https://elsewhere.test/"})
    assert answer["Location"] == "/"


FREE = (
    "/terms/", "/privacy/", "/imprint/", "/accounts/delete/", "/accounts/logout/", "/status/",
    "/accounts/conduct/", "/accounts/2fa/", "/accounts/email/",
)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("path", FREE)
def test_who_has_not_accepted_may_still_read_leave_and_look_after_the_account(texts, path):
    assert browser(verified("Rosa")).get(path).status_code == 200


def test_who_has_not_accepted_may_delete_the_account_and_sign_out(texts):
    verified("Rosa")
    client, _ = sign_in("Rosa")
    asked = client.post("/accounts/delete/", {"name": "Rosa"})
    client.post(asked["Location"], {"password": "not so secret"})
    assert not User.objects.exists()
    verified("Boris")
    client, _ = sign_in("Boris")
    assert client.post("/accounts/logout/")["Location"] == "/"
    assert "_auth_user_id" not in client.session


CLOSED = ("/", "/tables/", "/accounts/profile/", "/people/", "/rules/", "/tables/new/", "/reports/")


@pytest.mark.parametrize("path", CLOSED)
def test_everything_else_waits(texts, path):
    led = browser(verified("Rosa")).get(path)["Location"]
    assert led.startswith(f"{PAGE}?next=")


def test_moderators_accept_them_too(texts):
    marta = browser(person("Marta", is_staff=True, is_superuser=True))
    assert marta.get("/admin/")["Location"].startswith(PAGE)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_no_page_leads_in_a_circle(texts):
    """Whoever owes a second factor, the terms and a name comes through, one after the other."""
    rosa = verified("Rosa", needs_second_factor=True)
    client, _ = sign_in("Rosa")
    assert client.get("/tables/")["Location"] == "/accounts/2fa/"
    set_up(client)
    assert client.get("/tables/", follow=True).redirect_chain[0][0].startswith(PAGE)
    User.objects.filter(pk=rosa.pk).update(name_key=None)
    page = client.get("/tables/", follow=True)
    assert [page.status_code, len(page.redirect_chain)] == [200, 1]
    answer = client.post(PAGE, {"accepts": "on", "next": "/tables/"}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/profile/?next=")


def test_who_is_suspended_may_accept(texts):
    client = browser(person("Ursula", suspended_until=NOW.replace(year=2100)))
    assert client.post(PAGE, {"accepts": "on"})["Location"] == "/"
    assert User.objects.get(name="Ursula").accepted_terms == legal.version()


def test_a_stranger_reads_and_is_asked_nothing(texts):
    assert Client().get("/rules/").status_code == 200
    assert Client().get(PAGE)["Location"].startswith("/accounts/login/")
