"""`manage.py backup FILE`: the whole database in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services import pooler
from games.services.operations.doctor.machine import record_backup
from intrigue_site.backup import CannotBackUp, back_up


class Command(BaseCommand):
    help = "Write the whole database to FILE, which must not exist. Games can keep running."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file that is not there yet")

    def handle(self, *_arguments: Any, file: Path, **_options: Any) -> None:
        pooler.go_past()
        try:
            back_up(file)
        except CannotBackUp as reason:
            raise CommandError(str(reason)) from reason
        record_backup(timezone.now())
        self.stdout.write(f"{file} has the whole database: {file.stat().st_size:,} bytes.")
