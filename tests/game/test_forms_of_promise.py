"""The tables by form of promise: none of them lacks a form."""

from typing import get_args

import pytest

from games.engine.offers import _CHECKS
from games.engine.promise_codec import _FORMS
from games.engine.promises import _JUDGES, Deed
from games.forms.offers import KINDS
from games.presentation.text.promises import _PERSONS

FORMS = set(get_args(Deed.__value__))
WORDS = {form for form, _ in _PERSONS}


@pytest.mark.parametrize("table", [_JUDGES, _CHECKS, WORDS], ids=["judge", "check", "words"])
def test_each_form_is_judged_checked_and_has_words(table):
    assert set(table) == FORMS


def test_each_form_is_stored_and_has_a_form_of_its_own():
    assert set(_FORMS.values()) == FORMS
    assert set(KINDS) == set(_FORMS)
