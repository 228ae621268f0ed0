"""Twin games that differ only in what others hide lead to the same notifications."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction

from games.engine import Bribe
from games.features.push import delivery
from games.services.chat import messages
from tests.support.promising import both_to, in_order, moves, place_for, sitter, state_of
from tests.support.push_service import PushService, subscribed
from tests.support.tables import MONDAY, open_table
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]

SOON = MONDAY + timedelta(minutes=10)


def story(
    service: PushService, *, bribe: int, private: bool, reader: int = 1
) -> list[dict[str, str]]:
    """What one of three is notified of; usually the second, a rival who has yet to bribe."""
    sealed = {"bribing": "simultaneous"}
    game = open_table("Anna", "Boris", "Clara", options=sealed, press="private", seed=7)
    first, second, third = in_order(game)
    _client, own = subscribed(sitter(game, (first, second, third)[reader]))
    moves(game, both_to(game, first, third), both_to(game, second, third))
    if private:
        whisper(game, first, third, text="Psst!")
        made = offers_privately(game, first, place_for(game))
        replies_privately(game, third, made)
    one, two = (scholar for scholar in state_of(game).contenders if scholar.owner == first)
    moves(game, Bribe(((one, bribe), (two, 1000))))
    messages.say(
        game_id=game.pk, user=sitter(game, third), text=f"@{sitter(game, second).name}, hurry!",
        token=uuid4(), now=MONDAY,
    )  # fmt: skip
    service.given.clear()
    delivery.drain(now=SOON)
    payloads = [own.read(given) for given in service.given]
    plain = [{key: str(one[key]).replace(game.token, "") for key in one} for one in payloads]
    return sorted(plain, key=lambda one: one["body"])


def undone(service: PushService, **how: object) -> list[dict[str, str]]:
    """The story in a world of its own."""
    before = transaction.savepoint_create()
    payloads = story(service, **how)
    transaction.savepoint_rollback(before)
    return payloads


def test_neither_sealed_bribes_nor_private_offers_show(service):
    plain = undone(service, bribe=4000, private=False)
    mentioned, turn = [payload["body"] for payload in plain]
    assert (mentioned, turn[:11]) == ("You were mentioned", "Your turn: ")
    assert undone(service, bribe=9000, private=False) == plain
    assert undone(service, bribe=9000, private=True) == plain


def test_those_in_a_private_conversation_are_notified_of_it(service):
    """That the comparison above can fail at all."""
    without = undone(service, bribe=4000, private=False, reader=2)
    assert undone(service, bribe=4000, private=True, reader=2) != without
