"""What answers of the mail server mean: for one email, for one address, or for all email."""

import socket
from datetime import timedelta

import pytest

from games.models import Game, MailServer, OutboxEmail, User
from games.services import outbox
from games.services.email import bundles, delivery
from tests.support.client import person
from tests.support.mail_servers import Choosy, choosy_server, with_options
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def inbox(settings):
    with choosy_server(settings) as inbox:
        yield inbox


@pytest.fixture
def closed(db):
    """A table that was closed, which is true for good; nobody was told."""
    game = open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.all().delete()
    game.seats.update(deadline_at=None)
    game.status, game.deadline_at = Game.Status.CANCELLED, None
    game.save()
    return game


def somebody(name):
    return User.objects.filter(name=name).first() or person(name)


def write_to(game, *names, now=MONDAY):
    """Emails about the table, one after the other."""
    for about, name in enumerate(names, OutboxEmail.objects.count()):
        outbox.enqueue("table_closed", game=game, person=somebody(name), now=now, about=about)


def text():
    """What has become of the email to each person, and how often it was tried."""
    rows = OutboxEmail.objects.values_list("person__name", "status", "attempts")
    return {name: (status, attempts) for name, status, attempts in rows}


def receivers(inbox):
    return [mail["To"].partition("@")[0] for mail in inbox.messages]


NOW = MONDAY + SECOND


# The server as a whole


@pytest.fixture
def silent():
    """A port at which somebody listens, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


TROUBLE = {
    "nobody listens": {"port": 1},
    "no greeting": {"timeout": 0.2},
    "no TLS": {"use_tls": True},
    "not let in": {"username": "intrigue", "password": "pssst"},
    "greylisting us": {"to_sender": "451 4.7.1 Try again later"},
    "no relaying": {"to_sender": "530 5.7.0 Authentication required"},
    "closing": {"to_sender": "421 4.3.2 Service not available"},
}


@pytest.fixture
def trouble(request, inbox, settings, silent):
    """Makes the server unavailable; gives what mends it."""
    good, options = settings.MAILERS, dict(TROUBLE[request.param])
    inbox.to_sender = options.pop("to_sender", inbox.to_sender)
    if "timeout" in options:
        options["port"] = silent
    settings.MAILERS = with_options(good, **options)

    def mend():
        settings.MAILERS, inbox.to_sender = good, "250 OK"

    return mend


@pytest.mark.full
@pytest.mark.parametrize("trouble", TROUBLE, indirect=True)
def test_a_server_that_is_away_for_hours_counts_for_no_email_and_all_leaves_at_its_return(
    trouble, inbox, closed
):
    write_to(closed, "Anna", "Boris", "Clara")
    for minutes in (0, 1, 5, 60, 300, 720):
        assert delivery.drain(now=NOW + minutes * MINUTE) == 0
    assert set(text().values()) == {("ready", 0)}
    server = MailServer.objects.get()
    assert (server.unavailable_since, server.tried_at) == (NOW, NOW + 720 * MINUTE)
    assert server.error
    assert inbox.messages == []
    trouble()
    back = NOW + 721 * MINUTE
    assert delivery.drain(now=back) == 3
    assert set(text().values()) == {("sent", 1)}
    server.refresh_from_db()
    assert (server.unavailable_since, server.error, server.last_sent_at) == (None, "", back)


@pytest.mark.full
def test_a_server_that_is_away_is_tried_once_a_minute(inbox, closed):
    inbox.to_sender = "421 4.3.2 Service not available"
    write_to(closed, "Anna", "Boris", "Clara")
    for seconds in range(0, 180, 15):
        delivery.drain(now=NOW + seconds * SECOND)
    assert inbox.connections == 3


def test_a_server_that_is_back_is_found_also_when_no_email_waits(inbox, closed):
    MailServer.objects.create(unavailable_since=MONDAY, tried_at=MONDAY, error="[Errno 111]")
    assert delivery.drain(now=MONDAY + 59 * SECOND) == 0
    assert MailServer.objects.get().unavailable_since == MONDAY
    assert delivery.drain(now=MONDAY + MINUTE) == 0
    server = MailServer.objects.get()
    assert (server.unavailable_since, server.last_sent_at) == (None, None)


def test_a_look_that_lies_ahead_keeps_nobody_from_the_next_one(inbox, closed):
    """Somebody's clock was an hour ahead when the server was tried last."""
    hour = 60 * MINUTE
    MailServer.objects.create(unavailable_since=MONDAY, tried_at=MONDAY + hour, error="away")
    write_to(closed, "Anna")
    assert delivery.drain(now=NOW) == 1


def test_a_server_that_ends_a_connection_it_has_had_for_long_is_not_away(
    inbox, closed, monkeypatch
):
    """It says so when the next email comes, and takes that one over a new connection."""
    write_to(closed, "Anna", "Boris", "Clara")
    taken = Choosy.handle_MAIL

    async def two_each(self, server, session, *more):
        session.emails = getattr(session, "emails", 0) + 1
        if session.emails > 2:
            return "421 4.7.0 Too many emails in one connection"
        return await taken(self, server, session, *more)

    monkeypatch.setattr(Choosy, "handle_MAIL", two_each)
    assert delivery.drain(now=NOW) == 3
    assert set(text().values()) == {("sent", 1)}
    assert inbox.connections == 2


# One recipient


@pytest.mark.full
@pytest.mark.parametrize(
    ("answer", "status", "unreachable", "again_after"),
    [
        ("550 No such user", "failed", True, None),
        ("550 5.1.1 The mailbox does not exist", "failed", True, None),
        ("556 5.1.10 That domain takes no mail", "failed", True, None),
        ("550 5.2.1 The mailbox is disabled", "failed", True, None),
        ("550 5.7.1 Your network is not welcome here", "ready", False, MINUTE),
        ("554 5.7.1 Relay access denied", "ready", False, MINUTE),
        ("550 relay not permitted", "ready", False, MINUTE),
        ("550 5.1.8 Your sender address does not exist", "ready", False, MINUTE),
        ("552 5.2.2 The mailbox is full", "ready", False, MINUTE),
        ("451 4.7.1 Greylisted", "ready", False, MINUTE),
    ],
)
def test_what_a_refused_recipient_means(answer, status, unreachable, again_after, inbox, closed):
    inbox.to_recipient["boris@example.org"] = answer
    write_to(closed, "Boris", "Anna")
    assert delivery.drain(now=NOW) == 1
    mail = OutboxEmail.objects.get(person__name="Boris")
    assert (mail.status, mail.attempts, mail.error) == (status, 1, answer)
    assert again_after is None or mail.not_before == NOW + again_after
    assert User.objects.get(name="Boris").is_unreachable is unreachable
    assert not User.objects.get(name="Anna").is_unreachable
    assert MailServer.objects.get().unavailable_since is None


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("554 5.7.1 This looks like spam", "failed"),
        ("550 Too large", "failed"),
        ("451 4.3.0 The filter is away", "ready"),
        ("", "ready"),
    ],
)
def test_what_a_refused_email_means(answer, status, inbox, closed):
    inbox.to_mail["boris@example.org"] = answer
    write_to(closed, "Boris", "Anna")
    assert delivery.drain(now=NOW) == 1
    mail = OutboxEmail.objects.get(person__name="Boris")
    assert (mail.status, mail.attempts) == (status, 1)
    assert not mail.person.is_unreachable
    assert receivers(inbox) == ["anna"]


@pytest.mark.full
@pytest.mark.parametrize(("answer", "attempts"), [("451 4.2.1 Later", 97), ("", 10)])
def test_an_email_is_given_up_after_a_day_and_waits_a_quarter_of_an_hour_at_first(
    answer, attempts, inbox, closed
):
    """What may have arrived is sent again less often."""
    if answer:
        inbox.to_recipient["boris@example.org"] = answer
    else:
        inbox.to_mail["boris@example.org"] = ""
    write_to(closed, "Boris")
    mail, now, waits = OutboxEmail.objects.get(), NOW, []
    while mail.status == "ready":
        write_to(closed, "Anna", now=now)  # by whom the server is known to work
        delivery.drain(now=now)
        mail.refresh_from_db()
        waits.append(mail.not_before - now)
        now = mail.not_before
    assert (mail.status, mail.attempts) == ("failed", attempts)
    assert waits[:3] == [MINUTE, 5 * MINUTE, 15 * MINUTE]
    assert 22 <= (now - NOW) / (60 * MINUTE) <= 25


@pytest.mark.full
def test_a_421_for_one_recipient_stops_no_other_for_good(inbox, closed):
    """It speaks for the server, until another email has shown that the server works."""
    inbox.to_recipient["boris@example.org"] = "421 4.7.0 Try again later"
    write_to(closed, "Boris", "Anna", "Clara")
    assert delivery.drain(now=NOW) == 0
    assert text() == {"Anna": ("ready", 0), "Boris": ("ready", 0), "Clara": ("ready", 0)}
    assert delivery.drain(now=NOW + MINUTE) == 2
    assert text() == {"Anna": ("sent", 1), "Boris": ("ready", 1), "Clara": ("sent", 1)}
    assert MailServer.objects.get().unavailable_since is None


# Those who hang


@pytest.mark.full
def test_twenty_emails_behind_six_that_hang_leave_while_those_hang(inbox, closed, monkeypatch):
    """The server answers for the six only when it has the other twenty."""
    monkeypatch.setattr(delivery, "SLOW_AFTER", 0.01)
    hanging = [f"Slow{number}" for number in range(6)]
    inbox.waiting = {somebody(name).email for name in hanging}
    inbox.enough = 20
    write_to(closed, *hanging, *(f"Quick{number}" for number in range(20)))
    assert delivery.drain(now=NOW) == 26
    assert all(name.startswith("quick") for name in receivers(inbox)[:20])


@pytest.mark.full
def test_a_recipient_without_an_answer_is_tried_later_and_is_no_trouble_of_the_server(
    inbox, closed, settings
):
    settings.MAILERS = with_options(settings.MAILERS, timeout=8)
    inbox.waiting, inbox.enough = {"boris@example.org"}, 99
    write_to(closed, "Boris", "Anna")
    assert delivery.drain(now=NOW) == 1
    assert text() == {"Boris": ("ready", 1), "Anna": ("sent", 1)}
    assert OutboxEmail.objects.get(person__name="Boris").not_before == NOW + MINUTE
    assert MailServer.objects.get().unavailable_since is None


@pytest.mark.full
def test_one_email_has_an_end_however_slowly_the_server_goes_on(inbox, closed, monkeypatch):
    """Its own limit, besides the one for each answer."""
    monkeypatch.setattr("games.services.email.sending.SEND_SECONDS", 0.2)
    inbox.waiting, inbox.enough = {"boris@example.org"}, 99
    write_to(closed, "Boris")
    assert delivery.drain(now=NOW) == 0
    assert text() == {"Boris": ("ready", 1)}


@pytest.mark.full
def test_whose_email_failed_lately_goes_last_also_with_new_email(inbox, closed):
    inbox.to_recipient["boris@example.org"] = "451 4.2.1 Later"
    write_to(closed, "Boris")
    delivery.drain(now=NOW)
    inbox.to_recipient.clear()
    write_to(closed, "Boris", "Anna", "Clara", now=NOW + SECOND)
    assert delivery.drain(now=NOW + 2 * MINUTE) == 4
    assert receivers(inbox) == ["anna", "clara", "boris", "boris"]


@pytest.mark.full
def test_those_that_hang_again_leave_room_for_the_others(inbox, closed, monkeypatch):
    """However many failed before: half of all that are sent at once are others."""
    monkeypatch.setattr(delivery, "SLOW_AFTER", 0.01)
    hanging = [somebody(f"Slow{number}") for number in range(20)]
    inbox.to_recipient = dict.fromkeys((one.email for one in hanging), "451 4.2.1 Later")
    write_to(closed, *(one.name for one in hanging))
    delivery.drain(now=NOW)
    inbox.to_recipient, inbox.waiting = {}, {one.email for one in hanging}
    inbox.enough = 5
    at = NOW + MINUTE
    # Those who hang are first; the others come while these are on their way.
    claim = bundles.Bundles.next
    written = []

    def claim_then_write(claims, *, may_claim, may_retry):
        mail = claim(claims, may_claim=may_claim, may_retry=may_retry)
        if not may_retry and not written:
            written.append(True)
            write_to(closed, *(f"Quick{number}" for number in range(5)), now=at)
        return mail

    monkeypatch.setattr(bundles.Bundles, "next", claim_then_write)
    assert delivery.drain(now=at) == 25
    assert all(name.startswith("quick") for name in receivers(inbox)[:5])


@pytest.mark.full
def test_an_email_that_is_withdrawn_while_others_are_sent_is_not_sent(inbox, closed, monkeypatch):
    """Many are found at once, but only a few of them are claimed."""
    names = [f"Player{number}" for number in range(bundles.CLAIMED_AT_ONCE + 2)]
    write_to(closed, *names)
    claim = bundles._claim

    def claim_then_withdraw(emails, now):
        claims = claim(emails, now)
        ready = OutboxEmail.objects.filter(status=OutboxEmail.Status.READY, person__name=names[-2])
        ready.update(status=OutboxEmail.Status.DROPPED)
        return claims

    monkeypatch.setattr(bundles, "_claim", claim_then_withdraw)
    assert delivery.drain(now=NOW) == len(names) - 1
    assert receivers(inbox) == [name.lower() for name in names if name != names[-2]]


@pytest.mark.full
def test_what_was_claimed_when_the_server_goes_away_is_sent_later(inbox, closed):
    """None of it counts as tried."""
    names = [f"Player{number}" for number in range(bundles.CLAIMED_AT_ONCE + 2)]
    write_to(closed, *names)
    inbox.to_sender = "421 4.3.2 Service not available"
    assert delivery.drain(now=NOW) == 0
    waiting = OutboxEmail.objects.filter(status=OutboxEmail.Status.READY)
    assert list(waiting.values_list("attempts", flat=True)) == [0] * len(names)
    inbox.to_sender = "250 OK"
    assert delivery.drain(now=NOW + MINUTE) == len(names)
    assert sorted(receivers(inbox)) == sorted(name.lower() for name in names)
