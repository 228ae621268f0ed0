"""`manage.py doctor`: whether everything works, in plain words."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.utils import timezone

from games.services.operations.doctor.checkup import checkup


class Command(BaseCommand):
    help = (
        "Check the database, broker, live process, worker, email and beat, and list what is "
        "overdue, with what to do about each problem. Exits with 0 if all is well, "
        "otherwise with 1."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mail", metavar="ADDRESS", help="send a test mail there")

    def handle(self, *_arguments: Any, mail: str | None, **_options: Any) -> None:
        if mail is not None:
            try:
                validate_email(mail)
            except ValidationError as reason:
                raise CommandError(f"{mail} is no mail address.") from reason
        # libpq reads it: a server that is switched off shall not keep the doctor for two minutes.
        os.environ.setdefault("PGCONNECT_TIMEOUT", "5")
        troubles = 0
        for finding in checkup(now=timezone.now(), mail_to=mail):
            mark = "✓" if finding.is_well else "✗"
            self.stdout.write(f"{mark} {finding.part}: {finding.text}")
            troubles += not finding.is_well
        if troubles:
            sys.exit(1)
