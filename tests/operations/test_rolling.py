"""Two versions side by side on one database: those that may work together do, others refuse."""

import subprocess
import sys
from contextlib import ExitStack
from http.client import HTTPException
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from django.utils import timezone
from packaging.version import Version

from games.models import Move, OutboxEmail, Tick
from intrigue_site import release
from tests.support.client import as_shown, browser, move_form
from tests.support.hosted import SITE, Browser, is_up, running, web_server
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port
from tests.support.tables import DAY, open_table, seats_to_move
from tests.support.trees import another_version, version_before

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts]

THIS = Version(release.VERSION)
NEXT = f"{THIS.major}.{THIS.minor}.{THIS.micro + 1}"
NEXT_MAJOR = f"{THIS.major + 1}.0.0"
PYTHON = sys.executable
CELERY = [PYTHON, "-m", "celery", "--app", "intrigue_site"]
LIVE = "uvicorn intrigue_site.live:application --http httptools --port"


@pytest.fixture
def site(empty, empty_queues):
    """The environment of a site in production, to whose database this process goes as well."""
    name, test = urlsplit(empty["DATABASE_URL"]).path[1:], connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    yield {
        **empty,
        "SITE_URL": f"https://{SITE}",
        "TRUSTED_PROXIES": "1",
        "SWEEP_SECONDS": "0.5",
    }
    connection.close()
    connection.settings_dict["NAME"] = test


@pytest.fixture
def started():
    with ExitStack() as processes:
        yield processes


def ended(site, tree, *command):
    """How a process ended, and all that it printed."""
    process = subprocess.run(
        [PYTHON, *command], env=site, cwd=tree, capture_output=True, text=True, check=False,
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    return process.returncode, process.stdout + process.stderr


def collect(site, tree):
    """Collect the files for browsers, without which no web server starts."""
    assert ended(site, tree, "manage.py", "collectstatic", "--no-input", "-v", "0") == (0, "")


def serve(site, tree, started):
    """The port of a web server of this tree that responds."""
    collect(site, tree)
    port = free_port()
    log = tree.with_name(f"web of {tree.name}.log")
    started.enter_context(running(web_server(port), site, log, tree))
    wait_until(lambda: responds(port))
    return port


def responds(port):
    try:
        return bool(Browser(port).get("/health/"))
    except (OSError, HTTPException):
        return False


def work(site, tree, started):
    """A worker of this tree; where its log is."""
    options = ["--concurrency", "1", "--without-gossip", "--hostname", f"{tree.name}@%h"]
    log = tree.with_name(f"worker of {tree.name}.log")
    started.enter_context(running([*CELERY, "worker", *options], site, log, tree))
    return log


def plays(port, game):
    """The response to the move of whoever's turn it is, by the pages of one web server."""
    [seat, *_others] = seats_to_move(game)
    page = Browser(port)
    session = browser(seat.user).cookies["sessionid"].value
    page.cookies["__Host-sessionid"] = session
    form = as_shown(move_form(page.get(game.get_absolute_url()).text))
    return page.post(f"{game.get_absolute_url()}move/", form | {"reviewed": "yes"})


@pytest.mark.long
def test_a_release_and_the_one_before_work_side_by_side(site, started, smtp, tmp_path):
    old, new = version_before(tmp_path / "old"), another_version(tmp_path / "new", NEXT)
    assert ended(site, old, "manage.py", "migrate", "-v", "0") == (0, "")
    ports = [serve(site, old, started)]
    work(site, old, started)
    beat = [*CELERY, "beat", "--pidfile", ""]
    started.enter_context(running(beat, site, tmp_path / "beat.log", old))
    wait_until(lambda: is_up(ports[0]))
    code, text = ended(site, new, "-m", "celery", "--app", "intrigue_site", "worker")
    assert code == 1
    assert f"This is Intrigue {NEXT}, and the database was last migrated by" in text
    assert ended(site, new, "manage.py", "migrate", "-v", "0") == (0, "")
    assert is_up(ports[0]), "It goes on."
    ports.append(serve(site, new, started))
    work(site, new, started)
    played = open_table("Anna", "Boris", "Clara", now=timezone.now())
    late = open_table("Dora", "Emil", "Fritz", now=timezone.now() - DAY)
    for number in range(1, 13):
        assert plays(ports[number % 2], played).status == 302
        assert Move.objects.filter(game=played).count() >= number
    wait_until(lambda: late.moves.filter(cause="clock").exists())
    wait_until(lambda: not OutboxEmail.objects.filter(status__in=("ready", "sending")))
    assert late.moves.filter(cause="clock").count() == 1
    sent = [message["Message-ID"] for message in smtp.messages]
    assert len(sent) == len(set(sent)) > 6
    assert ended(site, old, "manage.py", "verify_games")[0] == 0
    assert ended(site, new, "manage.py", "verify_games")[0] == 0
    named = "The worker new@"
    wait_until(lambda: named in ended(site, old, "manage.py", "doctor", "--no-web")[1])
    # Back to the version before: its migrations are there, and nothing is to be undone.
    assert ended(site, old, "manage.py", "migrate", "-v", "0") == (0, "")
    assert is_up(ports[0])
    assert is_up(ports[1])


@pytest.mark.long
def test_another_major_version_is_refused_by_every_process(site, started, tmp_path):
    old = version_before(tmp_path / "old")
    new = another_version(tmp_path / "new", NEXT_MAJOR, works_with=NEXT_MAJOR)
    assert ended(site, old, "manage.py", "migrate", "-v", "0") == (0, "")
    port, log = serve(site, old, started), work(site, old, started)
    game = open_table("Anna", "Boris", "Clara", now=timezone.now() - DAY)
    collect(site, new)
    refused_to_start(
        site, new, f"This is Intrigue {NEXT_MAJOR}, and the database was last migrated by"
    )
    assert ended(site, new, "manage.py", "migrate", "-v", "0") == (0, "")
    refused_to_start(site, old, f"the database works with {NEXT_MAJOR} or later only.")
    code, text = ended(site, old, "manage.py", "migrate")
    assert (code, f"works with {NEXT_MAJOR} or later only." in text) == (1, True)
    # What runs on, does nothing: nobody's time is played, and no email leaves.
    wait_until(lambda: Browser(port).get("/").status == 503)
    assert "This site is being upgraded" in Browser(port).get("/").text
    Tick.objects.all().delete()
    beat = [*CELERY, "beat", "--pidfile", ""]
    with running(beat, site, tmp_path / "beat.log", new):
        wait_until(lambda: f"works with {NEXT_MAJOR} or later only." in log.read_text())
        assert not Move.objects.exists()
        work(site, new, started)
        wait_until(lambda: game.moves.filter(cause="clock").exists())
    assert game.moves.count() == 1


@pytest.mark.long
def test_the_backup_leads_back_from_another_major_version(
    site, process_environment, started, tmp_path
):
    old, backup = version_before(tmp_path / "old"), str(tmp_path / "before.dump")
    new = another_version(tmp_path / "new", NEXT_MAJOR, works_with=NEXT_MAJOR)
    assert ended(site, old, "manage.py", "migrate", "-v", "0") == (0, "")
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    assert ended(site, old, "manage.py", "backup", backup)[0] == 0
    assert ended(site, new, "manage.py", "migrate", "-v", "0") == (0, "")
    assert ended(site, old, "manage.py", "migrate")[0] == 1
    connection.close()
    with psycopg.connect(process_environment["DATABASE_URL"], autocommit=True) as other:
        name = connection.settings_dict["NAME"]
        other.execute(f"DROP DATABASE {name}")
        other.execute(f"CREATE DATABASE {name}")
    for command in (["restore", backup], ["migrate"], ["verify_games"]):
        code, text = ended(site, old, "manage.py", *command)
        assert code == 0, text
    assert plays(serve(site, old, started), game).status == 302


def refused_to_start(site, tree, why):
    """Every kind of process ends by itself, and says why."""
    celery = ("-m", "celery", "--app", "intrigue_site")
    for command in (
        web_server(free_port())[1:],
        ("-m", *LIVE.split(), str(free_port())),
        (*celery, "worker"),
        (*celery, "beat", "--pidfile", ""),
        ("manage.py", "receive_email"),
    ):
        code, text = ended(site, tree, *command)
        assert code != 0
        assert why in text, (command, text)
