"""`manage.py person`: what the owner of the site does to an account for its person."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services.accounts import on_request
from games.services.accounts.on_request import By
from games.services.audit import OWNER
from games.services.people.addresses import with_address
from games.services.refused import Refused


class Command(BaseCommand):
    help = (
        "Help someone with their account. Each change is written to the audit log, and the person "
        "gets an email about it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the email address of their account")
        parser.add_argument("--reason", default="", help="for the audit log and the email")
        what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
        change = what.add_parser(
            "address",
            help="change the address, which is then confirmed; the old one gets an email, too",
        )
        change.add_argument("new", metavar="NEW", help="the new address")
        what.add_parser(
            "forget-second-factor", help="remove the app, all passkeys and recovery codes"
        )
        export = what.add_parser("export", help="write all data of the person to a file")
        export.add_argument("file", metavar="FILE", type=Path, help="a file that is not there yet")
        delete = what.add_parser("delete", help="delete the account; games stay")
        delete.add_argument("--yes", action="store_true", help="do not ask for the name")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        person = with_address(options["address"])
        if person is None:
            raise CommandError("There is no account with this address.")
        by = By(OWNER, options["reason"], timezone.now())
        try:
            done = self._do(person, by, options)
        except Refused as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(done)

    def _do(self, person: Any, by: By, options: dict[str, Any]) -> str:
        """Do it, and return what was done."""
        name = person.name
        match options["what"]:
            case "address":
                on_request.change_address(person, options["new"], by)
                return f"{name}: {person.email}. Both addresses get an email."
            case "forget-second-factor":
                on_request.forget_second_factor(person, by)
                return f"{name} has no second factor any more, and gets an email."
            case "export":
                _export(person, options["file"], by)
                return f"{options['file']} has all data of {name}, who gets an email."
            case "delete":
                if not (options["yes"] or self._is_sure(person)):
                    raise CommandError("Nothing was deleted.")
                on_request.delete(person, by)
                return f"{name} is deleted. Their address gets an email."
            case unknown:
                raise ValueError(unknown)

    def _is_sure(self, person: Any) -> bool:
        """Whether somebody types the name of who is about to be deleted."""
        self.stdout.write(f"This can't be undone. Type {person.name} to delete the account:")
        return bool(input().strip() == person.name)


def _export(person: Any, file: Path, by: By) -> None:
    """Write the file, for the owner of the server alone to read, and then that it was made."""
    data = on_request.all_data(person, by.now)
    try:
        with file.open("x", encoding="utf-8") as stream:
            file.chmod(0o600)
            json.dump(data, stream, ensure_ascii=False, indent=1)
    except OSError as reason:
        raise CommandError(f"{file} can't be written: {reason.strerror}.") from reason
    on_request.note_export(person, by)
