"""What each scholar cost its owner and earned, and what became of it: all from public events."""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.events import (
    BribesPaid,
    Event,
    GameStarted,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    TurnBegan,
)
from games.engine.state import Scholar


class Career(NamedTuple):
    """The career of one scholar.

    `palace` is where it was sent, `area` the salary of its area there, `banished` the round in
    which it left for the island. `bribes` were paid out of its owner's purse and `by_bank` by the
    bank, both less what came back; `earned` are its salaries. As a resident it won so many fights
    for its area: `defended`.
    """

    scholar: Scholar
    palace: int | None = None
    area: int | None = None
    banished: int | None = None
    bribes: int = 0
    by_bank: int = 0
    earned: int = 0
    defended: int = 0


def careers(events: Iterable[Event]) -> list[Career]:
    """The careers of all scholars in seat and card order, from all events of one game."""
    found: dict[Scholar, Career] = {}
    round_ = 1
    for event in events:
        if isinstance(event, GameStarted):
            found = {scholar: Career(scholar) for scholar in sorted(event.table.names)}
        elif isinstance(event, TurnBegan):
            round_ = event.round
        for part in _parts(event, round_):
            found[part.scholar] = _joined(found[part.scholar], part)
    return list(found.values())


def _parts(event: Event, in_round: int) -> list[Career]:
    """What an event adds to the careers of scholars."""
    match event:
        case ScholarsSent():
            return [Career(scholar, palace) for scholar, palace in event.sent]
        case BribesPaid():
            return [
                Career(scholar, bribes=amount - bank, by_bank=bank)
                for scholar, amount, bank in event.payments
            ]
        case ScholarHired(palace, scholar, area) | ScholarKept(palace, scholar, area):
            return [Career(scholar, palace, area, defended=isinstance(event, ScholarKept))]
        case ScholarBanished(palace, scholar, refund, bank):
            return [Career(scholar, palace, None, in_round, bribes=-refund, by_bank=-bank)]
        case SalaryPaid():
            return [Career(scholar, earned=salary) for scholar, _palace, salary in event.salaries]
        case _:
            return []


def _joined(career: Career, part: Career) -> Career:
    return Career(
        scholar=career.scholar,
        palace=career.palace if part.palace is None else part.palace,
        area=career.area if part.area is None else part.area,
        banished=career.banished if part.banished is None else part.banished,
        bribes=career.bribes + part.bribes,
        by_bank=career.by_bank + part.by_bank,
        earned=career.earned + part.earned,
        defended=career.defended + part.defended,
    )
