"""The log: every event as a sentence, in the words of the edition.

Events of the game stand here; what happens at the table and is no move stands in `table_story`, and
what players promise in `promise_story`.
"""

from collections.abc import Callable
from typing import Any, Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games import table_events
from games.engine import Event, Stage
from games.engine import events as happened
from games.presentation.board.decision import bribe_text
from games.presentation.log import promise_story, table_story
from games.presentation.text.said import Said
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
    return _TELL[type(event)](people, event)


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


_SEATED: Final = Said(gettext_lazy("{name} ({colour})"), gettext_lazy("you ({colour})"))
_STARTED: Final = Said(
    gettext_lazy("Seated clockwise: {players}. Everyone starts with {cash}. {name} goes first."),
    gettext_lazy("Seated clockwise: {players}. Everyone starts with {cash}. You go first."),
)
_TURN: Final = Said(
    gettext_lazy("Round {round}: {name}'s turn"), gettext_lazy("Round {round}: your turn")
)
_WORKS: Final = Said(
    gettext_lazy("{amount} for {scholar} working for {name}"),
    gettext_lazy("{amount} for {scholar} working for you"),
)
_SALARY: Final = Said(
    gettext_lazy("The bank pays {name} {salary}."), gettext_lazy("The bank pays you {salary}.")
)
_SALARIES: Final = Said(
    gettext_lazy("The bank pays {name} {total}: {salaries}."),
    gettext_lazy("The bank pays you {total}: {salaries}."),
)
_SEALED: Final = Said(
    gettext_lazy("{name} submits sealed bribes."), gettext_lazy("You submit sealed bribes.")
)
_SEALED_THESE: Final = Said(
    gettext_lazy("{name} submits sealed bribes: {bribes}."),
    gettext_lazy("You submit sealed bribes: {bribes}."),
)
_PAYS: Final = Said(gettext_lazy("{name} pays {bribes}."), gettext_lazy("You pay {bribes}."))
_PAYS_NOTHING: Final = Said(
    gettext_lazy("{name} pays nothing for {scholar}."),
    gettext_lazy("You pay nothing for {scholar}."),
)
_BANK_PAYS: Final = Said(
    gettext_lazy("The bank pays {amount} of that, because {name} has no money left."),
    gettext_lazy("The bank pays {amount} of that, because you have no money left."),
)
_HIRES: Final = Said(
    gettext_lazy("{name} hires {scholar} at a salary of {amount}."),
    gettext_lazy("You hire {scholar} at a salary of {amount}."),
)
_KEEPS: Final = Said(
    gettext_lazy("{name} keeps {scholar} at a salary of {amount}."),
    gettext_lazy("You keep {scholar} at a salary of {amount}."),
)
_GETS_BACK: Final = Said(
    gettext_lazy("{name} gets {amount} back."), gettext_lazy("You get {amount} back.")
)
_GOES_TO: Final = Said(gettext_lazy("{scholar} to {name}"), gettext_lazy("{scholar} to you"))
_SENDS: Final = Said(gettext_lazy("{name} sends {sent}."), gettext_lazy("You send {sent}."))
_MONEY: Final = Said(
    pgettext_lazy("money of a player", "{name} {amount}"),
    pgettext_lazy("money of a player", "you {amount}"),
)
_WINS: Final = Said(
    gettext_lazy("{name} wins. Final totals: {cash}."),
    gettext_lazy("You win. Final totals: {cash}."),
)


def _started(people: People, _event: happened.GameStarted) -> str:
    table = people.table
    sitting = [
        _SEATED.about(people, seat, colour=people.colour_text(seat))
        for seat in range(len(people.names))
    ]
    cash = with_currency(table, table.edition.starting_cash)
    return _STARTED.about(people, table.first, players=listed(sitting), cash=cash)


def _turn(people: People, event: happened.TurnBegan) -> str:
    return _TURN.about(people, event.seat, round=event.round)


def _salary(people: People, event: happened.SalaryPaid) -> str:
    salaries = listed(
        _WORKS.about(people, palace, amount=money(salary), scholar=people.the_occupation(who))
        for who, palace, salary in event.salaries
    )
    if len(event.salaries) == 1:
        return _SALARY.about(people, event.seat, salary=salaries)
    total = with_currency(people.table, sum(salary for _who, _palace, salary in event.salaries))
    return _SALARIES.about(people, event.seat, total=total, salaries=salaries)


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
            text = _("{resident}, who earns {amount}, is challenged by {attackers}.").format(
                resident=resident, amount=money(event.area or 0), attackers=listed(attackers)
            )
            return capital(text)
        case Stage.PLACEMENT | Stage.HIRING | Stage.JUDGEMENT | Stage.SENDING | Stage.OVER:
            return ""
        case _:
            assert_never(event.stage)


def _sealed(people: People, event: happened.BribesSealed) -> str:
    if not event.bribes:
        return _SEALED.about(people, event.seat)
    bribes = listed(bribe_text(people, scholar, amount) for scholar, amount in event.bribes)
    return _SEALED_THESE.about(people, event.seat, bribes=bribes)


def _paid(people: People, event: happened.BribesPaid) -> str:
    seat, text = event.seat, []
    if paid := [payment for payment in event.payments if payment.amount]:
        bribes = listed(bribe_text(people, payment.scholar, payment.amount) for payment in paid)
        text.append(_PAYS.about(people, seat, bribes=bribes))
    text += [
        _PAYS_NOTHING.about(people, seat, scholar=people.scholar(payment.scholar))
        for payment in event.payments
        if not payment.amount
    ]
    if bank := sum(payment.bank for payment in event.payments):
        text.append(_BANK_PAYS.about(people, seat, amount=money(bank)))
    return " ".join(text)


def _hired(people: People, event: happened.ScholarHired) -> str:
    scholar = people.scholar(event.scholar)
    return _HIRES.about(people, event.palace, scholar=scholar, amount=money(event.area))


def _kept(people: People, event: happened.ScholarKept) -> str:
    scholar = people.scholar(event.scholar)
    return _KEEPS.about(people, event.palace, scholar=scholar, amount=money(event.area))


def _banished(people: People, event: happened.ScholarBanished) -> str:
    scholar = people.scholar(event.scholar)
    text = [capital(_("{scholar} is banished to the island.").format(scholar=scholar))]
    if event.refund:
        text.append(_GETS_BACK.about(people, event.scholar.owner, amount=money(event.refund)))
    if event.bank:
        text.append(_("The bank gets {amount} back.").format(amount=money(event.bank)))
    return " ".join(text)


def _sent(people: People, event: happened.ScholarsSent) -> str:
    sent = listed(
        _GOES_TO.about(people, palace, scholar=people.the_occupation(scholar))
        for scholar, palace in event.sent
    )
    return _SENDS.about(people, event.seat, sent=sent)


def _last_income(_people: People, _event: happened.LastIncome) -> str:
    return _("Final income")


def _ended(people: People, event: happened.GameEnded) -> str:
    cash = listed(
        _MONEY.about(people, seat, amount=money(amount)) for seat, amount in enumerate(event.cash)
    )
    if len(event.winners) == 1:
        return _WINS.about(people, event.winners[0], cash=cash)
    names = listed(people.name(seat) for seat in event.winners if seat != people.reader)
    text = _("{names} share the victory. Final totals: {cash}.")
    if people.reader in event.winners:
        text = _("You share the victory with {names}. Final totals: {cash}.")
    return text.format(names=names, cash=cash)


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
