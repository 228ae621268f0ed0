"""Players and clocks at the same moment on a real PostgreSQL: one advance each, no gap."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from games.engine import decode_event, default_move, encode, replay
from games.models import Event, Game, Move
from games.services import clock, play
from games.services.history import surviving
from games.table_events import is_table_event
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


def hand_in(gate, game, asked, phase, now):
    """One thread's answer: the default move, with a token of its own."""
    try:
        state = Game.objects.get(pk=game.pk).decoded()
        move = default_move(state, asked.number)
        gate.wait()
        return play.submit_moves(
            game_id=game.pk,
            user=asked.user,
            phase_no=phase,
            token=uuid4(),
            moves=[move],
            now=now - timedelta(seconds=1),
        )
    finally:
        connection.close()


def sweep(gate, now):
    try:
        gate.wait()
        clock.sweep(now=now)
    finally:
        connection.close()


def assert_whole(game):
    """Events are numbered without a gap and lead to the stored state."""
    rows = list(Event.objects.filter(game=game).order_by("seq"))
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    told = [row for row in surviving(rows) if not is_table_event(row.kind)]
    state = replay(decode_event({"kind": row.kind, **row.payload}) for row in told)
    assert encode(state) == Game.objects.get(pk=game.pk).state
