"""Acts of moderators, players and clocks at the same moment: one wins, nothing is doubled."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection

from games.models import AuditLine, Game, Move
from games.services.moderation import time_acts
from games.services.moderation.acting import Ask, seen_now
from games.services.refused import Refused
from games.services.verify import verify_game
from tests.moderators import moderator
from tests.tables import DAY, awaited_seats, open_table, tick
from tests.test_races import assert_whole, hand_in, sweep

EACH = 6
ROUNDS = 4


def do(gate, act, ask, more):
    """One thread's act; whether it was done."""
    try:
        gate.wait()
        act(ask, **more)
    except Refused:
        return False
    else:
        return True
    finally:
        connection.close()


ACTS = {
    "default": lambda seat, now: (time_acts.play_default, {"seat": seat.number}),
    "extend": lambda seat, now: (time_acts.extend, {"time": DAY}),
    "pause": lambda seat, now: (time_acts.pause, {}),
    "cancel": lambda seat, now: (time_acts.cancel, {}),
}


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.django_db(transaction=True)
def test_moderators_players_and_clocks_at_once(name):
    marta = moderator()
    for number in range(ROUNDS):
        game = open_table(*(f"{who}{number}" for who in ("Anna", "Boris", "Clara")))
        seat = awaited_seats(game)[0]
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        act, more = ACTS[name](seat, now)
        ask = Ask(game.pk, marta, "Because.", seen_now(game), now - timedelta(seconds=1))
        with ThreadPoolExecutor(3 * EACH) as pool:
            gate = Barrier(3 * EACH)
            acted = [pool.submit(do, gate, act, ask, more) for _ in range(EACH)]
            played = [pool.submit(hand_in, gate, game, seat, phase, now) for _ in range(EACH)]
            swept = [pool.submit(sweep, gate, now) for _ in range(EACH)]
            done = sum(future.result() for future in acted)
            [future.result() for future in [*played, *swept]]
        assert done <= 1
        assert AuditLine.objects.filter(game=game).count() == done
        assert Move.objects.filter(game=game, phase_no=phase, seat=seat).count() <= 1
        game.refresh_from_db()
        moves = Move.objects.filter(game=game).exclude(cause="rules").count()
        if name in {"pause", "cancel"}:
            stopped = game.paused_at is not None or game.status == Game.Status.CANCELLED
            assert stopped == bool(done)
        if name == "default":
            assert moves == 1
        assert_whole(game)
        assert verify_game(game.pk) == []
