"""G: a backup is taken under load, and another site goes on from it an hour later."""

import time
from pathlib import Path

import pytest

from tests.faults.checker import conclude, left
from tests.faults.players import Players
from tests.faults.site import Site, manage, running_site

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

RESTORED = "restored"
HOUR = 3600
OVERDUE = "SELECT count(*) FROM games_game WHERE status = 'running' AND deadline_at < now()"
PLAYED = "SELECT count(*) FROM games_move WHERE cause = 'clock'"
OLD_THAT_WAITS = """
SELECT (SELECT count(*) FROM games_outboxpush) + (SELECT count(*) FROM games_outboxemail
    WHERE kind <> 'your_turn' AND status IN ('ready', 'sending') AND not_before <= now())
"""
TURNS_THAT_WAIT = """
SELECT count(*) FROM games_outboxemail WHERE kind = 'your_turn' AND status IN ('ready', 'sending')
"""

COUNTED = OLD_THAT_WAITS, PLAYED, TURNS_THAT_WAIT


@pytest.mark.long
def test_g_a_backup_is_restored(prepared, figures, tmp_path):
    file = tmp_path / "backup"
    with running_site(prepared, games=12, seconds=60) as site:
        with Players(site) as players:
            players.play_on()
            site.sink.refuse_connections()  # so that mail waits in the backup
            players.play_on(20)
            before = [answer.token for answer in list(players.answers) if answer.is_acknowledged]
            manage(site.environment, "backup", str(file))
            site.sink.listen()
            players.play_on()
        let_mail_out(site)
        first = conclude(site, players)
        old = {mail.message_id: mail.about for mail in site.sink.taken}
        go_over(site, file)
        taken = len(site.sink.taken)
        there = {token for (token,) in site.database.rows("SELECT token FROM games_move")}
        old_waits, defaults, waited = map(site.database.number, COUNTED)
        site.database.age(HOUR)
        begin_again(site)
        overdue = left(lambda: site.database.number(OVERDUE), 60)
        without_grace = site.database.number(PLAYED) - defaults
        with Players(site, seed=2) as others:
            others.play_on(20)
        text = conclude(site, others)
        again = [mail for mail in site.sink.taken[taken:] if mail.message_id in old]
    text.wrong.pop("emails of nobody")  # the first site went on after the backup
    text.wrong |= {
        "acknowledged before it, missing": sum(token not in there for token in before),
        "defaults without grace": without_grace,
        "games not moved": overdue,
        "old emails and notifications that wait": old_waits,
        "Message-IDs used for another mail": sum(
            old[mail.message_id] != mail.about for mail in again
        ),
    }
    text.seen |= {"acknowledged before it": len(before), "turns that waited in it": waited}
    figures("G backup and restore", text)
    first.assert_sound()


def begin_again(site: Site) -> None:
    for service in [site["web"], *site.clockwork()]:
        site.keeper.start(service)
    site.wait_for_pages()
    site.wait_for_ticks()


def let_mail_out(site: Site) -> None:
    """The minutes pass for which mail waits that was refused."""
    for _ in range(3):
        site.database.age(120, "games_tick", "tick")
        time.sleep(3)


def go_over(site: Site, file: Path) -> None:
    """Everything stops, and is set to an empty database, into which the backup is read."""
    services = [site["web"], *site.clockwork()]
    for service in services:
        site.keeper.stop(service)
    with site.database.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {RESTORED} OWNER intrigue")
    site.database.name = RESTORED
    site.environment |= {"DATABASE_URL": site.database.url}
    manage(site.environment, "restore", str(file))
    manage(site.environment, "migrate", "--verbosity", "0")
    for service in services:
        service.environment = {**service.environment, "DATABASE_URL": site.database.url}
