"""The promises to a reader that were broken since they moved last: to be seen until they move."""

from typing import NamedTuple

from games.services.game.queries.log import Entry, Log, LogLine


class Breaches(NamedTuple):
    """What was promised to the reader and not kept, in order, and the seats of the `traitors`."""

    entries: list[Entry]
    lines: list[LogLine]
    traitors: frozenset[int]


def read_breaches(log: Log, since: int) -> Breaches:
    """Those from the event with the number `since` on; not what a rewind took back."""
    found = [
        (entry, entry.outcome.promise.seat)
        for turn in reversed(log.turns)
        for entry in turn.lines
        if entry.row.seq >= since
        and entry.outcome is not None
        and entry.outcome.is_breach_to(log.reader.seat)
        and entry.row.seq in log.counting
    ]
    return Breaches(
        entries=[entry for entry, _seat in found],
        lines=[log.line(entry) for entry, _seat in found],
        traitors=frozenset(seat for _entry, seat in found),
    )
