"""`manage.py doctor`: whether everything works, in plain words."""

import os
import sys
from argparse import ArgumentParser
from json import dumps
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.utils import timezone

from games.services.operations.doctor.checkup import checkup


class Command(BaseCommand):
    help = (
        "Check the database, broker, workers, the site at its public address, live process, "
        "email, clock, disks and backups, and list what is overdue, with what to do about each "
        "problem. Exits with 0 if all is well, otherwise with 1."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mail", metavar="ADDRESS", help="send a test mail there")
        parser.add_argument(
            "--no-web",
            action="store_true",
            help="don't ask for the site by its public address, such as before there is a proxy",
        )
        parser.add_argument(
            "--json", action="store_true", help="print a list of {part, text, well} for machines"
        )

    def handle(
        self,
        *_arguments: Any,
        mail: str | None,
        no_web: bool,
        json: bool,
        **_options: Any,
    ) -> None:
        if mail is not None:
            try:
                validate_email(mail)
            except ValidationError as reason:
                raise CommandError(f"{mail} is no mail address.") from reason
        # libpq reads it: a server that is switched off shall not keep the doctor for two minutes.
        os.environ.setdefault("PGCONNECT_TIMEOUT", "5")
        findings = []
        for finding in checkup(now=timezone.now(), mail_to=mail, by_web=not no_web):
            findings.append(finding)
            if not json:
                mark = "✓" if finding.is_well else "✗"
                self.stdout.write(f"{mark} {finding.part}: {finding.text}")
        if json:
            rows = [{"part": part, "text": text, "well": well} for part, text, well in findings]
            self.stdout.write(dumps(rows, ensure_ascii=False, indent=1))
        if not all(finding.is_well for finding in findings):
            sys.exit(1)
