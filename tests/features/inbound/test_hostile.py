"""Emails of strangers that cost as much as they can: refused, or read within limits."""

import json
import smtplib
import time

import pytest

from games.features.inbound import inbox
from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.features.inbound.letters import authentication, parsing, reading
from games.models import InboundEmail, OutboxEmail, User, database_now
from games.services.email import bounces
from tests.features.inbound.replying import DOMAIN, confirmed, lmtp_server, vouched
from tests.features.inbound.test_webhook import REPLIES, posted, service  # noqa: F401 (a fixture)
from tests.support.hostile_emails import SHAPES, hostile
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

SIZE = inbox.LARGEST - 2_000
FROM_ANNA = f"Authentication-Results: {vouched()}\r\n"
NO_MORE_THAN = 3
"""How much more CPU a message of twice the size takes."""

LEAST = 0.1
"""Seconds of CPU that cost nobody anything: below them, chance decides what takes longer."""


@pytest.fixture
def address(settings):
    """Where Anna replies to email about a game."""
    settings.MAIL_BOUNCES = f"bounces@{DOMAIN}"
    game = open_table("Anna", "Boris", "Clara")
    anna = confirmed(User.objects.get(name="Anna"))
    OutboxEmail.objects.all().delete()
    return address_of(anna, game.pk)


def handled(caplog):
    """What has come in is read; nothing has failed."""
    handling.drain(database_now())
    assert not InboundEmail.objects.exclude(state=InboundEmail.State.DONE).exists()
    InboundEmail.objects.all().delete()
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


@pytest.mark.full
@pytest.mark.long(after=1)
@pytest.mark.parametrize("above", [FROM_ANNA, ""], ids=["Anna", "stranger"])
def test_by_lmtp(address, above, caplog):
    responses = {}
    with lmtp_server() as server:
        for shape in SHAPES:
            raw = hostile(shape, SIZE, above)
            for to in (address, f"bounces@{DOMAIN}"):
                with smtplib.LMTP(server.hostname, server.port) as client:
                    client.ehlo()
                    client.mail("x@example.org")
                    client.rcpt(to)
                    responses[shape, to] = client.data(raw)[0]
            handled(caplog)
    # The server itself refuses lines that are longer than SMTP allows.
    assert {key: code for key, code in responses.items() if code not in {250, 500}} == {}
    assert list(responses.values()).count(250) > len(SHAPES)


@pytest.mark.full
@pytest.mark.long(every=2)
@pytest.mark.parametrize("above", ["", FROM_ANNA], ids=["stranger", "Anna"])
def test_by_webhook(service, address, above, caplog):  # noqa: F811
    responses = {}
    for shape in SHAPES:
        raw = hostile(shape, SIZE, above).decode(errors="replace")
        for to in (address, f"bounces@{DOMAIN}"):
            responses[shape, to] = posted(service, raw, to=to, sender="x@example.org").status_code
        handled(caplog)
    assert {key: status for key, status in responses.items() if status not in {200, 413}} == {}
    assert list(responses.values()).count(200) > len(SHAPES)


def read(raw):
    """All that is done with an email, whoever sent it."""
    message = parsing.parsed(raw)
    reading.is_automatic(message, "x@example.org")
    authentication.sender(message)
    authentication.is_vouched_for(message, "example.org")
    reading.written_at(message)
    reading.message_id(message)
    reading.letter(message)
    bounces.refused_address(message)


def cpu(shape, size, times=1):
    """The CPU time that it takes at best: other processes can only lengthen it."""
    raw, taken = hostile(shape, size, FROM_ANNA), []
    for _ in range(times):
        begun = time.process_time()
        read(raw)
        taken.append(time.process_time() - begun)
    return min(taken)


def is_in_proportion(shape, size, times):
    once, twice = cpu(shape, size // 2, times), cpu(shape, size, times)
    return twice <= NO_MORE_THAN * max(once, LEAST)


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("shape", SHAPES)
def test_at_twice_the_size_it_costs_no_square(settings, shape):
    """From small to large: above its limit, what costs a square costs no more than at its limit."""
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    for size in (SIZE // 8, SIZE // 4, SIZE // 2, SIZE):
        assert is_in_proportion(shape, size, 1) or is_in_proportion(shape, size, 3), size


def message_of(headers="", parts=1, depth=1):
    inner = "".join(
        f"Content-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n"
        for number in range(depth - 2)
    )
    text = "Content-Type: text/plain\r\n\r\nhello\r\n"
    wide = "Content-Type: multipart/mixed; boundary=w\r\n\r\n" + f"--w\r\n{text}" * (parts - 1)
    body = wide if parts > 1 else inner + text
    return parsing.parsed(f"From: anna@example.org\r\n{headers}{body}".encode())


def padded(name, size):
    """A header of so many characters, its end included."""
    return f"{name}: {'a' * (size - len(name) - 4)}\r\n"


class TestLimits:
    """Each message at a limit is read; one above it is not."""

    @pytest.mark.parametrize(("name", "most"), parsing.LONGEST.items())
    def test_of_a_header(self, name, most):
        if name in {"from", "content-type", "content-transfer-encoding"}:
            pytest.skip("each message of this test has one of its own")
        assert authentication.sender(message_of(padded(name, most))) == "anna@example.org"
        assert authentication.sender(message_of(padded(name, most + 1))) == ""

    def test_of_all_headers(self):
        own = len("From: anna@example.org\r\nContent-Type: text/plain\r\n")
        each = parsing.LONGEST_HEADERS // 10
        many = padded("X-A", each) * 9
        last = parsing.LONGEST_HEADERS - own - 9 * each
        assert message_of(many + padded("X-A", last))["From"] is not None
        assert message_of(many + padded("X-A", last + 1))["From"] is None

    def test_of_their_number(self):
        assert message_of("X-A: b\r\n" * (parsing.MOST_HEADERS - 2))["From"] is not None
        assert message_of("X-A: b\r\n" * (parsing.MOST_HEADERS - 1))["From"] is None

    def test_of_parts_above_which_the_headers_are_read(self):
        message = message_of(parts=parsing.MOST_PARTS)
        assert reading.letter(message).text.split() == ["hello"] * (parsing.MOST_PARTS - 1)
        message = message_of(parts=parsing.MOST_PARTS + 1)
        assert authentication.sender(message) == "anna@example.org"
        assert reading.letter(message).text == ""

    def test_of_depth(self):
        assert reading.letter(message_of(depth=parsing.DEEPEST)).text == "hello"
        deeper = message_of(depth=parsing.DEEPEST + 2)
        assert authentication.sender(deeper) == "anna@example.org"
        assert reading.letter(deeper).text == ""


def test_for_an_address_that_nobody_has_nothing_is_parsed(address, monkeypatch):
    def must_not(_raw):
        raise AssertionError("The email was parsed.")

    monkeypatch.setattr(parsing, "parsed", must_not)
    for to in (f"x@{DOMAIN}", f"g-1-1-{'a' * 24}@{DOMAIN}"):
        outcome = inbox.take(address=to, return_path="x@example.org", raw=b"", now=database_now())
        assert outcome is inbox.Outcome.NOT_OURS


def test_json_as_deep_as_it_gets(service, client):  # noqa: F811
    deep = "[" * 100_000
    assert client.post(REPLIES, deep, content_type="application/json").status_code == 400
    odd = json.dumps({"signature": {"timestamp": "nan", "token": [], "signature": {}}})
    assert client.post(REPLIES, odd, content_type="application/json").status_code == 400
