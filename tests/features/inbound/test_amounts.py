"""Amounts as people type them: the same on pages and in email, and never read as another one."""

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation

from games.features.inbound.commands.meaning import Unclear
from games.forms.amounts import AmountField
from tests.features.inbound.test_commands import CLERK, read

SPELLINGS = (
    "4000", "4,000", "4.000", "4 000", "4'000", "4\u2019000", "4_000", "4\u00a0000", "4\u202f000",
    "\u0664\u0660\u0660\u0660", "\u0664\u066c\u0660\u0660\u0660", "\u06f4\u06f0\u06f0\u06f0",
    "\uff14\uff10\uff10\uff10", "\uff14\uff0c\uff10\uff10\uff10", "$4,000", " 4000 ",
)  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_an_amount_is_read_however_it_is_spelled(text):
    assert AmountField().clean(text) == 4000
    assert read(f"bribe clerk {text}") == CLERK


OTHERS = (
    "4.5", "4,5", "1.5", "2.4000", "4,00", "4,0000", "4.000,00", "4,000.50", "4000.0", "4k", "4e3",
    "1,000.000", "\u00b2", "0x10", "4-5", "four",
)  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_whole_amount_is_refused_and_never_read_as_another(text):
    with pytest.raises(ValidationError):
        AmountField().clean(text)
    assert isinstance(read(f"bribe clerk {text}"), Unclear)


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_refusal_shows_a_spelling_that_is_taken(language):
    with translation.override(language):
        message = str(AmountField().error_messages["invalid"])
    example = message.rstrip(".").rpartition(" ")[2]
    assert AmountField().clean(example) == 4000
