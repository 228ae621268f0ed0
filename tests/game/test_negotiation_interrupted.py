"""Offers and negotiation time while a game is paused, the server is down, and people come back."""

from datetime import timedelta

import pytest
import time_machine

from games.engine.ledger import Status
from games.engine.promises import Promise, SendNobody, Verdict
from games.models import Cause, Game, Sitting
from games.services.game import interventions, seats
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.operations import clock
from games.services.refused import Refused
from tests.support.client import person
from tests.support.moderators import marta_acts_on
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    sitter,
)
from tests.support.tables import DAY, MONDAY, leave, seats_to_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
LATER = MONDAY + HOUR


@pytest.fixture
def game():
    return bribing_table()


def pause(game: Game, now=MONDAY):
    writer = Writer(Game.objects.lock(game.pk), now)
    interventions.pause(writer, None, Cause.MODERATOR)
    writer.commit()
    game.refresh_from_db()


def resume(game: Game, now):
    writer = Writer(Game.objects.lock(game.pk), now)
    interventions.resume(writer, Cause.MODERATOR)
    writer.go_on()
    writer.commit()
    game.refresh_from_db()


def ban(game: Game, seat: int):
    """The moderator bans who sits there, an hour into the game."""
    with time_machine.travel(LATER, tick=False):
        marta_acts_on(sitter(game, seat), "ban")
    game.refresh_from_db()


def statuses(game: Game, *made: int) -> list[Status]:
    return [entry_of(game, one).status for one in made]


@pytest.mark.full
def test_a_pause_stops_no_negotiating_and_what_was_agreed_counts_afterwards(game):
    """As with the chat: it asks nobody for anything, and the game stays paused (days 25)."""
    first, owner, third = in_order(game)
    offered = offers(game, owner, place_for(game))
    peace = offers(game, owner, Promise(owner, third, SendNobody(None, 1)))
    pause(game)
    replies(game, first, offered, now=LATER)
    replies(game, owner, peace, Status.WITHDRAWN, now=LATER)
    meanwhile = offers(game, owner, Promise(owner, third, SendNobody(1, 1)), now=LATER)
    assert statuses(game, offered, peace, meanwhile) == [
        Status.ACCEPTED,
        Status.WITHDRAWN,
        Status.OPEN,
    ]
    assert (game.paused_at, game.deadline_at) == (MONDAY, None)
    assert not seats_to_move(game)
    resume(game, MONDAY + 3 * DAY)
    moves(game, bribed(game), placed(game, 6000, 1000), now=MONDAY + 3 * DAY)
    assert entry_of(game, offered).verdict is Verdict.KEPT
    assert statuses(game, meanwhile) == [Status.OPEN]
    assert verify_game(game.pk) == []


def test_no_offer_lapses_while_the_server_is_down(game):
    """The clock plays nothing before the deadlines are moved, so nothing is ruled out (days 25)."""
    tick(MONDAY)
    first, owner, _third = in_order(game)
    offered = offers(game, owner, place_for(game))
    back = MONDAY + 4 * DAY
    clock.sweep(now=back)
    assert statuses(game, offered) == [Status.OPEN]
    replies(game, first, offered, now=back)
    moves(game, bribed(game), placed(game, 1000, 6000), now=back)
    assert entry_of(game, offered).verdict is Verdict.BROKEN
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_what_a_banned_player_has_promised_stands_and_counts_for_nobody(game):
    """Whoever plays for them makes no offers and replies to none (days 25 and 27)."""
    first, owner, third = in_order(game)
    bound = offers(game, owner, place_for(game, TEN, 1000))
    replies(game, first, bound)
    to_owner = offers(game, third, Promise(third, owner, SendNobody(None, 1)))
    ban(game, owner)
    assert statuses(game, bound, to_owner) == [Status.ACCEPTED, Status.OPEN]
    with pytest.raises(Refused):
        replies(game, owner, to_owner, now=LATER)
    moves(game, bribed(game, 1000), now=LATER)  # the default then decides at once
    assert entry_of(game, bound).verdict in {Verdict.KEPT, Verdict.BROKEN}
    judged = game.events.get(kind="PromiseJudged")
    assert judged.cause in {Cause.CLOCK, Cause.COMPUTER}
    while game.status == Game.Status.RUNNING:
        moves(game, None, now=LATER)
    counted = Sitting.objects.filter(seat__game=game, seat__number=owner)
    assert list(counted.values_list("promises_kept", "promises_broken")) == [(0, 0)]
    assert verify_game(game.pk) == []


def test_an_open_offer_of_who_left_can_still_be_accepted_and_a_substitute_owes_it(game):
    """The seat's word is inherited with the seat (days 25)."""
    first, owner, _third = in_order(game)
    offered = offers(game, owner, place_for(game))
    leave(game, sitter(game, owner).name, now=LATER)
    assert statuses(game, offered) == [Status.OPEN]
    replies(game, first, offered, now=LATER)
    dora = person("Dora")
    seats.take_over(game_id=game.pk, number=owner, user=dora, now=LATER)
    moves(game, bribed(game), placed(game, 1000, 6000), now=LATER)
    assert entry_of(game, offered).verdict is Verdict.BROKEN
    assert verify_game(game.pk) == []


def test_a_substitute_accepts_what_was_offered_to_the_seat(game):
    """As everybody else at the table can, from the moment of sitting down (days 25)."""
    _first, owner, third = in_order(game)
    offered = offers(game, owner, Promise(owner, third, SendNobody(None, 1)))
    leave(game, sitter(game, third).name, now=LATER)
    seats.take_over(game_id=game.pk, number=third, user=person("Dora"), now=LATER)
    replies(game, third, offered, now=LATER)
    assert statuses(game, offered) == [Status.ACCEPTED]


@pytest.mark.full
@pytest.mark.parametrize("how", ["leaves", "is banned"])
def test_negotiation_time_ends_when_who_was_not_ready_goes(how):
    """Absent seats count as ready, so nobody is waited for in vain (days 24)."""
    game = bribing_table(talk_seconds=12 * 3600)
    first, second, _third = in_order(game)
    seats.say_ready(game_id=game.pk, user=sitter(game, first), ready=True, now=MONDAY)
    game.refresh_from_db()
    assert game.is_negotiation_time
    if how == "leaves":
        leave(game, sitter(game, second).name, now=LATER)
    else:
        ban(game, second)
    assert not game.is_negotiation_time
    assert game.deadline_at == LATER + DAY
    assert verify_game(game.pk) == []


def test_offers_of_the_negotiation_time_outlive_its_pause():
    """What was agreed before the pause is kept or broken after it (days 24 and 25)."""
    game = bribing_table(talk_seconds=12 * 3600)
    first, owner, _third = in_order(game)
    offered = offers(game, owner, place_for(game))
    pause(game, LATER)
    replies(game, first, offered, now=LATER)
    assert game.is_negotiation_time
    assert game.talk_until is None
    back = MONDAY + 2 * DAY
    resume(game, back)
    assert game.talk_until == back + 11 * HOUR
    for seat in (first, owner):
        seats.say_ready(game_id=game.pk, user=sitter(game, seat), ready=True, now=back)
    moves(game, bribed(game), placed(game, 6000, 1000), now=back)
    assert entry_of(game, offered).verdict is Verdict.KEPT
    assert verify_game(game.pk) == []
