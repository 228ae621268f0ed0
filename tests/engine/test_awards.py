"""Awards: each kind from its least on, ties, seats that changed hands, which three are given."""

import pytest

from games.engine import Scholar
from games.engine.awards import Award, AwardKind, GivenWord, awards
from games.engine.careers import Career
from games.engine.editions import MAYFAIR

SEATS = 4
NOTHING = (GivenWord(),) * SEATS


def scholar(owner, number=1, **values):
    """The career of one of the owner's priests."""
    return Career(Scholar(owner, 2, number), **values)


def given(careers=(), words=NOTHING, changed=()):
    return awards(careers, words, MAYFAIR, changed)


def named(found):
    return [(one.kind, one.seats, one.value) for one in found]


def word_of(seat, **values):
    return (*NOTHING[:seat], GivenWord(**values), *NOTHING[seat + 1 :])


def banished(owner, count):
    return [Career(Scholar(owner, place, 1), 3, None, 2) for place in range(count)]


OF_WORDS = [
    (AwardKind.FAITHFUL, {"kept": 3}, {"kept": 2}),
    (AwardKind.FAITHFUL, {"kept": 3}, {"kept": 7, "broken": 1}),
    (AwardKind.FAITHFUL, {"kept": 3}, {"kept": 7, "let_pass": 1}),
    (AwardKind.NOT_FOR_SALE, {"despite_bribe": 1}, {"kept": 2}),
    (AwardKind.TREACHEROUS, {"broken": 2}, {"broken": 1, "let_pass": 4}),
]


@pytest.mark.parametrize(("kind", "enough", "too_little"), OF_WORDS)
def test_awards_for_promises_are_given_from_so_many_on(kind, enough, too_little):
    assert named(given(words=word_of(1, **enough))) == [(kind, (1,), max(enough.values()))]
    assert given(words=word_of(1, **too_little)) == []


OF_SCHOLARS = [
    (AwardKind.FOR_NOTHING, 4000, scholar(1, palace=0, banished=2, bribes=4000)),
    (AwardKind.BARGAIN, 15, scholar(1, palace=0, area=10000, bribes=2000, earned=30000)),
    (AwardKind.BARGAIN, 15, scholar(1, palace=0, area=3000, by_bank=1000, earned=15000)),
    (AwardKind.DEAREST, 8000, scholar(1, palace=0, area=3000, bribes=8000)),
    (AwardKind.UNMOVED, 2, scholar(1, palace=0, area=3000, defended=2)),
]


@pytest.mark.parametrize(("kind", "value", "career"), OF_SCHOLARS)
def test_awards_for_a_scholar_name_it_and_go_to_its_owner(kind, value, career):
    found = given([career])
    assert named(found) == [(kind, (1,), value)]
    assert found[0].career == career


@pytest.mark.parametrize(
    "career",
    [
        scholar(1, palace=0, banished=2, bribes=3000),
        scholar(1, palace=0, area=10000, bribes=2000, earned=29000),
        scholar(1, palace=0, area=3000, bribes=7000),
        scholar(1, palace=0, area=3000, defended=1),
        scholar(1, palace=0, bribes=30000),
    ],
)
def test_less_is_not_worth_an_award_for_a_scholar(career):
    assert given([career]) == []


def test_who_is_banished_after_having_worked_was_not_paid_for_in_vain():
    found = given([scholar(1, palace=0, area=3000, banished=4, bribes=8000)])
    assert [one.kind for one in found] == [AwardKind.DEAREST]


def test_an_owner_is_bribed_by_the_bank_too_and_an_island_gets_crowded():
    paid = [scholar(1, palace=3, bribes=20000), scholar(2, palace=3, bribes=11000)]
    assert given(paid) == []
    assert named(given([*paid, scholar(0, palace=3, by_bank=1000)])) == [
        (AwardKind.BRIBED, (3,), 32000)
    ]
    assert given(banished(1, 4)) == []
    occupations = [*banished(1, 4), scholar(1, 2, palace=3, banished=2)]
    assert named(given(occupations)) == [(AwardKind.BANISHED, (1,), 5)]


def test_two_who_have_done_the_same_share_an_award_and_three_get_none():
    kept = GivenWord(kept=4)
    nothing = GivenWord()
    assert named(given(words=(kept, nothing, kept, nothing))) == [(AwardKind.FAITHFUL, (0, 2), 4)]
    assert given(words=(kept, nothing, kept, kept)) == []


def test_scholars_of_two_who_are_equally_dear_get_no_award_those_of_one_do():
    first, twin, other = (
        scholar(owner, number, palace=0, area=3000, bribes=9000)
        for owner, number in ((1, 1), (1, 2), (2, 1))
    )
    assert given([first, other]) == []
    assert [one.career for one in given([first, twin])] == [first]


def test_a_seat_that_changed_hands_gets_no_award_and_neither_does_the_next_best():
    words = (GivenWord(broken=3), GivenWord(broken=2), *NOTHING[2:])
    assert named(given(words=words)) == [(AwardKind.TREACHEROUS, (0,), 3)]
    assert given(words=words, changed={0}) == []
    assert named(given(words=words, changed={1})) == [(AwardKind.TREACHEROUS, (0,), 3)]


def test_the_three_strongest_are_given_to_different_players_if_possible():
    careers = [
        scholar(1, palace=0, area=3000, bribes=16000),
        scholar(1, 2, palace=0, banished=2, bribes=8000),
        scholar(3, palace=0, area=3000, bribes=1000, earned=15000),
    ]
    words = word_of(2, broken=3)
    assert [(one.kind, one.seats, one.strength) for one in given(careers, words)] == [
        (AwardKind.FOR_NOTHING, (1,), 2),
        (AwardKind.TREACHEROUS, (2,), 1.5),
        (AwardKind.BARGAIN, (3,), 1),
    ]
    # Without others, one player gets them all.
    assert [(one.kind, one.seats) for one in given(careers[:2])] == [
        (AwardKind.FOR_NOTHING, (1,)),
        (AwardKind.DEAREST, (1,)),
    ]


def test_twice_the_least_is_as_strong_as_it_gets_and_the_order_of_kinds_decides():
    careers = [
        scholar(0, palace=3, area=3000, bribes=31000),
        scholar(1, palace=2, area=3000, bribes=1000, earned=90000),
    ]
    words = (*NOTHING[:2], GivenWord(kept=6), GivenWord(broken=4))
    found = given(careers, words)
    assert [one.kind for one in found] == [
        AwardKind.FAITHFUL,
        AwardKind.TREACHEROUS,
        AwardKind.BARGAIN,
    ]
    assert {one.strength for one in found} == {2}
    assert found[0] == Award(AwardKind.FAITHFUL, (2,), 6, 2)


def test_a_game_without_anything_remarkable_has_no_awards():
    assert given() == []
