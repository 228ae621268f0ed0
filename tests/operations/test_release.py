"""Which version and commit this is, told by a checkout, a source archive and an image."""

import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from intrigue_site import release

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments):
    asked = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return asked.stdout.strip()


def told_in(folder, **environment):
    """What the release says of itself in a folder, without settings."""
    script = "from intrigue_site.release import VERSION, COMMIT; print(VERSION, COMMIT)"
    known = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    asked = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=known | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return asked.stdout.split()


def test_a_checkout_tells_its_commit_and_the_version_of_its_project_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == release.VERSION
    assert told_in(ROOT) == [release.VERSION, git("rev-parse", "HEAD")[:12]]


def test_a_source_archive_tells_the_commit_that_it_was_made_of(tmp_path):
    with (tmp_path / "source.tar").open("wb") as archive:
        subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=archive, check=True)
    with tarfile.open(tmp_path / "source.tar") as archive:
        archive.extractall(tmp_path / "source", filter="data")
    assert told_in(tmp_path / "source")[1:] == [git("rev-parse", "HEAD")[:12]]
    image = "0123456789abcdef0123456789abcdef01234567"
    assert told_in(tmp_path / "source", COMMIT=image)[1:] == [image[:12]]


def test_a_copy_without_a_history_tells_no_commit(tmp_path):
    (tmp_path / "intrigue_site").mkdir()
    for name in ("release.py", "commit.txt"):
        text = (ROOT / "intrigue_site" / name).read_text()
        (tmp_path / "intrigue_site" / name).write_text(text)
    project = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(project)
    assert told_in(tmp_path) == [release.VERSION]
    assert told_in(tmp_path, COMMIT="main") == [release.VERSION]
