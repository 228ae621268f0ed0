"""The log: every event as a sentence, in the words of the edition."""

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import table_events
from games.engine import Event, Stage
from games.engine import events as happened
from games.presentation import table_story
from games.presentation.question import bribe_told
from games.presentation.words import People, capital, listed, moment, money, with_currency
from games.table_events import TableEvent

_MOVED: Final = {
    "outage": gettext_lazy("{name}'s deadline moves on to {moment}: the clock had stood still."),
    "moved": gettext_lazy("{name}'s deadline is now {moment}."),
    "pause": gettext_lazy("{name}'s deadline is now {moment}: the game was paused."),
    "parked": gettext_lazy("{name}'s deadline is now {moment}: the game could not go on."),
    "hours": gettext_lazy("{name}'s deadline is now {moment}: all games have more time."),
    "downtime": gettext_lazy("{name}'s deadline is now {moment}: the site could not be reached."),
    "maintenance": gettext_lazy("{name}'s deadline is now {moment}: there was maintenance."),
    "days_off": gettext_lazy("{name}'s deadline is {moment}: days off do not count."),
}
"""The sentence for each of `table_events.REASONS`."""


def tell(people: People, event: Event | TableEvent) -> str:
    """One sentence for an event, or "" where there is nothing to tell.

    The event must have come through `view_event`.
    """
    return _TELL[type(event)](people, event)


def is_heading(event: Event | TableEvent) -> bool:
    """Whether the event begins a new part of the log: a turn, the last income, or a rewind."""
    return isinstance(event, happened.TurnBegan | happened.LastIncome | table_events.Rewound)


def _started(people: People, _event: happened.GameStarted) -> str:
    sitting = [
        _("{name} ({colour})").format(name=name, colour=people.colour_told(seat))
        for seat, name in enumerate(people.names)
    ]
    return _("Clockwise sit {players}. Everybody has {cash}. {first} begins.").format(
        players=listed(sitting),
        cash=with_currency(people.table, people.table.edition.starting_cash),
        first=people.name(people.table.first),
    )


def _turn(people: People, event: happened.TurnBegan) -> str:
    name = people.name(event.seat)
    return _("Round {round}: {name}'s turn").format(round=event.round, name=name)


def _salary(people: People, event: happened.SalaryPaid) -> str:
    name = people.name(event.seat)
    salaries = listed(
        _("{amount} for {scholar} at {owner}'s").format(
            amount=money(salary), scholar=people.the_occupation(who), owner=people.name(palace)
        )
        for who, palace, salary in event.salaries
    )
    if len(event.salaries) == 1:
        return _("The bank pays {name} {salary}.").format(name=name, salary=salaries)
    total = with_currency(people.table, sum(salary for _who, _palace, salary in event.salaries))
    return _("The bank pays {name} {total}: {salaries}.").format(
        name=name, total=total, salaries=salaries
    )


def _stage(people: People, event: happened.StageOpened) -> str:
    contenders = [people.scholar(scholar) for scholar in event.contenders]
    match event.stage:
        case Stage.UNCONTESTED_BRIBES:
            told = _("At the door, without a rival: {scholars}.")
            return told.format(scholars=listed(contenders))
        case Stage.EXTERNAL_BRIBES:
            return _("Rivals at the door: {scholars}.").format(scholars=listed(contenders))
        case Stage.INTERNAL_BRIBES:
            resident, *attackers = contenders
            told = _("{resident} holds {amount} and is challenged by {attackers}.").format(
                resident=resident, amount=money(event.area or 0), attackers=listed(attackers)
            )
            return capital(told)
        case _:
            return ""


def _sealed(people: People, event: happened.BribesSealed) -> str:
    name = people.name(event.seat)
    if not event.bribes:
        return _("{name} hands in sealed bribes.").format(name=name)
    bribes = listed(bribe_told(people, scholar, amount) for scholar, amount in event.bribes)
    return _("{name} hands in sealed bribes: {bribes}.").format(name=name, bribes=bribes)


def _paid(people: People, event: happened.BribesPaid) -> str:
    name = people.name(event.seat)
    told = []
    if paid := [payment for payment in event.payments if payment.amount]:
        bribes = listed(bribe_told(people, payment.scholar, payment.amount) for payment in paid)
        told.append(_("{name} pays {bribes}.").format(name=name, bribes=bribes))
    told += [
        _("{name} pays nothing for {scholar}.").format(
            name=name, scholar=people.scholar(payment.scholar)
        )
        for payment in event.payments
        if not payment.amount
    ]
    if bank := sum(payment.bank for payment in event.payments):
        told.append(
            _("The bank pays {amount} of it, as {name} has no more.").format(
                amount=money(bank), name=name
            )
        )
    return " ".join(told)


def _hired(people: People, event: happened.ScholarHired) -> str:
    return _("{owner} hires {scholar} at a salary of {amount}.").format(
        owner=people.name(event.palace),
        scholar=people.scholar(event.scholar),
        amount=money(event.area),
    )


def _kept(people: People, event: happened.ScholarKept) -> str:
    return _("{owner} keeps {scholar} at a salary of {amount}.").format(
        owner=people.name(event.palace),
        scholar=people.scholar(event.scholar),
        amount=money(event.area),
    )


def _banished(people: People, event: happened.ScholarBanished) -> str:
    scholar = people.scholar(event.scholar)
    told = [capital(_("{scholar} is banished to the island.").format(scholar=scholar))]
    if event.refund:
        name = people.name(event.scholar.owner)
        told.append(_("{name} gets {amount} back.").format(name=name, amount=money(event.refund)))
    if event.bank:
        told.append(_("The bank gets {amount} back.").format(amount=money(event.bank)))
    return " ".join(told)


def _sent(people: People, event: happened.ScholarsSent) -> str:
    sent = listed(
        _("{scholar} to {owner}").format(
            scholar=people.the_occupation(scholar), owner=people.name(palace)
        )
        for scholar, palace in event.sent
    )
    return _("{name} sends {sent}.").format(name=people.name(event.seat), sent=sent)


def _last_income(_people: People, _event: happened.LastIncome) -> str:
    return _("The last income")


def _ended(people: People, event: happened.GameEnded) -> str:
    cash = listed(
        pgettext("money of a player", "{name} {amount}").format(
            name=people.name(seat), amount=money(amount)
        )
        for seat, amount in enumerate(event.cash)
    )
    names = listed(people.name(seat) for seat in event.winners)
    if len(event.winners) == 1:
        return _("{name} wins. The money: {cash}.").format(name=names, cash=cash)
    return _("{names} share the victory. The money: {cash}.").format(names=names, cash=cash)


def _deadline_moved(people: People, event: table_events.DeadlineMoved) -> str:
    name = people.name(event.seat)
    return str(_MOVED[event.why]).format(name=name, moment=moment(event.after, "UTC"))


def _absent(people: People, event: table_events.SeatAbsent) -> str:
    told = _("{name} is absent: nobody waits for them, and a substitute may take the seat.")
    return told.format(name=people.name(event.seat))


def _returned(people: People, event: table_events.SeatReturned) -> str:
    return _("{name} is back.").format(name=people.name(event.seat))


def _substitute(people: People, event: table_events.SubstituteSat) -> str:
    return _("{name} sits down as the substitute for {colour}.").format(
        name=people.name(event.seat), colour=people.colour_told(event.seat)
    )


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
    **table_story.TELL,
}
