"""Proves that stored games agree with their events and moves. Changes nothing."""

import logging
from collections.abc import Iterator

from django.db import transaction

from games.engine import State, encode, replay
from games.engine.codec import EVENT_KINDS
from games.engine.record import play, read_record, write_record
from games.models import Event, Game
from games.services.game.offers import as_stored, offers_from_events
from games.services.game.private_offers import private_offers_from_events
from games.services.game.replay import event_rows, rule_event, surviving

logger = logging.getLogger(__name__)


def stored_games() -> Iterator[int]:
    """The ids of all games that have started, the oldest first; however many there are."""
    started = Game.objects.filter(state__isnull=False).order_by("pk")
    return started.values_list("pk", flat=True).iterator(chunk_size=1000)


def has_started(game_id: int) -> bool:
    """Whether there is such a game, with something to verify."""
    return Game.objects.filter(pk=game_id, state__isnull=False).exists()


def verify_game(game_id: int) -> list[str]:
    """What is wrong with a started game, a sentence each; nothing where all is right.

    Its events are numbered without a gap and lead to the stored state, and so do its moves. The
    game is locked meanwhile, so that it does not go on between one look and the next.
    """
    with transaction.atomic():
        game = Game.objects.lock(game_id)
        try:
            return list(_faults(game))
        except Exception as failure:
            # Whatever a spoilt game makes of the engine is a finding about that game.
            logger.exception("Game %s cannot be replayed", game_id)
            return [f"It cannot be replayed: {type(failure).__name__}: {failure}"]


def _faults(game: Game) -> Iterator[str]:
    numbers = _Numbers()
    rows = list(numbers.checked(game.events.order_by("seq").iterator()))
    # What the server recorded beside the engine's events (a moved deadline) changes no state.
    state = replay(rule_event(row) for row in surviving(rows) if row.kind in EVENT_KINDS)
    if numbers.gap:
        yield f"After event {numbers.last} comes none, but later ones do."
    if encode(state) != game.state:
        yield f"The events lead to another state: {_differing(encode(state), game.state)}."
    if as_stored(offers_from_events(game.events.order_by("seq")), state.table) != game.ledger:
        yield "The events lead to other promises than the stored ones."
    yield from _private_faults(game, state)
    counting = game.moves.filter(abandoned=False).order_by("pk")
    moves = list(counting.values_list("move", flat=True))
    if encode(_played(state, moves)) != game.state:
        yield f"The {len(moves)} moves lead to another state than the stored one."


def _private_faults(game: Game, state: State) -> Iterator[str]:
    threads = list(game.threads.all())
    rows = event_rows(game) if threads else []
    for thread in threads:
        if as_stored(private_offers_from_events(rows, thread), state.table) != thread.ledger:
            yield f"Thread {thread.pk} leads to other promises than the stored ones."


class _Numbers:
    """Looks whether events are numbered 1, 2, 3, … while they pass."""

    def __init__(self) -> None:
        self.last = 0
        self.gap = False

    def checked(self, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            if event.seq == self.last + 1:
                self.last = event.seq
            else:
                self.gap = True
            yield event


def _played(state: State, moves: list[object]) -> State:
    """Where the moves lead at the table of this state."""
    for made in play(read_record(write_record(state.table, moves))):
        last = made.state
    return last


def _differing(made: dict[str, object], stored: object) -> str:
    """The names of the fields that differ; not what is in them, which may be secret."""
    if not isinstance(stored, dict):
        return "the stored one is none"
    keys = sorted({*made, *stored})
    return ", ".join(key for key in keys if made.get(key) != stored.get(key))
