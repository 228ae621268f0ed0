"""One of each kind of fault on a site in use; `--long` has the others."""

import signal

import pytest

from tests.faults.checker import look, settle
from tests.faults.locks import one_game_is_locked
from tests.faults.players import Players
from tests.faults.site import Site, running_site
from tests.patience import wait_until


@pytest.mark.django_db  # the tests' own database is copied, once it has been made
def test_nothing_acknowledged_is_lost(prepared, figures):
    """Every kind of process is killed once, a row is locked, and the broker is away."""
    with running_site(prepared, games=6, seconds=12) as site:
        with Players(site) as players:
            locked = one_game_is_locked(site, players)
            site.kill_a_child("web")
            site.kill_a_child("worker1")
            play_on(site, players)
            for name in ("web", "worker2", "beat1"):
                site.kill(name)
            play_on(site, players)
            stop_database(site)
            site.kill("valkey")
            play_on(site, players)
        aged = settle(site)
        told = look(site, players)
        told.wrong |= locked.wrong
        told.seen |= locked.seen | {"claims aged": aged}
    figures("short: one of each", told)


def stop_database(site: Site) -> None:
    """An immediate stop, as by a crash: it starts again by what it has on its disk."""
    site.keeper.send(site["postgres"], signal.SIGQUIT)
    site.kills += 1


def play_on(site: Site, players: Players) -> None:
    """Answers are taken again, and the clock ticks."""
    wait_until(site.database.answers)
    before = players.acknowledged()
    wait_until(lambda: players.acknowledged() >= before + 5)
    site.wait_for_ticks()
