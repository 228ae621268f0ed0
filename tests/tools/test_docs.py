"""What the docs and the comments mention exists: files, links, headings, names, numbered rules."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps

from intrigue_site.environment import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CODE = sorted(
    path for name in ("games", "intrigue_site", "tests") for path in (ROOT / name).rglob("*.py")
)
TOP = {path.name for path in ROOT.iterdir()}
NOT_HERE = {"var", ".venv", "backup", "dump"}
"""Folders that the commands make."""
PAGES_WITH_NAMES = (
    "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "docs/languages.md",
    "docs/moderation.md", "docs/play-over-days.md", "docs/rules.md", "docs/simulate.md",
    "docs/testing.md",
)  # fmt: skip
"""Pages that name functions, classes and modules of ours."""
NOT_OURS = {"to_tsvector"}


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub links to them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_heading_comes_twice_below_the_same_one(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    twice: list[str] = []
    above: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for marks, heading in re.findall(r"^(#+) (.+)$", text, re.MULTILINE):
        above = [*above[: len(marks) - 1], heading]
        if tuple(above) in seen:
            twice.append(heading)
        seen.add(tuple(above))
    assert twice == []


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


def names_in(scope: ast.AST) -> set[str]:
    """What a module or class defines: "move", "Writer", "Writer.play", "Order.Kind"."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(scope):
        match node:
            case ast.ClassDef(name=name):
                found |= {name, *(f"{name}.{inner}" for inner in names_in(node))}
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.TypeAlias(name=ast.Name(id=name)):
                found.add(name)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def dotted_names() -> frozenset[str]:
    """Every dotted name of ours: "games.services.game.writer.Writer.play"; packages export."""
    found: set[str] = set()
    for path in CODE:
        tree = parsed(path)
        names = names_in(tree)
        if path.name == "__init__.py":
            imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
            names |= {alias.name for node in imports for alias in node.names}
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found |= {module, *(f"{module}.{name}" for name in names)}
    return frozenset(found)


@cache
def words_of_the_code() -> frozenset[str]:
    """Every name in the code, and every string that is one word, such as a key."""
    found = {path.stem for path in CODE}
    for path in CODE:
        if path == Path(__file__).resolve():
            continue
        for node in ast.walk(parsed(path)):
            for field in ("id", "attr", "name", "arg", "value"):
                word = getattr(node, field, None)
                if isinstance(word, str) and re.fullmatch(r"[\w.]+", word):
                    found.add(word)
    return frozenset(found)


@cache
def dotted_ends() -> frozenset[str]:
    """What the docs may call a name: "Writer.play", "writer.Writer.play" and so on."""
    ends: set[str] = set()
    for dotted in dotted_names():
        parts = dotted.split(".")
        ends |= {".".join(parts[start:]) for start in range(len(parts))}
    return frozenset(ends)


def is_known(name: str) -> bool:
    """Whether a name in backticks is one of ours, or looks like nothing that we define."""
    first, _, attribute = name.rpartition(".")
    if name.endswith(".py"):
        return (ROOT / name).exists() or any(f"/{path}".endswith(f"/{name}") for path in CODE)
    if "/" in name or name in NOT_OURS or attribute in {"css", "html", "js", "md", "po", "txt"}:
        return True
    if first in dotted_ends():
        # A variable may have the name of its class: `people.scholar`.
        named = {name, f"{name[0].upper()}{name[1:]}"}
        return bool(named & dotted_ends()) or name in words_of_the_code()
    return attribute in words_of_the_code() or not re.search(r"_|[A-Z]", attribute)


@pytest.mark.parametrize("page", PAGES_WITH_NAMES)
def test_names_in_backticks_exist(page):
    """`module.name`, `Class.name`, `some_name`, `SomeName` and `file.py` exist."""
    names = re.findall(r"`([\w./]+)(?:\([^`]*\))?`", (ROOT / page).read_text())
    assert [name for name in names if not is_known(name)] == []


NAMES = r"((?:`\w[\w.]*`(?:, | and )?)+)"
FILE = r"`((?:games|tests|intrigue_site)/[\w/]+\.py)`"


@pytest.mark.parametrize("page", PAGES_WITH_NAMES)
def test_names_are_in_the_file_that_is_named_beside_them(page):
    """`name` in `file.py`, `name` (`file.py`), and `file.py`: `name`."""
    text = (ROOT / page).read_text()
    beside = [(names, file) for names, file in re.findall(rf"{NAMES} (?:in |of |\(){FILE}", text)]
    beside += [(names, file) for file, names in re.findall(rf"{FILE}: {NAMES}", text)]
    claims = [(name, file) for names, file in beside for name in re.findall(r"`([\w.]+)`", names)]
    wrong = [
        (name, file)
        for name, file in claims
        if name.rpartition(".")[2] not in re.findall(r"\w+", (ROOT / file).read_text())
    ]
    assert wrong == []


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


def days_named_in(path: Path) -> set[int]:
    """The numbers of docs/play-over-days.md that a file names: "(days 24 and 25)"."""
    pattern = r"(?:\([Dd]ays|play-over-days\.md,) ((?:\d+)(?:(?:, | and )\d+)*)\b"
    found = re.findall(pattern, path.read_text())
    return {int(number) for numbers in found for number in re.findall(r"\d+", numbers)}


def test_numbers_of_play_over_days_exist():
    known = numbered("play-over-days.md")
    assert known == set(range(1, len(known) + 1))
    mentioned = {number: path for path in [*CODE, *PAGES] for number in days_named_in(path)}
    assert {number: path for number, path in mentioned.items() if number not in known} == {}
    assert len(mentioned) > 5


def test_every_number_about_negotiating_has_tests():
    tested = {
        number
        for path in CODE
        if path.is_relative_to(ROOT / "tests") and path.name.startswith("test_")
        for number in days_named_in(path)
    }
    assert set(range(24, 33)) - tested == set()


def test_every_variable_is_in_the_table_of_settings_once():
    """docs/settings.md, and `VARIABLES`: what the settings of the site and of its features read."""
    read = {
        name
        for path in [ROOT / "intrigue_site/settings.py", *ROOT.glob("games/features/*/settings.py")]
        for name in variables_read(parsed(path))
    }
    rows = re.findall(r"^\| (`.+?`) \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(read) == sorted(VARIABLES)


def variables_read(tree: ast.Module) -> set[str]:
    """The names that a module asks the environment for; those of a provider are in a tuple."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=function, args=[ast.Constant(value=name), *_]) if reads(function):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id="VARIABLES"), value=ast.Tuple(elts=names)):
                found |= {ast.literal_eval(name) for name in names}
    return found


def reads(function: ast.expr) -> bool:
    """Whether it is `env.list` or the like, `listed`, or one of `intrigue_site.environment`."""
    ways = r"env\.\w+|os\.environ\.get|listed|text|number|flag|secret"
    return bool(re.fullmatch(ways, ast.unparse(function)))


def test_every_table_has_one_place_where_postgresql_is_distributed():
    """docs/scale.md: by game, replicated, or on the coordinator."""
    text = (ROOT / "docs" / "scale.md").read_text().partition("**Distributed by game**")[2]
    places = text.partition("What has to change in the tables")[0]
    told = [name for name in re.findall(r"`([a-z]+_[a-z_]+)`", places) if name != "game_id"]
    assert sorted(told) == sorted({model._meta.db_table for model in apps.get_models()})
