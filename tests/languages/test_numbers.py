"""A number that the site keeps to stands in its constant, from which the sentences take it."""

import re
from pathlib import Path

from babel.messages.pofile import read_po

CATALOGUE = Path(__file__).parents[2] / "locale/de/LC_MESSAGES/django.po"
WORDS = "two three four five six seven eight nine ten twelve fourteen twenty thirty sixty ninety"
UNITS = (
    "second minute hour day week month year character message vote game table address email "
    "invitation player"
)
NUMBER = re.compile(
    rf"\b(\d+|{WORDS.replace(' ', '|')})\b(?: \w+)? (?:{UNITS.replace(' ', '|')})s?\b",
    re.IGNORECASE,
)

NO_LIMIT = {
    "A game takes about three weeks",
    "A relaxed month",
    "A game takes about a month",
    "a game takes about two hours",
    "Five minutes per move",
    "takes ten minutes",
    "takes about ten minutes",
    "three rounds, ten minutes",
    "You and three computer players",
    "Three to five players",
    "Please wait ten minutes",
    "in 24 hours",
    "in any 24 hours",
    "in the last 24 hours",
}
"""How long things take, what the game is, advice, and a day, which `MOST_A_DAY` is named after."""


def test_sentences_take_their_numbers_from_constants() -> None:
    typed = []
    with CATALOGUE.open("rb") as file:
        for message in read_po(file):
            text = message.id if isinstance(message.id, str) else message.id[1]
            for known in NO_LIMIT:
                text = re.sub(re.escape(known), "", text, flags=re.IGNORECASE)
            typed += [f"{found[0]}: {text}" for found in NUMBER.finditer(text)]
    assert typed == []
