"""`manage.py restore FILE`: a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services import pooler
from games.services.email import restored
from intrigue_site.backup import CannotBackUp, restore


class Command(BaseCommand):
    help = (
        "Load a file written by `backup` into the empty database at DATABASE_URL, or at "
        "DATABASE_DIRECT_URL where that is set."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what `backup` wrote")

    def handle(self, *_arguments: Any, file: Path, **_options: Any) -> None:
        pooler.go_past()
        try:
            restore(file)
        except CannotBackUp as reason:
            raise CommandError(str(reason)) from reason
        dropped = restored.drop_what_waited(timezone.now())
        self.stdout.write(
            f"Everything is restored. Emails dropped that waited in the backup: {dropped}. "
            "Next: manage.py migrate, then manage.py verify_games."
        )
