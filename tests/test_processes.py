"""The real worker and the real beat, on a real Valkey: they play a default and send its mail."""

import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest
from django.utils import timezone

from games.models import Game, Move
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.tables import DAY, awaited_seats, open_table

CELERY = [sys.executable, "-m", "celery", "--app", "intrigue_site"]


@contextmanager
def running(command, environment, log):
    """A process that is stopped at the end, and read if it died."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    try:
        yield
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


@pytest.mark.django_db(transaction=True)
def test_worker_and_beat_play_a_default_and_send_its_mail(process_environment, smtp, tmp_path):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now() - DAY)
    [late] = awaited_seats(game)
    environment = {**process_environment, "SWEEP_SECONDS": "0.5"}
    worker = [*CELERY, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    beat = [*CELERY, "beat", "--pidfile", ""]
    with ExitStack() as processes:
        processes.enter_context(running(worker, environment, tmp_path / "worker.log"))
        processes.enter_context(running(beat, environment, tmp_path / "beat.log"))
        wait_until(lambda: defaults_told(smtp.messages, late.user.email))
    assert list(Move.objects.values_list("seat", "cause")) == [(late.pk, "clock")]
    assert defaults_told(smtp.messages, late.user.email) == 1
    assert Game.objects.get().deadline_at > timezone.now()


def defaults_told(messages, to):
    """How many mails told somebody that the clock played for them."""
    texts = [mail.get_body(("plain",)).get_content() for mail in messages if mail["To"] == to]
    return sum("the clock played for you" in text for text in texts)
