"""The history of a game: past states, the log, and the pages that step through it."""

import pytest

from games.models import Game
from games.services.history import state_at, states
from games.services.log_reading import event_rows
from tests.tables import MONDAY, answer, awaited_seats, open_table

pytestmark = pytest.mark.django_db


def play_on(game: Game, answers: int) -> None:
    """Default moves, as many as asked for, until the game is over."""
    for _ in range(answers):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            return
        answer(game, awaited_seats(game)[0].user, MONDAY)
    game.refresh_from_db()


def test_the_events_lead_through_every_state_to_the_present_one():
    game = open_table("Anna", "Boris", "Clara")
    seen = {}
    for _ in range(12):
        play_on(game, 1)
        seen[event_rows(game)[-1].seq] = game.decoded()
    rows = event_rows(game)
    moments = {moment.seq: moment.state for moment in states(rows)}
    assert list(moments) == [row.seq for row in rows]
    assert {seq: moments[seq] for seq in seen} == seen
    assert all(state_at(rows, seq) == state for seq, state in seen.items())
    assert state_at(rows, 0) == state_at(rows, 1)
    assert state_at(rows, 10_000) == game.decoded()
