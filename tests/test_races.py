"""Players and clocks at the same moment on a real PostgreSQL: one advance each, no gap."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from games.models import Game, Move
from tests.races import assert_whole, hand_in, sweep
from tests.tables import awaited_seats, open_table, tick

PLAYERS = 32
CLOCKS = 4


@pytest.mark.django_db(transaction=True)
def test_many_hand_in_for_one_phase_while_clocks_expire_it(rounds):
    game = open_table("Anna", "Boris", "Clara", "Dora", absent_player="default")
    for _ in range(rounds):
        game.refresh_from_db()
        if game.status != Game.Status.RUNNING:
            game = open_table(*(f"{name}{game.pk}" for name in ("Anna", "Boris", "Clara")))
        asked = awaited_seats(game)[0]
        if asked.absent_since is not None:
            continue
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        with ThreadPoolExecutor(PLAYERS + CLOCKS) as pool:
            gate = Barrier(PLAYERS + CLOCKS)
            handed_in = [
                pool.submit(hand_in, gate, game, asked, phase, now) for _ in range(PLAYERS)
            ]
            swept = [pool.submit(sweep, gate, now) for _ in range(CLOCKS)]
            outcomes = [future.result() for future in handed_in]
            [future.result() for future in swept]
        assert Move.objects.filter(game=game, phase_no=phase, seat=asked).count() == 1
        assert sum(outcome.played for outcome in outcomes) <= 1
        assert_whole(game)


@pytest.fixture
def rounds(request):
    return 50 if request.config.getoption("--long") else 5
