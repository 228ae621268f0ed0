"""What happens in a game: enough to tell it as a story and to rebuild every state.

`apply` is the only function that makes a new state out of an old one.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.engine.state import (
    BRIBING,
    Payment,
    Position,
    Scholar,
    Sealed,
    Stage,
    State,
    Table,
    active_player,
)


class GameStarted(NamedTuple):
    """The table was set, by the rule book or as a given position."""

    table: Table
    position: Position


class TurnBegan(NamedTuple):
    """A player became the active one."""

    round: int
    seat: int


class SalaryPaid(NamedTuple):
    """The bank paid `seat` for these scholars, each with its palace and the area's salary."""

    seat: int
    salaries: tuple[tuple[Scholar, int, int], ...]


class StageOpened(NamedTuple):
    """A stage began. `area` is the salary fought for in an internal conflict, else None."""

    stage: Stage
    area: int | None
    contenders: tuple[Scholar, ...]


class BribesSealed(NamedTuple):
    """Simultaneous bribing: `seat` handed in. Secret: others learn only that it happened."""

    seat: int
    bribes: tuple[tuple[Scholar, int], ...]


class BribesPaid(NamedTuple):
    """`seat` paid the active player, in this order."""

    seat: int
    payments: tuple[Payment, ...]


class ScholarHired(NamedTuple):
    """A scholar took an area of `palace`: an open one, or its beaten resident's."""

    palace: int
    scholar: Scholar
    area: int


class ScholarKept(NamedTuple):
    """The resident won the internal conflict and keeps the area."""

    palace: int
    scholar: Scholar
    area: int


class ScholarBanished(NamedTuple):
    """A beaten contender left for the island.

    With refunds its owner gets `refund` back, and the bank `bank`, both from the palace's owner.
    """

    palace: int
    scholar: Scholar
    refund: int
    bank: int


class ScholarsSent(NamedTuple):
    """The active player's scholars went to these seats' palaces."""

    seat: int
    sent: tuple[tuple[Scholar, int], ...]


class LastIncome(NamedTuple):
    """After the last turn: everybody is paid once more."""


class GameEnded(NamedTuple):
    """The game is over; everybody's money is shown, in seat order."""

    winners: tuple[int, ...]
    cash: tuple[int, ...]


type Event = (
    GameStarted
    | TurnBegan
    | SalaryPaid
    | StageOpened
    | BribesSealed
    | BribesPaid
    | ScholarHired
    | ScholarKept
    | ScholarBanished
    | ScholarsSent
    | LastIncome
    | GameEnded
)


def apply(state: State, event: Event) -> State:
    """The state after the event. The event must be the next one of that game."""
    return _APPLY[type(event)](state, event)


def replay(events: Iterable[Event]) -> State:
    """The state that these events of one game, from `GameStarted` on, lead to."""
    sequence = iter(events)
    started = next(sequence)
    if not isinstance(started, GameStarted):
        raise ValueError("The events of a game begin with GameStarted.")
    state = set_up(started)
    for event in sequence:
        state = apply(state, event)
    return state


def set_up(event: GameStarted) -> State:
    """The state at the position, before the active player's turn begins."""
    table, position = event
    out = {scholar for scholars in position.applicants for scholar in scholars}
    out.update(scholar for row in position.palaces for scholar in row if scholar is not None)
    out.update(position.island)
    unsent: list[list[Scholar]] = [[] for _ in table.players]
    for scholar in table.names:
        if scholar not in out:
            unsent[scholar.owner].append(scholar)
    return State(
        table=table,
        round=position.round,
        active=position.active,
        stage=Stage.SENDING,
        cash=position.cash,
        bank=0,
        palaces=position.palaces,
        applicants=position.applicants,
        unsent=tuple([tuple(scholars) for scholars in unsent]),
        island=position.island,
    )


def _turn_began(state: State, event: TurnBegan) -> State:
    return state._replace(round=event.round, active=event.seat)


def _salary_paid(state: State, event: SalaryPaid) -> State:
    total = sum([salary for _, _, salary in event.salaries])
    return state._replace(
        cash=_changed(state.cash, event.seat, state.cash[event.seat] + total),
        bank=state.bank - total,
    )


def _stage_opened(state: State, event: StageOpened) -> State:
    stage, area, contenders = event
    # What was paid stands until the next bribing or the end of the turn.
    paid = () if stage in BRIBING or stage is Stage.SENDING else state.paid
    return State(
        state.table,
        state.round,
        state.active,
        stage,
        state.cash,
        state.bank,
        state.palaces,
        state.applicants,
        state.unsent,
        state.island,
        area,
        contenders,
        paid,
        sealed=(),
    )


def _bribes_sealed(state: State, event: BribesSealed) -> State:
    return state._replace(sealed=(*state.sealed, Sealed(event.seat, event.bribes)))


def _bribes_paid(state: State, event: BribesPaid) -> State:
    seat, payments = event
    owner = active_player(state)
    cash = list(state.cash)
    bank = state.bank
    for _, amount, from_bank in payments:
        cash[seat] -= amount - from_bank
        cash[owner] += amount
        bank -= from_bank
    sealed = state.sealed
    if sealed:
        sealed = tuple(other for other in sealed if other.seat != seat)
    return state._replace(cash=tuple(cash), bank=bank, paid=state.paid + payments, sealed=sealed)


def _scholar_hired(state: State, event: ScholarHired) -> State:
    palace, scholar, area = event
    place = state.table.edition.areas.index(area)
    row = _changed(state.palaces[palace], place, scholar)
    return state._replace(
        palaces=_changed(state.palaces, palace, row),
        applicants=_without_applicant(state, palace, scholar),
    )


def _unchanged(state: State, event: ScholarKept | LastIncome) -> State:
    return state


def _scholar_banished(state: State, event: ScholarBanished) -> State:
    cash = state.cash
    if event.refund or event.bank:
        money = list(cash)
        money[event.scholar.owner] += event.refund
        money[event.palace] -= event.refund + event.bank
        cash = tuple(money)
    return state._replace(
        cash=cash,
        bank=state.bank + event.bank,
        applicants=_without_applicant(state, event.palace, event.scholar),
        island=(*state.island, event.scholar),
    )


def _scholars_sent(state: State, event: ScholarsSent) -> State:
    gone = {scholar for scholar, _ in event.sent}
    left = tuple([scholar for scholar in state.unsent[event.seat] if scholar not in gone])
    applicants = list(state.applicants)
    for scholar, palace in event.sent:
        applicants[palace] = (*applicants[palace], scholar)
    return state._replace(
        unsent=_changed(state.unsent, event.seat, left), applicants=tuple(applicants)
    )


def _game_ended(state: State, event: GameEnded) -> State:
    return state._replace(
        active=None, stage=Stage.OVER, area=None, contenders=(), paid=(), sealed=()
    )


_APPLY: dict[type, Callable[[State, Any], State]] = {
    TurnBegan: _turn_began,
    SalaryPaid: _salary_paid,
    StageOpened: _stage_opened,
    BribesSealed: _bribes_sealed,
    BribesPaid: _bribes_paid,
    ScholarHired: _scholar_hired,
    ScholarKept: _unchanged,
    ScholarBanished: _scholar_banished,
    ScholarsSent: _scholars_sent,
    LastIncome: _unchanged,
    GameEnded: _game_ended,
}


def _changed[Item](items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _without_applicant(
    state: State, palace: int, scholar: Scholar
) -> tuple[tuple[Scholar, ...], ...]:
    waiting = state.applicants[palace]
    if scholar not in waiting:  # a resident was beaten
        return state.applicants
    left = tuple([other for other in waiting if other != scholar])
    return _changed(state.applicants, palace, left)
