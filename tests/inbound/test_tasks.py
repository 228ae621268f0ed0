"""A worker reads what has come in: woken at once, or by the next sweep."""

import pytest
from django.utils import timezone

from games import tasks, wake
from games.models import InboundMail, User
from games.services.inbound import inbox
from games.services.inbound.addresses import address_of
from games.services.operations import shifts
from intrigue_site.celery import app as celery_app
from tests.support.replying import confirmed, written
from tests.support.tables import open_table


@pytest.fixture
def mail(transactional_db):
    game = open_table("Anna", "Boris", "Clara")
    anna = confirmed(User.objects.get(name="Anna"))
    return written(anna.email, address_of(anna, game.pk), "status")


def take(mail):
    now = timezone.now()
    return inbox.take(address=mail["To"], return_path="a@b.c", raw=mail.as_bytes(), now=now)


def test_a_worker_reads_what_has_come_in(mail):
    assert not shifts.has_inbound_email()
    take(mail)
    assert shifts.has_inbound_email()
    tasks.read_email()
    assert not shifts.has_inbound_email()
    assert InboundMail.objects.get().answer["title"] == "status"


def test_no_deadline_waits_while_email_is_read():
    routes = {
        name: celery_app.amqp.router.route({}, f"games.tasks.{name}")["queue"].name
        for name in ("read_email", "mail", "sweep")
        if celery_app.amqp.router.route({}, f"games.tasks.{name}")
    }
    assert routes["read_email"] == routes["mail"] == "mail"
    assert routes.get("sweep", "celery") == "celery"


def test_a_sweep_looks_for_it_only_where_replies_are_on(mail, settings):
    take(mail)
    settings.MAIL_REPLIES_DOMAIN = ""
    assert not shifts.has_inbound_email()


def test_whoever_reads_is_woken_once_it_is_stored(mail):
    heard = []

    def note(**_signal):
        heard.append(InboundMail.objects.count())

    inbox.arrived.connect(note)
    try:
        take(mail)
        take(mail)  # a repeat, which is answered without a reader
    finally:
        inbox.arrived.disconnect(note)
    assert heard == [1]
    assert wake.READER is not wake.SENDER
