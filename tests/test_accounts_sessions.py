"""How long a session lasts, what it costs, and two people who take one name in the same instant."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import User
from tests.web import browser, person

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
def test_two_who_sign_up_with_one_name_in_the_same_instant():
    form = {
        "email": "other@example.org",
        "password1": "a red scholar in Venice",
        "name": "flora",
        "time_zone": "UTC",
    }
    answer = in_the_same_instant(lambda: Client().post("/accounts/signup/", form), "Flora")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Somebody has this name already." in page
    assert 'value="other@example.org"' in page
    assert [user.name for user in User.objects.all()] == ["Flora"]


@pytest.mark.django_db(transaction=True)
def test_two_who_take_one_name_in_the_same_instant_at_their_profiles():
    rosa = browser(person("Rosa"))
    form = {"name": "Flora", "time_zone": "UTC"}
    answer = in_the_same_instant(lambda: rosa.post("/accounts/profile/", form), "Flora")
    assert answer.status_code == 200
    assert "Somebody has this name already." in answer.content.decode()
    assert User.objects.get(email="rosa@example.org").name == "Rosa"
