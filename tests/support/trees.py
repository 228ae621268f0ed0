"""Copies of the code, as another version of it would be installed beside this one."""

import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from packaging.version import Version

from intrigue_site import release

ROOT = Path(__file__).resolve().parents[2]


def copy_of(place: Path) -> Path:
    """A copy of this checkout, with what isn't committed yet."""
    options = ["--cached", "--others", "--exclude-standard"]
    for file in _git("ls-files", *options).splitlines():
        if (ROOT / file).exists():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, place / file)
    return place


def version_before(place: Path) -> Path:
    """The code of the last release with the same major version; before there is one, this code."""
    try:
        tag = _git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^").strip()
    except subprocess.CalledProcessError:
        return copy_of(place)
    if Version(tag).major != Version(release.VERSION).major:
        return copy_of(place)
    archive = place.with_suffix(".tar")
    _git("archive", "--output", str(archive), tag)
    with tarfile.open(archive) as files:
        files.extractall(place, filter="data")
    return place


def another_version(place: Path, version: str, works_with: str = release.WORKS_WITH) -> Path:
    """This code as another version, with one more migration."""
    copy_of(place)
    _replace(place / "pyproject.toml", r'^version = ".*"', f'version = "{version}"')
    code = place / "intrigue_site" / "release.py"
    _replace(code, r'^WORKS_WITH: Final = ".*"', f'WORKS_WITH: Final = "{works_with}"')
    folder = place / "games" / "migrations"
    last = max(file.stem for file in folder.glob("0*.py"))
    sql = "ALTER TABLE games_game ADD COLUMN harmless text NOT NULL DEFAULT ''"
    (folder / "9999_harmless.py").write_text(
        "from django.db import migrations\n\n\n"
        "class Migration(migrations.Migration):\n"
        f'    dependencies = [("games", "{last}")]\n'
        f'    operations = [migrations.RunSQL("{sql}")]\n'
    )
    return place


def _replace(file: Path, old: str, new: str) -> None:
    text, count = re.subn(old, new, file.read_text(), flags=re.MULTILINE)
    assert count == 1, (file, old)
    file.write_text(text)


def _git(*arguments: str) -> str:
    asked = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return asked.stdout
