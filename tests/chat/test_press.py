"""Tables without messages: offers are made, and nothing is said, until the game is over."""

from uuid import uuid4

import pytest

from games.engine.promises import Promise, SendNobody
from games.models import Game, Message, User
from games.services.chat import messages
from games.services.operations import sample_games
from games.services.refused import Refused
from tests.support.client import browser, text_of
from tests.support.promising import bribing_table, in_order, offers, sitter
from tests.support.tables import MONDAY, open_table, submit_move

pytestmark = pytest.mark.django_db

SILENT = "Players can't write messages at this table while the game is running."


def say(game: Game, user: User) -> None:
    messages.say(game_id=game.pk, user=user, text="Hello!", token=uuid4(), now=MONDAY)


def test_nobody_writes_while_the_game_is_running_but_before_and_after_it():
    game = open_table("Dora", "Emil", size=3, press="none")
    say(game, game.host)
    game = bribing_table(press="none")
    with pytest.raises(Refused, match="can't write messages"):
        say(game, sitter(game, 0))
    assert Message.objects.filter(game=game).count() == 0
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    say(game, sitter(game, 0))
    assert Message.objects.filter(game=game).count() == 1


def test_an_offer_is_made_without_words_only():
    game = bribing_table(press="none")
    _first, second, third = in_order(game)
    promise = Promise(second, third, SendNobody(None, 2))
    with pytest.raises(Refused, match="can't write messages"):
        offers(game, second, promise, "Please!")
    assert Game.objects.get(pk=game.pk).ledger == []
    offers(game, second, promise)
    assert len(game.ledger) == 1


@pytest.mark.full
def test_the_pages_say_so_and_have_no_field_for_a_message():
    game = bribing_table(press="none")
    first, second, _third = in_order(game)
    client = browser(sitter(game, second))
    page = client.get(game.get_absolute_url())
    assert SILENT in text_of(page)
    assert 'name="talk-text"' not in page.content.decode()
    assert "No messages while the game is running" in text_of(page)
    colour = game.colours[first]
    terms = client.get(f"{game.get_absolute_url()}offers/?to={colour}&who=me&what=send-nobody")
    assert "Message in the table chat" not in text_of(terms)
    usual = bribing_talk_page()
    assert SILENT not in text_of(usual)


def bribing_talk_page():
    game = open_table("Fanny", "Gustav", "Hanna")
    return browser(sitter(game, 0)).get(game.get_absolute_url())


@pytest.mark.full
@pytest.mark.parametrize(("press", "speak"), [("none", False), ("public", True)])
def test_computer_players_say_nothing_with_their_offers_and_replies(press, speak):
    game = open_table("Anna", size=4, press=press, seed=1)
    sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
    sample_games.decline_offers(game, MONDAY)
    for _ in range(40):
        submit_move(game, game.host, MONDAY)
        sample_games.decline_offers(game, MONDAY)
        if game.status == Game.Status.FINISHED:
            break
    rows = game.events.filter(kind__in=("OfferMade", "OfferReplied"))
    assert rows.exists()
    assert any(row.payload.get("remark") for row in rows) is speak
