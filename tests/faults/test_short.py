"""One of each kind of fault on a site in use; `--long` has the others."""

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from tests.faults.checker import conclude
from tests.faults.locks import one_game_is_locked
from tests.faults.players import Players
from tests.faults.site import running_site
from tests.support.patience import wait_until

UNSENT = "SELECT FROM games_outboxemail WHERE status = 'ready'"
FULL = "used memory > 'maxmemory'"

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]


def test_nothing_acknowledged_is_lost(prepared, figures):
    """Every kind of process is killed once, a row is locked, and the broker is away."""
    with running_site(prepared, games=6, seconds=12) as site:
        with Players(site) as players:
            locked = one_game_is_locked(site, players)
            site.kill_a_child("web")
            site.kill_a_child("worker1")
            players.play_on()
            for name in ("web", "worker1", "worker2"):
                site.kill(name)
            players.play_on()
            site.stop_database()
            site.kill("valkey")
            players.play_on()
        text = conclude(site, players)
        text.add(locked)
    figures("short: one of each", text)


@pytest.mark.long
def test_moves_are_answered_without_a_broker_and_their_email_leaves_later(prepared, figures):
    """First it is full, then frozen, so that it takes connections and says nothing, and then away.

    While it is full no worker ends itself. Without it no clock plays on where nobody answers, so
    there are more games than else.
    """
    with running_site(prepared, games=40, seconds=60) as site:
        assert_no_worker_ends_while_the_broker_is_full(site)
        with Players(site) as players:
            players.answer()
            site.keeper.freeze(site["valkey"])
            players.answer(10)
            site.keeper.thaw(site["valkey"])
            site.keeper.stop(site["valkey"])
            players.answer(10)
            # Not at once: a worker may still be sending, which has begun before.
            wait_until(lambda: site.database.rows(UNSENT))
            site.keeper.start(site["valkey"])
            players.play_on()
        text = conclude(site, players)
    text.wrong["posts and pages not answered"] = players.unanswered()
    figures("short: no broker", text)


def assert_no_worker_ends_while_the_broker_is_full(site):
    """It refuses what they write there; they wait until there is room."""
    processes = site.clockwork()
    pids = [service.pid for service in processes]
    with Redis(port=site.broker_port) as broker:
        broker.config_set("maxmemory", 1)
        with pytest.raises(OutOfMemoryError):
            broker.set("room", "none")
        broker.client_kill_filter(_type="normal", skipme=True)  # so that all begin anew, and can't
        wait_until(lambda: all(FULL in one.log.read_text() for one in processes))
        broker.config_set("maxmemory", 0)
    site.wait_for_ticks()
    assert [service.pid for service in site.clockwork()] == pids
