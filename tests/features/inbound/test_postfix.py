"""Debian's Postfix in front, set up as in deploy/postfix."""

import os
import re
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from email.policy import SMTP
from pathlib import Path

import pytest

from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.models import InboundEmail, InboundTally, OutboxEmail, User, database_now
from tests.features.inbound.replying import OUR_SERVER, confirmed, lmtp_server, vouched, written
from tests.support.patience import wait_until
from tests.support.servers import free_port
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

DEPLOY = Path(__file__).resolve().parents[3] / "deploy/postfix"

SETTINGS = """
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.example.org
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
alias_maps =
mynetworks = 10.0.0.0/8
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
"""


def as_deployed(folder: Path, lmtp_port: int) -> str:
    """The lines of deploy/, except those of the milter that would check DMARC."""
    main = (DEPLOY / "main.cf").read_text().splitlines()
    text = "\n".join(line for line in main if "milters" not in line)
    text = text.replace("8024", str(lmtp_port))
    return text.replace("/etc/postfix/intrigue_header_checks", f"{folder}/conf/header_checks")


def header_checks() -> str:
    """Those of deploy/; and what a milter adds after them, which Postfix writes here itself."""
    ours = (DEPLOY / "intrigue_header_checks").read_text()
    found = vouched().replace("\r\n\t", " ")
    return f"{ours}/^X-Vouched: yes/  REPLACE Authentication-Results: {found}\n"


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that Postfix's own user may enter."""
    made = Path(tempfile.mkdtemp(prefix="intrigue-postfix-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def server():
    with lmtp_server() as server:
        yield server


@pytest.fixture
def port(folder, server) -> Iterator[int]:
    """Where a Postfix takes email, as long as the test lasts."""
    program = shutil.which("postfix", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if program is None or os.geteuid() != 0:
        if "CI" in os.environ:
            pytest.fail("postfix is missing")
        pytest.skip("needs postfix, and to be root: apt-get install postfix")
    smtp_port = free_port()
    conf = folder / "conf"
    for made in (conf, folder / "spool", folder / "data"):
        made.mkdir()
    shutil.chown(folder / "data", "postfix")
    services = Path("/usr/share/postfix/master.cf.dist").read_text()
    services = re.sub(r"^smtp\s+inet", f"127.0.0.1:{smtp_port} inet", services, flags=re.MULTILINE)
    services = re.sub(r"^(\S+\s+\S+\s+\S\s+\S\s+)y", r"\1n", services, flags=re.MULTILINE)
    (conf / "master.cf").write_text(services)
    (conf / "main.cf").write_text(SETTINGS.format(folder=folder) + as_deployed(folder, server.port))
    (conf / "header_checks").write_text(header_checks())
    subprocess.run([program, "-c", conf, "start"], check=True, capture_output=True)
    try:
        wait_until(lambda: responds(smtp_port))
        yield smtp_port
    finally:
        subprocess.run([program, "-c", conf, "stop"], check=True, capture_output=True)


def responds(port: int) -> bool:
    with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", port) as client:
        return client.noop()[0] == 250
    return False


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara")
    for user in User.objects.all():
        confirmed(user)
    OutboxEmail.objects.all().delete()
    return game


def post(port, email, *recipients):
    with smtplib.SMTP("127.0.0.1", port) as client:
        return client.sendmail(
            "anna@example.org", recipients or [email["To"]], email.as_bytes(policy=SMTP)
        )


def outcomes():
    return dict(InboundTally.objects.values_list("outcome", "count"))


def test_a_reply_comes_through(port, game):
    anna = User.objects.get(name="Anna")
    email = written(anna.email, address_of(anna, game.pk), "status", results="", X_Vouched="yes")
    post(port, email)
    wait_until(InboundEmail.objects.exists)
    handling.drain(database_now())
    assert InboundEmail.objects.get().response["title"] == "status"
    assert outcomes() == {"stored": 1}


def test_a_header_that_somebody_forged_is_removed(port, game):
    anna = User.objects.get(name="Anna")
    email = written(
        anna.email, address_of(anna, game.pk), "status", results=vouched().replace("\r\n", "")
    )
    assert OUR_SERVER in email["Authentication-Results"]
    post(port, email)
    wait_until(InboundTally.objects.exists)
    assert outcomes() == {"forged": 1}
    assert not InboundEmail.objects.exists()


def test_an_email_to_two_conversations_reaches_both(port, game):
    """One connection, one recipient each."""
    anna = User.objects.get(name="Anna")
    other = address_of(anna, open_table("Dora", "Emil", "Flora").pk)
    own = address_of(anna, game.pk)
    email = written(anna.email, own, "status", results="", X_Vouched="yes")
    post(port, email, own, other)
    wait_until(lambda: InboundEmail.objects.count() == 2)
