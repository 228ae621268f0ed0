"""Long Russian words on the board have soft hyphens, for browsers without a Russian dictionary."""

import pytest

from games.markup.hyphens import hyphenated


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("фиолетовый священник", "фио\u00adле\u00adто\u00adвый священник"),
        ("жёлтый учёный 2", "жёлтый учёный 2"),
        ("violet scientist", "violet scientist"),
        ("violetter Wissenschaftler", "violetter Wissenschaftler"),
    ],
)
def test_only_long_russian_words_are_divided(text, wanted):
    assert hyphenated(text) == wanted
