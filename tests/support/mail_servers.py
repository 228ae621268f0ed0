"""Mail servers that refuse, hang and close connections, as a test wants."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Inbox, free_port

OK = "250 OK"
SMTP_BACKEND = "intrigue_site.smtp.EmailBackend"


class Choosy(Inbox):
    """Responds to a sender, a recipient or a whole email as it has to; counts the connections.

    `senders` are the return addresses it was given, and `asked_for` the recipients, also those
    it refused.
    A recipient of `waiting` gets no answer before `enough` emails have come. A mail is taken after
    `seconds_for_a_mail`. Once it has taken `enough` emails, it does what is to happen `then`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.connections = 0
        self.to_sender = OK
        self.to_recipient: dict[str, str] = {}
        self.to_mail: dict[str, str] = {}
        self.waiting: set[str] = set()
        self.senders: list[str] = []
        self.asked_for: list[str] = []
        self.seconds_for_a_mail = 0.0
        self.enough = 0
        self.has_enough = asyncio.Event()
        self.then: Callable[[], None] = lambda: None

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, name: str, said: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = name
        return said

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _more: list[str]
    ) -> str:
        self.senders.append(address)
        if self.to_sender == OK:
            envelope.mail_from = address
        return self.to_sender

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _more: list[str]
    ) -> str:
        self.asked_for.append(address)
        if address in self.waiting:
            await self.has_enough.wait()
        answer = self.to_recipient.get(address, OK)
        if answer == OK:
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.to_mail.get(envelope.rcpt_tos[0], OK)
        if answer == "":  # the connection ends without one
            session.transport = None
            server.transport.abort()
            return OK
        await asyncio.sleep(self.seconds_for_a_mail)
        if answer == OK:
            answer = await super().handle_DATA(server, session, envelope)
            if len(self.messages) >= self.enough:
                self.has_enough.set()
            if len(self.messages) == self.enough:
                await asyncio.to_thread(self.then)
        return answer


@contextmanager
def choosy_server(settings: object) -> Iterator[Choosy]:
    """A mail server to which Django's email goes as long as the context lasts."""
    inbox = Choosy()
    server = Controller(
        inbox, hostname="127.0.0.1", port=free_port(), ready_timeout=PATIENCE_SECONDS
    )
    server.start()
    options = {"host": server.hostname, "port": server.port, "timeout": 20}
    settings.MAILERS = {"default": {"BACKEND": SMTP_BACKEND, "OPTIONS": options}}
    try:
        yield inbox
    finally:
        server.stop()


def with_options(mailers: dict, **options: object) -> dict:
    """The same mailers with other options."""
    default = mailers["default"]
    return {"default": {**default, "OPTIONS": {**default["OPTIONS"], **options}}}
