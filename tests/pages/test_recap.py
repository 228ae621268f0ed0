""" "Since your last visit": what others did, and what one's own orders did; nothing twice."""

import re

import pytest
import time_machine

from games.engine import Bribe
from games.engine.orders import PayAmount
from games.models import Vote
from games.presentation.log.story import event_text
from games.presentation.text.words import People
from games.services.game import orders, votes
from games.services.game.queries.log import read_event
from games.services.game.votes import Proposal
from games.services.operations import clock
from games.services.people.display_names import seat_names
from tests.support.client import browser, html_of
from tests.support.promising import both_to, in_order, moves, rivals_table, sitter
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]


def recap(game, user):
    """The lines that the page of the game repeats to somebody, who has then seen them."""
    with time_machine.travel(MONDAY, tick=False):
        page = html_of(browser(user).get(game.get_absolute_url()))
    part = re.search(r'class="recap card".*?</section>', page, re.DOTALL)
    return re.findall(r"<li>(.*?)\n", part[0]) if part else []


def test_what_one_did_oneself_is_no_news():
    game = open_table("Anna", "Boris", "Clara")
    first, second, _third = in_order(game)
    sender, other = sitter(game, first), sitter(game, second)
    recap(game, sender)
    recap(game, other)
    moves(game, both_to(game, first, second))
    pause = Proposal(Vote.Kind.PAUSE, amount=5)
    votes.call_vote(game_id=game.pk, user=sender, proposal=pause, now=MONDAY)
    [follows] = recap(game, sender)
    assert follows.startswith("At the door without a rival:")
    sent, _follows, voted = recap(game, other)
    assert sent.startswith(f"{sender.name} sends ")
    assert voted.startswith(f"{sender.name} calls a vote")


def test_what_the_game_waits_for_is_no_news():
    game = open_table("Anna", "Boris", "Clara", talk_seconds=12 * 3600)
    first, second, _third = in_order(game)
    recap(game, sitter(game, second))
    moves(game, both_to(game, first, second))
    assert [row.kind for row in game.events.filter(kind__startswith="Talk")] == ["TalkOpened"]
    tick(MONDAY + DAY)
    clock.sweep(now=MONDAY + DAY)
    lines = recap(game, sitter(game, second))
    assert any(" sends the" in line for line in lines)
    for kind in ("TurnBegan", "TalkOpened", "TalkClosed"):
        row = game.events.filter(kind=kind).latest("seq")
        assert in_words(game, row) not in lines, kind


def in_words(game, row):
    people = People(game.decoded().table, seat_names(game.seats.order_by("number")))
    return event_text(people, read_event(row, None))


def test_what_an_own_order_did_is_news():
    game = rivals_table()
    first, second, _third = in_order(game)
    bidder, orderer = sitter(game, first), sitter(game, second)
    for scholar in game.decoded().contenders:
        if scholar.owner == second:
            orders.leave_order(
                game_id=game.pk,
                user=orderer,
                scholar=scholar,
                order=PayAmount(4000),
                wait_if_addressed=False,
                now=MONDAY,
            )
    recap(game, orderer)
    own = [scholar for scholar in game.decoded().contenders if scholar.owner == first]
    moves(game, Bribe(tuple((scholar, 1000) for scholar in own)))
    lines = recap(game, orderer)
    assert lines[0].startswith(f"{bidder.name} pays 1,000 for the ")
    assert lines[1].startswith("You pay 4,000 for your ")
    assert recap(game, orderer) == []


def test_the_last_income_is_mentioned_once():
    game = open_table("Anna", "Boris", "Clara")
    seat = game.seats.get(user__name="Anna")
    anna, number = seat.user, seat.drawn_number
    while game.status == "running":
        seen = game.events.latest("seq").seq
        recap(game, anna)
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    paid = game.events.filter(kind="SalaryPaid", seq__gt=seen)
    at_the_end = paid.filter(seq__gt=game.events.get(kind="LastIncome").seq)
    assert at_the_end.count() > 1
    before = set(paid.values_list("seq", flat=True)) - set(at_the_end.values_list("seq", flat=True))
    own = [row for row in paid.filter(seq__in=before) if read_event(row, None).seat == number]
    lines = recap(game, anna)
    assert sum("The bank pays" in line for line in lines) == len(own)
    assert "Final totals" in lines[-1]
