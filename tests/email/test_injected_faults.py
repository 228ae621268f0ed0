"""A mail server that fails in every way at once: what is lost, and what comes twice."""

from collections import Counter
from datetime import timedelta

import pytest

from games.models import Game, MailServer, OutboxEmail
from games.services import outbox
from games.services.email import bundles, delivery
from intrigue_site.email_service import service_at
from tests.faults.sink import Sink
from tests.support.client import person
from tests.support.mail_servers import with_options
from tests.support.tables import MONDAY, open_table

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]
MINUTE = timedelta(minutes=1)
PATIENCE = 3
"""How many seconds an answer is waited for. All that come, come sooner, also on a busy machine."""

EACH = 4
"""How many people have each fault."""

FINAL = ("rcpt 550", "data 554")
PASSING = ("rcpt 451", "rcpt 421", "data 452", "hang", "drop")
FOR_MINUTES = 30
"""How long the passing faults last."""


@pytest.fixture
def sink(settings):
    sink = Sink()
    settings.MAILERS = {"default": service_at(f"smtp://127.0.0.1:{sink.port}", bounces="").mailer}
    settings.MAILERS = with_options(settings.MAILERS, timeout=PATIENCE)
    yield sink
    sink.refuse_connections()


@pytest.fixture
def people():
    """So many people for each fault, and as many without; each has an email to come."""
    game = open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.all().delete()
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    found = {}
    for how in ("accept", *FINAL, *PASSING):
        for number in range(EACH):
            somebody = person(f"{how} {number}".replace(" ", "-"))
            found[somebody.email] = how
            outbox.enqueue("table_closed", game=game, person=somebody, now=MONDAY)
    return found


def pass_minutes(first, last, step=1):
    for minute in range(first, last, step):
        delivery.drain(now=MONDAY + minute * MINUTE)


def test_nothing_is_lost_and_what_comes_twice_has_the_same_message_id(sink, people, monkeypatch):
    """First nobody listens, then everything goes wrong, then it is over."""
    monkeypatch.setattr(delivery, "SLOW_AFTER", 0.01)
    pass_minutes(0, 5)
    assert set(OutboxEmail.objects.values_list("status", "attempts")) == {("ready", 0)}
    sink.how = people
    sink.listen()
    pass_minutes(5, FOR_MINUTES)
    sink.how = {address: how for address, how in people.items() if how in FINAL}
    pass_minutes(FOR_MINUTES, 26 * 60, step=5)

    status = Counter(
        (people[mail.person.email], mail.status)
        for mail in OutboxEmail.objects.select_related("person")
    )
    expected = dict.fromkeys(("accept", *PASSING), "sent") | dict.fromkeys(FINAL, "failed")
    assert status == dict.fromkeys(expected.items(), EACH)
    acknowledged = Counter(mail.to for mail in sink.taken if mail.acknowledged)
    assert acknowledged == {to: 1 for to, how in people.items() if how not in FINAL}
    ids = {(mail.to, mail.message_id) for mail in sink.taken}
    assert len(ids) == len(acknowledged)
    twice = {people[to] for to, count in Counter(m.to for m in sink.taken).items() if count > 1}
    assert twice == {"drop"}
    tries = {how: sink.tries[to, how] for to, how in people.items() if how in FINAL}
    assert tries == dict.fromkeys(FINAL, 1)
    assert MailServer.objects.get().unavailable_since is None


def test_a_sender_that_is_killed_after_the_mail_was_taken_repeats_it_with_its_message_id(
    sink, people, monkeypatch
):
    sink.listen()
    monkeypatch.setattr(delivery, "_record_all", lambda *_what: exit_at_once())
    with pytest.raises(SystemExit):
        delivery.drain(now=MONDAY)
    monkeypatch.undo()
    pass_minutes(1, 5)
    counts = Counter(mail.to for mail in sink.taken)
    assert set(counts) == set(people)
    assert 1 <= sum(count > 1 for count in counts.values()) <= bundles.CLAIMED_AT_ONCE
    assert len({(mail.to, mail.message_id) for mail in sink.taken}) == len(people)
    assert set(OutboxEmail.objects.values_list("status", flat=True)) == {"sent"}


def exit_at_once():
    raise SystemExit
