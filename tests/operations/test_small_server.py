"""The smallest machine on which a site may run: one processor, and 1 GB with all else on it."""

import subprocess
import threading
from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

import psutil
import pytest
from django.conf import global_settings
from django.utils import timezone

from games.models import Game, OutboxEmail
from games.services.operations import sample_games
from tests.operations.test_doctor import refuses_strangers
from tests.operations.test_end_to_end import assert_sent_emails_arrived_once, sign_in
from tests.operations.test_processes import CELERY
from tests.support.client import as_shown, move_form, verified
from tests.support.hosted import PYTHON, Browser, is_up, production, running, web_server
from tests.support.patience import wait_until
from tests.support.servers import free_port
from tests.support.small_machine import small_machine
from tests.support.tables import table_settings

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.long]

MEGABYTES = 450
"""For web, live and worker together (docs/performance.md): the rest is for all else."""

TABLES = [[f"{name}{table}" for name in ("Anna", "Boris", "Clara", "David")] for table in "VWXYZ"]
BETWEEN_LOOKS = 1.0


@pytest.fixture
def machine():
    with small_machine(MEGABYTES * 1_000_000) as machine:
        yield machine


@pytest.fixture
def site(machine, process_environment, collected, tmp_path):
    """The web server's port and the processes of a small site."""
    web, live = free_port(), free_port()
    environment = process_environment | production(tmp_path, collected) | {"SWEEP_SECONDS": "15"}
    stream = f"intrigue_site.live:application --port {live} --http httptools --no-access-log"
    commands = {
        "web": web_server(web),
        "live": [PYTHON, "-m", "uvicorn", *stream.split()],
        "worker": [*CELERY, "worker", "--concurrency", "2", "--clock"],
    }
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                running(machine.command(command), environment, tmp_path / f"{name}.log")
            )
            for name, command in commands.items()
        ]
        wait_until(lambda: is_up(web) and refuses_strangers(f"http://127.0.0.1:{live}/live/"))
        yield web, started


@pytest.fixture
def games(settings):
    """Five games of four people, for whom it is day: at night some decisions wait for morning."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    zone = "UTC" if 8 <= timezone.now().hour < 20 else "Pacific/Honolulu"
    now = timezone.now()
    return [
        sample_games.open_table(
            table_settings(), *(verified(name, time_zone=zone) for name in names), now=now
        )
        for names in TABLES
    ]


@pytest.mark.django_db(transaction=True)
def test_twenty_people_play_a_round_at_once_in_little_memory(site, machine, games, smtp):
    port, processes = site
    over = threading.Event()
    with ThreadPoolExecutor(len(TABLES) * len(TABLES[0])) as pool:
        playing = [
            pool.submit(play, port, name, game.get_absolute_url(), over)
            for names, game in zip(TABLES, games, strict=True)
            for name in names
        ]
        try:
            wait_until(lambda: all(map(is_in_round_two, games)) or ended(playing))
        finally:
            over.set()
    assert [one.exception() for one in playing] == [None] * len(playing)
    wait_until(lambda: not OutboxEmail.objects.filter(status__in=("ready", "sending")).exists())
    assert_sent_emails_arrived_once(smtp.messages)
    begun = OutboxEmail.objects.filter(kind="game_started", status="sent")
    assert begun.count() == len(playing)
    assert machine.killed() == 0
    assert megabytes(processes) < MEGABYTES


def play(port: int, name: str, table: str, over: threading.Event) -> None:
    """Sign in, look at the table again and again, and move when it is one's turn."""
    browser = sign_in(Browser(port), name)
    while not over.wait(BETWEEN_LOOKS):
        page = browser.get(table)
        assert page.status == 200
        form = move_form(page.text)
        if form is not None:
            handed_in = browser.post(f"{table}move/", as_shown(form) | {"reviewed": "yes"})
            assert handed_in.status == 302


def is_in_round_two(game: Game) -> bool:
    game.refresh_from_db()
    return game.decoded().round > 1


def ended(playing: list[Future[None]]) -> bool:
    """Whether anybody has stopped, which only a failure does."""
    return any(one.done() for one in playing)


def megabytes(processes: list[subprocess.Popen[bytes]]) -> float:
    """The memory of processes with their children, as if nothing else ran on the machine.

    What they share counts once, and so does a file that other programs have loaded, too.
    """
    own, of_files = 0, defaultdict(int)
    for process in processes:
        first = psutil.Process(process.pid)
        for one in (first, *first.children(recursive=True)):
            for part in one.memory_maps():
                if part.path.startswith("["):
                    own += part.pss
                else:
                    of_files[part.path] = max(of_files[part.path], part.rss)
    return (own + sum(of_files.values())) / 1e6
