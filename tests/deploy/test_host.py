"""A Debian 13 becomes a host as the README says: people, restarts, an upgrade, a reboot."""

import mailbox
import re
import shlex
import subprocess
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from packaging.version import Version

from intrigue_site import release
from tests.support.client import as_shown, forms_of
from tests.support.debian import Machine, debian, machine, skip_where_nothing_boots, wheels
from tests.support.guests import code_of
from tests.support.patience import wait_until
from tests.support.trees import another_version
from tests.support.visitors import Stream, Visitor, begins_a_game, moves

ROOT = Path(__file__).resolve().parents[2]
HOST = "intrigue.local"
"""For such names Caddy makes certificates itself."""
AUTHORITY = "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
MAIL_SERVER = f"mx.{HOST}"
REPLIES = f"reply.{HOST}"
REPOSITORY = "/repository"
THIS = Version(release.VERSION)
PEOPLE = ("anna", "hilda")
"""Who has a mailbox; Hilda is the host."""

IN_PLACE_OF = {
    "REPOSITORY": REPOSITORY,
    "intrigue.example.org": HOST,
    "you@example.org": f"hilda@{HOST}",
}

MAIL_PACKAGES = "apt install --yes --no-install-recommends postfix rspamd dnsmasq"
"""The mail server that a host has anyway, and names for it."""

NAMES = f"""\
no-resolv
address=/{HOST}/127.0.0.1
txt-record={HOST},"v=spf1 ip4:127.0.0.1 -all"
txt-record=_dmarc.{HOST},"v=DMARC1; p=reject"
"""

POSTFIX = f"""
myhostname = {MAIL_SERVER}
mydestination = {HOST}, localhost
inet_interfaces = loopback-only
inet_protocols = ipv4
"""

EDITED = {
    "EMAIL_URL": "smtp://localhost:25",
    "MAIL_FROM": f"'Intrigue <site@{HOST}>'",
    "SSL_CERT_FILE": "/etc/ssl/certs/ca-certificates.crt",
}
"""What is edited by hand; the last is there since no public authority knows this host."""

FOR_REPLIES = {
    "MAIL_REPLIES_DOMAIN": REPLIES,
    "MAIL_AUTHSERV_ID": MAIL_SERVER,
    "LMTP_ADDRESS": "127.0.0.1:8024",
}

PLAYED = """
SELECT '/tables/' || game.token || '/', count(move.id) FROM games_game game
LEFT JOIN games_move move ON move.game_id = game.id AND move.cause = 'player' GROUP BY 1
"""
LOG = "journalctl --boot --priority=warning --no-pager --lines=200"


def commands_of(page: str, heading: str) -> list[str]:
    """The first commands under a heading."""
    text = (ROOT / page).read_text().partition(f"\n## {heading}\n")[2]
    block = re.search(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    return block[1].splitlines()


def test_the_readme_needs_few_commands():
    commands = commands_of("README.md", "Host it")
    assert len(commands) <= 15
    edited = [command for command in commands if re.match("nano|vi|editor", command)]
    assert edited == ["nano /etc/intrigue.env"]


@pytest.fixture
def disk(tmp_path):
    """One with the README's packages and a mail server, on which nothing has run yet."""
    skip_where_nothing_boots()
    apt = [command for command in commands_of("README.md", "Host it") if command.startswith("apt ")]
    base = debian([shlex.split(command) for command in (*apt, MAIL_PACKAGES)])
    downloaded = wheels(base, ROOT / "requirements.txt")
    with machine(base, tmp_path) as disk:
        subprocess.run(["cp", "--recursive", downloaded, disk / "wheels"], check=True)
        (disk / "etc/pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n")
        (disk / "etc/resolv.conf").unlink()
        (disk / "etc/resolv.conf").write_text("nameserver 127.0.0.1\n")
        (disk / "etc/dnsmasq.d/names").write_text(NAMES)
        clone = ["git", "clone", "--quiet", "--bare", "--depth=1", f"file://{ROOT}"]
        subprocess.run([*clone, f"{disk}{REPOSITORY}"], check=True)
        mail_server(disk)
        yield disk


def mail_server(disk: Path) -> None:
    """Postfix and rspamd with the files of deploy/."""
    deploy = ROOT / "deploy"
    for file, place in (
        ("postfix/main.cf", "etc/postfix/main.cf"),
        ("postfix/intrigue_header_checks", "etc/postfix/intrigue_header_checks"),
        ("rspamd/local.d/milter_headers.conf", "etc/rspamd/local.d/milter_headers.conf"),
        ("rspamd/local.d/options.inc", "etc/rspamd/local.d/options.inc"),
    ):
        text = (deploy / file).read_text().replace("reply.example.org", REPLIES)
        text = text.replace(r"mx\.example\.org", re.escape(MAIL_SERVER))
        before = disk / place
        kept = before.read_text() if place.endswith("main.cf") else ""
        kept = re.sub(r"^(myhostname|mydestination|inet_).*\n", "", kept, flags=re.MULTILINE)
        before.write_text(kept + (POSTFIX if kept else "") + text)


@pytest.fixture
def booted(disk, tmp_path):
    running = Machine(disk, tmp_path / "console")
    try:
        for person in PEOPLE:
            running.run("useradd", "--create-home", person)
        yield running
        print(running.run(*shlex.split(LOG)))  # noqa: T201 (seen if the test fails)
    finally:
        running.stop()


def install(running: Machine) -> None:
    """Do what the README says; its packages are there already."""
    folder = "/root"
    for command in commands_of("README.md", "Host it"):
        words = shlex.split(command)
        for theirs, ours in IN_PLACE_OF.items():
            words = [word.replace(theirs, ours) for word in words]
        if words[0] == "cd":
            folder = words[1]
        elif words[0] == "nano":
            edit(running, EDITED)
        elif words[0] != "apt":
            if "doctor" in words:
                running.run("caddy", "trust")
                wait_until(lambda: is_well(running))
            print(running.run(*words, cwd=folder))  # noqa: T201 (seen if the test fails)


def edit(running: Machine, values: dict[str, str]) -> None:
    file = running.root / "etc/intrigue.env"
    text = file.read_text()
    for name, value in values.items():
        text, found = re.subn(rf"^#?{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
        text += "" if found else f"{name}={value}\n"
    file.write_text(text)


def is_well(running: Machine) -> bool:
    """Whether the doctor finds nothing; it is called from where any user may be."""
    told = running.run("sh", "-c", "/srv/intrigue/bin/manage doctor; echo $?", cwd="/")
    print(told)  # noqa: T201 (seen if the test fails)
    return told.splitlines()[-1] == "0"


def emails(running: Machine, person: str) -> list[str]:
    box = running.root / "var/mail" / person
    if not box.exists():
        return []
    with closing(mailbox.mbox(box, create=False)) as kept:
        return [str(email) for email in kept]


def signs_up(running: Machine, anna: Visitor) -> None:
    """Anna keeps her first game with an account, by the code in an email."""
    shown = as_shown(forms_of(anna.get("/keep/").text)[""])
    given = {"email": f"anna@{HOST}", "name": "Anna", "time_zone": "Europe/Vienna"}
    assert anna.post("/keep/", shown | given).leads_to == "/accounts/confirm-email/"
    wait_until(lambda: emails(running, "anna"))
    [email] = emails(running, "anna")
    assert anna.post("/accounts/confirm-email/", {"code": code_of(email)}).status == 302


def played(running: Machine) -> dict[str, int]:
    """How many moves people have made at each table."""
    asked = ["runuser", "-u", "postgres", "--", "psql", "-At", "-c", PLAYED, "intrigue"]
    rows = [line.split("|") for line in running.run(*asked, cwd="/").splitlines()]
    return {table: int(moves) for table, moves in rows}


@pytest.mark.counts
@pytest.mark.full
@pytest.mark.slow
@pytest.mark.long
def test_a_bare_debian_becomes_a_host_by_the_readme(booted, tmp_path):
    install(booted)
    wait_until(lambda: emails(booted, "hilda"))
    arrive = partial(Visitor, HOST, partial(booted.https, HOST, booted.root / AUTHORITY))
    anna = arrive()
    assert anna.get("/").status == 200
    table = begins_a_game(anna)
    moves(anna, table)
    signs_up(booted, anna)

    with Stream(arrive) as stream:
        changes_all(booted, stream)
        wait_until(lambda: is_well(booted))
        upgrades(booted, stream, tmp_path)
    assert stream.failed == []
    made = dict.fromkeys([table, *stream.tables], 1)
    assert played(booted) == made

    booted.reboot()
    wait_until(lambda: is_well(booted))
    assert played(booted) == made
    page = anna.get(table)
    assert page.status == 200
    assert "Anna" in page.text
    assert booted.run("systemctl", "--failed", "--quiet", "--plain", "--no-legend") == ""


def changes_all(running: Machine, stream: Stream) -> None:
    """Reload, add a second web server, and restart all with further settings: for replies."""

    def systemctl(*words: str) -> None:
        stream.during(partial(running.run, "systemctl", *words))

    for _ in range(2):
        systemctl("reload", "intrigue-web@8000")
    systemctl("enable", "--now", "intrigue-web@8002")
    edit(running, FOR_REPLIES)
    for port in (8000, 8002):
        systemctl("restart", f"intrigue-web@{port}")
    systemctl("restart", "intrigue-worker", "intrigue-live")
    running.run("systemctl", "enable", "--now", "intrigue-inbound")


def upgrades(running: Machine, stream: Stream, folder: Path) -> None:
    """Do what hosting.md says where a version with the same first number has been released."""
    version = f"{THIS.major}.{THIS.minor}.{THIS.micro + 1}"
    tree = another_version(folder / "next", version)
    git = ["git", f"--git-dir={running.root}{REPOSITORY}", f"--work-tree={tree}"]
    by = ["-c", "user.name=Hilda", "-c", f"user.email=hilda@{HOST}"]
    for words in (["add", "--all"], [*by, "commit", "--quiet", "-m", version]):
        subprocess.run([*git, *words], check=True)
    subprocess.run([*git, "tag", f"v{version}"], check=True)

    commands = commands_of("docs/hosting.md", "Upgrades")
    checks = next(at for at, line in enumerate(commands) if line.startswith("manage doctor"))
    running.run("ln", "--symbolic", "/srv/intrigue/bin/manage", "/usr/local/bin/manage")

    def typed(lines: list[str]) -> None:
        text = re.sub(r"\bv\d+\.\d+\.\d+\b", f"v{version}", "\n".join(lines))
        print(running.run("bash", "-ec", text))  # noqa: T201 (seen if the test fails)

    stream.during(partial(typed, commands[:checks]))
    wait_until(lambda: is_well(running))
    typed(commands[checks + 1 :])
    assert running.run("/srv/intrigue/bin/manage", "about").startswith(f"Intrigue {version} ")
