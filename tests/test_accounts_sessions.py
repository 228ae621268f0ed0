"""How long a session lasts, what it costs, and where one is signed in; two who take one name."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import User
from games.services import trim
from tests.web import browser, person, text_of, verified

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


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
    assert "already exists" in mail.get_content()
    assert [user.name for user in User.objects.all()] == ["Flora"]


@pytest.mark.django_db(transaction=True)
def test_two_who_take_one_name_in_the_same_instant_at_their_profiles():
    rosa = browser(person("Rosa"))
    form = {"name": "Flora", "time_zone": "UTC"}
    answer = in_the_same_instant(lambda: rosa.post("/accounts/profile/", form), "Flora")
    assert answer.status_code == 200
    assert "Somebody has this name already, or one" in answer.content.decode()
    assert User.objects.get(email="rosa@example.org").name == "Rosa"


def signed_in_from(agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": "rosa@example.org", "password": "not so secret"})
    return client


SESSIONS = "/accounts/sessions/"


@pytest.mark.django_db
def test_rosa_sees_where_she_is_signed_in_and_ends_a_session_or_all_others():
    verified("Rosa", time_zone="Asia/Tokyo")
    verified("Yvette")
    phone, desk, library = (signed_in_from(one) for one in ("Phone", "Desk", "Library"))
    assert 'href="/accounts/sessions/"' in desk.get("/accounts/profile/").content.decode()
    page = desk.get(SESSIONS)
    told = text_of(page)
    assert told.count("this browser") == 1
    assert "Desk this browser" in told
    assert "from 127.0.0.1" in told
    html = page.content.decode()
    number = re.search(r'<strong>Phone</strong>.*?value="(\d+)"', html, re.DOTALL)[1]
    yvette = browser(User.objects.get(name="Yvette"))
    yvette.post(SESSIONS, {"session": number})
    yvette.get(SESSIONS, {"session": number})
    assert phone.get(SESSIONS).status_code == 200
    answer = desk.post(SESSIONS, {"session": number}, follow=True)
    assert "Signed out there." in text_of(answer)
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
