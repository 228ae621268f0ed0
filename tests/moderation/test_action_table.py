"""The table of actions: each has one key, which its function writes and the audit log can name."""

import inspect
import re
from pathlib import Path
from string import Formatter

import pytest
from django.utils.translation import override

from games.admin.actions import all_actions, title_of, titles
from games.admin.actions.on_accounts import ON_ACCOUNTS
from games.services import audit
from games.services.moderation.actions.accounts import NEED_FACTOR_NOW
from games.services.moderation.actions.requests import Results
from games.services.moderation.audit.words import _WORDS
from games.services.moderation.cases import Archive
from games.services.moderation.secrets import Secrets

WRITERS = (
    r"(?:audit\.write|write_line|write_audit_line|_action|_audit|_grant_time|GameAction"
    r"|_send_again)"
)
WRITTEN = re.compile(WRITERS + r'\([^"()]*"([a-z]+\.[a-z-]+)"')
BY_ANOTHER_KEY = {"game.retry-all": "game.retry"}
"""Retries each of the games on its own."""


def test_the_function_of_an_action_writes_its_key():
    for key, action in all_actions().items():
        module = inspect.getsource(inspect.getmodule(action.do))
        assert f'"{BY_ANOTHER_KEY.get(key, key)}"' in module, key


def test_whatever_takes_or_gives_away_an_account_needs_a_second_factor_now():
    assert {action.key for action in ON_ACCOUNTS} - NEED_FACTOR_NOW == {"person.stop-reset"}
    assert set(all_actions()) >= NEED_FACTOR_NOW


def test_every_key_in_the_audit_log_has_a_title():
    written = {
        key for file in Path("games").glob("**/*.py") for key in WRITTEN.findall(file.read_text())
    }
    assert {"game.pause", "game.record", "secrets.reveal", "site.hours", "message.show"} <= written
    assert written <= set(titles())
    assert set(all_actions()) - written == set(BY_ANOTHER_KEY)
    assert title_of("vote.pause") == "pause the game"


def test_every_action_says_its_result():
    for key, action in all_actions().items():
        shown = inspect.signature(action.do).return_annotation in {Results, Archive, Secrets}
        assert shown or action.result is not None, key


def names_in_values(form):
    """What the sentence about the result may name, from the sources of `values`."""
    names = set()
    for ancestor in inspect.getmro(form):
        if "values" in vars(ancestor):
            source = inspect.getsource(ancestor.values)
            names |= set(re.findall(r'"([a-z]+)":', source))
            if "super()" not in source:
                return names
    return names


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_result_names_what_its_form_knows(language):
    with override(language):
        for key, action in all_actions().items():
            fields = {name for _text, name, *_ in Formatter().parse(str(action.result)) if name}
            assert fields <= names_in_values(action.form), key


def test_every_kind_of_value_in_a_line_has_words():
    assert {*audit.Values.__annotations__, "house_player"} == set(_WORDS)
