"""Debian's Postfix as a relay of its own: it takes email from here and gives it to one server."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
daemon_directory = {daemons}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = {folder}
maillog_file = {folder}/log
myhostname = relay.example.net
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
relayhost = [127.0.0.1]:{behind}
disable_dns_lookups = yes
alias_maps =
alias_database =
local_recipient_maps =
local_transport = error:nobody is here
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_rate_limit = 0
"""

MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Arrived:
    """Whatever comes out at the other end, as it came; refuses the recipients it has to."""

    def __init__(self) -> None:
        self.emails: list[tuple[str, str, bytes]] = []
        """Return address, recipient and content of each."""
        self.refused: dict[str, str] = {}

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _more: list[str]
    ) -> str:
        if answer := self.refused.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        [to] = envelope.rcpt_tos
        self.emails.append((envelope.mail_from or "", to, envelope.original_content or b""))
        return "250 OK"

    def next(self) -> tuple[str, str, bytes]:
        """The one that comes next."""
        wait_until(lambda: self.emails)
        return self.emails.pop(0)


@contextmanager
def relay() -> Iterator[tuple[int, Arrived]]:
    """A running Postfix: its port, and what it passes on."""
    program = _program()
    arrived = Arrived()
    behind = Controller(
        arrived,
        hostname="127.0.0.1",
        port=free_port(),
        ready_timeout=PATIENCE_SECONDS,
        enable_SMTPUTF8=False,
    )
    behind.start()
    folder = Path(tempfile.mkdtemp(prefix="postfix-", dir="/var/tmp"))
    port = free_port()
    _configure(folder, port, behind.port)
    command = [program, "-c", str(folder / "conf")]
    try:
        subprocess.run([*command, "start"], check=True, capture_output=True, text=True)
        wait_until(lambda: _listens(port))
        yield port, arrived
    finally:
        subprocess.run([*command, "stop"], check=False, capture_output=True)
        behind.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _program() -> str:
    """Where Postfix is. Without it, or the right to start it, the test is skipped; never in CI."""
    program = shutil.which("postfix", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if program is not None and os.geteuid() == 0:
        return program
    if "CI" in os.environ:
        pytest.fail("postfix is missing, or this isn't root")
    pytest.skip("needs root and postfix: apt-get install postfix")


def _configure(folder: Path, port: int, behind: int) -> None:
    folder.chmod(0o755)
    for name in ("conf", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    asked = ["/usr/sbin/postconf", "-hd", "daemon_directory"]
    daemons = subprocess.check_output(asked, text=True).strip()
    values = {"folder": folder, "daemons": daemons, "port": port, "behind": behind}
    (folder / "conf" / "main.cf").write_text(MAIN.format(**values))
    (folder / "conf" / "master.cf").write_text(MASTER.format(**values))


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
