"""What one has to know of a decision, said to who bribes, to the owner, and to everybody else."""

import pytest
from django.utils import translation

from games.engine import Scholar, Stage, new_game, view
from games.presentation.board.decision import facts
from games.presentation.text.direction import StandIn
from games.presentation.text.words import People

ANNA, BORIS, CLARA = 0, 1, 2
NAMES = ["Anna", "Boris", StandIn("Computer (blue)")]
STATE = new_game("mayfair-2005", {}, ("red", "green", "blue"), "red").state
ANNAS, BORIS_S, BLUE = (Scholar(seat, 1, 1) for seat in (ANNA, BORIS, CLARA))


def about(reader, stage, contenders, *, owner=ANNA, area=None):
    """The first fact, as the player of this seat reads it, None for a spectator."""
    seen = view(STATE, reader)._replace(
        stage=stage, contenders=contenders, active=owner, area=area, paid=(), handed_in=()
    )
    return facts(People(STATE.table, NAMES, reader=reader), seen)[0]


def test_without_rivals_each_reads_whose_choice_the_bribe_can_influence():
    alone = Stage.UNCONTESTED_BRIBES, (BORIS_S,)
    assert [about(reader, *alone) for reader in (BORIS, ANNA, CLARA, None)] == [
        "There's no rival: the bribe can only influence which area the owner gives you.",
        "There are no rivals: bribes can only influence which area you assign.",
        "There are no rivals: bribes can only influence which area Anna assigns.",
        "There are no rivals: bribes can only influence which area Anna assigns.",
    ]


def test_rivals_are_said_to_whom_they_belong():
    rivals = Stage.EXTERNAL_BRIBES, (BORIS_S, BLUE, Scholar(ANNA, 1, 2))
    end = "One of each occupation is hired; the others are banished."
    assert [about(reader, *rivals) for reader in (BORIS, None)] == [
        f"You're up against the blue doctor and Anna's red doctor. {end}",
        f"Rivals: Boris's green doctor, the blue doctor and Anna's red doctor. {end}",
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "de",
            (
                "Du trittst gegen den roten Arzt von Anna an. Von jedem Beruf wird einer "
                "eingestellt, "
                "die anderen werden verbannt."
            ),
        ),
        (
            "ru",
            (
                "Против вас: красный врач игрока Anna. Наймут по одному от каждой профессии, "
                "остальных изгонят."
            ),
        ),
    ],
)
def test_rivals_in_other_languages(language, sentence):
    with translation.override(language):
        assert about(BORIS, Stage.EXTERNAL_BRIBES, (BORIS_S, ANNAS), owner=CLARA) == sentence


def test_who_fights_for_an_area_in_all_languages():
    fight = {"owner": CLARA, "area": 6000}
    expected = {
        "en": "Your doctor, who earns 6,000, is challenged by Anna's red doctor.",
        "de": "Dein Arzt verteidigt sein Gehalt von 6.000 gegen den roten Arzt von Anna.",
        "ru": "Ваш врач с жалованьем 6\xa0000 защищается от красного врача игрока Anna.",
    }
    for language, sentence in expected.items():
        with translation.override(language):
            text = about(BORIS, Stage.INTERNAL_BRIBES, (BORIS_S, ANNAS), **fight)
        assert text.startswith(sentence)


def test_twins_are_told_apart():
    both = (BORIS_S, ANNAS, Scholar(ANNA, 1, 2))
    text = about(BORIS, Stage.EXTERNAL_BRIBES, both, owner=CLARA)
    assert text.startswith("You're up against Anna's red doctor 1 and Anna's red doctor 2. ")
