"""What machines and people read about the server: /health/ and /status/."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone
from psycopg.errors import DiskFull

from games.models import Game, MailServer, OutboxEmail, Tick
from games.services.email import delivery
from games.services.game import failures
from games.services.operations.health import why_unusable
from tests.support.client import browser, person
from tests.support.mail_servers import with_options
from tests.support.servers import free_port
from tests.support.tables import DAY, open_table

MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def ticking(db, now):
    Tick.objects.create(name="mail", at=now)
    return Tick.objects.create(name="sweep", at=now)


@pytest.fixture
def without_database(db):
    """The server is there, and responds to nobody: what the site wants of it fails."""

    def refuse(*_query):
        from django.db import OperationalError

        raise OperationalError("the server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.usefixtures("ticking")
def test_all_is_well_while_the_clock_ticks_and_nothing_is_late(client, now):
    open_table("Anna", "Boris", "Clara", now=now)
    response = client.get("/health/")
    assert response.status_code == 200
    text = response.json()
    for tick in ("last_tick", "last_task"):
        assert text.pop(tick)[:16] == now.isoformat()[:16]
    waiting = OutboxEmail.objects.filter(status="ready").count()
    assert text == {
        "well": True,
        "database": True,
        "version": settings.VERSION,
        "commit": settings.COMMIT,
        "clock_is_late": False,
        "clock_is_ahead": False,
        "worker_is_silent": False,
        "maintenance": False,
        "time_is_given": False,
        "last_backup": None,
        "running": 1,
        "overdue": 0,
        "parked": 0,
        "resting": 0,
        "email_task_is_late": False,
        "mail_server_away_since": None,
        "last_mail_sent": None,
        "emails_waiting": waiting,
        "emails_late": 0,
        "emails_failed": 0,
        "email_stands_still": False,
    }
    assert waiting > 0
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_who_asks_of_a_site_that_is_not_well_leaves_no_errors_in_the_log(client, caplog):
    assert client.get("/health/").status_code == 503
    assert caplog.records == []


@pytest.mark.usefixtures("ticking")
def test_a_backup_is_no_work_of_a_worker(client, now):
    Tick.objects.update(at=now - DAY)
    Tick.objects.create(name="backup", at=now)
    Tick.objects.create(name="probe 0123456789abcd", at=now)
    text = client.get("/health/").json()
    assert text["worker_is_silent"] is True
    assert text["last_backup"][:16] == now.isoformat()[:16]


def why_not(**wrong):
    """Why a database can't be used whose address is wrong in this."""
    other = connection.copy()
    other.settings_dict = connection.settings_dict | wrong
    with pytest.raises(Error) as failed:
        other.ensure_connection()
    return why_unusable(failed.value)


@pytest.mark.django_db
def test_why_the_database_cannot_be_used_is_one_word():
    assert why_not(HOST="127.0.0.1", PORT=str(free_port())) == "away"
    assert why_not(NAME="nobody_has_made_this") == "refused"
    with pytest.raises(Error) as failed, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM nobody_has_migrated_this")
    assert why_unusable(failed.value) == "unmigrated"
    with pytest.raises(Error) as full, connection.wrap_database_errors:
        raise DiskFull("could not extend file")
    assert why_unusable(full.value) == "full"


@pytest.mark.django_db
def test_the_cron_stopped_and_everybody_can_see_it(client, now):
    """Peers: the cron stopped and nobody noticed for a day."""
    assert client.get("/health/").json()["last_tick"] is None
    assert client.get("/health/").status_code == 503
    assert "not yet" in client.get("/status/").content.decode()

    Tick.objects.create(name="mail", at=now)
    tick = Tick.objects.create(name="sweep", at=now - DAY)
    assert client.get("/health/").status_code == 503
    page = client.get("/status/").content.decode()
    assert "The clock has stopped." in page
    assert "1\xa0day ago" in page

    tick.at = now - MINUTE
    tick.save()
    assert client.get("/health/").status_code == 200
    assert "Yes. Deadlines, reminders and email" in client.get("/status/").content.decode()


@pytest.mark.usefixtures("ticking")
def test_a_game_past_its_deadline_is_trouble_only_when_the_clock_should_have_seen_it(client, now):
    game = open_table("Anna", "Boris", "Clara", now=now)
    Game.objects.filter(pk=game.pk).update(deadline_at=now - MINUTE)
    assert client.get("/health/").json()["overdue"] == 0
    Game.objects.filter(pk=game.pk).update(deadline_at=now - 3 * MINUTE)
    response = client.get("/health/")
    assert (response.status_code, response.json()["overdue"]) == (503, 1)
    page = client.get("/status/").content.decode()
    assert "it's behind with some games" in page
    assert "Games past their deadline</th><td>1</td>" in page


@pytest.mark.usefixtures("ticking")
def test_the_clock_may_be_slow_where_its_sweeps_are_rare(client, now, settings):
    game = open_table("Anna", "Boris", "Clara", now=now)
    Game.objects.filter(pk=game.pk).update(deadline_at=now - 3 * MINUTE)
    Tick.objects.update(at=now - 3 * MINUTE)
    settings.SWEEP_SECONDS = 60.0
    assert client.get("/health/").status_code == 200


@pytest.mark.usefixtures("ticking")
def test_email_that_nobody_sends_is_trouble(client, now):
    open_table("Anna", "Boris", "Clara", now=now)
    OutboxEmail.objects.update(not_before=now - 11 * MINUTE)
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.json()["emails_late"] == response.json()["emails_waiting"] > 0


def mail_trouble(client):
    """The report on a server whose email is in trouble, on the page too."""
    response = client.get("/health/")
    assert response.status_code == 503
    assert "email isn't going out" in client.get("/status/").content.decode()
    return response.json()


def a_row(name, now, **more):
    about = {"kind": "conduct", "not_before": now, "created_at": now - 20 * MINUTE}
    return OutboxEmail.objects.create(person=person(name), **about | more)


@pytest.mark.full
@pytest.mark.usefixtures("ticking")
def test_a_mail_server_that_is_away_for_hours_is_trouble_all_the_time(client, now, smtp, settings):
    """Nothing is sent, and every email is about to be tried."""
    open_table("Anna", "Boris", "Clara", now=now - DAY)
    good, at = settings.MAILERS, now - 12 * 60 * MINUTE
    settings.MAILERS = with_options(good, port=1)
    began = at
    while at <= now:
        delivery.drain(now=at)
        at += 5 * MINUTE
    Tick.objects.update(at=now)
    text = mail_trouble(client)
    assert text["mail_server_away_since"][:19] == began.isoformat()[:19]
    assert text["last_mail_sent"] is None
    assert text["emails_late"] == text["emails_waiting"] == OutboxEmail.objects.count() > 0

    settings.MAILERS = good
    delivery.drain(now=now + MINUTE)
    response = client.get("/health/")
    assert response.status_code == 200
    assert response.json()["mail_server_away_since"] is None
    assert response.json()["last_mail_sent"][:19] == (now + MINUTE).isoformat()[:19]


@pytest.mark.usefixtures("ticking")
def test_email_that_nobody_takes_is_trouble_and_one_full_mailbox_is_none(client, now):
    """Of several people; and only while no other email leaves."""
    a_row("Anna", now + 10 * MINUTE, error="451 4.3.0 Later", attempts=3, created_at=now - DAY)
    a_row("Boris", now, status="sent", sent_at=now)
    assert client.get("/health/").status_code == 200
    assert client.get("/health/").json()["emails_late"] == 1
    a_row("Clara", now + 10 * MINUTE, error="451 4.3.0 Later", attempts=3)
    assert mail_trouble(client)["emails_late"] == 2
    MailServer.objects.create(last_sent_at=now - MINUTE)
    assert client.get("/health/").status_code == 200
    MailServer.objects.update(last_sent_at=now - 30 * MINUTE)
    mail_trouble(client)


@pytest.mark.usefixtures("ticking")
def test_email_that_is_refused_for_good_is_counted_and_trouble_where_none_is_taken(client, now):
    for number, name in enumerate(("Anna", "Boris")):
        assert client.get("/health/").status_code == 200
        a_row(name, now, status="failed", claimed_at=now, attempts=1, error="554 Spam")
        assert client.get("/health/").json()["emails_failed"] == number + 1
    mail_trouble(client)
    MailServer.objects.create(last_sent_at=now)
    assert client.get("/health/").status_code == 200


@pytest.mark.usefixtures("ticking")
def test_email_that_is_to_leave_later_or_of_a_dormant_game_is_not_late(client, now):
    a_row("Dora", now + 60 * MINUTE, created_at=now - DAY)
    game = open_table("Anna", "Boris", "Clara", now=now - DAY)
    OutboxEmail.objects.filter(game=game).exclude(kind="your_turn").delete()
    Game.objects.update(paused_at=now - DAY, deadline_at=None)
    response = client.get("/health/")
    assert (response.status_code, response.json()["emails_late"]) == (200, 0)


@pytest.mark.usefixtures("ticking")
def test_a_queue_of_email_that_no_worker_serves_is_trouble(client, now):
    Tick.objects.filter(name="mail").update(at=now - 3 * MINUTE)
    text = mail_trouble(client)
    assert (text["email_task_is_late"], text["worker_is_silent"]) == (True, False)


@pytest.mark.usefixtures("ticking")
def test_a_worker_that_is_silent_is_distinguished_from_sweeps_that_fail(client, now):
    Tick.objects.update(at=now - DAY)
    assert client.get("/health/").json()["worker_is_silent"] is True
    Tick.objects.create(name="sweep begun", at=now)
    text = client.get("/health/").json()
    assert (text["worker_is_silent"], text["clock_is_late"]) == (False, True)


@pytest.mark.usefixtures("ticking")
def test_a_tick_that_lies_ahead_is_trouble(client, now):
    """A clock was set back, or those of two machines differ."""
    Tick.objects.filter(name="sweep").update(at=now + MINUTE)
    assert client.get("/health/").status_code == 200
    Tick.objects.filter(name="sweep").update(at=now + 5 * MINUTE)
    response = client.get("/health/")
    assert (response.status_code, response.json()["clock_is_ahead"]) == (503, True)
    assert "One of the server's clocks is wrong" in client.get("/status/").content.decode()


@pytest.mark.usefixtures("ticking")
def test_a_parked_game_is_counted_and_is_no_trouble_for_the_server(client, now):
    game = open_table("Anna", "Boris", "Clara", now=now)
    for _ in range(len(failures.RETRIES) + 1):
        failures.record_failure(Game.objects.get(pk=game.pk), ValueError("a secret"), now)
    response = client.get("/health/")
    assert (response.status_code, response.json()["parked"]) == (200, 1)
    assert "secret" not in response.content.decode()


@pytest.mark.usefixtures("without_database")
def test_without_the_database_machines_get_a_503(client):
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.json() == {
        "well": False,
        "version": settings.VERSION,
        "commit": settings.COMMIT,
        "database": False,
        "database_trouble": "away",
    }


@pytest.mark.django_db
def test_without_the_database_the_page_says_so_also_to_signed_in_people(client, request):
    anna = browser(person("Anna"))
    request.getfixturevalue("without_database")
    for visitor in (client, anna):
        response = visitor.get("/status/")
        assert response.status_code == 503
        assert "the database isn't responding" in response.content.decode()
        assert "sessionid" not in response.cookies


@pytest.mark.usefixtures("ticking")
def test_signed_in_or_out_the_page_is_the_same_for_both(client):
    for visitor in (client, browser(person("Anna"))):
        assert visitor.get("/status/").status_code == 200


@pytest.mark.usefixtures("ticking")
def test_machines_ask_few_queries_and_nothing_is_changed_by_asking(
    client, django_assert_num_queries
):
    for queries in (11, 8):
        with django_assert_num_queries(queries):
            client.get("/health/")
    assert client.post("/health/").status_code == 405
    assert client.post("/status/").status_code == 405


@pytest.mark.usefixtures("ticking")
def test_machines_are_not_sent_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/health/").status_code == 200
    assert client.get("/status/").status_code == 301
