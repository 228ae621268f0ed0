"""People who reply by email, with what the mail server of the site adds to it."""

import re
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.features.inbound import addresses, inbox, lmtp
from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.features.inbound.inbox import Outcome
from games.models import Game, InboundEmail, User
from games.services.email import delivery
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Inbox, free_port

DOMAIN = "reply.example.org"
OUR_SERVER = "mx.example.org"


def turn_on(settings: object) -> None:
    """Let the site take replies."""
    settings.MAIL_REPLIES_DOMAIN, settings.MAIL_AUTHSERV_ID = DOMAIN, OUR_SERVER


def old_address_of(user: User, game_id: int, thread: str = "") -> str:
    """Where they replied to email that was sent before the numbers in addresses were encrypted."""
    signature = addresses._signature(user, game_id, thread)
    return f"g-{user.pk:x}-{game_id:x}-{signature}@{DOMAIN}"


def confirmed(user: User, **more: object) -> User:
    """Somebody who has confirmed their address, as everybody has who signed up."""
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    for name, value in more.items():
        setattr(user, name, value)
    user.save()
    return user


def vouched(domain: str = "example.org", server: str = OUR_SERVER) -> str:
    """What a mail server writes above a message whose DMARC has passed."""
    return (
        f"{server}; dkim=pass header.d={domain} header.s=key header.b=AbC/1;\r\n"
        f"\tspf=pass (a comment; with care) smtp.mailfrom={domain};\r\n"
        f"\tdmarc=pass (policy=none) header.from={domain}"
    )


def written(
    sender: str, to: str, text: str, *, results: str | None = None, **headers: str
) -> EmailMessage:
    """An email as the mail server passes it on: its own header is the topmost."""
    email = EmailMessage()
    if results is None:
        results = vouched(sender.rpartition("@")[2].rstrip(">"))
    if results:
        email["Authentication-Results"] = results.replace("\r\n", "")
    email["From"], email["To"] = sender, to
    email["Subject"] = headers.pop("Subject", "Re: Your move")
    email["Date"] = headers.pop("Date", format_datetime(timezone.now()))
    email["Message-ID"] = headers.pop("Message_ID", None) or make_msgid(domain="example.org")
    for name, value in headers.items():
        email[name.replace("_", "-")] = value
    email.set_content(text)
    return email


def send(email: EmailMessage, *, return_path: str = "somebody@example.org") -> Outcome:
    """Hand a message to the site, without a connection."""
    outcome = inbox.take(
        address=email["To"], return_path=return_path, raw=email.as_bytes(), now=timezone.now()
    )
    handling.drain(timezone.now())
    return outcome


def reply(
    game: Game,
    name: str,
    text: str,
    *,
    thread: str = "",
    to: EmailMessage | None = None,
    **headers: str,
) -> InboundEmail:
    """Somebody replies to an email about a game, or to this very one; what became of it."""
    user = User.objects.get(name=name)
    address = address_of(user, game.pk, thread)
    if to is not None:
        address, headers["In_Reply_To"] = to["Reply-To"], to["Message-ID"]
    email = written(user.email, address, text, **headers)
    assert send(email) is Outcome.STORED
    game.refresh_from_db()
    return InboundEmail.objects.latest("pk")


def lines(row: InboundEmail) -> str:
    """All lines of the response."""
    return "\n".join(row.response["lines"])


class LmtpServer(Controller):
    """What `manage.py receive_email` runs, in a thread of the test."""

    def __init__(self) -> None:
        super().__init__(
            object(), hostname="127.0.0.1", port=free_port(), ready_timeout=PATIENCE_SECONDS
        )

    def factory(self) -> LMTP:
        return lmtp.protocol()

    def _trigger_server(self) -> None:
        """LMTP greets like SMTP, so there is nothing else to wait for."""
        super()._trigger_server()


@contextmanager
def lmtp_server() -> Iterator[LmtpServer]:
    server = LmtpServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def deliver(server: LmtpServer, email: EmailMessage, to: str = "") -> tuple[int, str]:
    """Deliver a message as a mail server does; the response."""
    with smtplib.LMTP(server.hostname, server.port) as connection:
        try:
            connection.sendmail(
                "anna@example.org", [to or email["To"]], email.as_bytes(policy=SMTP)
            )
        except smtplib.SMTPRecipientsRefused as refused:
            [(code, text)] = refused.recipients.values()
            return code, text.decode()
        except smtplib.SMTPResponseException as refused:
            return refused.smtp_code, str(refused.smtp_error)
    return 250, ""


class Correspondent:
    """Somebody who plays in their mail program alone: reads what they got, and replies to it."""

    def __init__(self, user: User, mailbox: Inbox, server: LmtpServer) -> None:
        self.user = user
        self.mailbox = mailbox
        self.server = server
        self.seen = 0

    def fetch(self) -> list[EmailMessage]:
        """What has come since the last time."""
        delivery.drain(now=timezone.now() + timedelta(seconds=1))
        mine = [one for one in self.mailbox.messages if one["To"] == self.user.email]
        new, self.seen = mine[self.seen :], len(mine)
        return new

    def reply(self, email: EmailMessage, text: str) -> list[EmailMessage]:
        """Reply to an email, above what it quotes; the responses."""
        quoted = email.get_body(("plain",)).get_content().replace("\r\n", "\n")
        quote = "\n".join(f"> {line}" for line in quoted.split("\n"))
        whole = f"{text}\n\nOn Mon, 2 Mar 2026 at 10:00, {email['From']} wrote:\n{quote}\n"
        reply = written(self.user.email, email["Reply-To"], whole, In_Reply_To=email["Message-ID"])
        delivered = deliver(self.server, reply)
        assert delivered == (250, ""), delivered
        handling.drain(timezone.now())
        return self.fetch()

    def is_away(self, email: EmailMessage) -> None:
        """Their mail program replies by itself; nothing responds to that."""
        text = "I'm away until Monday. Accept my apologies!"
        reply = written(self.user.email, email["Reply-To"], text, Auto_Submitted="auto-replied")
        assert deliver(self.server, reply) == (250, "")
        handling.drain(timezone.now())
        assert self.fetch() == []


def plain(email: EmailMessage) -> str:
    return re.sub(r"\s+", " ", email.get_body(("plain",)).get_content())
