"""A feature can be deleted: its folder, its line in the settings, and the site is whole."""

import re
import shutil
import subprocess
import sys

import pytest
from django.conf import settings

from tests.support.trees import copy_of

pytestmark = pytest.mark.full


def copied_without(names, place):
    """A copy of the checkout in which these features are deleted."""
    copy_of(place)
    for name in names:
        shutil.rmtree(place / "games" / "features" / name)
    site = place / "intrigue_site" / "settings.py"
    lines = "|".join(names)
    text, count = re.subn(rf'^    "({lines})",\n', "", site.read_text(), flags=re.MULTILINE)
    assert count == len(names)
    site.write_text(text)


def is_whole(environment, place, smtp):
    for command in (["manage.py", "check"], ["-m", "tests.features.whole_game"]):
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=place,
            env=environment | {"DJANGO_SETTINGS_MODULE": "intrigue_site.test_settings"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    over = [email["To"] for email in smtp.messages if "The game is over" in email["Subject"]]
    assert sorted(over) == ["anna@example.org", "boris@example.org", "clara@example.org"]


@pytest.mark.long
def test_the_core_alone_plays_a_whole_game(process_environment, tmp_path, smtp):
    copied_without(settings.FEATURES, tmp_path)
    is_whole(process_environment, tmp_path, smtp)


@pytest.mark.long
@pytest.mark.parametrize("name", settings.FEATURES)
def test_without_one_of_them(name, process_environment, tmp_path, smtp):
    copied_without([name], tmp_path)
    is_whole(process_environment, tmp_path, smtp)
