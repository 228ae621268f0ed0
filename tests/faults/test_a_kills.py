"""A and H: processes are killed again and again, and stopped in good order."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from tests.faults.checker import conclude
from tests.faults.players import Players
from tests.faults.site import Site, running_site
from tests.faults.web import fill_in
from tests.support.patience import wait_until

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

KILLING_SECONDS = 120
BETWEEN = (1.5, 4.0)


@pytest.mark.long
def test_a_processes_are_killed(prepared, figures):
    with running_site(prepared, games=20, seconds=15) as site:
        with Players(site, threads=4) as players:
            chance = Random(9)
            end = time.monotonic() + KILLING_SECONDS
            while time.monotonic() < end:
                kill_one(site, chance)
                time.sleep(chance.uniform(*BETWEEN))
            players.play_on()
        text = conclude(site, players)
    figures("A kills", text)


def kill_one(site: Site, chance: Random) -> None:
    """Children more often than their parents, as on a host that is short of memory."""
    victim = chance.choice(["web"] * 5 + ["worker1", "worker2"] * 3)
    if chance.random() < 0.3:
        site.kill(victim)
    else:
        site.kill_a_child(victim, chance.randrange(2))


@pytest.mark.long
def test_h_processes_are_stopped_in_order(prepared, figures):
    """HUP and TERM of the web server, TERM of the workers while mail is slow."""
    with running_site(prepared, games=12, seconds=15) as site:
        with Players(site) as players:
            players.play_on()
            site.keeper.send(site["web"], signal.SIGHUP)
            players.play_on()
            waited = post_waits_while_web_is_stopped(site, players)
            players.play_on()
            site.sink.how[""] = "slow"
            for name in ("worker1", "worker2"):
                before = site[name].pid
                site.keeper.send(site[name], signal.SIGTERM)
                wait_until(lambda name=name, before=before: site[name].pid != before)
            site.sink.how = {}
            players.play_on()
        text = conclude(site, players)
    text.seen["post in a lock"] = waited  # 409: its deadline passed before it got the lock
    text.wrong["post in a lock without an answer"] = int(waited not in {302, 409, 503})
    text.wrong["emails left claimed"] = int(text.seen["emails still claimed"])
    figures("H stops in order", text)


def post_waits_while_web_is_stopped(site: Site, players: Players) -> int:
    """What somebody is answered whose post waits for a lock when the web server is told to end."""
    wait_until(players.questions)
    question = players.questions()[0]
    players.spared.add(question.game)
    answer = fill_in(question, Random(1))
    players.answers.append(answer)
    with ThreadPoolExecutor(1) as thread:
        with site.database.locked(question.game) as is_waited_for:
            before = site["web"].pid
            post = thread.submit(players.hand_in, answer)
            wait_until(lambda: is_waited_for() or post.done())
            site.keeper.send(site["web"], signal.SIGTERM)
            time.sleep(0.3)
        status = post.result().status
    wait_until(lambda: site["web"].pid != before)
    players.insist(answer)
    players.spared.discard(question.game)
    return status
