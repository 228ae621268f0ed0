"""`manage.py about`: which version of what this is."""

import platform
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, connection

from games.services.operations import versions
from games.services.operations.doctor.database import database_is_away
from games.services.operations.identity import identity, named


class Command(BaseCommand):
    help = (
        "Say which version of Intrigue this is, on which Python, Django and PostgreSQL, which "
        "version migrated the database, and which features are on. Needs no database."
    )
    requires_system_checks: list[str] = []

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        off = settings.FEATURES_OFF
        on = [name for name in settings.FEATURES if name not in off]
        self.stdout.write(f"Intrigue {named(identity()._asdict())}")
        self.stdout.write(f"Python {platform.python_version()}, Django {django.__version__}")
        self.stdout.write(f"Features on: {', '.join(on)}")
        self.stdout.write(f"Features off: {', '.join(off) or 'none'}")
        try:
            connection.ensure_connection()
            postgresql: int = connection.pg_version  # type: ignore[attr-defined]
            self.stdout.write(f"PostgreSQL {postgresql // 10000}.{postgresql % 10000}")
            self.stdout.write(versions.refusal_now() or versions.who_migrated())
        except Error as failure:
            self.stdout.write(database_is_away(failure))
