"""A broker that is full refuses what workers write there; they wait until there is room."""

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from tests.faults.site import running_site
from tests.support.patience import wait_until

FULL = "used memory > 'maxmemory'"

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]


def test_no_worker_ends_itself_while_the_broker_is_full(prepared):
    with running_site(prepared) as site, Redis(port=site.broker_port) as broker:
        processes = site.clockwork()
        pids = [service.pid for service in processes]
        broker.config_set("maxmemory", 1)
        with pytest.raises(OutOfMemoryError):
            broker.set("room", "none")
        broker.client_kill_filter(_type="normal", skipme=True)  # so that all begin anew, and can't
        workers = processes[:2]
        wait_until(lambda: all(FULL in one.log.read_text() for one in workers))
        broker.config_set("maxmemory", 0)
        site.wait_for_ticks()
        assert [service.pid for service in site.clockwork()] == pids
