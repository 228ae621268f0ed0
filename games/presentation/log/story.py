"""The log: every event as a sentence, in the words of the edition.

Events of the game stand here; what happens at the table and is no move stands in `table_story`, and
what players promise in `promise_story`.
"""

from collections.abc import Callable
from typing import Any, Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import table_events
from games.engine import Event, Stage
from games.engine import events as happened
from games.presentation.board.decision import bribe_text
from games.presentation.log import promise_story, table_story
from games.presentation.text.words import People, capital, listed, money, with_currency
from games.table_events import OfferLapsed, OfferMade, OfferReplied, PromiseJudged, TableEvent


def event_text(people: People, event: Event | TableEvent, *, refers: bool = False) -> str:
    """One sentence for an event; "" for the opening of one of the `SILENT_STAGES`.

    The event must have come through `view_event`. If the line `refers` to the offer that the event
    is about, it leaves out the terms.
    """
    if isinstance(event, OfferMade):
        return promise_story.made_text(people, event)
    if isinstance(event, OfferReplied | OfferLapsed | PromiseJudged):
        return promise_story.outcome_text(people, event, refers=refers)
    # Of what is no promise, the log tells everybody the same.
    return _TELL[type(event)](people._replace(reader=None), event)


def decisive(people: People, event: Event | TableEvent) -> str:
    """What makes an event a moment to remember: a fight, the last round. "" if nothing.

    `people.among` are those who compete at that moment.
    """
    match event:
        case happened.TurnBegan():
            table = people.table
            is_last = event.round == table.edition.rounds and event.seat == table.first
            return _("last round") if is_last else ""
        case happened.ScholarHired() | happened.ScholarKept():
            wanted = event.scholar.occupation
            owners = {one.owner for one in people.among if one.occupation == wanted}
            return _("fight won") if len(owners) > 1 else ""
        case _:
            return ""


HEADINGS: Final = frozenset(
    event.__name__ for event in (happened.TurnBegan, happened.LastIncome, table_events.Rewound)
)
"""The kinds of events that begin a new part of the log."""

SILENT_STAGES: Final = frozenset(
    {Stage.PLACEMENT, Stage.HIRING, Stage.JUDGEMENT, Stage.SENDING, Stage.OVER}
)
"""Stages whose opening has no line: the decision itself has one."""


def _started(people: People, _event: happened.GameStarted) -> str:
    sitting = [
        _("{name} ({colour})").format(name=name, colour=people.colour_text(seat))
        for seat, name in enumerate(people.names)
    ]
    return _(
        "Seated clockwise: {players}. Everyone starts with {cash}. {first} goes first."
    ).format(
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
        _("{amount} for {scholar} working for {owner}").format(
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
            text = _("At the door without a rival: {scholars}.")
            return text.format(scholars=listed(contenders))
        case Stage.EXTERNAL_BRIBES:
            return _("Rivals at the door: {scholars}.").format(scholars=listed(contenders))
        case Stage.INTERNAL_BRIBES:
            resident, *attackers = contenders
            text = _("{resident}, earning {amount}, is challenged by {attackers}.").format(
                resident=resident, amount=money(event.area or 0), attackers=listed(attackers)
            )
            return capital(text)
        case Stage.PLACEMENT | Stage.HIRING | Stage.JUDGEMENT | Stage.SENDING | Stage.OVER:
            return ""
        case _:
            assert_never(event.stage)


def _sealed(people: People, event: happened.BribesSealed) -> str:
    name = people.name(event.seat)
    if not event.bribes:
        return _("{name} submits sealed bribes.").format(name=name)
    bribes = listed(bribe_text(people, scholar, amount) for scholar, amount in event.bribes)
    return _("{name} submits sealed bribes: {bribes}.").format(name=name, bribes=bribes)


def _paid(people: People, event: happened.BribesPaid) -> str:
    name = people.name(event.seat)
    text = []
    if paid := [payment for payment in event.payments if payment.amount]:
        bribes = listed(bribe_text(people, payment.scholar, payment.amount) for payment in paid)
        text.append(_("{name} pays {bribes}.").format(name=name, bribes=bribes))
    text += [
        _("{name} pays nothing for {scholar}.").format(
            name=name, scholar=people.scholar(payment.scholar)
        )
        for payment in event.payments
        if not payment.amount
    ]
    if bank := sum(payment.bank for payment in event.payments):
        text.append(
            _("The bank pays {amount} of that, because {name} has no money left.").format(
                amount=money(bank), name=name
            )
        )
    return " ".join(text)


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
    text = [capital(_("{scholar} is banished to the island.").format(scholar=scholar))]
    if event.refund:
        name = people.name(event.scholar.owner)
        text.append(_("{name} gets {amount} back.").format(name=name, amount=money(event.refund)))
    if event.bank:
        text.append(_("The bank gets {amount} back.").format(amount=money(event.bank)))
    return " ".join(text)


def _sent(people: People, event: happened.ScholarsSent) -> str:
    sent = listed(
        _("{scholar} to {owner}").format(
            scholar=people.the_occupation(scholar), owner=people.name(palace)
        )
        for scholar, palace in event.sent
    )
    return _("{name} sends {sent}.").format(name=people.name(event.seat), sent=sent)


def _last_income(_people: People, _event: happened.LastIncome) -> str:
    return _("Final income")


def _ended(people: People, event: happened.GameEnded) -> str:
    cash = listed(
        pgettext("money of a player", "{name} {amount}").format(
            name=people.name(seat), amount=money(amount)
        )
        for seat, amount in enumerate(event.cash)
    )
    names = listed(people.name(seat) for seat in event.winners)
    if len(event.winners) == 1:
        return _("{name} wins. Final totals: {cash}.").format(name=names, cash=cash)
    return _("{names} share the victory. Final totals: {cash}.").format(names=names, cash=cash)


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
    **table_story.TELL,
}
