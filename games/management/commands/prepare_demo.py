"""The part of `manage.py demo` that needs the database."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from intrigue_site import demo_content


class Command(BaseCommand):
    help = "Brings the demo's database up to date and prints a sign-in link for each person."

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is for the demo only: its links let anybody in.")
        call_command("migrate", verbosity=0)
        for person in demo_content.prepare(timezone.now()):
            role = " (moderator)" if person.is_staff else ""
            link = reverse("demo:sign_in", args=[demo_content.sign_in_token(person)])
            self.stdout.write(f"  {person.name + role:<20} {settings.SITE_URL}{link}")
