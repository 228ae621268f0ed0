"""Many who act at nearly the same moment, each in a thread and a connection of its own.

The connections are opened before the start, and the starts are spread: so each side comes first in
some rounds, which the tests demand. A race that one side always wins proves nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from random import Random
from threading import Barrier
from threading import Event as Moment
from uuid import uuid4

from django.db import connection, connections

from games.engine import decode_event, default_move, encode, replay
from games.models import Event, Game, Seat
from games.services.game import moves
from games.services.game.replay import surviving
from games.services.operations import clock
from games.services.refused import Refused
from games.table_events import is_table_event
from tests.support.patience import PATIENCE_SECONDS

HANDED_IN_BEFORE = timedelta(seconds=1)
"""How long before the others' act a reply says it came."""

SPREAD_SECONDS = 0.2
"""How far apart the sides start, and the acts of a side; more, where one side has not won yet."""

MOST_SPREAD_SECONDS = 3.0

MOST_ROUNDS = 40
"""How many rounds a race may take until each side has won one."""

type Act = Callable[[], object]


def be_patient() -> None:
    """Open this thread's connection, and let it wait for locks: a slow machine is no fault here."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{PATIENCE_SECONDS}s'")


def at_once(*acts: Act, waits: Sequence[float] = ()) -> list[object]:
    """Do all of this at the same time, or after these seconds; what each gave."""
    ready = Barrier(len(acts))

    def run(act: Act, wait: float) -> object:
        try:
            be_patient()
            ready.wait(timeout=PATIENCE_SECONDS)
            Moment().wait(wait)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts, waits or [0] * len(acts)))


class Chance(Random):
    """The chance of a round, and how far apart its starts may be.

    Sides differ in how long they need, the more so on a slow machine: the starts are spread wider
    with each round that is played because one side has not won yet.
    """

    def __init__(self, number: int, extra_rounds: int) -> None:
        super().__init__(number)
        self.spread_seconds = min(SPREAD_SECONDS * 1.5**extra_rounds, MOST_SPREAD_SECONDS)

    def wait(self) -> float:
        return self.uniform(0, self.spread_seconds)


def race(sides: Mapping[str, Sequence[Act]], chance: Chance) -> dict[str, list[object]]:
    """Let the sides act, each from a moment of its own by chance; what each of their acts gave."""
    acts, waits = [], []
    for side in sides.values():
        begins = chance.wait()
        acts += side
        waits += [begins + chance.uniform(0, SPREAD_SECONDS) for _ in side]
    given = iter(at_once(*acts, waits=waits))
    return {name: [next(given) for _ in side] for name, side in sides.items()}


def rounds_of(*sides: str, least: int) -> Iterator[tuple[Chance, Counter[str]]]:
    """Rounds of a race: at least so many, and more until each side has won one.

    Gives the chance of each round, and the count of wins, which the test keeps.
    """
    wins: Counter[str] = Counter()
    for number in range(MOST_ROUNDS):
        if number >= least and all(wins[side] for side in sides):
            return
        yield Chance(number, max(0, number + 1 - least)), wins
    missing = [side for side in sides if not wins[side]]
    assert not missing, f"Never first in {MOST_ROUNDS} rounds: {missing}. Wins: {dict(wins)}."


def refusal(act: Act) -> str:
    """Do it; reason for the rejection, "" where it was done."""
    try:
        act()
    except Refused as reason:
        return str(reason)
    return ""


def doing(act: Callable[..., object], *given: object, **more: object) -> Act:
    """An act that returns whether it was done, and not refused."""
    return lambda: refusal(partial(act, *given, **more)) == ""


def handing_in(game: Game, asked: Seat, phase: int, now: datetime) -> Act:
    """A default move, with a token of its own; whether it was played."""
    move = default_move(Game.objects.get(pk=game.pk).decoded(), asked.drawn_number)

    def played() -> bool:
        outcome = moves.submit_moves(
            game_id=game.pk,
            user=asked.user,
            phase_no=phase,
            token=uuid4(),
            moves=[move],
            now=now - HANDED_IN_BEFORE,
        )
        return outcome.played

    return played


def sweeping(now: datetime) -> Act:
    return partial(clock.sweep, now=now)


def assert_whole(game):
    """Events are numbered without a gap and lead to the stored state."""
    rows = list(Event.objects.filter(game=game).order_by("seq"))
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    text = [row for row in surviving(rows) if not is_table_event(row.kind)]
    state = replay(decode_event({"kind": row.kind, **row.payload}) for row in text)
    assert encode(state) == Game.objects.get(pk=game.pk).state
