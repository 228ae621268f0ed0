"""C: PostgreSQL stops, ends connections, has none left, has a locked row, and a full disk."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
import pytest

from tests.faults.checker import conclude
from tests.faults.database import ROLE
from tests.faults.locks import one_game_is_locked
from tests.faults.players import Players
from tests.faults.site import Site, running_site

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

NO_CONNECTION_SECONDS = 20
FULL_SECONDS = 25
FULL = "small_disk"
DISK = "24m"


@pytest.mark.long
def test_c1_immediate_stops_and_ended_connections(prepared, figures):
    with running_site(prepared, games=20, seconds=15) as site:
        with Players(site) as players:
            for _ in range(5):
                site.stop_database()
                time.sleep(1)
                players.play_on()
            for _ in range(10):
                site.database.end_connections()
                time.sleep(1.5)
            players.play_on()
            blamed = noted_as_failing(site)
        text = conclude(site, players)
    text.wrong["games blamed"] = blamed
    figures("C1 stops of PostgreSQL, ended connections", text)


def noted_as_failing(site: Site) -> int:
    """Games to which the trouble of the database was noted as if it were their own."""
    return site.database.number("SELECT count(*) FROM games_game WHERE attempts > 0")


@pytest.mark.long
def test_c3_a_locked_row(prepared, figures):
    with running_site(prepared, games=12, seconds=15) as site:
        with Players(site, threads=4) as players:
            players.play_on()
            locked = one_game_is_locked(site, players)
            players.play_on()
            again = one_game_is_locked(site, players)
        text = conclude(site, players)
    text.add(locked)
    text.seen["the second time others p95"] = again.seen.get("others while locked p95", "")
    for name, count in again.wrong.items():
        text.wrong[name] += count
    figures("C3 a locked row, 20 posts of its players", text)


@pytest.mark.long
def test_c5_no_connection_is_left(prepared, figures):
    with running_site(prepared, games=12, seconds=15) as site:
        with Players(site) as players:
            players.play_on()
            with no_connection_left(site):
                time.sleep(NO_CONNECTION_SECONDS)
            players.play_on()
            blamed = noted_as_failing(site)
        text = conclude(site, players)
    text.wrong["games blamed"] = blamed
    figures("C5 no connection left", text)


@contextmanager
def no_connection_left(site: Site) -> Iterator[None]:
    """All that the server gives to the site are held by somebody else."""
    with ExitStack() as held:
        site.database.end_connections()
        try:
            while True:
                held.enter_context(psycopg.connect(site.database.url))
        except psycopg.OperationalError:
            yield


@pytest.fixture
def disk_that_fills():
    """A way to a small disk: root may mount one, if the machine allows it."""
    if os.getuid() != 0:
        pytest.skip("only root may mount a small disk")


@pytest.mark.long
def test_c4_the_disk_is_full(prepared, figures, disk_that_fills):
    """Room for events runs out, through all the retries that a game of its own fault would have."""
    with running_site(prepared, games=16, seconds=12) as site:
        move_events_to_small_disk(site)
        with Players(site) as players:
            players.play_on()
            fill_up(site)
            end = time.monotonic() + FULL_SECONDS
            blamed = 0
            while time.monotonic() < end:
                time.sleep(2)
                blamed = max(blamed, noted_as_failing(site))
                site.database.run(
                    "UPDATE games_game SET retry_at = now() WHERE retry_at IS NOT NULL"
                )
            site.database.run("DROP TABLE faults.filler")
            players.play_on()
        text = conclude(site, players)
    text.wrong["games blamed"] = blamed
    figures("C4 disk full", text)


def move_events_to_small_disk(site: Site) -> None:
    folder = site.folder / FULL
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("this machine allows nobody to mount a small disk")
    place = folder / "space"
    place.mkdir(mode=0o700)
    owner = site.database.owner()
    assert owner is not None
    os.chown(place, owner, owner)
    with site.database.connect() as connection:
        connection.execute(f"CREATE TABLESPACE {FULL} LOCATION '{place}'")
        connection.execute(f"GRANT CREATE ON TABLESPACE {FULL} TO {ROLE}")
        connection.execute(f"ALTER TABLE games_event SET TABLESPACE {FULL}")
        indexes = connection.execute("SELECT indexname FROM pg_indexes WHERE tablename = %s",
                                     ["games_event"]).fetchall()  # fmt: skip
        for (index,) in indexes:
            connection.execute(f"ALTER INDEX {index} SET TABLESPACE {FULL}")
        connection.execute(f"CREATE TABLE faults.filler (text text) TABLESPACE {FULL}")


def fill_up(site: Site) -> None:
    """Until nothing more goes in, not even a little."""
    with site.database.connect() as connection:
        for rows in (5000, 50, 1):
            try:
                while True:
                    connection.execute(
                        "INSERT INTO faults.filler SELECT md5(random()::text)"
                        " FROM generate_series(1, %s)",
                        [rows],
                    )
            except psycopg.errors.DiskFull:
                continue
