"""Templates stay readable: short lines, short files, few parts, and no logic."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from jinja2.nodes import Call, Const, Filter, Getattr, Name

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
FEATURES = TEMPLATES.parent / "games" / "features"
FILES = sorted(
    path
    for folder in (TEMPLATES, FEATURES)
    for path in folder.rglob("*")
    if path.suffix in {".html", ".txt"}
)
PAGES = [
    path for path in FILES if {"pages", "jinja2"} & set(path.relative_to(TEMPLATES.parent).parts)
]
GIVEN = {
    "about_sign_ins",
    "may_watch",
    "next_game",
    "push_key",
    "server_time",
    "site_news",
    "super",
    "table_title",
    "waiting_count",
}
"""Functions that a page is given by `games/context.py`, and Jinja2's own."""

LONGEST_LINE = 200
MOST_LINES = 150
MOST_TERMS = 3

OWN_FILES = {
    "game/_call_vote.html", "game/_move_form.html", "game/_open_votes.html",
    "game/_result.html", "game/_seats.html", "game/_standing_orders.html", "game/_status.html",
}  # fmt: skip
"""Parts of one page that have a file of their own, because that page would be too long."""


def name_of(path: Path) -> str:
    return path.relative_to(TEMPLATES if path.is_relative_to(TEMPLATES) else FEATURES).as_posix()


def wrong(find: Callable[[Path], list[Any]], paths: list[Path]) -> dict[str, list[Any]]:
    """What is found where nothing should be, by the names of the templates."""
    assert len(paths) > 100
    found = {name_of(path): find(path) for path in paths}
    return {name: faults for name, faults in found.items() if faults}


def test_a_template_has_short_lines_and_not_too_many():
    def find(path):
        lines = path.read_text().splitlines()
        long = [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]
        return long + lines[MOST_LINES:]

    assert wrong(find, FILES) == {}


def test_a_template_computes_nothing():
    """A condition of many terms belongs into a property or a field of what the page shows."""

    def find(path):
        conditions = re.findall(r"{% (?:el)?if (.*?) %}", path.read_text())
        return [one for one in conditions if len(re.split(r" (?:and|or) ", one)) > MOST_TERMS]

    assert wrong(find, FILES) == {}


def test_a_page_is_written_in_the_language_of_pages_and_calls_only_what_there_is():
    environment = engines["pages"].env

    def find(path):
        tree = environment.parse(path.read_text())
        called = {node.node.name for node in tree.find_all(Call) if isinstance(node.node, Name)}
        filters = {node.name for node in tree.find_all(Filter)}
        unknown = (called - set(environment.globals) - GIVEN) | (filters - set(environment.filters))
        return sorted(unknown | (filters & {"safe"}))

    assert wrong(find, PAGES) == {}


def test_only_our_own_words_are_translated():
    def find(path):
        tree = engines["pages"].env.parse(path.read_text())
        calls = [call for call in tree.find_all(Call) if isinstance(call.node, Name)]
        asked = [argument for call in calls if call.node.name == "_" for argument in call.args]
        computed = [one for one in asked if not isinstance(one, Const)]
        edition = Getattr(Name("edition", "load"), "name", "load")
        return [one for one in computed if one != edition]

    assert wrong(find, PAGES) == {}


@pytest.mark.parametrize("language", ["pages", "django"])
def test_what_people_wrote_is_escaped(language):
    template = engines[language].from_string("{{ text }}")
    assert template.render({"text": "<b>Anna & Co"}) == "&lt;b&gt;Anna &amp; Co"


def test_a_part_is_used_more_than_once():
    text = "".join(path.read_text() for path in FILES)
    used = Counter(re.findall(r'{% (?:include|extends) "([^"]+)"', text))
    used += Counter(f"frame/_{part}.html" for part in re.findall(r'{% frame "(\w+)" %}', text))
    used["admin/_rows.html"] += text.count("{% rows ")
    names = {name_of(path) for path in FILES if path.name.startswith("_")}
    parts = {re.sub(r"^(pages|\w+/jinja2|\w+/templates)/", "", name) for name in names}
    assert {part for part in parts if used[part] < 2} == OWN_FILES
