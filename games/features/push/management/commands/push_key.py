"""`manage.py push_key`: a key for notifications in browsers."""

from typing import Any

from django.core.management.base import BaseCommand

from games.features.push.keys import new_key


class Command(BaseCommand):
    help = (
        "Make a key for notifications in browsers and print it as a line for the environment of "
        "web and worker. With another key, everybody has to turn notifications on again."
    )
    requires_system_checks: list[str] = []

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        self.stdout.write(f"PUSH_KEY={new_key()}")
