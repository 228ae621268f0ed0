"""/metrics: what whoever watches the site reads of it, and what nobody else does."""

import re
import socket
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from games import tasks
from games.models import Game, MailServer, OutboxEmail, Tick
from games.services.game import failures
from tests.features.metrics.scraping import TOKEN, metrics, scraped
from tests.support.client import browser, person, without_what_differs
from tests.support.guests import arrive
from tests.support.live import live_process
from tests.support.patience import wait_until
from tests.support.tables import DAY, open_table

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.now()


def requests_of(found, view, status=200):
    """How many such requests have been counted."""
    return found[f"intrigue_requests_total{{method: GET, status: {status}, view: {view}}}"]


@pytest.mark.usefixtures("watched")
def test_it_says_how_games_and_email_are(settings, now):
    open_table("Anna", "Boris", "Clara", now=now)
    open_table("Dora", "Emil", "Frida", now=now - DAY - 10 * MINUTE)
    open_table("Gerda", size=3, now=now)
    arrive(Client())
    parked = open_table("Hugo", "Ines", "Jan", now=now)
    for _ in range(len(failures.RETRIES) + 1):
        failures.record_failure(Game.objects.get(pk=parked.pk), ValueError("It's stuck"), now)
    Tick.objects.create(name="sweep", at=now - 5 * MINUTE)
    Tick.objects.create(name="mail", at=now - MINUTE)
    OutboxEmail.objects.update(not_before=now - 7 * MINUTE)
    held, refused, *_rest = OutboxEmail.objects.waiting().order_by("pk")
    OutboxEmail.objects.filter(pk=held.pk).update(not_before=now + DAY)
    OutboxEmail.objects.filter(pk=refused.pk).update(error="mailbox full")
    MailServer.objects.update_or_create(defaults={"last_sent_at": now - 2 * MINUTE})

    found = metrics()

    games = ("waiting", "running", "finished", "cancelled", "abandoned")
    assert [found[f"intrigue_games{{state: {state}}}"] for state in games] == [1, 3, 0, 0, 0]
    due = OutboxEmail.objects.waiting().count() - 2
    states = ("due", "held", "refused", "sending", "failed")
    assert [found[f"intrigue_outbox{{state: {state}}}"] for state in states] == [due, 1, 1, 0, 0]
    assert {
        name: found[f"intrigue_{name}"]
        for name in ("games_due", "games_overdue", "games_parked", "games_resting", "well",
                     "clock_stopped", "mail_stands_still")
    } == {"games_due": 1, "games_overdue": 1, "games_parked": 1, "games_resting": 0, "well": 0,
          "clock_stopped": 0, "mail_stands_still": 0}  # fmt: skip
    ages = {
        "sweep_age": 5, "task_age": 1, "mail_task_age": 1, "mail_sent_age": 2,
        "games_oldest_due": 10, "outbox_oldest": 7,
    }  # fmt: skip
    asked = (timezone.now() - now).total_seconds()
    for name, minutes in ages.items():
        assert 0 <= found[f"intrigue_{name}_seconds"] - 60 * minutes <= asked, name
    assert "intrigue_mail_server_away_seconds" not in found
    info = next(name for name in found if name.startswith("intrigue_info"))
    assert f"version: {settings.VERSION}" in info
    assert found["intrigue_disk_size_bytes"] > found["intrigue_disk_free_bytes"] > 0


@pytest.mark.usefixtures("watched")
def test_where_nothing_waits_nothing_is_old():
    found = metrics()
    assert found["intrigue_games_oldest_due_seconds"] == 0
    assert found["intrigue_outbox_oldest_seconds"] == 0
    assert "intrigue_sweep_age_seconds" not in found  # it never was


@pytest.mark.usefixtures("watched")
def test_requests_are_counted_by_view_method_and_status():
    before = metrics()
    browser(person("Anna")).get("/accounts/profile/")
    for _ in range(2):
        Client().get("/accounts/login/")
    Client().get("/nothing/")
    after = metrics()
    for view, status, count in (
        ("profile", 200, 1), ("account_login", 200, 2), ("none", 404, 1), ("health", 200, 0),
    ):  # fmt: skip
        assert requests_of(after, view, status) - requests_of(before, view, status) == count, view
    seconds, within = (f"intrigue_request_seconds_{name}" for name in ("sum", "bucket"))
    assert after[f"{seconds}{{view: profile}}"] > before[f"{seconds}{{view: profile}}"]
    logins = f"{within}{{le: +Inf, view: account_login}}"
    assert after[logins] - before[logins] == 2


@pytest.mark.full
@pytest.mark.usefixtures("watched")
def test_however_strange_requests_are_they_make_few_series():
    Client().get("/health/")
    before = set(metrics())
    for number in range(20):
        Client().generic(f"BREW{number}", f"/tables/{number}abcdefgh/")
        Client().get(f"/nothing-{number}/", headers={"x-request-id": f"id-{number}-abcdefgh"})
        Client().get(f"/static/{number}.js")
    new = {name for name in set(metrics()) - before if "_seconds" not in name}
    assert new <= {
        "intrigue_requests_total{method: GET, status: 404, view: none}",
        "intrigue_requests_total{method: other, status: 404, view: games:table}",
        "intrigue_requests_total{method: other, status: 405, view: games:table}",
    }


@pytest.mark.usefixtures("watched")
def test_nothing_is_about_a_person_or_a_table():
    table = open_table("Anna", "Boris", "Clara")
    anna = browser(table.host)
    anna.get(table.get_absolute_url())
    anna.get("/accounts/profile/")
    text = scraped().content.decode()
    for secret in ("Anna", "anna@", "example.org", table.token, "Venice", TOKEN):
        assert secret not in text


@pytest.mark.usefixtures("watched")
def test_it_sets_no_cookie_and_is_stored_nowhere():
    anna = browser(person("Anna"))
    response = anna.get("/metrics", headers={"authorization": f"bearer {TOKEN}"})
    assert response.status_code == 200
    assert not response.cookies
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Type"].startswith("text/plain; version=")


def nothing_there(path, **headers):
    """What a stranger learns at an address, without what differs each time."""
    response = Client(headers=headers).get(path)
    page = without_what_differs(response.content.decode()).replace(path, "/…")
    told = {name: value for name, value in response.items() if name != "X-Request-ID"}
    told["Content-Security-Policy"] = re.sub(r"nonce-[\w-]+", "", told["Content-Security-Policy"])
    return response.status_code, told, page


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize(
    "authorization",
    [
        "", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Bearer  {TOKEN}",
        f"Bearer {TOKEN.lower()}", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}, Bearer {TOKEN}",
        "Bearer \xff\xfe", "Bearer " + "x" * 8000, "Bearer None",
    ],
)  # fmt: skip
def test_with_a_wrong_token_it_is_an_address_that_does_not_exist(authorization):
    wrong = nothing_there("/metrics", authorization=authorization)
    assert wrong == nothing_there("/metricz", authorization=authorization)
    assert wrong[0] == 404


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize("path", ["/metrics/", "/x/../metrics", "/metrics%00", "/METRICS"])
def test_there_is_one_way_to_write_the_address(path):
    assert Client(headers={"authorization": f"Bearer {TOKEN}"}).get(path).status_code == 404


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize("where", [f"/metrics?token={TOKEN}", f"/metrics?bearer={TOKEN}"])
def test_a_token_in_the_address_is_none(where):
    assert Client().get(where).status_code == 404


@pytest.mark.usefixtures("watched")
def test_nobody_posts_to_it():
    response = Client(headers={"authorization": f"Bearer {TOKEN}"}).post("/metrics")
    assert response.status_code == 404


def test_without_a_token_there_is_no_such_address(settings, switch_on):
    switch_on("")
    assert not [layer for layer in settings.MIDDLEWARE if "metrics" in layer]
    for authorization in ("", "Bearer", "Bearer ", "Bearer x"):
        response = Client(headers={"authorization": authorization}).get("/metrics")
        assert response.status_code == 404


@pytest.mark.parametrize("token", ["short", "x" * 19, "ü" * 30, "x" * 30 + "\n"])
def test_a_token_that_can_be_guessed_or_sent_by_nobody_is_refused(switch_on, token):
    with pytest.raises(ImproperlyConfigured, match="METRICS_TOKEN must have 20 characters") as no:
        switch_on(token)
    assert token not in str(no.value)


@pytest.mark.usefixtures("watched")
def test_without_a_database_it_says_that():
    def refuse(*_query):
        raise OperationalError("the server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        found = metrics()
    assert found["intrigue_up{part: database}"] == 0
    assert found["intrigue_up{part: broker}"] == 1
    assert "intrigue_games_overdue" not in found
    assert any(name.startswith("intrigue_info") for name in found)


@pytest.mark.usefixtures("watched")
def test_a_broker_that_hangs_or_is_away_is_missing(settings):
    with socket.create_server(("127.0.0.1", 0)) as hangs:
        port = hangs.getsockname()[1]
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{port}/0"
        hung = metrics()
    away = metrics()
    for found in (hung, away):
        assert found["intrigue_up{part: broker}"] == 0
        assert found["intrigue_up{part: database}"] == 1
        assert not {"intrigue_live_streams", "intrigue_queue_messages{queue: mail}"} & set(found)


@pytest.mark.usefixtures("watched")
def test_it_counts_the_messages_that_wait_for_workers():
    before = metrics()
    tasks.mail.delay()
    tasks.mail.delay()
    tasks.sweep.delay()
    after = metrics()
    for queue, count in (("celery", 1), ("mail", 2)):
        name = f"intrigue_queue_messages{{queue: {queue}}}"
        assert after[name] - before[name] == count


@pytest.mark.usefixtures("watched")
def test_it_asks_the_database_little_however_much_there_is(django_assert_num_queries):
    open_table("Anna", "Boris", "Clara")
    metrics()
    with django_assert_num_queries(MOST_QUERIES):
        scraped()
    for number in range(3):
        open_table(f"Dora {number}", f"Emil {number}", f"Frida {number}")
    with django_assert_num_queries(MOST_QUERIES):
        scraped()


MOST_QUERIES = 13


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("watched")
def test_it_counts_open_pages_and_forgets_them(settings, monkeypatch):
    settings.SITE_URL = "http://pages.example.org"  # none of another test
    monkeypatch.setattr("games.features.live.app.BETWEEN_COUNTS", 0.1)
    table = open_table("Anna", "Boris", "Clara")
    with live_process() as process:
        for seat in table.seats.all():
            process.open(browser(seat.user), table.token)
        wait_until(lambda: metrics().get("intrigue_live_streams") == 3)
        assert metrics()["intrigue_live_processes"] == 1
        process.close()
        wait_until(lambda: metrics().get("intrigue_live_streams") == 0)
