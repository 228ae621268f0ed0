"""Promises in words, a sentence each, said to everybody or to one of the two whom it binds.

A promise is a clause without a full stop, for sentences such as "Anna offers you: …". Every person
in which it can stand is a message of its own.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext_lazy as _

from games.engine.promises import (
    Deed,
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
from games.presentation.text.words import Clause, People, money, occupation_text


class _Persons(NamedTuple):
    """A clause about others, said to who promises, and to whom it is promised if it names them."""

    of_others: LazyText
    to_promiser: LazyText
    to_other: LazyText | None = None


def sentence(clause: Clause) -> str:
    """The clause as a sentence of its own."""
    return f"{clause:capital}."


def promise_text(people: People, promise: Promise) -> str:
    """All of it as a sentence: "Anna hires the blue clerk if Ben pays at least 4,000." """
    return sentence(promise_clause(people, promise))


def promise_clause(people: People, promise: Promise) -> Clause:
    """What one does, and the condition or what is promised in return."""
    deed, condition = deed_clause(people, promise), promise.condition
    if isinstance(condition, IfBribed):
        is_about_it = getattr(promise.deed, "scholar", None) == condition.scholar
        persons = _IF_BRIBED if is_about_it else _IF_BRIBED_FOR
        return _said(
            people,
            persons,
            promise,
            promise=deed,
            name=people.name(promise.to),  # the other player pays
            amount=money(condition.least),
            scholar=people.scholar(condition.scholar),
        )
    in_return = promise.in_return()
    if in_return is None:
        return deed
    both = _("{promise}; in return, {in_return}")
    return Clause.of(both, promise=deed, in_return=deed_clause(people, in_return))


def promised_clause(people: People, promise: Promise, by: str) -> Clause:
    """What was promised to the reader `by` a player: "Anna promised to hire your doctor"."""
    deed = promise.deed
    text = _PROMISED[type(deed), None in deed[:2]]
    return Clause.of(text, name=by, **_values(people, deed))


def deed_clause(people: People, promise: Promise) -> Clause:
    """What one player does for the other, whatever the condition."""
    deed, names = (
        promise.deed,
        {"name": people.name(promise.seat), "other": people.name(promise.to)},
    )
    persons = _PERSONS[type(deed), None in deed[:2]]
    return _said(people, persons, promise, **names, **_values(people, deed))


def _said(people: People, persons: _Persons, about: Promise, **values: object) -> Clause:
    """The clause in the person in which it is said to the reader."""
    text = persons.of_others
    if people.reader == about.seat:
        text = persons.to_promiser
    elif people.reader == about.to and persons.to_other is not None:
        text = persons.to_other
    return Clause.of(text, **values)


def _values(people: People, deed: Deed) -> dict[str, object]:
    """What stands in the clause of a deed besides the two players."""
    given = {field: value for field, value in deed._asdict().items() if value is not None}
    amounts = [given[field] for field in ("area", "least", "most") if field in given]
    values: dict[str, object] = {
        "amount": money(sum(amounts)),  # there is one at most
        "round": given.get("until"),
        "occupation": people.words.scholar,
    }
    if "scholar" in given:
        values["scholar"] = people.scholar(given["scholar"])
    if "occupation" in given:
        occupation = people.table.edition.occupations[given["occupation"]]
        values["occupation"] = occupation_text(occupation)
    return values


_IF_BRIBED: Final = _Persons(
    _("{promise} if {name} pays at least {amount}"),
    _("{promise} if {name} pays you at least {amount}"),
    _("{promise} if you pay at least {amount}"),
)
_IF_BRIBED_FOR: Final = _Persons(
    _("{promise} if {name} pays at least {amount} for {scholar}"),
    _("{promise} if {name} pays you at least {amount} for {scholar}"),
    _("{promise} if you pay at least {amount} for {scholar}"),
)
_SEND: Final = _Persons(
    _("{name} sends at least one {occupation} to {other} next time"),
    _("you send at least one {occupation} to {other} next time"),
    _("{name} sends at least one {occupation} to you next time"),
)
_PERSONS: Final[Mapping[tuple[type, bool], _Persons]] = {
    (Hire, False): _Persons(_("{name} hires {scholar}"), _("you hire {scholar}")),
    (Win, False): _Persons(_("{name} lets {scholar} win"), _("you let {scholar} win")),
    (PlaceIn, True): _Persons(
        _("{name} hires {scholar} at a salary of at least {amount}"),
        _("you hire {scholar} at a salary of at least {amount}"),
    ),
    (PlaceIn, False): _Persons(
        _("{name} hires {scholar} at a salary of {amount}"),
        _("you hire {scholar} at a salary of {amount}"),
    ),
    (Keep, False): _Persons(
        _("{name} keeps {scholar} until the end of round {round}"),
        _("you keep {scholar} until the end of round {round}"),
    ),
    (SendNobody, True): _Persons(
        _("{name} sends no one to {other} until the end of round {round}"),
        _("you send no one to {other} until the end of round {round}"),
        _("{name} sends no one to you until the end of round {round}"),
    ),
    (SendNobody, False): _Persons(
        _("{name} sends no {occupation} to {other} until the end of round {round}"),
        _("you send no {occupation} to {other} until the end of round {round}"),
        _("{name} sends no {occupation} to you until the end of round {round}"),
    ),
    (SendScholar, True): _SEND,
    (SendScholar, False): _SEND,
    (Pay, True): _Persons(
        _("{name} pays {other} at least {amount} for their own next applicant"),
        _("you pay {other} at least {amount} for your next applicant"),
        _("{name} pays you at least {amount} for their next applicant"),
    ),
    (Pay, False): _Persons(
        _("{name} pays {other} at least {amount} for {scholar}"),
        _("you pay {other} at least {amount} for {scholar}"),
        _("{name} pays you at least {amount} for {scholar}"),
    ),
    (PayAtMost, False): _Persons(
        _("{name} pays at most {amount} for {scholar}"),
        _("you pay at most {amount} for {scholar}"),
    ),
    (GiveArea, False): _Persons(
        _("{name} gives {other} the next job that pays at least {amount}"),
        _("you give {other} the next job that pays at least {amount}"),
        _("{name} gives you the next job that pays at least {amount}"),
    ),
}
"""By what is done, and whether it is left open with which scholar, occupation or area."""

_PROMISED_TO_SEND: Final = _("{name} promised to send at least one {occupation} to you next time")
_PROMISED: Final[Mapping[tuple[type, bool], LazyText]] = {
    (Hire, False): _("{name} promised to hire {scholar}"),
    (Win, False): _("{name} promised to let {scholar} win"),
    (PlaceIn, True): _("{name} promised to hire {scholar} at a salary of at least {amount}"),
    (PlaceIn, False): _("{name} promised to hire {scholar} at a salary of {amount}"),
    (Keep, False): _("{name} promised to keep {scholar} until the end of round {round}"),
    (SendNobody, True): _("{name} promised to send no one to you until the end of round {round}"),
    (SendNobody, False): _(
        "{name} promised to send no {occupation} to you until the end of round {round}"
    ),
    (SendScholar, True): _PROMISED_TO_SEND,
    (SendScholar, False): _PROMISED_TO_SEND,
    (Pay, True): _("{name} promised to pay you at least {amount} for their next applicant"),
    (Pay, False): _("{name} promised to pay you at least {amount} for {scholar}"),
    (PayAtMost, False): _("{name} promised to pay at most {amount} for {scholar}"),
    (GiveArea, False): _("{name} promised to give you the next job that pays at least {amount}"),
}
"""The same of what wasn't kept, said to whom it was promised."""
