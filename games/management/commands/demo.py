"""One command that brings up everything on this machine."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from intrigue_site import demo
from intrigue_site.supervisor import ChildDied, StopRequested


class Command(BaseCommand):
    help = (
        "Starts PostgreSQL, Valkey, web server, worker and beat with people to try; Ctrl-C stops "
        "them all. Servers at DATABASE_URL and CELERY_BROKER_URL are used instead of its own."
    )
    # The settings are those of no installation yet: the processes it starts have theirs.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="of the web server; 8000")
        parser.add_argument("--reset", action="store_true", help="start without the earlier data")
        parser.add_argument(
            "--reload", action="store_true", help="for developers: follow every change of the code"
        )

    def handle(
        self, *_arguments: Any, port: int, reset: bool, reload: bool, **_options: Any
    ) -> None:
        try:
            demo.run(port=port, reset=reset, reload=reload, folder=settings.VAR_DIR, say=self._say)
        except StopRequested:
            self._say("Everything is stopped.")
        except (demo.CannotStart, ChildDied) as reason:
            raise CommandError(str(reason)) from reason

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
