"""A mail server that accepts, refuses, hangs and drops; it remembers what it was given."""

import asyncio
import re
import time
from collections import Counter
from dataclasses import dataclass
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import free_port

DEADLINE = re.compile(r"(\w+ )?(\d+ \w+, )?\d\d:\d\d")
"""A time, perhaps with its day: "10:32", "Fri 10:32", "Fri 27 Nov, 10:32"."""


@dataclass(frozen=True)
class Taken:
    """One mail that came over the wire; `acknowledged` unless the connection was dropped then."""

    message_id: str
    to: str
    subject: str
    acknowledged: bool
    at: float

    @property
    def about(self) -> tuple[str, str]:
        """What it is about, and for whom; a deadline may have moved before it is sent again."""
        return self.to, DEADLINE.sub("…", self.subject)


class Sink:
    """`how` says what happens to whom: an address, or "" for all others.

    `accept`; `hang` until that is over; `drop` the connection after the mail; `rcpt CODE` and
    `data CODE` refuse; `slow` takes half a second.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.how: dict[str, str] = {}
        self.taken: list[Taken] = []
        self.tries: Counter[tuple[str, str]] = Counter()
        self._controller: Controller | None = None

    def listen(self) -> None:
        """Accept connections, after a while of refusing them too."""
        self._controller = Controller(
            self, hostname="127.0.0.1", port=self.port, ready_timeout=PATIENCE_SECONDS
        )
        self._controller.start()

    def refuse_connections(self) -> None:
        if self._controller is not None:
            self.how = {}
            time.sleep(0.3)  # who hangs is let go
            self._controller.stop()
            self._controller = None

    def _how(self, address: str) -> str:
        return self.how.get(address, self.how.get("", "accept"))

    async def handle_RCPT(  # noqa: N802 (the names and arguments are aiosmtpd's)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        how = self._how(address)
        self.tries[address, how] += 1
        if how == "hang":
            while self._how(address) == "hang":
                await asyncio.sleep(0.1)
            return "451 That took long"
        if how.startswith("rcpt "):
            return f"{how.removeprefix('rcpt ')} Not this one"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        [address] = envelope.rcpt_tos
        how = self._how(address)
        if how.startswith("data "):
            return f"{how.removeprefix('data ')} Not this one"
        if how == "slow":
            await asyncio.sleep(0.5)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.taken.append(
            Taken(mail["Message-ID"], address, mail["Subject"], how != "drop", time.monotonic())
        )
        if how == "drop":
            server.transport.abort()
        return "250 OK"
