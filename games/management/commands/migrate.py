"""`manage.py migrate`, one at a time: a deploy may start it on several machines at once.

It also sets the time limits that hold on every later connection (games/services/timeouts.py), and
notes which version has migrated the database (games/services/operations/versions.py).
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from games.services import pooler, timeouts
from games.services.operations import versions

LOCK: Final = 7_163_082_411
"""The number of our advisory lock: any number that nobody else in the database uses."""

SECONDS_BETWEEN_TRIES: Final = 0.5

FIRST: Final = "0001_initial"


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        pooler.go_past()
        connection = connections[options["database"]]
        with self.alone(connection):
            timeouts.lift(connection)
            refuse_older(connection)
            if why := versions.refusal_to_migrate():
                raise CommandError(why)
            is_whole = not any(options[name] for name in ("app_label", "plan", "check_unapplied"))
            if is_whole:
                versions.keep_out_older()
            super().handle(*arguments, **options)
            if is_whole:
                versions.migrated(timezone.now())
            timeouts.set_for_role(connection)
        connection.close()  # the next one has them

    @contextmanager
    def alone(self, connection: BaseDatabaseWrapper) -> Iterator[None]:
        """Wait until no other migration runs. The lock ends with this session at the latest.

        Asking again and again instead of waiting in the database: a statement that waits would
        itself be waited for by an index that is made concurrently.
        """
        with connection.cursor() as cursor:
            waiting = False
            while not _text(cursor, "SELECT pg_try_advisory_lock(%s)"):
                if not waiting:
                    self.stdout.write("Another migration is running; waiting for its end ...")
                    waiting = True
                time.sleep(SECONDS_BETWEEN_TRIES)
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                _text(cursor, "SELECT pg_advisory_unlock(%s)")


def refuse_older(connection: BaseDatabaseWrapper) -> None:
    """CommandError for a database of before 0.1.0, the release whose migrations are the first."""
    applied = MigrationRecorder(connection).applied_migrations()
    if ("games", FIRST) not in applied and any(app == "games" for app, _name in applied):
        raise CommandError(
            "This database was made by a version before 0.1.0 and can't be upgraded. Start with an "
            "empty database; the demo does that with: bin/demo --reset"
        )


def _text(cursor: Any, query: str) -> bool:
    cursor.execute(query, [LOCK])
    return bool(cursor.fetchone()[0])
