"""The lessons of a first game: two short sentences a step, and each of them once."""

import re
from collections import Counter, defaultdict
from html import unescape

import pytest
from django.test import Client

from games.engine import COLOURS, Stage, default_move, new_game, step, view
from games.engine.ledger import Entry, Status
from games.engine.promises import Hire, IfBribed, PlaceIn, Promise, Verdict
from games.engine.state import to_move
from games.features.guide.text import guide
from games.presentation.text.words import People
from tests.engine.standing_orders import two_of_green
from tests.support.first_games import pages_of

MOST_WORDS = 25
"""Of two sentences that are read before the board."""

NAMES = ["Red", "Yellow", "Green", "Blue"]


def people_of(state) -> People:
    return People(state.table, NAMES)


def shown_first(html: str) -> list[str]:
    """The sentences of the guide that nobody has to unfold, without its title."""
    unfolded = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
    panel = re.search(r'<section class="card guide".*?</section>', unfolded, re.DOTALL)[0]
    told = re.findall(r"<p(?: class=\"lead\")?>(.*?)</p>", panel, re.DOTALL)
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", one)).strip() for one in told)
    return [one for one in re.split(r"(?<=[.!?])\s+", text) if one]


def plays(seed: int, replies: str, *, at_once: bool) -> dict[int, list[str]]:
    """What the guide of a whole first game says at each of its steps, by the number of the phase.

    Once for each of its pages, so more than once where a page came twice.
    """
    said: dict[int, list[str]] = {}
    for html, game in pages_of(Client(), seed, replies, at_once=at_once):
        lead = shown_first(html)
        if not game.is_over:
            assert sum(len(one.split()) for one in lead) <= MOST_WORDS, lead
        earlier = said.setdefault(game.phase_no, [])
        earlier += [one for one in lead if one not in earlier]
    return said


WAYS = [("accept", True), ("accept", False), ("decline", True), ("", False), ("", True)]


@pytest.mark.django_db
@pytest.mark.full
@pytest.mark.long(after=5)
@pytest.mark.parametrize(("replies", "at_once"), WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_in_a_whole_game_nothing_is_said_at_two_steps(seed, replies, at_once):
    said = [one for lead in plays(seed, replies, at_once=at_once).values() for one in lead]
    assert len(said) >= 10
    assert {one: count for one, count in Counter(said).items() if count > 1} == {}


@pytest.mark.django_db
@pytest.mark.full
def test_behind_why_stands_which_promise_was_broken_and_the_way_to_that_moment():
    """Whoever pays as agreed is betrayed once in a first game; 5,000 is enough in nearly all."""
    betrayed = []
    while not betrayed:
        for html, _game in pages_of(Client(), 0, "accept", at_once=True, bribe=5000):
            is_broken = any("has broken a promise to you!" in one for one in shown_first(html))
            if is_broken:
                betrayed.append(html)
            elif "Why?" in html:
                assert 'class="betrayal"' not in html
    for html in betrayed:
        [panel] = re.findall(r'<section class="card guide".*?</details>', html, re.DOTALL)
        _lead, why = panel.split("<details>")
        assert "See the moment" in why
        assert (why.count('class="betrayal"'), html.count('class="betrayal"')) == (1, 1)


@pytest.mark.parametrize("stage", [one for one in Stage if one is not Stage.OVER])
def test_no_lesson_is_read_twice_and_all_are_short(stage):
    """Whatever came before, and however often."""
    state = new_game("mayfair-2005", {"rounds": 3}, COLOURS[:4], COLOURS[0]).state
    seen = view(state, 0)
    past, said = [], []
    for _ in range(6):
        lead = guide(people_of(state), seen, (), past).lead
        assert sum(len(one.split()) for one in lead) <= MOST_WORDS
        said += lead
        past.append(seen.stage)
    assert len(said) == len(set(said)) == 4


def test_lessons_of_all_stages_are_short_and_said_once():
    """Through a game in which every stage comes, as each of its players reads it."""
    state = new_game("mayfair-2005", {"rounds": 5}, COLOURS[:4], COLOURS[0]).state
    past, said, stages = defaultdict(list), defaultdict(list), set()
    while state.stage is not Stage.OVER:
        [seat] = to_move(state)
        lead = guide(people_of(state), view(state, seat), (), past[seat]).lead
        assert sum(len(one.split()) for one in lead) <= MOST_WORDS, lead
        said[seat] += lead
        past[seat].append(state.stage)
        stages.add(state.stage)
        state = step(state, seat, default_move(state, seat)).state
    assert all(len(one) == len(set(one)) for one in said.values())
    assert stages == set(Stage) - {Stage.OVER}


def promise_to_green(game, number: int, by: int, **how: object) -> Entry:
    promise = Promise(by, 2, PlaceIn(game.state.contenders[0], None, 10000))
    return Entry(id=number, by=by, promise=promise, made_in=(1, 0), **how)


def read_by_green(game, ledger, news=(), past=()):
    return guide(people_of(game.state), view(game.state, 2), ledger, past, news)


def test_the_first_offer_comes_before_the_lessons_which_are_behind_why():
    game = two_of_green()
    offer = promise_to_green(game, 1, 0)
    lessons = read_by_green(game, ()).lead
    assert lessons == [
        "Only one gets the job; the others go to the island for good.",
        "Your bribe is gone, win or lose: the owner chooses freely.",
    ]
    text = read_by_green(game, (offer,), {1})
    assert text.lead == [
        "Red has made you an offer: accept or decline it first.",
        "Nobody has to keep a promise, but everyone sees who does.",
    ]
    assert text.why[:2] == lessons
    assert read_by_green(game, (offer,)).lead == lessons  # was told before an earlier move
    declined = offer._replace(status=Status.DECLINED)
    assert read_by_green(game, (declined,), {1}).lead == lessons
    second = promise_to_green(game, 2, 1)
    assert read_by_green(game, (declined, second), {2}).lead == lessons


def test_a_broken_promise_is_told_once_and_at_the_end_all_are_summed_up():
    game = two_of_green()
    broken = promise_to_green(game, 1, 1, status=Status.ACCEPTED, verdict=Verdict.BROKEN)
    assert read_by_green(game, (broken,), {1}).lead == [
        "Yellow has broken a promise to you!",
        "The rules allow it: now you know how much their word is worth.",
    ]
    assert read_by_green(game, (broken,)) == read_by_green(game, ())
    another = promise_to_green(game, 2, 0, status=Status.ACCEPTED, verdict=Verdict.BROKEN)
    assert read_by_green(game, (broken, another), {2}).lead == ["Red has let you down, too."]
    again = promise_to_green(game, 2, 1, status=Status.ACCEPTED, verdict=Verdict.BROKEN)
    assert read_by_green(game, (broken, again), {2}).lead == ["Yellow has let you down again."]
    over = view(game.state, 2)._replace(
        stage=Stage.OVER, choice=None, winners=(0,), cash=(9, 8, 7, 6)
    )
    people = people_of(game.state)
    assert guide(people, over, (broken,)).lead[-1] == "Promises made to you: 0 kept, 1 broken."
    assert not [one for one in guide(people, over, ()).lead if "Promises" in one]


def test_a_broken_promise_and_an_offer_are_told_in_a_sentence_each():
    game = two_of_green()
    broken = promise_to_green(game, 2, 1, status=Status.ACCEPTED, verdict=Verdict.BROKEN)
    assert read_by_green(game, (promise_to_green(game, 1, 0), broken), {1, 2}).lead == [
        "Yellow has broken a promise to you!",
        "Red has made you an offer: accept or decline it first.",
    ]


def test_whoever_is_asked_for_a_promise_reads_what_it_is_about_by_how_often_they_were():
    game = two_of_green()
    owner = game.state.active
    scholar = game.state.contenders[0]
    request = Promise(owner, scholar.owner, Hire(scholar), IfBribed(scholar, 4000))
    seen = view(game.state, owner)
    assert seen.choice is None

    def asked(*statuses: Status):
        ledger = tuple(
            Entry(number, scholar.owner, request, (1, owner), status)
            for number, status in enumerate(statuses, 1)
        )
        return guide(people_of(game.state), seen, ledger)

    text = asked(Status.OPEN)
    assert text.title == "Someone is asking you for a promise"
    assert text.lead == [
        f"{NAMES[scholar.owner]} asks what a bribe would get them.",
        "Say yes, and you're paid more; keeping your word is up to you.",
    ]
    assert asked(Status.ACCEPTED, Status.OPEN).lead == [
        "The more your word is worth, the more you're paid for it."
    ]
    assert asked(Status.ACCEPTED, Status.DECLINED, Status.OPEN).lead == []
    assert asked(Status.ACCEPTED).title == "The others are playing"
