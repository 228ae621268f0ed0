"""Code and docs use the words of docs/glossary.md, and none that it marks as "not"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs/glossary.md").read_text()
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name != "glossary.md"),
]
MODULES = sorted(
    path
    for folder in ("games", "intrigue_site")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)

IN_ANOTHER_SENSE = {
    "answer": "to an invitation, an appeal or a report",
    "note": "private notes, and what moderators write about a person",
    "talk": "the stored names of the negotiation time",
    "mail": "a mail server, a mailbox, a mail program",
    "register": "of Django's admin, and a list of parts",
}
"""Words that name another thing rightly, so that no test can tell."""

IN_A_FEATURE = {ROOT / "games/features/questions": {"question"}}
"""Words that name another thing rightly, but only there."""

ONLY_AS_NAMES = {"asked", "desk", "question", "silence", "told", "waited for"}
"""Words that are no names of ours, and plain English in a sentence."""


def unwanted() -> set[str]:
    """What the glossary says not to write, such as "asked" or "house player"."""
    terms = GLOSSARY.partition("## Names that are stored")[0]
    quoted = re.findall(r'(?:[Nn]ot|never|,|or) "([a-z ]+)"', terms)
    return set(quoted) - IN_ANOTHER_SENSE.keys()


def stored_names() -> set[str]:
    return set(re.findall(r"`(\w+)`", GLOSSARY.partition("## Names that are stored")[2]))


def names_of(tree: ast.AST) -> Iterator[str]:
    """What a module itself gives names to: functions, classes, arguments, variables, fields."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def words_of(name: str) -> set[str]:
    """The words of a name: `to_move_phase` and `ToMovePhase` have three."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return set(apart.lower().split("_"))


def test_the_glossary_names_words_that_are_not_used():
    assert {"asked", "awaited", "question", "mails", "silence", "house player"} <= unwanted()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_and_docstrings_of_a_module(path):
    tree = ast.parse(path.read_text())
    names = set(names_of(tree)) - stored_names()
    right = set().union(*(words for place, words in IN_A_FEATURE.items() if place in path.parents))
    assert sorted(name for name in names if words_of(name) & (unwanted() - right)) == []
    places = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, places)]
    assert [text for text in found if unwanted_in(text)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_of_the_docs(path):
    lines = re.sub(r"(?s)```.*?```", "", path.read_text()).splitlines()
    assert [line for line in lines if unwanted_in(line)] == []


def unwanted_in(text: str) -> set[str]:
    plain = re.sub(r"`[^`]*`|\([^)]*\.md[^)]*\)", "", text).lower()
    words = unwanted() - ONLY_AS_NAMES
    return {word for word in words if re.search(rf"(?<![\w-]){word}(?![\w-])", plain)}
