"""B: the broker is killed, emptied, frozen and away; nobody at the tables notices."""

import socket
import time

import pytest

from tests.faults.checker import conclude
from tests.faults.players import Players
from tests.faults.site import Site, running_site

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

FROZEN_SECONDS = 30
AWAY_SECONDS = 130
"""Longer than the clock may be silent before `/health/` says so."""


@pytest.mark.long
def test_b_the_broker_is_away(prepared, figures):
    with running_site(prepared, games=16, seconds=40) as site:
        processes = {service.name: service.pid for service in site.clockwork()}
        with Players(site, pause=0.5) as players:
            site.kill("valkey")
            players.play_on()
            for _ in range(5):
                empty(site)
                site.wait_for_ticks(1)
            site.keeper.freeze(site["valkey"])
            time.sleep(FROZEN_SECONDS)
            site.keeper.thaw(site["valkey"])
            players.play_on()
            health = away(site)
            players.play_on()
        ended = [service for service in site.clockwork() if service.pid != processes[service.name]]
        text = conclude(site, players)
    text.wrong["workers that ended"] = len(ended)
    text.seen |= {f"log of {one.name}": one.log.read_text()[-5_000:] for one in ended}
    text.wrong["health never said it"] = int(503 not in health)
    text.wrong["posts and pages not answered"] = players.unanswered()
    text.seen["health while away"] = ", ".join(map(str, health))
    figures("B broker", text)


def empty(site: Site) -> None:
    """FLUSHALL: all messages are gone."""
    with socket.create_connection(("127.0.0.1", site.broker_port)) as connection:
        connection.sendall(b"FLUSHALL\r\n")
        assert connection.recv(100).startswith(b"+OK")


def away(site: Site) -> list[int]:
    """No broker for a while; what `/health/` says meanwhile."""
    site.keeper.stop(site["valkey"])
    said = []
    end = time.monotonic() + AWAY_SECONDS
    while time.monotonic() < end:
        said.append(site.status("/health/"))
        time.sleep(10)
    site.keeper.start(site["valkey"])
    return said
