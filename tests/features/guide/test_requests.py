"""In a first game the learner is asked for promises in time to answer (days 28 and 32)."""

import pytest
from django.test import Client

from games.engine import Stage
from games.engine.ledger import Status
from games.engine.promises import Verdict
from games.models import Game
from games.services.game.offers import stored_offers
from games.services.game.reply_time import is_request
from tests.support.first_games import pages_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]

STATUS = {"accept": Status.ACCEPTED, "decline": Status.DECLINED}


def requests_to(game: Game, learner: int):
    state = game.decoded()
    return [
        entry
        for entry in stored_offers(game, state.table).ledger
        if entry.promise.seat == learner != entry.by and is_request(entry.promise, entry.by)
    ]


@pytest.mark.long(after=2)
@pytest.mark.parametrize("replies", STATUS)
@pytest.mark.parametrize("seed", range(3))
def test_the_owner_is_asked_before_the_first_bribe_and_owes_what_they_agreed_to(seed, replies):
    bribed: list[tuple[int, int]] = []
    for html, game in pages_of(Client(), seed, replies, at_once=seed == 0):
        state, learner = game.decoded(), game.seats.get(user__isnull=False).number
        others = {one.owner for one in state.contenders} - {learner}
        if state.active != learner or state.stage in (Stage.SENDING, Stage.OVER) or not others:
            continue
        turn = (state.round, learner)
        now = [one for one in requests_to(game, learner) if one.made_in == turn]
        if turn not in bribed:
            bribed.append(turn)
            if len(bribed) == 1:  # nobody has paid before the learner was asked
                [asked] = now
                assert asked.status is Status.OPEN
                assert asked.by not in {one.scholar.owner for one in state.paid}
                assert "Someone is asking you for a promise" in html
        for one in now:
            if one.promise.deed.scholar in state.contenders and one.status is not Status.OPEN:
                assert one.status is STATUS[replies]
                owed = (one.condition, one.verdict) == (Verdict.KEPT, Verdict.PENDING)
                assert owed == (replies == "accept")
    assert bribed
