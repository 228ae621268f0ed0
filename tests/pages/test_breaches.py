"""A player who is about to break a promise reads so before the move is made."""

import pytest

from games.engine.promises import Hire, Promise
from tests.support.client import as_shown, browser, move_form, text_of
from tests.support.promising import (
    in_order,
    moves,
    offers,
    replies,
    rivals_table,
    sitter,
    state_of,
)

pytestmark = [pytest.mark.full, pytest.mark.django_db]


@pytest.fixture
def promised():
    """A game whose third player has promised to hire the first one's doctor, and decides."""
    game = rivals_table()
    first, _second, owner = in_order(game)
    doctor = next(one for one in state_of(game).contenders if one.owner == first)
    replies(game, first, offers(game, owner, Promise(owner, first, Hire(doctor))))
    moves(game, None, None)
    game.refresh_from_db()
    return game


def filled(game, client, *, hires_first):
    """The form of the third player's decision, as shown but for whose doctor is hired."""
    fields = move_form(client.get(game.get_absolute_url()).content.decode())
    first = state_of(game).table.players[in_order(game)[0]]
    [winner] = [name for name, field in fields.items() if f"{first}-doctor-1" in field.options]
    chosen = next(one for one in fields[winner].options if one.startswith(first) == hires_first)
    return as_shown(fields) | {winner: chosen}


@pytest.mark.parametrize("page", ["move/", "review/"])
def test_a_move_that_breaks_a_promise_is_reviewed_first(promised, page):
    first, _second, owner = in_order(promised)
    client, url = browser(sitter(promised, owner)), promised.get_absolute_url()
    form = filled(promised, client, hires_first=False)
    before = promised.moves.count()
    review = client.post(f"{url}{page}", form)
    sentence = (
        f"This breaks your promise to {sitter(promised, first).name}: "
        f"you hire the {promised.colours[first]} doctor."
    )
    assert text_of(review).count(sentence) == 1
    assert promised.moves.count() == before
    assert client.post(f"{url}move/", form | {"reviewed": "yes"}).status_code == 302
    assert promised.moves.count() > before


def test_a_move_that_keeps_it_needs_no_review(promised):
    client, url = browser(sitter(promised, in_order(promised)[2])), promised.get_absolute_url()
    form = filled(promised, client, hires_first=True)
    before = promised.moves.count()
    assert "breaks your promise" not in text_of(client.post(f"{url}review/", form))
    assert client.post(f"{url}move/", form | {"send-later": "on"}).status_code == 302
    assert promised.moves.count() > before
