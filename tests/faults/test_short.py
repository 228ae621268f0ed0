"""One of each kind of fault on a site in use; `--long` has the others."""

import pytest

from tests.faults.checker import conclude
from tests.faults.locks import one_game_is_locked
from tests.faults.players import Players
from tests.faults.site import running_site

pytestmark = pytest.mark.django_db


def test_nothing_acknowledged_is_lost(prepared, figures):
    """Every kind of process is killed once, a row is locked, and the broker is away."""
    with running_site(prepared, games=6, seconds=12) as site:
        with Players(site) as players:
            locked = one_game_is_locked(site, players)
            site.kill_a_child("web")
            site.kill_a_child("worker1")
            players.play_on()
            for name in ("web", "worker2", "beat1"):
                site.kill(name)
            players.play_on()
            site.stop_database()
            site.kill("valkey")
            players.play_on()
        text = conclude(site, players)
        text.add(locked)
    figures("short: one of each", text)
