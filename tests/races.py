"""Many who act at the same moment, each in a thread and a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

from django.db import connection, connections

from games.engine import decode_event, default_move, encode, replay
from games.models import Event, Game
from games.services import clock, play
from games.services.history import surviving
from games.services.refused import Refused
from games.table_events import is_table_event
from tests.patience import PATIENCE_SECONDS

HANDED_IN_BEFORE = timedelta(seconds=1)
"""How long before the others' act an answer says it came."""


def be_patient() -> None:
    """Wait for locks in this thread's connection: a slow machine is no fault of those who race."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = %s", [f"{PATIENCE_SECONDS}s"])


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do all of this at the same time; what each gave."""
    ready = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            be_patient()
            ready.wait(timeout=PATIENCE_SECONDS)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def refusal(act: Callable[[], object]) -> str:
    """Do it; why it was refused, "" where it was done."""
    try:
        act()
    except Refused as reason:
        return str(reason)
    return ""


def do(gate: Barrier, act: Callable[..., object], *given: object, **more: object) -> bool:
    """One thread's act, once all are at the gate; whether it was done."""
    try:
        be_patient()
        gate.wait()
        return refusal(lambda: act(*given, **more)) == ""
    finally:
        connection.close()


def hand_in(gate, game, asked, phase, now):
    """One thread's answer: the default move, with a token of its own."""
    try:
        be_patient()
        state = Game.objects.get(pk=game.pk).decoded()
        move = default_move(state, asked.number)
        gate.wait()
        return play.submit_moves(
            game_id=game.pk,
            user=asked.user,
            phase_no=phase,
            token=uuid4(),
            moves=[move],
            now=now - HANDED_IN_BEFORE,
        )
    finally:
        connection.close()


def sweep(gate, now):
    try:
        be_patient()
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
