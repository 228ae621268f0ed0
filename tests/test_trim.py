"""What only grows is taken away, and nothing else."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command

from games import tasks
from games.models import Event, Game, Message, Move, OutboxMail
from games.services import trim
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table
from tests.web import browser, person

pytestmark = pytest.mark.django_db

QUARTER = timedelta(days=90)


@pytest.fixture
def game():
    """A game with events, a move, a message and mail, all from Monday."""
    game = open_table("Anna", "Boris", "Clara")
    answer(game, awaited_seats(game)[0].user, MONDAY)
    Message.objects.create(
        game=game, text="Hello", at=MONDAY, token="7a30ff0e-0000-4000-8000-000000000001"
    )
    return game


def counts():
    return [model.objects.count() for model in (Game, Event, Move, Message)]


@pytest.mark.parametrize("status", ["sent", "dropped", "failed"])
def test_mail_that_was_done_with_90_days_ago_goes_and_the_game_stays(game, status):
    """Peers: job tables never purged."""
    before = counts()
    assert all(before)
    mails = OutboxMail.objects.update(status=status)
    assert mails > 1
    assert trim.trim(now=MONDAY + QUARTER).mails == 0
    assert OutboxMail.objects.count() == mails
    assert trim.trim(now=MONDAY + QUARTER + DAY).mails == mails
    assert OutboxMail.objects.count() == 0
    assert counts() == before


@pytest.mark.parametrize("status", ["ready", "sending"])
def test_mail_that_is_still_to_be_sent_stays_however_old(game, status):
    mails = OutboxMail.objects.update(status=status)
    assert trim.trim(now=MONDAY + 10 * QUARTER).mails == 0
    assert OutboxMail.objects.count() == mails


def test_sessions_that_have_ended_go_and_the_others_stay_signed_in():
    anna, boris = browser(person("Anna")), browser(person("Boris"))
    ended = Session.objects.get(pk=anna.session.session_key)
    ended.expire_date = MONDAY
    ended.save()
    assert trim.trim(now=MONDAY + DAY).sessions == 1
    assert Session.objects.get().pk == boris.session.session_key


def test_much_goes_in_batches_and_each_call_has_an_end(game, monkeypatch, capsys):
    monkeypatch.setattr(trim, "BATCH", 2)
    [mail, *_] = OutboxMail.objects.all()
    OutboxMail.objects.all().delete()
    for phase_no in range(9):
        mail.pk, mail.phase_no, mail.status = None, phase_no, "sent"
        mail.save(force_insert=True)
    assert trim.trim(now=MONDAY + 2 * QUARTER, most_batches=2).mails == 4
    call_command("trim")
    assert capsys.readouterr().out == "Deleted 5 mails and 0 sessions.\n"
    tasks.trim()
    assert OutboxMail.objects.count() == 0


def test_the_beat_trims_by_itself(settings):
    assert settings.CELERY_BEAT_SCHEDULE["trim"]["task"] == tasks.trim.name
