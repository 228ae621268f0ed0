"""What the docs and the comments mention exists: files, links, headings, and numbered rules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CODE = sorted(
    path for name in ("games", "intrigue_site", "tests") for path in (ROOT / name).rglob("*.py")
)
TOP = {path.name for path in ROOT.iterdir()}
NOT_HERE = {"var", ".venv", "backup", "dump"}
"""Folders that the commands make."""


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub links to them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def numbered(page: str, heading: str = "") -> set[int]:
    """The numbers of the items of a page, or of the part below one heading."""
    text = (ROOT / "docs" / page).read_text()
    if heading:
        text = text.partition(f"\n## {heading}")[2].partition("\n## ")[0]
    return {int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_exist(page):
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_in_backticks_exist(page):
    """A path begins with a folder at the top of the checkout; templates may go by their name.

    A part in capitals, as in `locale/LANGUAGE/`, stands for any name.
    """
    missing = []
    for path in re.findall(r"`([\w.\-]+/[\w./\-]*)`", page.read_text()):
        first = path.split("/")[0]
        any_name = re.search(r"\b[A-Z]{3,}\b", path)
        if first not in TOP - NOT_HERE or any_name:
            continue
        if not (ROOT / path).exists() and not (ROOT / "templates" / path).exists():
            missing.append(path)
    assert not missing


def test_rulings_and_lemmas_of_the_rules_exist():
    rulings = numbered("rules.md", "Rulings")
    lemmas = numbered("rules.md", "Lemmas (the tests hold them)")
    assert (max(rulings), max(lemmas)) == (9, 8)
    wrong = []
    for path in CODE:
        text = path.read_text()
        for word, known in (("ruling", rulings), ("lemma", lemmas)):
            for numbers in re.findall(
                rf"\b{word}s? ((?:\d+)(?:(?:, | and )\d+)*)", text, re.IGNORECASE
            ):
                named = {int(number) for number in re.findall(r"\d+", numbers)}
                if not named <= known or "engine" not in path.parts:
                    wrong.append(f"{path.relative_to(ROOT)}: {word} {numbers}")
    assert not wrong


def test_numbers_of_play_over_days_exist():
    known = numbered("play-over-days.md")
    assert known == set(range(1, len(known) + 1))
    mentioned = {}
    for path in [*CODE, *PAGES]:
        pattern = r"(?:\([Dd]ays|play-over-days\.md,) ((?:\d+)(?:(?:, | and )\d+)*)\b"
        for numbers in re.findall(pattern, path.read_text()):
            for number in re.findall(r"\d+", numbers):
                mentioned.setdefault(int(number), path.relative_to(ROOT))
    assert {number: path for number, path in mentioned.items() if number not in known} == {}
    assert len(mentioned) > 5
