"""How many offers a player may have open in a game, and make in a turn."""

import pytest

from games.engine import COLOURS
from games.engine.errors import BadPromise
from games.engine.ledger import Entry, Status, refuse_too_many
from games.engine.promises import Promise, SendNobody
from games.engine.rules import new_game

STATE = new_game("mayfair-2005", {}, COLOURS[:4], COLOURS[0]).state


def made(count, status, made_in=(1, STATE.active), by=0):
    """So many offers of a player."""
    promise = Promise(by, (by + 1) % 4, SendNobody(None, 1))
    return tuple(Entry(number, by, promise, made_in, status) for number in range(1, count + 1))


def refuses(ledger, match):
    with pytest.raises(BadPromise, match=match) as refused:
        refuse_too_many(ledger, STATE, 0)
    assert refused.value.code == "many"


def test_five_offers_may_be_open_whenever_they_were_made():
    refuse_too_many(made(4, Status.OPEN), STATE, 0)
    refuses(made(5, Status.OPEN), "At most 5 offers of a player can be open")
    refuses(made(5, Status.OPEN, made_in=(0, 2)), "At most 5 offers of a player can be open")
    refuse_too_many(made(20, Status.OPEN, by=1), STATE, 0)


@pytest.mark.parametrize("status", [Status.DECLINED, Status.WITHDRAWN, Status.LAPSED])
def test_twenty_may_be_made_in_a_turn_whatever_has_become_of_them(status):
    refuse_too_many(made(19, status), STATE, 0)
    refuses(made(20, status), "A player makes at most 20 offers in a turn")
    refuse_too_many(made(20, status, made_in=(1, 3)), STATE, 0)
    refuse_too_many(made(20, status, by=1), STATE, 0)
