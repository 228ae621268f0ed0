"""What only grows is taken away, and nothing else."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command

from games import tasks
from games.models import Event, Game, Message, Move, OutboxEmail, User
from games.services.operations import trim
from tests.support.client import browser, person
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

QUARTER = timedelta(days=90)


@pytest.fixture
def game():
    """A game with events, a move, a message and email, all from Monday."""
    game = open_table("Anna", "Boris", "Clara")
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    Message.objects.create(
        game=game, text="Hello", at=MONDAY, token="7a30ff0e-0000-4000-8000-000000000001"
    )
    return game


def counts():
    return [model.objects.count() for model in (Game, Event, Move, Message)]


@pytest.mark.full
@pytest.mark.parametrize("status", ["sent", "dropped", "failed"])
def test_email_that_was_done_with_90_days_ago_goes_and_the_game_stays(game, status):
    """Peers: job tables never purged."""
    before = counts()
    assert all(before)
    emails = OutboxEmail.objects.update(status=status)
    assert emails > 1
    assert trim.trim(now=MONDAY + QUARTER).emails == 0
    assert OutboxEmail.objects.count() == emails
    assert trim.trim(now=MONDAY + QUARTER + DAY).emails == emails
    assert OutboxEmail.objects.count() == 0
    assert counts() == before


@pytest.mark.parametrize("status", ["ready", "sending"])
def test_email_that_is_still_to_be_sent_stays_however_old(game, status):
    emails = OutboxEmail.objects.update(status=status)
    assert trim.trim(now=MONDAY + 10 * QUARTER).emails == 0
    assert OutboxEmail.objects.count() == emails


def test_sessions_that_have_ended_go_and_the_others_stay_signed_in():
    anna, boris = browser(person("Anna")), browser(person("Boris"))
    ended = Session.objects.get(pk=anna.session.session_key)
    ended.expire_date = MONDAY
    ended.save()
    assert trim.trim(now=MONDAY + DAY).sessions == 1
    assert Session.objects.get().pk == boris.session.session_key


def signed_up(name, **more):
    """Somebody who signed up on Monday and has not entered the code."""
    user = person(name, date_joined=MONDAY, **more)
    user.emailaddress_set.create(email=user.email, primary=True, verified=False)
    return user


def test_a_sign_up_that_was_never_confirmed_gives_its_name_back_after_a_week():
    signed_up("Flora")
    assert trim.trim(now=MONDAY + 7 * DAY).accounts == 0
    assert User.objects.filter(name="Flora").exists()
    assert trim.trim(now=MONDAY + 8 * DAY).accounts == 1
    assert not User.objects.exists()
    assert person("Flora").name == "Flora"


def test_no_account_goes_that_was_ever_used(game):
    confirmed = signed_up("Flora")
    confirmed.emailaddress_set.update(verified=True)
    changing = signed_up("Gustav")
    changing.emailaddress_set.create(email="g@example.org", verified=True)
    signed_up("Hanna", last_login=MONDAY)
    signed_up("Marta", is_staff=True)
    anna = game.seats.get(user__name="Anna").user
    anna.emailaddress_set.create(email=anna.email, verified=False)
    User.objects.update(date_joined=MONDAY)
    people = User.objects.count()
    assert trim.trim(now=MONDAY + QUARTER).accounts == 0
    assert User.objects.count() == people


TOLD = (
    "Deleted 5 emails, 0 sessions, 0 drafts, 0 sign-ins, 0 unconfirmed accounts and "
    "0 removed texts.\n"
)


@pytest.mark.full
def test_much_goes_in_batches_and_each_call_has_an_end(game, monkeypatch, capsys):
    monkeypatch.setattr(trim, "BATCH", 2)
    [mail, *_] = OutboxEmail.objects.all()
    OutboxEmail.objects.all().delete()
    for phase_no in range(9):
        mail.pk, mail.phase_no, mail.status = None, phase_no, "sent"
        mail.save(force_insert=True)
    assert trim.trim(now=MONDAY + 2 * QUARTER, most_batches=2).emails == 4
    call_command("trim")
    assert capsys.readouterr().out == TOLD
    tasks.trim()
    assert OutboxEmail.objects.count() == 0


def test_the_beat_trims_by_itself(settings):
    assert settings.CELERY_BEAT_SCHEDULE["trim"]["task"] == tasks.trim.name
