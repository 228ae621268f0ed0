"""Email through a relay as hosts have it, Debian's Postfix: what comes out is what went in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from functools import cache

import pytest
from django.conf import settings
from django.core.mail import mailers

from games.features.inbound.addresses import conversation_at
from games.features.previews import accounts as account_samples
from games.features.previews.accounts import TEMPLATES
from games.features.previews.samples import MESSAGES
from games.models import OutboxEmail, User
from games.services import outbox
from games.services.chat.messages import EDITED_WITHIN
from games.services.email import bounces, compose, delivery
from games.services.email.bundles import _sorted
from games.services.email.claimed import read_claimed
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.message import TwoBodies
from intrigue_site.email_service import service_at
from tests.support import postfix
from tests.support.every_email import CAST, MAKE
from tests.support.tables import MONDAY, open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db]

LANGUAGES = dict(settings.LANGUAGES)
FROM = "Intrigue <intrigue@example.org>"
ONCE = (
    "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
)  # fmt: skip
"""Headers that every email has, and only once."""

IN_THREAD = ("References", "In-Reply-To", "List-Id")
TO_UNSUBSCRIBE = ("List-Unsubscribe", "List-Unsubscribe-Post")
LONGEST_LINE = 998


@pytest.fixture(scope="module")
def relay():
    with postfix.relay() as running:
        yield running


@pytest.fixture
def arrived(relay, settings):
    """What the relay passes on of email that is sent in this test."""
    port, found = relay
    found.emails.clear()
    found.refused.clear()
    settings.DEFAULT_FROM_EMAIL = FROM
    settings.MAILERS = {"default": service_at(f"smtp://127.0.0.1:{port}", bounces="").mailer}
    return found


def parsed(content):
    return message_from_bytes(content, policy=policy.default)


def said(mail):
    """What a mail program shows: the headers of ours, unfolded, and both bodies."""
    names = {*ONCE, *IN_THREAD, *TO_UNSUBSCRIBE} - {"Date", "Content-Type"}
    headers = {name: " ".join(str(mail[name]).split()) for name in names if name in mail}
    bodies = {kind: mail.get_body((kind,)).get_content().splitlines() for kind in ("plain", "html")}
    return headers, bodies


def written(kind, language):
    """An email of this kind in this language, in the outbox."""
    game, name, about = MAKE[kind]()
    User.objects.update(language=language, time_zone="Europe/Vienna")
    person = User.objects.get(name=name) if name else None
    outbox.enqueue(kind, game=game, person=person, now=MONDAY, **about)


def composed():
    """The email as this site wrote it, of all that it told."""
    claims = _sorted(read_claimed(OutboxEmail.objects.values_list("pk", flat=True)))
    return compose.compose([(claim.email, claim.seat) for claim in claims])


@pytest.mark.long(every=4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", MAKE)
def test_every_kind_in_every_language_comes_out_as_it_went_in(kind, language, arrived):
    written(kind, language)
    assert delivery.drain(now=MONDAY + EDITED_WITHIN) == 1
    sender, to, content = arrived.next()
    mail, ours = parsed(content), composed()
    assert said(mail) == said(parsed(ours.message(policy=policy.SMTP).as_bytes()))
    assert (sender, to) == ("intrigue@example.org", mail["To"]) == (sender, ours.to[0])
    check_headers(mail, kind)
    check_bytes(content)


def several(language, *samples):
    """What is written of these things, all to Anna, who wants it at six if they are several."""
    for kind, sample in samples:
        about = {"game": sample.game, "now": MONDAY, **sample.about}
        if not sample.about.get("address"):
            about["person"] = sample.reader
        outbox.enqueue(kind, **about)
    User.objects.update(language=language, time_zone="Europe/Vienna")


@pytest.mark.long(every=4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("message", MESSAGES)
def test_what_tells_several_things_comes_out_as_it_went_in(message, language, arrived):
    """And the invitation that somebody gets who has no account."""
    samples = MESSAGES[message](replace(CAST, person=cache(CAST.person)))
    OutboxEmail.objects.all().delete()
    if message == "digest":
        User.objects.update(digest_emails=["game_started", "mention"], digest_hour=18)
    several(language, *samples)
    at = MONDAY + EDITED_WITHIN
    if message == "digest":
        delivery.drain(now=at)
        at = MONDAY + timedelta(days=1)
    assert delivery.drain(now=at) == 1
    _sender, _to, content = arrived.next()
    mail = parsed(content)
    assert mail.defects == []
    assert said(mail) == said(parsed(composed().message(policy=policy.SMTP).as_bytes()))
    assert [len(mail.get_all(name, [])) for name in ONCE] == [1] * len(ONCE)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    check_bytes(content)


@pytest.mark.long(every=4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", TEMPLATES)
def test_every_email_about_an_account_comes_out_as_it_went_in(key, language, arrived):
    ours = account_samples.preview(key, language, "Europe/Vienna", MONDAY)
    mailers.default.send_messages([ours])
    _sender, to, content = arrived.next()
    mail = parsed(content)
    assert to == account_samples.ADDRESS
    assert said(mail) == said(parsed(ours.message(policy=policy.SMTP).as_bytes()))
    assert [len(mail.get_all(name, [])) for name in ONCE] == [1] * len(ONCE)
    check_bytes(content)


def test_the_address_for_replies_comes_out_as_it_went_in(arrived, settings):
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
    written("private_message", "ru")
    assert delivery.drain(now=MONDAY + EDITED_WITHIN) == 1
    mail = parsed(arrived.next()[2])
    assert mail["Reply-To"] == composed().extra_headers["Reply-To"]
    assert conversation_at(mail["Reply-To"]).thread is not None


def check_headers(mail, kind):
    assert mail.defects == []
    assert [len(mail.get_all(name, [])) for name in ONCE] == [1] * len(ONCE)
    for name in (*IN_THREAD, *TO_UNSUBSCRIBE):
        assert len(mail.get_all(name, [])) in (0, 1)
    assert (mail["From"], mail["Auto-Submitted"]) == (FROM, "auto-generated")
    assert mail["Message-ID"] == OutboxEmail.objects.get().message_id
    sent_at = parsedate_to_datetime(mail["Date"])
    assert abs(datetime.now(UTC) - sent_at) < timedelta(minutes=5)
    about_game = OutboxEmail.objects.get().game_id is not None
    optional = KIND_BY_KEY[kind].switch is not None
    assert [name in mail for name in IN_THREAD] == [about_game] * 3
    assert [name in mail for name in TO_UNSUBSCRIBE] == [optional] * 2
    if optional:
        assert mail["List-Unsubscribe"].startswith("<http://localhost:8000/unsubscribe/")
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail.get_content_type() == "multipart/alternative"
    parts = [(part.get_content_type(), part.get_content_charset()) for part in mail.iter_parts()]
    assert parts == [("text/plain", "utf-8"), ("text/html", "utf-8")]


def check_bytes(content):
    """Nothing that a mail server on the way would have to change."""
    assert content.isascii()
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= LONGEST_LINE


@pytest.mark.parametrize(
    "body",
    [
        ".\n..\n.hidden\nFrom Anna\n>From Boris\n\n.\n",
        "Привет\n.\n" + "ы" * 3000,
        "a" * 5000,
        "spaces at the end   \n\ttabs\t\n=3D =\n",
        "one\r\ntwo\rthree",
        "\N{CAT FACE} & <b>",
    ],
)
def test_no_line_is_lost_or_changed_on_the_way(body, arrived):
    mail = TwoBodies(
        subject="Кремль, 1612: «Интрига» " + "ы" * 60,
        text=body,
        html=f"<pre>{body}</pre>",
        recipient="anna@example.org",
        headers={"Message-ID": "<1.game-7@intrigue.example.org>", "List-Id": "Ы <7.example.org>"},
    )
    mailers.default.send_messages([mail])
    _sender, _to, content = arrived.next()
    came = parsed(content)
    assert came["Subject"] == mail.subject
    assert came["List-Id"] == "Ы <7.example.org>"
    assert said(came)[1] == {
        "plain": body.splitlines(),
        "html": f"<pre>{body}</pre>".splitlines(),
    }
    check_bytes(content)


def test_what_the_relay_cannot_deliver_comes_back_and_ends_email_to_that_address(
    arrived, settings, relay
):
    """The report that Postfix itself writes to the return address."""
    address = f"smtp://127.0.0.1:{relay[0]}"
    settings.MAILERS = {"default": service_at(address, bounces="bounces@example.org").mailer}
    arrived.refused["anna@example.org"] = "550 5.1.1 No such user"
    open_table("Anna", "Boris", "Clara")
    assert delivery.drain(now=MONDAY) == 3
    came = [arrived.next() for _ in range(3)]
    [(_sender, to, content)] = [mail for mail in came if mail[0] == "<>"]
    assert to == "bounces@example.org"
    address, reason = bounces.refused_address(parsed(content))
    assert address == "anna@example.org"
    assert "5.1.1 No such user" in reason
    assert bounces.record_returned(parsed(content), MONDAY)
    assert User.objects.get(name="Anna").is_unreachable
    assert not User.objects.get(name="Boris").is_unreachable
