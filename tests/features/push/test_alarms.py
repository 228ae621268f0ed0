"""Moderators' browsers are notified once that no email leaves, and once that it does again."""

from datetime import timedelta

import pytest

from games.extensions import waiting_work
from games.features.push import delivery
from games.models import (
    Game,
    MailServer,
    OutboxEmail,
    OutboxPush,
    PushSubscription,
    SiteState,
    Tick,
    database_now,
)  # fmt: skip
from games.services import outbox, roles
from games.services.email import delivery as email_delivery
from games.services.operations import shifts
from games.services.operations.alarms import watch_email
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.moderators import moderator
from tests.support.push_service import subscribed
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def inbox(settings):
    """A mail server that is away until `to_sender` is "250 OK"."""
    with choosy_server(settings) as inbox:
        inbox.to_sender = "421 4.3.2 Service not available"
        yield inbox


@pytest.fixture
def marta(service):
    """A moderator whose browser is notified."""
    marta = moderator("Marta")
    marta.time_zone = "Europe/Vienna"
    marta.save()
    return marta, subscribed(marta)[1]


def write(now):
    """An email about a table that was closed, which is true for good."""
    game = Game.objects.first() or open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.all().delete()
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    outbox.enqueue("table_closed", game=game, person=game.seats.first().user, now=now)


def minutes_pass(first, last):
    """The worker sends email and the clock watches it, each minute; how many alarms it raised."""
    alarms = 0
    for minute in range(first, last + 1):
        now = MONDAY + minute * MINUTE
        email_delivery.drain(now=now)
        alarms += watch_email(now)
    return alarms


def notified(service, own):
    return [own.read(given)["body"] for given in service.given]


@pytest.mark.full
class TestAnOutage:
    def test_is_notified_once_and_so_is_its_end(self, marta, service, inbox):
        _marta, own = marta
        write(MONDAY)
        assert minutes_pass(0, 11) == 0
        assert minutes_pass(12, 13) == 1
        assert delivery.drain(now=MONDAY + 13 * MINUTE) == 1
        assert notified(service, own) == [
            "No email has gone out since Mon 2 Mar, 10:11 (Europe/Vienna)."
        ]
        assert service.given[0].headers["Urgency"] == "high"
        assert own.read(service.given[0])["url"] == "/status/"
        assert minutes_pass(14, 100) == 0
        inbox.to_sender = "250 OK"
        assert minutes_pass(101, 103) == 1
        assert delivery.drain(now=MONDAY + 103 * MINUTE) == 1
        assert notified(service, own)[1:] == ["Email is going out again."]
        assert service.given[1].headers["Topic"] == service.given[0].headers["Topic"]
        assert minutes_pass(104, 200) == 0

    def test_another_one_is_notified_again(self, marta, service, inbox):
        write(MONDAY)
        assert minutes_pass(0, 20) == 1
        inbox.to_sender = "250 OK"
        assert minutes_pass(21, 25) == 1
        inbox.to_sender = "421 4.3.2 Service not available"
        write(MONDAY + 26 * MINUTE)
        assert minutes_pass(26, 60) == 1

    def test_a_short_one_is_notified_to_nobody(self, marta, service, inbox):
        write(MONDAY)
        assert minutes_pass(0, 11) == 0
        inbox.to_sender = "250 OK"
        assert minutes_pass(12, 60) == 0
        assert MailServer.objects.get().failing_since is None

    def test_no_task_that_sends_is_one_too(self, marta, service):
        alarms = [watch_email(MONDAY + minute * MINUTE) for minute in range(5)]
        assert alarms == [False, False, True, False, False]

    def test_a_site_that_was_switched_off_raises_none(self, marta, service, smtp):
        """Email and its task were late while nothing ran."""
        write(MONDAY)
        Tick.objects.ticked(Tick.MAIL, MONDAY)
        assert watch_email(MONDAY + 5 * HOUR) is False
        email_delivery.drain(now=MONDAY + 5 * HOUR)
        for minute in range(1, 5):
            now = MONDAY + 5 * HOUR + minute * MINUTE
            email_delivery.drain(now=now)
            assert watch_email(now) is False

    def test_none_is_raised_under_maintenance(self, marta, service, inbox):
        SiteState.objects.update_or_create(defaults={"maintenance_since": MONDAY})
        write(MONDAY)
        assert minutes_pass(0, 60) == 0


@pytest.mark.full
class TestWhoIsTold:
    def test_only_moderators(self, service, inbox):
        subscribed(person("Dora"))
        write(MONDAY)
        assert minutes_pass(0, 20) == 0
        assert not OutboxPush.objects.exists()

    def test_not_a_former_moderator(self, marta, service, inbox):
        write(MONDAY)
        assert minutes_pass(0, 20) == 1
        roles.dismiss(marta[0])
        assert delivery.drain(now=MONDAY + 20 * MINUTE) == 0
        assert service.given == []
        assert not OutboxPush.objects.exists()

    def test_not_what_is_over_before_it_is_notified(self, marta, service, inbox):
        _marta, own = marta
        write(MONDAY)
        assert minutes_pass(0, 20) == 1
        inbox.to_sender = "250 OK"
        assert minutes_pass(21, 22) == 1
        assert delivery.drain(now=MONDAY + 22 * MINUTE) == 1
        assert notified(service, own) == ["Email is going out again."]

    def test_a_moderator_who_has_signed_out_has_no_such_browser(self, marta, service, inbox):
        write(MONDAY)
        assert minutes_pass(0, 20) == 1
        PushSubscription.objects.update(session_key="ended")
        assert delivery.drain(now=MONDAY + 20 * MINUTE) == 0


@pytest.mark.full
def test_an_alarm_that_could_not_be_sent_is_sent_by_a_later_sweep(marta, service):
    _marta, own = marta
    now = database_now()
    shifts.sweep(lambda _until: None)
    MailServer.objects.update(failing_since=now - HOUR)
    service.answer = 503
    assert called_by_a_sweep() == ["games.features.push.tasks.push"]
    delivery.drain(now=now + MINUTE)
    assert called_by_a_sweep() == []  # it waits a while
    service.answer = 201
    OutboxPush.objects.update(not_before=now)
    assert called_by_a_sweep() == ["games.features.push.tasks.push"]
    assert delivery.drain(now=now + 2 * MINUTE) == 1
    assert notified(service, own)[-1].startswith("No email has gone out")


def called_by_a_sweep():
    """The tasks of features that are called after another sweep."""
    Tick.objects.filter(name=Tick.SWEEP_BEGUN).delete()
    shifts.sweep(lambda _until: None)
    return [task.name for task in waiting_work()]


def test_the_sweep_watches_it(marta, service):
    """And notifies by another task, since the one of email may be what fails."""
    shifts.sweep(lambda _until: None)
    MailServer.objects.update(failing_since=MONDAY)
    assert called_by_a_sweep() == ["games.features.push.tasks.push"]
    assert OutboxPush.objects.get().alarm == "fails"
