"""Computer players at a table: they reply at once, offer, keep or break promises (days 28)."""

import re

import pytest

from games.engine.ledger import Status
from games.engine.promises import Promise, SendNobody
from games.features.guide import first_game
from games.models import Cause, Game
from games.presentation.text.remarks import remark_text
from games.services.game.offers import stored_offers
from games.services.game.verify import verify_game
from games.services.operations import clock, sample_games
from games.services.people.display_names import seat_name
from tests.support.client import browser, person, text_of
from tests.support.promising import entry_of, offers, state_of
from tests.support.tables import (
    DAY,
    MONDAY,
    alone,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    tick,
)

pytestmark = pytest.mark.django_db


def play_to_the_end(game: Game) -> None:
    sample_games.decline_offers(game, MONDAY)
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        sample_games.decline_offers(game, MONDAY)


def ledger_of(game: Game):
    return stored_offers(game, state_of(game).table).ledger


@pytest.mark.full
@pytest.mark.parametrize("edition", ["mayfair-2005", "fx-schmid-1994"])
def test_courtiers_negotiate_through_a_whole_game_and_show_their_characters(edition):
    for _ in range(5):  # games: they speak seldom, and now and then not at all
        game = open_table("Anna", size=4, edition=edition)
        sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
        play_to_the_end(game)
        remarks = game.events.filter(kind="OfferMade").exclude(payload__remark="")
        if remarks.exists():
            break
    assert verify_game(game.pk) == []
    ledger = ledger_of(game)
    assert {entry.status for entry in ledger} >= {Status.ACCEPTED}
    anna = game.seats.get(user=game.host).number
    by_house = game.events.filter(kind__in=("OfferMade", "OfferReplied"))
    by_house = by_house.exclude(payload__seat=anna)
    assert set(by_house.values_list("cause", flat=True)) == {Cause.COMPUTER}
    log = text_of(browser(game.host).get(f"{game.get_absolute_url()}history/"))
    assert remarks.exists()
    said = [one.payload["remark"] for one in remarks]
    assert all(f"“{remark_text(one)}”" in log for one in said)
    assert len(set(said)) == len(said)
    page = text_of(browser(game.host).get(game.get_absolute_url()))
    for seat in game.seats.filter(user=None):
        sentence = (
            rf"{seat_name(seat)} (never forgot|broke|was betrayed|kept every|made no promises)"
        )
        assert re.search(sentence, page)


@pytest.mark.full
@pytest.mark.parametrize("computer_player", ["default", "random"])
def test_other_computer_players_never_negotiate(computer_player):
    game = alone("Anna", computer_player)
    own = seat_of(game, "Anna").number
    other = (own + 1) % 3
    made_at = offers(game, own, Promise(own, other, SendNobody(None, 5)))
    assert entry_of(game, made_at).status is Status.OPEN
    play_to_the_end(game)
    assert [entry.by for entry in ledger_of(game)] == [own]
    assert entry_of(game, made_at).status is Status.LAPSED
    page = browser(game.host).get(f"{game.get_absolute_url()}promises/")
    assert "characters" not in text_of(page)


def test_a_courtier_replies_in_the_same_transaction():
    game = alone("Anna", "courtier")
    own = seat_of(game, "Anna").number
    other = (own + 1) % 3
    made_at = offers(game, own, Promise(own, other, SendNobody(None, 5)))
    assert entry_of(game, made_at).status in (Status.ACCEPTED, Status.DECLINED)
    reply = game.events.filter(kind="OfferReplied").latest("seq")
    assert reply.payload["seat"] == other


def test_who_plays_for_an_absent_player_does_not_negotiate():
    tick(MONDAY)
    game = open_table("Anna", "Boris", "Clara", absent_player="courtier")
    leave(game, "Anna")
    clock.sweep(now=MONDAY + DAY)
    game.refresh_from_db()
    anna, boris = (seat_of(game, name).number for name in ("Anna", "Boris"))
    made_at = offers(game, boris, Promise(boris, anna, SendNobody(None, 5)))
    assert entry_of(game, made_at).status is Status.OPEN
    assert [entry.by for entry in ledger_of(game)] == [boris]


@pytest.mark.full
def test_in_a_first_game_only_teachers_speak_and_to_the_learner_alone():
    game = first_game.begin(user=person("Anna"), now=MONDAY)
    learner = seat_of(game, "Anna").drawn_number
    play_to_the_end(game)
    ledger = ledger_of(game)
    assert ledger
    assert {entry.other for entry in ledger} == {learner}
