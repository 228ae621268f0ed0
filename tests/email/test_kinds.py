"""The table of kinds of email is complete: what is written is in it, and has its templates."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.models import OutboxEmail
from games.services.email.kinds import EMAIL_KINDS, KIND_BY_KEY, SWITCHES, label_of
from tests.support.every_email import MAKE

ROOT = Path(settings.BASE_DIR)
WRITES_EMAIL = {"email", "enqueue", "email_person", "_email", "email_now_and_then"}
"""The functions whose first argument is the key of a kind."""


def keys_written() -> Iterator[str]:
    """Every key in the code with which an email is written."""
    for file in (*ROOT.glob("games/services/**/*.py"), *ROOT.glob("games/features/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in WRITES_EMAIL:
                    inner = ast.walk(node.args[0])
                    yield from (one.value for one in inner if isinstance(one, ast.Constant))


@pytest.mark.full
def test_every_kind_that_is_written_is_in_the_table_and_every_kind_in_it_is_written():
    assert set(keys_written()) == set(KIND_BY_KEY)


def test_every_kind_is_in_the_table_once_and_in_the_test_of_all_emails():
    assert [kind.key for kind in EMAIL_KINDS] == list(KIND_BY_KEY)
    assert set(MAKE) == set(KIND_BY_KEY)


def test_every_kind_has_a_text_and_an_html_template_and_no_template_is_left_over():
    shared = {
        "account",
        "base",
        "part",
        "digest",
        "promise_news",
        "substitute_wanted_at_many",
        "_offers",
        "_deadline",
        "_decision",
        "_settings",
    }
    expected = {f"{name}{end}" for name in {*KIND_BY_KEY, *shared} for end in (".txt", ".html")}
    expected |= {"_board.html", "_button.html"}
    folders = [
        ROOT / "templates" / "pages" / "email",
        *ROOT.glob("games/features/*/jinja2/email"),
    ]
    assert sorted(file.name for folder in folders for file in folder.iterdir()) == sorted(expected)


@pytest.mark.parametrize("key", KIND_BY_KEY)
def test_a_kind_fits_into_the_outbox(key):
    assert len(key) <= OutboxEmail._meta.get_field("kind").max_length


def test_a_switch_has_one_label_and_its_emails_a_link_that_turns_something_off():
    switches = [kind.switch for kind in EMAIL_KINDS if kind.switch is not None]
    assert {id(one) for one in switches} == {id(one) for one in SWITCHES}
    assert all(one.all_games_link is not None or one.this_game_link for one in switches)
    names = [one.all_games_link.name for one in SWITCHES if one.all_games_link is not None]
    assert names == ["reminders", "invitations", "substitutes"]  # Old emails have links with these.


def test_a_row_of_a_kind_that_no_longer_exists_is_shown_by_its_key():
    assert label_of(OutboxEmail(kind="vote")) == "the players are voting"
    assert label_of(OutboxEmail(kind="pigeon")) == "pigeon"
