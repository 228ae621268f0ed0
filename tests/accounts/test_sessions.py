"""How long a session lasts, what it costs, and where one is signed in; two who take one name."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import User
from games.services.operations import trim
from intrigue_site import settings as production
from tests.support.client import browser, person, text_of, verified
from tests.support.sent_emails import plain_text

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.full
@pytest.mark.django_db
def test_a_session_is_prolonged_once_a_day_and_outlasts_a_game():
    with time_machine.travel(NOW, tick=False) as clock:
        client = browser(person("Rosa"))
        client.get("/accounts/profile/")
        clock.shift(timedelta(days=100))
        with CaptureQueriesContext(connection) as first:
            client.get("/accounts/profile/")
        with CaptureQueriesContext(connection) as second:
            client.get("/accounts/profile/")
        assert sum("django_session" in query["sql"] for query in first) > 1
        assert sum("django_session" in query["sql"] for query in second) == 1
        assert Session.objects.get().expire_date == NOW + timedelta(days=220)
        clock.shift(timedelta(days=119))
        assert client.get("/accounts/profile/").status_code == 200
        clock.shift(timedelta(days=121))
        assert client.get("/accounts/profile/").status_code == 302


@pytest.mark.django_db
def test_a_stranger_who_looks_around_gets_no_session(client):
    client.get("/")
    client.get("/status/")
    assert not Session.objects.exists()


def lifetime():
    """How long the only session there is lasts, as the database says."""
    return Session.objects.get().expire_date - NOW


@pytest.mark.django_db
def test_the_session_of_nobody_ends_after_an_hour_and_signing_in_gives_it_four_months(client):
    verified("Rosa")
    with time_machine.travel(NOW, tick=False):
        sent = client.post("/tables/abc/talk/", {"talk-text": "Hello"})
        assert lifetime() == timedelta(hours=1)
        assert sent.cookies["sessionid"]["max-age"] == 3600
        form = {"login": "rosa@example.org", "password": "not so secret"}
        signed_in = client.post("/accounts/login/", form)
        assert lifetime() == timedelta(days=120)
        assert signed_in.cookies["sessionid"]["max-age"] == 120 * 24 * 3600
        assert client.session["kept"]["path"] == "/tables/abc/talk/"
        client.post("/accounts/logout/")
        client.get("/accounts/login/")
        client.post("/tables/abc/talk/", {"talk-text": "Hello"})
        assert lifetime() == timedelta(hours=1)


@pytest.mark.django_db
def test_a_sign_in_that_waits_for_the_second_factor_lasts_an_hour(client):
    TOTP.activate(verified("Rosa"), generate_totp_secret())
    with time_machine.travel(NOW, tick=False):
        form = {"login": "rosa@example.org", "password": "not so secret"}
        asked = client.post("/accounts/login/", form)
        assert asked["Location"] == "/accounts/2fa/authenticate/"
        assert lifetime() == timedelta(hours=1)


@pytest.mark.django_db
def test_a_sign_up_that_waits_for_its_code_lasts_an_hour(client):
    with time_machine.travel(NOW, tick=False):
        form = {
            "email": "flora@example.org",
            "password1": "a red scholar in Venice",
            "name": "Flora",
            "time_zone": "UTC",
        }
        asked = client.post("/accounts/signup/", form)
        assert asked["Location"] == "/accounts/confirm-email/"
        assert lifetime() == timedelta(hours=1)


@pytest.mark.django_db
def test_one_address_cannot_fill_the_database_with_what_it_typed(settings):
    settings.ACCOUNT_RATE_LIMITS = {"keep_typed": "3/10m/ip"}
    form = {"talk-text": "Hello"}
    answers = [Client().post("/tables/abc/talk/", form).status_code for _ in range(5)]
    assert answers == [302, 302, 302, 429, 429]
    assert Session.objects.count() == 3
    elsewhere = Client(REMOTE_ADDR="203.0.113.9").post("/tables/abc/talk/", form)
    assert elsewhere.status_code == 302
    rosa = browser(person("Rosa"))
    assert rosa.post("/tables/abc/talk/", form).status_code == 404


def test_the_limit_on_what_is_kept_holds_as_the_site_is_set_up():
    assert production.ACCOUNT_RATE_LIMITS["keep_typed"] == "30/10m/ip"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "typed",
    [{"talk-text": "a" * 20_000}, {f"name{'a' * 200}{number}": "b" for number in range(100)}],
    ids=["long", "long names"],
)
def test_what_is_kept_of_nobody_is_small(client, typed):
    client.post("/tables/abc/talk/", typed)
    assert not Session.objects.exists()


def in_the_same_instant(action, name):
    """Do `action` while somebody else is about to take the name, who is not to be seen yet."""
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            person(name)
            answer = pool.submit(_alone, action)
            while not _somebody_waits():
                assert not answer.done(), answer.result()
        return answer.result()


def _alone(action):
    try:
        return action()
    finally:
        connections.close_all()


def _somebody_waits():
    """Whether another transaction waits for the end of this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks"
            " WHERE NOT granted AND transactionid = pg_current_xact_id()::xid"
        )
        return cursor.fetchone()[0] > 0


@pytest.mark.django_db(transaction=True)
def test_two_who_sign_up_with_one_address_in_the_same_instant(smtp):
    """The second one reads the same page, and the owner of the address a mail."""
    form = {"email": "flora@example.org", "password1": "a red scholar", "time_zone": "UTC"}
    sign_up = lambda: Client().post("/accounts/signup/", form | {"name": "Florence"})  # noqa: E731
    assert in_the_same_instant(sign_up, "Flora")["Location"] == "/accounts/confirm-email/"
    [mail] = smtp.messages
    assert "already have an account" in plain_text(mail)
    assert [user.name for user in User.objects.all()] == ["Flora"]


@pytest.mark.django_db(transaction=True)
def test_two_who_take_one_name_in_the_same_instant_at_their_profiles():
    rosa = browser(person("Rosa"))
    form = {"name": "Flora", "time_zone": "UTC"}
    answer = in_the_same_instant(lambda: rosa.post("/accounts/profile/", form), "Flora")
    assert answer.status_code == 200
    assert "This name, or one that looks like it, is already taken." in answer.content.decode()
    assert User.objects.get(email="rosa@example.org").name == "Rosa"


def signed_in_from(agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": "rosa@example.org", "password": "not so secret"})
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    return client


SESSIONS = "/accounts/sessions/"


@pytest.mark.full
@pytest.mark.django_db
def test_rosa_sees_where_she_is_signed_in_and_ends_a_session_or_all_others():
    verified("Rosa", time_zone="Asia/Tokyo")
    verified("Yvette")
    phone, desk, library = (signed_in_from(one) for one in ("Phone", "Desk", "Library"))
    assert 'href="/accounts/sessions/"' in desk.get("/accounts/profile/").content.decode()
    page = desk.get(SESSIONS)
    text = text_of(page)
    assert text.count("this browser") == 1
    assert "Desk this browser" in text
    assert "from 127.0.0.1" in text
    html = page.content.decode()
    number = re.search(r'<strong>Phone</strong>.*?value="([\w-]{36})"', html, re.DOTALL)[1]
    yvette = browser(User.objects.get(name="Yvette"))
    yvette.post(SESSIONS, {"session": number})
    yvette.get(SESSIONS, {"session": number})
    assert phone.get(SESSIONS).status_code == 200
    answer = desk.post(SESSIONS, {"session": number}, follow=True)
    assert "That session has been signed out." in text_of(answer)
    assert "Phone" not in text_of(answer)
    assert phone.get(SESSIONS)["Location"].startswith("/accounts/login/")
    assert library.get(SESSIONS).status_code == 200
    assert desk.post(SESSIONS, {"others": "1"})["Location"] == SESSIONS
    assert library.get(SESSIONS).status_code == 302
    assert "Library" not in text_of(desk.get(SESSIONS))
    assert "Desk this browser" in text_of(desk.get(SESSIONS))


@pytest.mark.django_db
def test_sessions_of_before_the_list_are_ended_with_all_others_and_listed_from_their_next_day():
    rosa = verified("Rosa")
    old = Client(headers={"User-Agent": "Museum"})
    old.force_login(rosa)
    UserSession.objects.all().delete()
    desk = signed_in_from("Desk")
    assert "Museum" not in text_of(desk.get(SESSIONS))
    old.get("/accounts/profile/")
    assert "Museum" in text_of(desk.get(SESSIONS))
    UserSession.objects.exclude(user_agent="Desk").delete()
    desk.post(SESSIONS, {"others": "1"})
    assert old.get("/accounts/profile/").status_code == 302


@pytest.mark.django_db
def test_this_browser_is_listed_at_once_with_times_as_on_all_pages():
    rosa = verified("Rosa", time_zone="Asia/Tokyo")
    with time_machine.travel(NOW, tick=False):
        page = browser(rosa).get(SESSIONS)
        at = "Mon 2 Mar 2026, 18:00"
        text = f"this browser Signed in on {at} from 127.0.0.1. Last seen on {at}."
        assert text in text_of(page)


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["", "x", "9" * 30, "-1"])
def test_nonsense_ends_no_session(sent):
    verified("Rosa")
    phone, desk = signed_in_from("Phone"), signed_in_from("Desk")
    assert desk.post(SESSIONS, {"session": sent}).status_code == 302
    assert phone.get(SESSIONS).status_code == 200


@pytest.mark.django_db
def test_the_list_goes_with_its_sessions():
    verified("Rosa")
    signed_in_from("Phone")
    Session.objects.all().delete()
    assert trim.trim(now=NOW).listed_sessions == 1
    assert not UserSession.objects.exists()
