"""The log: every event as a sentence, in the words of the edition."""

from collections.abc import Callable
from typing import Any

from games import table_events
from games.engine import Event, Stage
from games.engine import events as happened
from games.presentation.words import People, capital, listed, moment, money, with_currency
from games.table_events import TableEvent


def tell(people: People, event: Event | TableEvent) -> str:
    """One sentence for an event, or "" where there is nothing to tell.

    The event must have come through `view_event`.
    """
    return _TELL[type(event)](people, event)


def is_heading(event: Event | TableEvent) -> bool:
    """Whether the event begins a new part of the log: a player's turn, or the last income."""
    return isinstance(event, happened.TurnBegan | happened.LastIncome)


def _started(people: People, event: happened.GameStarted) -> str:
    players = listed(f"{name} ({people.colour(seat)})" for seat, name in enumerate(people.names))
    cash = with_currency(people.table, people.table.edition.starting_cash)
    first = people.name(people.table.first)
    return f"Clockwise sit {players}. Everybody has {cash}. {first} begins."


def _turn(people: People, event: happened.TurnBegan) -> str:
    return f"Round {event.round}: {people.name(event.seat)}'s turn"


def _salary(people: People, event: happened.SalaryPaid) -> str:
    total = sum(salary for _, _, salary in event.salaries)
    paid = listed(
        f"{money(salary)} for the {people.occupation(scholar)} at {people.name(palace)}'s"
        for scholar, palace, salary in event.salaries
    )
    name = people.name(event.seat)
    if len(event.salaries) == 1:
        return f"The bank pays {name} {paid}."
    return f"The bank pays {name} {with_currency(people.table, total)}: {paid}."


def _stage(people: People, event: happened.StageOpened) -> str:
    contenders = [people.scholar(scholar) for scholar in event.contenders]
    match event.stage:
        case Stage.UNCONTESTED_BRIBES:
            return f"At the door, without a rival: {listed(contenders)}."
        case Stage.EXTERNAL_BRIBES:
            return f"Rivals at the door: {listed(contenders)}."
        case Stage.INTERNAL_BRIBES:
            resident, *attackers = contenders
            holds = f"holds {money(event.area)}" if event.area is not None else "resides"
            return f"{capital(resident)} {holds} and is challenged by {listed(attackers)}."
        case _:
            return ""


def _sealed(people: People, event: happened.BribesSealed) -> str:
    name = people.name(event.seat)
    if not event.bribes:
        return f"{name} hands in sealed bribes."
    bribes = listed(
        f"{money(amount)} for {people.scholar(scholar)}" for scholar, amount in event.bribes
    )
    return f"{name} hands in sealed bribes: {bribes}."


def _paid(people: People, event: happened.BribesPaid) -> str:
    name = people.name(event.seat)
    parts = [
        f"{money(payment.amount)} for {people.scholar(payment.scholar)}"
        for payment in event.payments
        if payment.amount
    ]
    told = [f"{name} pays {listed(parts)}."] if parts else []
    told += [
        f"{name} pays nothing for {people.scholar(payment.scholar)}."
        for payment in event.payments
        if not payment.amount
    ]
    bank = sum(payment.bank for payment in event.payments)
    if bank:
        told.append(f"The bank pays {money(bank)} of it, as {name} has no more.")
    return " ".join(told)


def _hired(people: People, event: happened.ScholarHired) -> str:
    scholar = people.scholar(event.scholar)
    return f"{people.name(event.palace)} hires {scholar} for {money(event.area)}."


def _kept(people: People, event: happened.ScholarKept) -> str:
    scholar = people.scholar(event.scholar)
    return f"{people.name(event.palace)} keeps {scholar} on {money(event.area)}."


def _banished(people: People, event: happened.ScholarBanished) -> str:
    told = f"{capital(people.scholar(event.scholar))} is banished to the island."
    if event.refund:
        owner = people.name(event.scholar.owner)
        told += f" {owner} gets {money(event.refund)} back."
    if event.bank:
        told += f" The bank gets {money(event.bank)} back."
    return told


def _sent(people: People, event: happened.ScholarsSent) -> str:
    sent = listed(
        f"the {people.occupation(scholar)} to {people.name(palace)}"
        for scholar, palace in event.sent
    )
    return f"{people.name(event.seat)} sends {sent}."


def _last_income(_people: People, _event: happened.LastIncome) -> str:
    return "The last income"


def _ended(people: People, event: happened.GameEnded) -> str:
    winners = listed(people.name(seat) for seat in event.winners)
    share = "wins" if len(event.winners) == 1 else "share the victory"
    cash = listed(f"{people.name(seat)} {money(amount)}" for seat, amount in enumerate(event.cash))
    return f"{winners} {share}. The money: {cash}."


def _deadline_moved(people: People, event: table_events.DeadlineMoved) -> str:
    why = table_events.REASONS[event.why]
    return f"{people.name(event.seat)}'s deadline moves on to {moment(event.after, 'UTC')}: {why}."


def _absent(people: People, event: table_events.SeatAbsent) -> str:
    return f"{people.name(event.seat)} is absent: nobody waits for this seat, a substitute may sit."


def _returned(people: People, event: table_events.SeatReturned) -> str:
    return f"{people.name(event.seat)} is back."


def _substitute(people: People, event: table_events.SubstituteSat) -> str:
    return f"{people.name(event.seat)} sits down as the substitute for {people.colour(event.seat)}."


_TELL: dict[type, Callable[[People, Any], str]] = {
    happened.GameStarted: _started,
    happened.TurnBegan: _turn,
    happened.SalaryPaid: _salary,
    happened.StageOpened: _stage,
    happened.BribesSealed: _sealed,
    happened.BribesPaid: _paid,
    happened.ScholarHired: _hired,
    happened.ScholarKept: _kept,
    happened.ScholarBanished: _banished,
    happened.ScholarsSent: _sent,
    happened.LastIncome: _last_income,
    happened.GameEnded: _ended,
    table_events.DeadlineMoved: _deadline_moved,
    table_events.SeatAbsent: _absent,
    table_events.SeatReturned: _returned,
    table_events.SubstituteSat: _substitute,
}
