"""What is switched off is gone: from addresses, pages and commands."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from games.extensions import features
from tests.support.client import person
from tests.support.moderators import moderator

ROOT = Path(__file__).resolve().parents[2]
LOOK = """
import django
django.setup()
from django.test import Client
from games.models import User
for name, shown, own in (
    ("Anna", "/accounts/notifications/", "/accounts/calendar/"),
    ("Marta", "/admin/", "/admin/emails/"),
):
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(name=name))
    print(client.get(shown, secure=True).content.decode())
    print(own, client.get(own, secure=True).status_code)
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


def test_without_features(process_environment):
    person("Anna")
    moderator("Marta")
    shown = run(process_environment, "-c", LOOK).stdout
    assert 'id="calendar"' in shown
    assert "Emails with sample content" in shown
    assert "/accounts/calendar/ 405" in shown
    assert shown.endswith("/admin/emails/ 200\n")

    off = ",".join(settings.FEATURES)
    shown = run(process_environment, "-c", LOOK, off=off).stdout
    assert "Moderator dashboard" in shown
    assert "/accounts/calendar/ 404" in shown
    assert shown.endswith("/admin/emails/ 404\n")
    left = shown.replace("/accounts/calendar/ 404", "").replace("/admin/emails/ 404", "").lower()
    assert [word for word in ("calendar", "sample content", "/emails/") if word in left] == []
    assert (
        "Unknown command: 'simulate'"
        in run(process_environment, "manage.py", "simulate", off=off).stderr
    )
