"""Who has kept and broken how many promises in a game, once it is over."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from games.engine.promises import Verdict
from games.models import Cause, Game, Sitting
from games.services.game.private_offers import with_deals
from games.services.game.replay import (
    EventRow,
    event_rows,
    rule_event,
    surviving,
    who_moved,
)
from games.table_events import (
    OfferReplied,
    PromiseJudged,
    SeatAbsent,
    SeatReturned,
    is_table_event,
)

HANDS = frozenset({Cause.PLAYER, Cause.SUBSTITUTE})


def count_promises(game: Game) -> None:
    """Note for everybody who sat at a finished game how many promises they kept and broke.

    A verdict counts for the person whose hand or order caused it, or who sat there when the time
    was up. What the clock, a house player or a forced choice did counts for nobody, and neither
    does what a substitute has inherited. Private promises count where everybody can read them now.
    """
    threads = game.threads.exclude(ledger=[]) if game.threads_are_open else []
    if not game.promises_count or not (game.ledger or threads):
        return
    rows = event_rows(game)
    ledgers = [surviving(rows), *(with_deals(thread, rows) for thread in threads)]
    sittings = list(Sitting.objects.filter(seat__game=game).select_related("seat"))
    for seat, agreed_at, row in chain.from_iterable(map(_verdicts, ledgers)):
        for one in sittings:
            sat_there = one.ended_at is None or row.at < one.ended_at
            if one.seat.number == seat and one.began_at <= agreed_at and sat_there:
                one.promises_kept += row.payload["verdict"] == Verdict.KEPT
                one.promises_broken += row.payload["verdict"] == Verdict.BROKEN
                break
    Sitting.objects.bulk_update(sittings, ["promises_kept", "promises_broken"])


def _verdicts(rows: list[EventRow]) -> Iterator[tuple[int, datetime, EventRow]]:
    """The verdicts that somebody caused: whose promise, when it was agreed upon, and the event.

    `rows` are the events that count, with those of one ledger.
    """
    agreed_at: dict[int, datetime] = {}
    absent: set[int] = set()
    last = rows[0]
    for row in rows:
        if not is_table_event(row.kind):
            last = row
        elif row.kind == OfferReplied.__name__:
            agreed_at[row.payload["number"]] = row.at
        elif row.kind == SeatAbsent.__name__:
            absent.add(row.payload["seat"])
        elif row.kind == SeatReturned.__name__:
            absent.discard(row.payload["seat"])
        elif row.kind == PromiseJudged.__name__:
            seat = row.payload["seat"]
            by_hand = Cause(last.cause) in HANDS
            if by_hand if who_moved(rule_event(last)) == seat else seat not in absent:
                yield seat, agreed_at[row.payload["number"]], row
