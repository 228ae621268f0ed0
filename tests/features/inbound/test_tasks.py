"""A worker reads what has come in: woken at once, or by the clock."""

import pytest
from django.utils import timezone

from games import wake
from games.extensions import waiting_work
from games.features.inbound import inbox, tasks, waking
from games.features.inbound.addresses import address_of
from games.models import InboundEmail, User
from intrigue_site.celery import app as celery_app
from tests.features.inbound.replying import confirmed, written
from tests.support.serving import serving
from tests.support.tables import open_table


@pytest.fixture
def email(transactional_db):
    game = open_table("Anna", "Boris", "Clara")
    anna = confirmed(User.objects.get(name="Anna"))
    return written(anna.email, address_of(anna, game.pk), "status")


def take(email):
    now = timezone.now()
    return inbox.take(address=email["To"], return_path="a@b.c", raw=email.as_bytes(), now=now)


def is_called():
    return tasks.read_email in waiting_work()


def test_a_worker_reads_what_has_come_in(email):
    assert not is_called()
    take(email)
    assert is_called()
    tasks.read_email()
    assert not is_called()
    assert InboundEmail.objects.get().response["title"] == "status"


def test_no_deadline_waits_while_email_is_read():
    routes = {
        name: celery_app.amqp.router.route({}, name)["queue"].name
        for name in (tasks.read_email.name, "games.tasks.mail", "games.tasks.sweep")
        if celery_app.amqp.router.route({}, name)
    }
    assert routes[tasks.read_email.name] == routes["games.tasks.mail"] == "mail"
    assert routes.get("games.tasks.sweep", "celery") == "celery"


def test_a_beat_looks_for_it_only_where_replies_are_on(email, settings):
    take(email)
    settings.MAIL_REPLIES_DOMAIN = ""
    assert not is_called()


def test_processes_that_serve_wake_the_reader():
    assert not inbox.arrived.has_listeners()
    with serving():
        assert inbox.arrived.has_listeners()


def test_the_reader_is_woken_once_it_is_stored(email):
    heard = []

    def hear(**_signal):
        heard.append(InboundEmail.objects.count())

    inbox.arrived.connect(hear)
    try:
        take(email)
        take(email)  # a repeat, whose response needs no reader
    finally:
        inbox.arrived.disconnect(hear)
    assert heard == [1]
    assert waking.READER is not wake.SENDER
