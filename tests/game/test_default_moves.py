"""If you do nothing: the page and every email announce the very move that the clock then plays."""

import re

import pytest

from games.engine import Send, decode_move, view
from games.engine.orders import PayAmount
from games.models import OutboxEmail
from games.presentation.board.decision import move_text
from games.services.email import delivery
from games.services.game.queries.game_view import read_game
from games.services.operations import clock
from tests.game.test_orders import addressed, leave, second_briber, two_bribe, until
from tests.support.client import browser, text_of
from tests.support.sent_emails import bodies, plain_text
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]

PLAYED = "If you don't move in time, the default move is played: "
MAILED = "If you don't, the default move will be played: "


def asked_for_two_bribes():
    """A game in which a player is asked for bribes for two scholars at once; and their seat."""
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    left = (seat.number + 1) % 3
    twins = view(game.decoded(), seat.number).choice.scholars[:2]
    submit_move(game, seat.user, MONDAY, Send(tuple((scholar, left) for scholar in twins)))
    assert [asked.pk for asked in seats_to_move(game)] == [seat.pk]
    game.refresh_from_db()
    return game, seat


def shown_on_the_page(game, user):
    found = re.search(re.escape(PLAYED) + r"(.*?) ?\.", text_of(_page(game, user)))
    return found[1]


def _page(game, user):
    return browser(user).get(game.get_absolute_url())


def emailed(game, seat, smtp):
    """What each of the three emails about the question says: your turn and both reminders."""
    OutboxEmail.objects.exclude(kind="your_turn", person=seat.user).delete()
    delivery.drain(now=seat.deadline_set_at)
    for _ in range(2):
        at = seat_of(game, seat.user.name).remind_at
        tick(at)
        clock.sweep(now=at)
        delivery.drain(now=at)
    for mail in smtp.messages:
        assert all(MAILED in " ".join(body.split()) for body in bodies(mail))
    return [
        re.search(re.escape(MAILED) + r"(.*?)\.", plain_text(mail))[1] for mail in smtp.messages
    ]


def played_at_the_deadline(game, seat):
    """Let the deadline pass; what was played, in the words of page and emails."""
    people = read_game(game, seat.user).people
    people = people._replace(among=game.decoded().contenders, reader=seat.number)
    late = seat_of(game, seat.user.name).deadline_at
    tick(late)
    clock.sweep(now=late)
    row = game.moves.filter(seat=seat, phase_no=game.phase_no).get()
    return move_text(people, decode_move(people.table, row.move)[1])


def assert_described_as_played(game, seat, smtp):
    game.refresh_from_db()
    seat = seat_of(game, seat.user.name)
    page = shown_on_the_page(game, seat.user)
    emails = emailed(game, seat, smtp)
    played = played_at_the_deadline(game, seat)
    assert [page, *emails] == [played] * 4
    return played


def test_an_order_that_waits_because_somebody_spoke(smtp):
    game = open_table("Anna", "Boris", "Clara", "Dora")
    seat, scholar = second_briber(game, until(game, two_bribe))
    leave(game, seat, scholar, PayAmount(9000), wait_if_addressed=True)
    addressed(game, seat)
    assert assert_described_as_played(game, seat, smtp).startswith("9,000 for ")


def test_an_order_that_is_too_dear(smtp):
    game = open_table("Anna", "Boris", "Clara", "Dora")
    seat, scholar = second_briber(game, until(game, two_bribe))
    cash = game.decoded().cash[seat.number]
    leave(game, seat, scholar, PayAmount(cash + 5000))
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert assert_described_as_played(game, seat, smtp).startswith(f"{cash:,} for ")


def test_an_order_for_a_part(smtp):
    game, seat = asked_for_two_bribes()
    first, *_others = view(game.decoded(), seat.number).choice.scholars
    leave(game, seat, first, PayAmount(3000))
    played = assert_described_as_played(game, seat, smtp)
    assert played.startswith("3,000 for ")
    assert "1,000 for " in played


def test_no_order(smtp):
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    assert "goes to" in assert_described_as_played(game, seat, smtp)


def test_nobody_else_is_told_of_an_order():
    """To everybody else the default is announced, for the case that there is no order."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    seat, scholar = second_briber(game, until(game, two_bribe))
    leave(game, seat, scholar, PayAmount(9000), wait_if_addressed=True)
    addressed(game, seat)
    other = game.seats.exclude(pk=seat.pk).first().user
    text = text_of(_page(game, other))
    assert (
        "If there's no move or standing order by then, the default move is played: 1,000 for "
    ) in text
    assert "9,000" not in text
