"""`manage.py appoint`: makes somebody a moderator or an administrator, or dismisses them."""

from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from games.services import roles
from games.services.accounts import on_request
from games.services.people.addresses import with_address
from games.services.refused import Refused

NOBODY: Final = "player"


class Command(BaseCommand):
    help = "Make someone a moderator or an administrator, or an ordinary player again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the mail address of their account")
        parser.add_argument("role", choices=(*roles.ROLES, NOBODY))
        parser.add_argument(
            "--create",
            action="store_true",
            help="make the account if there is none, such as the first one of a site where only "
            "people who were invited can sign up",
        )
        parser.add_argument(
            "--name", help="the public name of a new account; usually the address up to the @"
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        address = options["address"]
        person = with_address(address)
        is_new = person is None
        if person is None:
            if not options["create"]:
                raise CommandError(
                    "There is no account with this address. Sign up with it, or let --create make "
                    "one."
                )
            name = options["name"] or address.partition("@")[0]
            try:
                person = on_request.create(address, name, timezone.now())
            except Refused as refusal:
                text = f"No account for {address}, called {name}: {refusal}"
                raise CommandError(text) from refusal
        if options["role"] == NOBODY:
            roles.dismiss(person)
        else:
            roles.appoint(person, options["role"])
        self.stdout.write(f"{person.name}: {options['role']}")
        if is_new:
            page = f"{settings.SITE_URL}{reverse('account_request_login_code')}"
            self.stdout.write(
                f"The account is new and has no password. Sign in at {page} with a code, which is "
                f"emailed to {person.email}."
            )
