"""What is switched off is gone: from addresses, pages and commands."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from games.extensions import features
from games.models import SharedBrowser, User
from tests.support.moderators import moderator
from tests.support.tables import open_table

ROOT = Path(__file__).resolve().parents[2]
LOOK = """
import django
django.setup()
from django.test import Client
from games.models import User
anna = f"/admin/games/user/{User.objects.get(name='Anna').pk}"
for name, shown, own in (
    ("Anna", "/accounts/notifications/", "/accounts/calendar/"),
    ("Marta", "/admin/", "/admin/emails/"),
    ("Marta", f"{anna}/change/", f"{anna}/doubles/"),
):
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(name=name))
    print(client.get(shown, secure=True).content.decode())
    print(f"STATUS {own} {client.get(own, secure=True).status_code}")
"""


def run(environment, *command, off=""):
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment
        | {"DJANGO_SETTINGS_MODULE": "intrigue_site.test_settings", "FEATURES_OFF": off},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_folder_is_a_feature_that_is_switched_on():
    folders = {path.parent.name for path in (ROOT / "games" / "features").glob("*/apps.py")}
    assert folders == set(settings.FEATURES)
    assert {feature.name for feature in features()} == {
        f"games.features.{name}" for name in settings.FEATURES
    }


@pytest.mark.parametrize("name", ["chess", "calendar,chess"])
def test_a_feature_that_does_not_exist_is_named(process_environment, name):
    ended = run(process_environment, "manage.py", "check", off=name)
    assert ended.returncode == 1
    assert "FEATURES_OFF: there is no chess, only " in ended.stderr


def seen(shown: str) -> tuple[str, dict[str, int]]:
    """What the pages say, and the answers of the features' own."""
    lines = shown.splitlines()
    answers = [line.split()[1:] for line in lines if line.startswith("STATUS ")]
    pages = "\n".join(line for line in lines if not line.startswith("STATUS "))
    return pages.lower(), {own: int(status) for own, status in answers}


def test_without_features(process_environment):
    game = open_table("Anna", "Boris", "Clara")
    anna, boris = (User.objects.get(name=name) for name in ("Anna", "Boris"))
    SharedBrowser.objects.create(first=anna, second=boris, last_at=game.created_at)
    moderator("Marta")
    doubles = f"/admin/games/user/{anna.pk}/doubles/"
    words = (
        'id="calendar"',
        "emails with sample content",
        "same browser, two seats at one table",
        "possible duplicate account",
    )

    pages, answers = seen(run(process_environment, "-c", LOOK).stdout)
    assert [word for word in words if word not in pages] == []
    assert answers == {"/accounts/calendar/": 405, "/admin/emails/": 200, doubles: 200}

    off = ",".join(settings.FEATURES)
    pages, answers = seen(run(process_environment, "-c", LOOK, off=off).stdout)
    assert "moderator dashboard" in pages
    assert "their messages" in pages
    # Django's admin takes what it doesn't know below a person for a key, and leads to its page.
    assert answers == {"/accounts/calendar/": 404, "/admin/emails/": 404, doubles: 302}
    left = ("calendar", "sample content", "/emails/", "same browser", "duplicate", "/doubles/")
    assert [word for word in left if word in pages] == []
    assert (
        "Unknown command: 'simulate'"
        in run(process_environment, "manage.py", "simulate", off=off).stderr
    )
