"""What the characters of computer players say, each thing once in a game; what is told of them."""

from random import Random

import pytest
from django.conf import settings
from django.utils import translation

from games.engine.characters import Role
from games.engine.negotiator import Remark
from games.presentation.text.characters import (
    Betrayal,
    character_at_the_end,
    character_name,
    introduced,
)
from games.presentation.text.remarks import choose, key_of, remark_text

ANNA = Betrayal(2, "Anna")
YOU = Betrayal(2, "Anna", by_reader=True)


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_everybody_has_twenty_remarks_of_their_own(language):
    said = [(role, remark, number) for role in Role for remark in Remark for number in range(4)]
    with translation.override(language):
        texts = {remark_text(key_of(*one)) for one in said}
        names = {character_name(role) for role in Role}
    assert len(texts) == len(said) == 20 * len(Role)
    assert len(names) == len(Role) >= 8


def test_nothing_is_said_twice_in_a_game():
    said: list[str] = []
    for seed in range(4):
        said.append(choose(Role.DUKE, Remark.DEAL, said, Random(seed)))
    assert len(set(said)) == 4
    assert choose(Role.DUKE, Remark.DEAL, said, Random(9)) == ""
    assert choose(Role.ABBOT, Remark.DEAL, said, Random(9)).startswith("abbot-deal-")


def test_what_was_said_in_games_of_before_is_still_read():
    assert remark_text("trust") == "You can trust me. Usually."


def test_the_list_of_seats_says_how_they_play_and_how_strong_they_are():
    assert introduced(Role.DUKE, "courtier") == "computer player: keeps his word, plays well"
    assert introduced(None, "teacher") == "computer player: goes easy on beginners"
    assert introduced(None, "random") == "computer player: plays at random"
    assert introduced(None, "of a later release") == "computer player"


@pytest.mark.parametrize(
    ("role", "kept", "broken", "betrayed", "sentence"),
    [
        (Role.DUKE, 1, 0, ANNA, "never forgot that Anna broke a promise to them in round 2."),
        (Role.DUKE, 1, 0, YOU, "never forgot that you broke a promise to them in round 2."),
        (Role.ABBOT, 1, 0, YOU, "forgave you for betraying them in round 2."),
        (
            Role.ABBOT,
            1,
            0,
            ANNA,
            "was betrayed by Anna in round 2 but forgave them.",
        ),
        (Role.COUNTESS, 1, 1, None, "broke 1 promise and kept 1."),
        (Role.DUKE, 1, 0, None, "kept every promise, 1 in all."),
        (
            Role.DUKE,
            0,
            0,
            None,
            "made no promises that anyone could hold them to.",
        ),
    ],
)
def test_at_the_end_a_sentence_tells_how_they_were(role, kept, broken, betrayed, sentence):
    name = character_name(role)
    told = character_at_the_end(name, role, kept=kept, broken=broken, betrayed=betrayed)
    assert told == f"{name} {sentence}"
