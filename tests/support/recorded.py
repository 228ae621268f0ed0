"""Recorded games, one for each rule (`tests/records/games.jsonl`)."""

import json
from pathlib import Path

from games.engine import Event, State, apply
from games.engine.events import set_up
from games.engine.record import play, read_record

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "records" / "games.jsonl").read_text().splitlines()
]
SMALL = RECORDS[16]
NAMES = ["Anna", "Boris", "Clara", "Dora", "Emil"]


def events_and_states(record: object) -> list[tuple[Event, State]]:
    """The events of a recorded game, each with the state after it."""
    text: list[tuple[Event, State]] = []
    for made in play(read_record(record)):
        for event in made.events:
            state = apply(text[-1][1], event) if text else set_up(event)
            text.append((event, state))
    return text
