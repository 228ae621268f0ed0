"""`bin/release`: what it refuses, and that one commit makes the same files twice."""

import hashlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DAY = "2026-12-24"
AT = f"{DAY}T12:00:00+00:00"
VERSION = "9.8.7"
DASH = "\N{EN DASH}"


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A clone of this one, whose last commit is a release."""
    folder = tmp_path / "intrigue"
    _git(tmp_path, "clone", "--quiet", str(ROOT), str(folder))
    write(folder / "pyproject.toml", r'^version = ".*"', f'version = "{VERSION}"')
    write(folder / "CHANGELOG.md", r"^## \[.*$", f"## [{VERSION}] {DASH} {DAY}")
    commit(folder)
    return folder


def write(file: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, file.read_text(), count=1, flags=re.MULTILINE)
    assert count == 1, pattern
    file.write_text(text)


def commit(folder: Path) -> None:
    for tool in ("bin/release", ".gitignore", "intrigue_site/release.py"):
        (folder / tool).write_bytes((ROOT / tool).read_bytes())
    (folder / "bin/release").chmod(0o755)
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", "A release")


def _git(folder: Path, *arguments: str) -> None:
    who = {"GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.org",
           "GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.org",
           "GIT_AUTHOR_DATE": AT, "GIT_COMMITTER_DATE": AT, "PATH": "/usr/bin:/bin"}  # fmt: skip
    subprocess.run(["git", *arguments], cwd=folder, env=who, check=True)


def release(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [folder / "bin" / "release", *options], capture_output=True, text=True, check=False
    )


def test_a_release_is_complete(checkout):
    checked = release(checkout, "--check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith(f"Intrigue {VERSION} of {DAY}, commit ")


WRONG = {
    "a version that is on its way": (
        lambda folder: [
            write(folder / "pyproject.toml", VERSION, f"{VERSION}.dev"),
            write(folder / "CHANGELOG.md", VERSION, f"{VERSION}.dev"),
        ],
        f"pyproject.toml says version {VERSION}.dev. It must be three numbers, such as 1.0.0.",
    ),
    "another day": (
        lambda folder: write(folder / "CHANGELOG.md", DAY, "2026-12-23"),
        f"CHANGELOG.md has no heading “## [{VERSION}] {DASH} {DAY}”, with the day of this commit.",
    ),
    "a package without hashes": (
        lambda folder: write(folder / "requirements.txt", r"^django==.* \\$", "django==6.1"),
        "requirements.txt has a package without hashes (bin/lock).",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_named(checkout, wrong):
    change, sentence = WRONG[wrong]
    change(checkout)
    commit(checkout)
    refused = release(checkout)
    assert (refused.returncode, refused.stderr) == (1, f"Not a release: {sentence}\n")
    assert not (checkout / "dist").exists()


def test_what_is_not_committed_is_no_part_of_it(checkout):
    (checkout / "notes.txt").write_text("later")
    refused = release(checkout)
    sentence = "Not a release: something isn't committed (git status).\n"
    assert (refused.returncode, refused.stderr) == (1, sentence)


def test_a_tag_stays_where_it_is(checkout):
    _git(checkout, "tag", f"v{VERSION}", "HEAD~1")
    refused = release(checkout)
    sentence = f"the tag v{VERSION} is on another commit. Choose the next version."
    assert (refused.returncode, refused.stderr) == (1, f"Not a release: {sentence}\n")


@pytest.mark.full
@pytest.mark.long
def test_one_commit_makes_the_same_files_twice(checkout):
    folder = checkout / "dist" / VERSION
    sums = []
    for _run in range(2):
        made = release(checkout, "--no-image")
        assert made.returncode == 0, made.stderr
        sums.append((folder / "SHA256SUMS").read_text())
    assert sums[0] == sums[1]
    name = f"intrigue-{VERSION}"
    files = {f"{name}.tar.gz", f"{name}-requirements.txt", f"{name}.cdx.json"}
    assert {path.name for path in folder.iterdir()} == files | {"SHA256SUMS"}
    for line in sums[0].splitlines():
        digest, _space, file = line.partition("  ")
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == digest
    parts = json.loads((folder / f"{name}.cdx.json").read_text())
    assert (parts["bomFormat"], parts["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)
    locked = re.findall(
        r"^([\w.-]+)(?:\[.*\])?==", (ROOT / "requirements.txt").read_text(), re.MULTILINE
    )
    assert {part["name"].lower() for part in parts["components"]} == set(locked)
    with tarfile.open(folder / f"{name}.tar.gz") as archive:
        archived = archive.extractfile(f"{name}/intrigue_site/commit.txt").read().decode()
    assert re.fullmatch(r"[0-9a-f]{40}\s*", archived)
