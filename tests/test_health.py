"""What machines and people are told of the server: /health/ and /status/."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Game, OutboxMail, Tick
from games.services import failures
from tests.tables import DAY, open_table
from tests.web import browser, person

MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def ticking(db, now):
    return Tick.objects.create(name="sweep", at=now)


@pytest.fixture
def without_database(db):
    """The server is there, and answers nobody: what the site asks of it fails."""

    def refuse(*_query):
        from django.db import OperationalError

        raise OperationalError("the server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.usefixtures("ticking")
def test_all_is_well_while_the_clock_ticks_and_nothing_is_late(client, now):
    open_table("Anna", "Boris", "Clara", now=now)
    answer = client.get("/health/")
    assert answer.status_code == 200
    told = answer.json()
    assert told.pop("last_tick")[:16] == now.isoformat()[:16]
    waiting = OutboxMail.objects.filter(status="ready").count()
    assert told == {
        "well": True,
        "database": True,
        "clock_is_late": False,
        "maintenance": False,
        "time_is_given": False,
        "running": 1,
        "overdue": 0,
        "parked": 0,
        "resting": 0,
        "mails_waiting": waiting,
        "mails_late": 0,
    }
    assert waiting > 0
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_the_cron_stopped_and_everybody_can_see_it(client, now):
    """Peers: the cron stopped and nobody noticed for a day."""
    assert client.get("/health/").json()["last_tick"] is None
    assert client.get("/health/").status_code == 503
    assert "never yet" in client.get("/status/").content.decode()

    tick = Tick.objects.create(name="sweep", at=now - DAY)
    assert client.get("/health/").status_code == 503
    page = client.get("/status/").content.decode()
    assert "The clock stands still." in page
    assert "1\xa0day ago" in page

    tick.at = now - MINUTE
    tick.save()
    assert client.get("/health/").status_code == 200
    assert "Yes. Deadlines, reminders and mail" in client.get("/status/").content.decode()


@pytest.mark.usefixtures("ticking")
def test_a_game_past_its_deadline_is_trouble_only_when_the_clock_should_have_seen_it(client, now):
    game = open_table("Anna", "Boris", "Clara", now=now)
    Game.objects.filter(pk=game.pk).update(deadline_at=now - MINUTE)
    assert client.get("/health/").json()["overdue"] == 0
    Game.objects.filter(pk=game.pk).update(deadline_at=now - 3 * MINUTE)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["overdue"]) == (503, 1)
    page = client.get("/status/").content.decode()
    assert "some work has piled up" in page
    assert "Games past their deadline</th><td>1</td>" in page


@pytest.mark.usefixtures("ticking")
def test_the_clock_may_be_slow_where_its_sweeps_are_rare(client, now, settings):
    game = open_table("Anna", "Boris", "Clara", now=now)
    Game.objects.filter(pk=game.pk).update(deadline_at=now - 3 * MINUTE)
    Tick.objects.update(at=now - 3 * MINUTE)
    settings.SWEEP_SECONDS = 60.0
    assert client.get("/health/").status_code == 200


@pytest.mark.usefixtures("ticking")
def test_mail_that_nobody_sends_is_trouble(client, now):
    open_table("Anna", "Boris", "Clara", now=now)
    OutboxMail.objects.update(not_before=now - 11 * MINUTE)
    answer = client.get("/health/")
    assert answer.status_code == 503
    assert answer.json()["mails_late"] == answer.json()["mails_waiting"] > 0


@pytest.mark.usefixtures("ticking")
def test_a_parked_game_is_counted_and_is_no_trouble_for_the_server(client, now):
    game = open_table("Anna", "Boris", "Clara", now=now)
    for _ in range(len(failures.RETRIES) + 1):
        failures.note_failure(Game.objects.get(pk=game.pk), ValueError("a secret"), now)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["parked"]) == (200, 1)
    assert "secret" not in answer.content.decode()


@pytest.mark.usefixtures("without_database")
def test_without_the_database_machines_get_a_503(client):
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (503, {"well": False, "database": False})


@pytest.mark.django_db
def test_without_the_database_the_page_says_so_also_to_whoever_was_signed_in(client, request):
    anna = browser(person("Anna"))
    request.getfixturevalue("without_database")
    for visitor in (client, anna):
        answer = visitor.get("/status/")
        assert answer.status_code == 503
        assert "the database does not answer" in answer.content.decode()
        assert "sessionid" not in answer.cookies


@pytest.mark.usefixtures("ticking")
def test_signed_in_or_out_the_page_is_the_same_for_both(client):
    for visitor in (client, browser(person("Anna"))):
        assert visitor.get("/status/").status_code == 200


@pytest.mark.usefixtures("ticking")
def test_machines_ask_four_queries_and_nothing_is_changed_by_asking(
    client, django_assert_num_queries
):
    with django_assert_num_queries(4):
        client.get("/health/")
    assert client.post("/health/").status_code == 405
    assert client.post("/status/").status_code == 405


@pytest.mark.usefixtures("ticking")
def test_machines_are_not_sent_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/health/").status_code == 200
    assert client.get("/status/").status_code == 301
