"""D: clocks stand still, jump, and differ between the processes."""

import time
from random import Random

import pytest

from tests.faults.checker import conclude, left
from tests.faults.clocks import faked_clocks, move
from tests.faults.players import Players
from tests.faults.site import CLOCKWORK, Site, running_site
from tests.faults.web import fill_in

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

HOUR = 3600
TABLE_SECONDS = HOUR
OVERDUE_MINUTES = 40
WATCHED_SECONDS = 20

DEADLINES_PASS = f"""
UPDATE games_seat SET deadline_at = now() - interval '{OVERDUE_MINUTES} minutes', remind_at = NULL
WHERE deadline_at IS NOT NULL
"""
GAMES_TOO = f"""
UPDATE games_game SET deadline_at = now() - interval '{OVERDUE_MINUTES} minutes'
WHERE deadline_at IS NOT NULL
"""
DEFAULTS = "SELECT count(*) FROM games_move WHERE cause = 'clock'"
OVERDUE = "SELECT count(*) FROM games_game WHERE deadline_at < now()"


@pytest.mark.long
def test_d1_the_clock_was_away_for_an_hour(prepared, figures):
    """Nobody's default is played, whoever is awaited is told, and a locked game waits alone."""
    with running_site(prepared, games=6, seconds=TABLE_SECONDS) as site:
        players = Players(site)
        games = [game for (game,) in site.database.rows("SELECT id FROM games_game ORDER BY id")]
        left(lambda: site.database.number("SELECT count(*) FROM games_outboxemail"
                                          " WHERE status <> 'sent'"), 60)  # fmt: skip
        stop_clockwork(site)
        for question in players.questions():
            answer = fill_in(question, Random(question.seat))
            players.answers.append(answer)
            players.insist(answer)
        waiting = site.database.number(
            "SELECT count(*) FROM games_outboxemail WHERE kind = 'your_turn' AND status = 'ready'"
        )
        site.database.age(HOUR + 600)
        site.database.run(DEADLINES_PASS, GAMES_TOO, noted=True)
        with site.database.locked(games[0]):
            start_clockwork(site)
            stuck = left(lambda: site.database.number(OVERDUE) - 1, 60)
        overdue = left(lambda: site.database.number(OVERDUE), 60)
        defaults = site.database.number(DEFAULTS)
        text = conclude(site, players)
    text.wrong |= {
        "defaults without grace": defaults,
        "games that a locked one kept": max(stuck, 0),
        "games not moved": overdue,
        "nobody waited for a mail": int(not waiting),
    }
    text.seen["your turn waited"] = waiting
    figures("D1 an hour without a clock, a row locked", text)


@pytest.mark.long
def test_d2_a_tick_lies_ahead(prepared, figures):
    with running_site(prepared, games=6, seconds=TABLE_SECONDS) as site:
        stop_clockwork(site)
        site.database.run("UPDATE games_tick SET at = now() + interval '1 hour'")
        site.database.run(DEADLINES_PASS, GAMES_TOO, noted=True)
        health = site.status("/health/")
        start_clockwork(site)
        site.wait_for_ticks(3)
        overdue = left(lambda: site.database.number(OVERDUE), 60)
        text = conclude(site)
        text.wrong |= {
            "defaults without grace": site.database.number(DEFAULTS),
            "games not moved": overdue,
            "health did not say it": int(health != 503),
        }
    figures("D2 a tick lies an hour ahead", text)


@pytest.fixture
def clocks(tmp_path):
    """A folder with the clocks of workers, all right so far."""
    tmp_path.chmod(0o755)
    for name in CLOCKWORK:
        (tmp_path / f"{name}.clock").write_text("+0\n")
    return tmp_path


AHEAD_SECONDS = 240


@pytest.mark.long
def test_d3_workers_were_four_minutes_ahead(prepared, figures, clocks):
    """Their clocks are set back, and they tick on: how long they wait no clock on a wall tells."""
    with running_site(prepared, faked_clocks(clocks), games=6, seconds=TABLE_SECONDS) as site:
        move(site, clocks, AHEAD_SECONDS, *CLOCKWORK)
        site.wait_for_ticks(3)
        move(site, clocks, 0, *CLOCKWORK)
        time.sleep(WATCHED_SECONDS / 2)  # what waited in a queue ticks at once
        before = site.ticks()
        time.sleep(WATCHED_SECONDS / 2)
        ticks = site.ticks() - before
        text = conclude(site)
        text.wrong |= {
            "no ticks after it": int(not ticks),
            "a tick lies ahead": int(ahead(site) > 60),
            "defaults": site.database.number(DEFAULTS),
        }
        text.seen["ticks after it"] = ticks
    figures("D3 workers set back by 4 min", text)


@pytest.mark.parametrize("seconds", [240, -240, 7200])
@pytest.mark.long
def test_d4_a_worker_differs_from_another(prepared, figures, clocks, seconds):
    """They work on, by the database's time: nothing is early, however wrong their clocks are."""
    with running_site(prepared, faked_clocks(clocks), games=8, seconds=30) as site:
        with Players(site, threads=2) as players:
            players.play_on()
            move(site, clocks, seconds, "worker1")
            before = site.ticks()
            time.sleep(WATCHED_SECONDS)
            ticks = site.ticks() - before
            health = site.status("/health/")
            move(site, clocks, 0, "worker1")
            players.play_on()
        text = conclude(site, players)
    text.wrong |= {"no ticks": int(not ticks), "health complains": int(health != 200)}
    text.seen[f"ticks in {WATCHED_SECONDS} s"] = ticks
    figures(f"D4 a worker {seconds:+d} s from another", text)


def ahead(site: Site) -> float:
    """How many seconds the last tick lies before the database's clock."""
    found = site.database.value(
        "SELECT extract(epoch FROM tick - at)::float8 FROM faults.tick ORDER BY id DESC LIMIT 1"
    )
    assert isinstance(found, float)
    return found


def stop_clockwork(site: Site) -> None:
    for service in site.clockwork():
        site.keeper.stop(service)


def start_clockwork(site: Site) -> None:
    for service in site.clockwork():
        site.keeper.start(service)
