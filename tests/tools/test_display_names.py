"""Only one module reads what people are called at a table, read from the code and the templates."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.test_boundaries import ROOT, modules, within

NAMING = "games.services.people.display_names"

# What shows tables to players. Presentation gets names, and can't import users at all; moderators
# read the public names themselves.
AT_TABLES = ("games.services", "games.views", "games.forms")
ELSEWHERE = ("games.services.moderation", "games.services.operations", "games.forms.moderation")

# Variables and attributes that have a name and are no users.
NO_USERS = {"call", "field", "game", "header", "people", "self", "settings", "waiting"}

# Where a public name is read that isn't one at a table.
ALLOWED = {
    "games.forms.account": {"person.name", "self.person.name", "self.instance.name"},  # one's own
    "games.forms.submitted": {"one.name"},  # of a module
    "games.services.accounts.guests": {"guest.name"},  # one's own
    "games.features.export.at_tables": {"line.name", "one.name"},  # of a line in words
    "games.features.export.with_others": {
        "one.blocked.name",
        "one.ignored.name",
        "other.name",
    },  # the lists of one's own people
    "games.services.audit": {"who.name"},  # for moderators
    "games.services.accounts.factor_resets": {"person.name"},  # the same
    "games.services.email.chat_emails": {"last.name", "line.name"},  # of a line in words
    "games.services.email.subscriptions": {"switch.all_games_link.name"},  # of a link
    "games.services.email.report_emails": {"row.reporter.name"},  # for moderators
    "games.features.inbound.letters.parsing": {
        "codecs.lookup(part.get_content_charset('ascii')).name"
    },  # of a character set
    "games.services.people.names": {"person.name"},  # whether it may be taken
    "games.services.people.companions": {
        "found.values_list('name', flat=True)"
    },  # whom to invite, by the public name
    "games.services.accounts.queries.profile": {"person.name"},  # the lists of one's own people
    "games.views.reports": {"person.name"},  # a report from somebody's own page
}

QUERIES = {"F", "OuterRef", "annotate", "only", "order_by", "values", "values_list"}

TEMPLATES = ("pages/chat", "pages/game", "pages/history", "pages/lobby", "pages/email")
OF_A_USER = re.compile(r"\b\w+\.(?:author|host|invited_by|person|reporter|user)\b(?:\.name\b)?")


def user_names(tree: ast.AST) -> Iterator[str]:
    """The expressions that read a name, unless it clearly isn't the name of a user."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "name":
            *_before, owner = ast.unparse(node.value).split(".")
            if owner not in NO_USERS:
                yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and str(node.value).endswith("__name"):
            if not str(node.value).endswith("game__name"):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and called(node) in QUERIES:
            names = [one for one in node.args if isinstance(one, ast.Constant)]
            yield from (ast.unparse(node) for one in names if one.value == "name")


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def read_in(module: str) -> set[str]:
    return set(user_names(ast.parse(modules()[module].read_text())))


def at_tables() -> list[str]:
    return [
        name
        for name in sorted(modules())
        if any(within(name, place) for place in AT_TABLES)
        and not any(within(name, place) for place in ELSEWHERE)
    ]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("seat.user.name", {"seat.user.name"}),
        ("[one.name for one in people]", {"one.name"}),
        ("users[0].name", {"users[0].name"}),
        ("Sitting.objects.values('user__name')", {"'user__name'"}),
        ("users.values_list('email', 'name')", {"users.values_list('email', 'name')"}),
        ("F('name')", {"F('name')"}),
        ("game.name + report.game.name + people.name(1)", set()),
        ("Seat.objects.order_by('game__name')", set()),
        ("form.cleaned_data['name']", set()),
    ],
)
def test_the_reader_finds_names_of_users(code, found):
    assert set(user_names(ast.parse(code))) == found


def test_no_other_module_reads_names_of_users_for_a_table():
    others = [name for name in at_tables() if name != NAMING]
    assert len(others) > 100
    found = {name: read_in(name) - ALLOWED.get(name, set()) for name in others}
    assert {name: read for name, read in found.items() if read} == {}


def test_every_exception_is_needed():
    assert {name: read_in(name) & allowed for name, allowed in ALLOWED.items()} == ALLOWED
    assert read_in(NAMING) > {"person.name", "'user__name'"}


def test_no_template_of_a_table_reads_names_of_users():
    files = [file for folder in TEMPLATES for file in Path(ROOT / "templates" / folder).glob("*")]
    files += ROOT.glob("games/features/*/jinja2/email/*")
    assert len(files) > 50
    found = {file.name: set(OF_A_USER.findall(file.read_text())) for file in files}
    assert {name: read for name, read in found.items() if read} == {}
