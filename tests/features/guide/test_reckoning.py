"""What a first game was won or lost by, in one sentence with both amounts."""

import re
from html import unescape

import pytest
from django.test import Client

from games.engine import COLOURS, Stage, new_game, view
from games.engine.careers import Career, careers
from games.engine.state import Scholar, Table
from games.features.guide.panel import what_happened
from games.features.guide.reckoning import Income, incomes, reckoning
from games.presentation.text.words import People
from games.services.game.queries.game_view import read_game
from tests.support.first_games import pages_of

NAMES = ["Red", "Yellow", "Green", "Blue"]


def table() -> Table:
    return new_game("mayfair-2005", {"rounds": 3}, COLOURS[:4], COLOURS[0]).state.table


def career(owner: int, palace: int, *, occupation: int = 0, **how: int) -> Career:
    return Career(Scholar(owner, occupation, 1), palace, **how)


def said(cash: tuple[int, ...], *found: Career, seat: int = 0) -> list[str]:
    state = new_game("mayfair-2005", {"rounds": 3}, COLOURS[:4], COLOURS[0]).state
    winners = tuple(one for one, amount in enumerate(cash) if amount == max(cash))
    seen = view(state, seat)._replace(stage=Stage.OVER, choice=None, cash=cash, winners=winners)
    return reckoning(People(table(), NAMES, reader=seat), seen, found)


def test_incomes_by_source():
    """Red's scholar at Yellow's palace cost 5,000, of which the bank paid 1,000, and lost."""
    found = incomes(
        [
            career(0, 1, bribes=4000, by_bank=1000, banished=2),
            career(0, 2, occupation=1, bribes=3000, earned=20000),
            career(1, 0, bribes=2000, earned=6000),
            Career(Scholar(3, 0, 1)),
        ],
        seats=4,
    )
    assert found == [
        Income(salaries=20000, taken=2000, paid=7000, lost=4000, banished=1),
        Income(salaries=6000, taken=5000, paid=2000),
        Income(taken=3000),
        Income(),
    ]


def test_who_lost_by_salaries():
    [sentence] = said(
        (40000, 70000, 0, 0), career(0, 1, earned=10000), career(1, 0, earned=38000, bribes=2000)
    )
    assert sentence == (
        "Yellow earned 38,000 in salaries, and you 10,000: higher bribes for good areas early on "
        "would have paid off."
    )


def test_who_lost_by_salaries_and_lost_fights():
    [sentence] = said(
        (40000, 70000, 0, 0),
        career(0, 1, earned=10000, bribes=1000, banished=3),
        career(1, 0, earned=38000, bribes=2000),
    )
    assert sentence == (
        "Yellow earned 38,000 in salaries, and you 10,000: with higher bribes, fewer of your "
        "scholars would be on the island."
    )


def test_who_lost_by_salaries_though_they_paid_twice_as_much():
    [sentence] = said(
        (40000, 70000, 0, 0),
        career(0, 1, earned=10000, bribes=4000, banished=3),
        career(1, 0, earned=38000, bribes=2000),
    )
    assert sentence == (
        "Yellow earned 38,000 in salaries, and you 10,000: your bribes would have done more where "
        "you had no rivals."
    )


def test_who_lost_by_bribes_taken():
    [sentence] = said(
        (40000, 70000, 0, 0),
        career(2, 1, bribes=20000),
        career(3, 0, bribes=2000),
        career(1, 0, earned=12000),
    )
    assert sentence == (
        "Yellow took 20,000 in bribes, and you 2,000: promising more to those at your door would "
        "have brought you more."
    )


@pytest.mark.parametrize(
    ("banished", "advice"),
    [
        (2, "12,000 of yours went to waste on scholars who lost."),
        (None, "smaller bribes would often have been enough."),
    ],
)
def test_who_lost_by_bribes_paid(banished, advice):
    [sentence] = said(
        (10000, 40000, 0, 0),
        career(0, 2, bribes=12000, banished=banished),
        career(0, 3, occupation=1, bribes=8000),
        career(1, 2, bribes=3000),
    )
    assert sentence == f"You paid 20,000 in bribes, and Yellow 3,000: {advice}"


def test_who_won_is_compared_with_the_second_by_what_they_were_most_ahead():
    cash = (70000, 30000, 50000, 0)
    assert said(cash, career(0, 1, earned=40000), career(2, 1, earned=16000)) == [
        "Salaries won it for you: you earned 40,000, and Green 16,000."
    ]
    assert said(cash, career(1, 0, bribes=9000), career(1, 2, occupation=1, bribes=4000)) == [
        "Bribes won it for you: you took 9,000, and Green 4,000."
    ]
    assert said(cash, career(0, 1, bribes=3000), career(2, 1, bribes=15000)) == [
        "Thrift won it for you: you paid 3,000 in bribes, and Green 15,000."
    ]


def test_a_shared_victory_is_compared_with_the_best_of_the_others():
    cash = (60000, 60000, 20000, 50000)
    found = (career(0, 1, earned=40000), career(3, 1, earned=16000))
    assert said(cash, *found) == ["Salaries won it for you: you earned 40,000, and Blue 16,000."]
    assert said((5, 5, 5, 5), *found) == []


@pytest.mark.django_db
@pytest.mark.full
def test_in_a_whole_game_the_sources_add_up_and_the_end_says_what_decided():
    *_, (html, game) = pages_of(Client(), 0, "decline", at_once=True)
    position = read_game(game, game.seats.get(user__isnull=False).user)
    found = careers(what_happened(game))
    start = position.view.table.edition.starting_cash
    assert position.view.cash == tuple(
        start + one.salaries + one.taken - one.paid for one in incomes(found, 4)
    )
    [sentence] = reckoning(position.people, position.view, found)
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())
    assert sentence in text
