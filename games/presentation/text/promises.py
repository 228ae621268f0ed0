"""Promises in words: what is promised, the condition, and what is promised in return."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.promises import (
    GiveArea,
    Hire,
    IfBribed,
    Keep,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    SendNobody,
    SendScholar,
    Win,
)
from games.presentation.text.words import People, Phrase, capital, money, occupation_text


def promise_text(people: People, promise: Promise) -> str:
    """All of it, a sentence each: "Anna hires the blue clerk. Condition: Ben pays …"."""
    return " ".join(filter(None, (deed_text(people, promise), terms_text(people, promise))))


def terms_text(people: People, promise: Promise) -> str:
    """The condition, or what is promised in return; "" for a promise without either."""
    condition = promise.condition
    if isinstance(condition, IfBribed):
        return _("Condition: {name} pays at least {amount} for {scholar}.").format(
            name=people.name(promise.to),
            amount=money(condition.least),
            scholar=people.scholar(condition.scholar),
        )
    in_return = promise.in_return()
    if in_return is None:
        return ""
    return _("In return: {promise}").format(promise=deed_text(people, in_return))


def deed_text(people: People, promise: Promise) -> str:
    """What one player does for the other, as a sentence, whatever the condition."""
    names = {"name": people.name(promise.seat), "other": people.name(promise.to)}
    return capital(_TEXTS[type(promise.deed)](people, promise.deed, names))


def inherited_text(name: str, before: str, round_: int) -> str:
    """Who has a promise that somebody else gave: "Clara, for Piet's promise of round 1"."""
    text = _("{name}, for {other}'s promise of round {round}")
    return text.format(name=name, other=before, round=round_)


def inherited_offer_text(name: str, before: str, round_: int) -> str:
    """Who has an open offer that somebody else made."""
    text = _("{name}, for {other}'s offer of round {round}")
    return text.format(name=name, other=before, round=round_)


def _hire(people: People, deed: Hire, names: dict[str, str]) -> str:
    return _("{name} hires {scholar}.").format(scholar=people.scholar(deed.scholar), **names)


def _win(people: People, deed: Win, names: dict[str, str]) -> str:
    text = _("{name} lets {scholar} win.")
    return text.format(scholar=people.scholar(deed.scholar), **names)


def _place(people: People, deed: PlaceIn, names: dict[str, str]) -> str:
    scholar = people.scholar(deed.scholar)
    if deed.area is not None:
        text = _("{name} hires {scholar} at a salary of {amount}.")
        return text.format(scholar=scholar, amount=money(deed.area), **names)
    text = _("{name} hires {scholar} at a salary of at least {amount}.")
    return text.format(scholar=scholar, amount=money(deed.least or 0), **names)


def _keep(people: People, deed: Keep, names: dict[str, str]) -> str:
    text = _("{name} keeps {scholar} until the end of round {round}.")
    return text.format(scholar=people.scholar(deed.scholar), round=deed.until, **names)


def _send_nobody(people: People, deed: SendNobody, names: dict[str, str]) -> str:
    if deed.occupation is None:
        text = _("{name} sends no one to {other} until the end of round {round}.")
        return text.format(round=deed.until, **names)
    text = _("{name} sends no {occupation} to {other} until the end of round {round}.")
    return text.format(occupation=_occupation(people, deed.occupation), round=deed.until, **names)


def _send(people: People, deed: SendScholar, names: dict[str, str]) -> str:
    if deed.occupation is None:
        text = _("{name} sends at least one {scholar} to {other} next time.")
        return text.format(scholar=people.words.scholar, **names)
    text = _("{name} sends at least one {occupation} to {other} next time.")
    return text.format(occupation=_occupation(people, deed.occupation), **names)


def _pay(people: People, deed: Pay, names: dict[str, str]) -> str:
    if deed.scholar is None:
        text = _("{name} pays {other} at least {amount} for the next applicant.")
        return text.format(amount=money(deed.least), **names)
    text = _("{name} pays {other} at least {amount} for {scholar}.")
    return text.format(amount=money(deed.least), scholar=people.scholar(deed.scholar), **names)


def _pay_at_most(people: People, deed: PayAtMost, names: dict[str, str]) -> str:
    text = _("{name} pays at most {amount} for {scholar}.")
    return text.format(amount=money(deed.most), scholar=people.scholar(deed.scholar), **names)


def _give(people: People, deed: GiveArea, names: dict[str, str]) -> str:
    text = _("The next salary of at least {amount} that {name} gives goes to {other}.")
    return text.format(amount=money(deed.least), **names)


def _occupation(people: People, occupation: int) -> Phrase:
    return occupation_text(people.table.edition.occupations[occupation])


_TEXTS: Final[Mapping[type, Callable[[People, Any, dict[str, str]], str]]] = {
    Hire: _hire,
    Win: _win,
    PlaceIn: _place,
    Keep: _keep,
    SendNobody: _send_nobody,
    SendScholar: _send,
    Pay: _pay,
    PayAtMost: _pay_at_most,
    GiveArea: _give,
}
