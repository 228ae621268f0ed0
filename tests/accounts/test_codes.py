"""Mailed codes: signing in, a forgotten password, another address; and mail that is down."""

import re
from datetime import UTC, datetime

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from games.models import User
from tests.support.client import (
    as_shown,
    browser,
    forms_of,
    person,
    text_of,
    verified,
    without_what_differs,
)
from tests.support.sent_emails import code_in, plain_text
from tests.support.servers import free_port
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
FLORA = {
    "email": "flora@example.org",
    "password1": "a red scholar in Venice",
    "name": "Flora",
    "time_zone": "Europe/Vienna",
}


def fill_in(client, page, to, **typed):
    """Send the form of a page as it is shown, with what is typed."""
    html = client.get(page).content.decode()
    return client.post(to, as_shown(forms_of(html)[to]) | typed)


@pytest.mark.full
def test_flora_comes_by_a_link_signs_up_and_is_at_that_page_in_the_end(client, smtp):
    table = f"{open_table('Anna', 'Boris', 'Clara').get_absolute_url()}history/"
    door = client.get(table)["Location"]
    assert door == f"/accounts/login/?next={table}"
    assert f'href="/accounts/signup/?next={table.replace("/", "%2F")}"' in (
        client.get(door).content.decode()
    )
    sent = fill_in(client, f"/accounts/signup/?next={table}", "/accounts/signup/", **FLORA)
    assert sent["Location"] == "/accounts/confirm-email/"
    page = "/accounts/confirm-email/"
    code = code_in(smtp.messages[-1])
    answer = fill_in(client, page, page, action="verify", code=code)
    assert answer["Location"] == table
    assert client.get(table).status_code == 200


def test_the_page_for_a_code_says_how_long_it_is_valid_and_helps_to_type_it(client, smtp):
    fill_in(client, "/accounts/signup/", "/accounts/signup/", **FLORA)
    page = client.get("/accounts/confirm-email/")
    assert "It's valid for 15 minutes." in text_of(page)
    html = page.content.decode()
    [field] = re.findall(r'<input[^>]* name="code"[^>]*>', html)
    assert 'autocapitalize="characters"' in field
    assert 'autocomplete="one-time-code"' in field
    shown = html.split('name="code"')[1].split("<details")[0]
    assert re.findall(r"<button([^>]*)>", shown) == [
        "", ' class="quiet" form="resend"', ' class="quiet" form="logout-from-stage"'
    ]  # fmt: skip


@pytest.mark.full
def test_after_the_code_one_message_says_what_happened(client, smtp):
    fill_in(client, "/accounts/signup/", "/accounts/signup/", **FLORA)
    page, code = "/accounts/confirm-email/", code_in(smtp.messages[-1])
    fill_in(client, page, page, action="verify", code=code)
    html = client.get("/accounts/profile/").content.decode()
    assert re.findall(r'<p class="message[^>]*>([^<]*)<', html) == [
        "You have confirmed flora@example.org."
    ]


def test_the_form_to_sign_up_says_in_one_line_what_a_password_needs(client):
    page = client.get("/accounts/signup/").content.decode()
    [line] = re.findall(r'id="id_password1_helptext">(.*?)</div>', page, re.DOTALL)
    assert line == "At least 8 characters, and not easy to guess."


def test_gustav_signs_in_by_a_emailed_code_and_is_at_the_page_he_wanted(client, smtp):
    gustav = verified("Gustav")
    page = "/accounts/login/code/?next=/accounts/profile/"
    to = "/accounts/login/code/?next=%2Faccounts%2Fprofile%2F"
    sent = fill_in(client, page, to, email="gustav@example.org")
    code = {"action": "verify", "code": code_in(smtp.messages[-1])}
    answer = fill_in(client, sent["Location"], "/accounts/login/code/confirm/", **code)
    assert answer["Location"] == "/accounts/profile/"
    assert client.session["_auth_user_id"] == str(gustav.pk)


def test_a_emailed_code_names_the_site_and_not_the_machine(client, smtp, settings):
    settings.SITE_URL = "https://intrigue.example.org"
    verified("Gustav")
    client.post("/accounts/login/code/", {"email": "gustav@example.org"})
    [mail] = smtp.messages
    assert mail["Message-ID"].endswith("@intrigue.example.org>")
    assert mail["Auto-Submitted"] == "auto-generated"


def test_a_wrong_code_lets_nobody_in(client, smtp):
    verified("Gustav")
    client.post("/accounts/login/code/", {"email": "gustav@example.org"})
    answer = client.post("/accounts/login/code/confirm/", {"code": "WRONG1"})
    assert "Incorrect code." in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_gustav_has_forgotten_his_password_and_sets_a_new_one(client, smtp):
    gustav = verified("Gustav")
    page = "/accounts/password/reset/"
    sent = fill_in(client, f"{page}?next=/accounts/profile/", page, email="gustav@example.org")
    code = code_in(smtp.messages[-1])
    confirm = "/accounts/password/reset/confirm/"
    sent = fill_in(client, sent["Location"], confirm, code=code)
    new = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
    client.get(sent["Location"])
    complete = "/accounts/password/reset/complete/"
    answer = fill_in(client, sent["Location"], complete, **new)
    assert answer.status_code == 302
    gustav.refresh_from_db()
    assert gustav.check_password("the priest is bribed")
    assert client.session["_auth_user_id"] == str(gustav.pk)


def test_flora_mistyped_her_address_and_corrects_it(client, smtp):
    client.post("/accounts/signup/", FLORA | {"email": "flroa@example.org"})
    client.post("/accounts/confirm-email/", {"action": "change", "email": "Flora@Example.org"})
    assert smtp.messages[-1]["To"] == "flora@example.org"
    answer = client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert answer["Location"] == "/"
    assert User.objects.get().email == "flora@example.org"


def test_rosa_changes_her_address_which_holds_once_she_has_entered_the_code(client, smtp):
    rosa = verified("Rosa")
    client.post("/accounts/login/", {"login": rosa.email, "password": "not so secret"})
    form = {"email": "Rosa@example.net", "action_add": "1"}
    asked = client.post("/accounts/email/", form)
    if asked["Location"].startswith("/accounts/reauthenticate/"):
        asked = client.post(asked["Location"], {"password": "not so secret"})
    assert asked["Location"] == "/accounts/confirm-email/"
    rosa.refresh_from_db()
    assert rosa.email == "rosa@example.org"
    code = code_in(smtp.messages[-1])
    assert smtp.messages[-1]["To"] == "rosa@example.net"
    client.post("/accounts/confirm-email/", {"code": code})
    rosa.refresh_from_db()
    assert rosa.email == "rosa@example.net"
    assert [known.email for known in EmailAddress.objects.all()] == ["rosa@example.net"]


@pytest.fixture
def mail_is_down(smtp, settings):
    """Nobody listens where the mail server should be."""
    listening = settings.MAILERS["default"]
    options = listening["OPTIONS"] | {"port": free_port()}
    settings.MAILERS = {"default": listening | {"OPTIONS": options}}
    return listening


def test_mail_is_down_while_flora_signs_up_and_she_goes_on_later(
    client, settings, smtp, mail_is_down
):
    answer = client.post("/accounts/signup/", FLORA | {"next": "/accounts/profile/"})
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "Nothing is lost." in page
    way_on = "/accounts/login/?next=%2Faccounts%2Fprofile%2F"
    assert f'href="{way_on}"' in page
    settings.MAILERS = {"default": mail_is_down}
    typed = {"login": FLORA["email"], "password": FLORA["password1"]}
    sent = fill_in(client, way_on, "/accounts/login/", **typed)
    assert sent["Location"] == "/accounts/confirm-email/"
    answer = client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert answer["Location"] == "/accounts/profile/"


@pytest.mark.parametrize("page", ["/accounts/password/reset/", "/accounts/login/code/"])
def test_mail_is_down_while_somebody_asks_for_a_code(client, mail_is_down, page):
    verified("Gustav")
    answer = client.post(page, {"email": "gustav@example.org", "next": "/tables/"})
    assert answer.status_code == 503
    assert f'href="{page}?next=%2Ftables%2F"' in answer.content.decode()


def test_mail_is_down_and_a_password_is_changed_nevertheless(mail_is_down):
    gustav = verified("Gustav")
    new = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
    answer = browser(gustav).post(
        "/accounts/password/change/", new | {"oldpassword": "not so secret"}
    )
    assert answer.status_code == 302
    gustav.refresh_from_db()
    assert gustav.check_password("the priest is bribed")


def invitation_to(game, address):
    return game.invitations.create(email=address, invited_by=game.host, created_at=NOW)


@pytest.mark.full
def test_only_invited_addresses_may_sign_up_where_sign_up_is_closed(client, settings, smtp):
    settings.SIGN_UP = "invited"
    game = open_table("Anna", size=3)
    page = client.get("/accounts/signup/").content.decode()
    assert "people who have been invited" in page
    answer = client.post("/accounts/signup/", FLORA)
    assert answer["Location"] == "/accounts/confirm-email/"
    [mail] = smtp.messages
    assert "Only people who were invited to a table" in plain_text(mail)
    assert not User.objects.filter(email=FLORA["email"]).exists()
    invitation_to(game, "FLORA@example.org")
    answer = Client().post("/accounts/signup/", FLORA)
    assert answer["Location"] == "/accounts/confirm-email/"
    assert code_in(smtp.messages[-1])
    assert User.objects.filter(email=FLORA["email"]).exists()


@pytest.mark.full
def test_a_stranger_can_tell_by_no_page_who_was_invited(settings, smtp):
    """Neither when they sign up with an address, nor when they correct one."""
    settings.SIGN_UP = "invited"
    game = open_table("Anna", size=3)
    for address in ("flora@example.org", "gina@example.org"):
        invitation_to(game, address)
    pages = {}
    for invited, addresses in {
        True: ("flora@example.org", "gina@example.org"),
        False: ("floro@example.org", "gino@example.org"),
    }.items():
        first, second = addresses
        client = Client()
        name = f"Flora {int(invited)}"
        sent = client.post("/accounts/signup/", FLORA | {"email": first, "name": name})
        page = client.get(sent["Location"]).content.decode()
        changed = {"action": "change", "email": second}
        again = client.post("/accounts/confirm-email/", changed)
        after = client.get(again["Location"]).content.decode()
        pages[invited] = [sent.status_code, again.status_code] + [
            without_what_differs(text.replace(first, "1").replace(second, "2"))
            for text in (page, after)
        ]
    assert pages[True] == pages[False]
    told = ["Only people who were invited" in plain_text(mail) for mail in smtp.messages]
    assert told == [False, False, True, True]


def test_the_link_of_an_invitation_opens_the_sign_up_for_another_address(client, settings, smtp):
    settings.SIGN_UP = "invited"
    invitation = invitation_to(open_table("Anna", size=3), "flora@work.example.org")
    wanted = {"next": invitation.get_absolute_url()}
    client.post("/accounts/signup/", FLORA | {"next": "/invitations/made-up/"})
    assert "Only people who were invited to a table" in plain_text(smtp.messages[-1])
    client = Client()
    client.post("/accounts/signup/", FLORA | wanted)
    answer = client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert answer["Location"] == invitation.get_absolute_url()
    declined = invitation_to(open_table("Boris", size=3), "gina@example.org")
    declined.status = declined.Status.DECLINED
    declined.save()
    answer = browser(person("Clara")).get("/accounts/signup/")
    assert answer.status_code == 302
