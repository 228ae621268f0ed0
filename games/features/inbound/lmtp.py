"""Where the mail server delivers replies: LMTP (RFC 2033), in a process of its own.

It says that a message has arrived once it is stored, and "later" if it can't be.
"""

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import InterfaceError, OperationalError, ProgrammingError, connections
from django.utils import timezone

from games.features.inbound import arriving, inbox
from games.services.operations.versions import must_not_work

logger = logging.getLogger(__name__)

TAKEN: Final = "250 2.0.0 OK"
LATER: Final = "451 4.3.0 The database can't be used; please try again later"
UNKNOWN: Final = "550 5.1.1 Nobody has this address"
UNREADABLE: Final = "554 5.6.0 This message can't be read"
ONE_EACH: Final = "452 4.5.3 One recipient at a time, please"
TIMEOUT_SECONDS: Final = 300


class Receiver:
    """What aiosmtpd calls for each command of a mail server."""

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _more: list[str]
    ) -> str:
        """Take no second recipient: each would need a response of its own (RFC 2033)."""
        if envelope.rcpt_tos:
            return ONE_EACH
        status = await asyncio.to_thread(_with_database, partial(_is_known, address))
        if status == TAKEN:
            envelope.rcpt_tos.append(address)
        return status

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        content = envelope.original_content or b""
        store = partial(_stored, envelope.rcpt_tos[0], envelope.mail_from or "", content)
        return await asyncio.to_thread(_with_database, store)


def _with_database(call: Callable[[], str]) -> str:
    """The result of a call with a connection of its own; LATER if the database can't be used.

    Whatever else fails would fail again, so it is refused.
    """
    try:
        return LATER if must_not_work() else call()
    except (InterfaceError, OperationalError, ProgrammingError) as trouble:
        logger.warning("Email can't be stored: %s", trouble)
        return LATER
    except Exception:
        logger.exception("Email can't be read")
        return UNREADABLE
    finally:
        connections.close_all()


def _is_known(address: str) -> str:
    return TAKEN if arriving.is_ours(address) else UNKNOWN


def _stored(address: str, return_path: str, raw: bytes) -> str:
    is_taken = arriving.take(address=address, return_path=return_path, raw=raw, now=timezone.now())
    return TAKEN if is_taken else UNKNOWN


def protocol() -> LMTP:
    """The conversation with one mail server; inside of the running loop."""
    return LMTP(
        Receiver(),
        data_size_limit=inbox.LARGEST,
        enable_SMTPUTF8=True,
        hostname="intrigue",
        ident="LMTP",
        timeout=TIMEOUT_SECONDS,
        loop=asyncio.get_running_loop(),
    )


async def listen(address: str) -> asyncio.Server:
    """Listen at host:port, or at a socket with this path, for those of the system's group."""
    loop = asyncio.get_running_loop()
    if "/" not in address:
        host, _colon, port = address.rpartition(":")
        return await loop.create_server(protocol, host.strip("[]") or "localhost", int(port))
    path = Path(address)
    with suppress(FileNotFoundError):
        path.unlink()
    server = await loop.create_unix_server(protocol, path)
    path.chmod(0o660)
    return server


async def serve(address: str, when_ready: Callable[[], object]) -> None:
    """Listen until the process is to end; where there is no address, only wait for that."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    server = await listen(address) if address else None
    when_ready()
    await ended.wait()
    if server is not None:
        server.close()
