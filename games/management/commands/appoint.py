"""`manage.py appoint`: makes somebody a moderator or an administrator, or dismisses them."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.services import roles
from games.services.people.addresses import with_address

NOBODY: Final = "player"


class Command(BaseCommand):
    help = "Make someone a moderator or an administrator, or an ordinary player again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the mail address of their account")
        parser.add_argument("role", choices=(*roles.ROLES, NOBODY))

    def handle(self, *_arguments: Any, **options: Any) -> None:
        person = with_address(options["address"])
        if person is None:
            raise CommandError("There is no account with this address.")
        if options["role"] == NOBODY:
            roles.dismiss(person)
        else:
            roles.appoint(person, options["role"])
        self.stdout.write(f"{person.name}: {options['role']}")
