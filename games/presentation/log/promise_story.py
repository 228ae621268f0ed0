"""The log: offers, replies to them, and what became of promises, as sentences.

They speak to the reader of whom they tell.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import table_events
from games.engine.promise_codec import decode_promise
from games.engine.promises import Promise, Verdict
from games.presentation.text.promises import (
    deed_clause,
    promise_clause,
    promised_clause,
    sentence,
)
from games.presentation.text.remarks import remark_text
from games.presentation.text.words import Clause, People

type FollowUp = table_events.OfferReplied | table_events.OfferLapsed | table_events.PromiseJudged


def promise_of(people: People, event: table_events.OfferEvent) -> Promise:
    """The promise that an event is about; the one in return where its verdict is about that."""
    promise = decode_promise(people.table, event.by, event.terms)
    if isinstance(event, table_events.PromiseJudged) and event.in_return:
        return promise.in_return() or promise
    return promise


class _Clauses(NamedTuple):
    """A clause about others, said to who does something, and to whom they do it."""

    of_others: LazyText
    to_doer: LazyText
    to_other: LazyText

    def to(self, people: People, seat: int, other: int, **more: str) -> Clause:
        """What `seat` does to the `other`, in the person in which it is said to the reader."""
        text = self.of_others
        if people.reader in {seat, other}:
            text = self.to_doer if people.reader == seat else self.to_other
        return Clause.of(text, name=people.name(seat), other=people.name(other), **more)


_OFFERS: Final = _Clauses(
    gettext_lazy("{name} offers {other}: {promise}"),
    gettext_lazy("you offer {other}: {promise}"),
    gettext_lazy("{name} offers you: {promise}"),
)
_ASKS: Final = _Clauses(
    gettext_lazy("{name} asks {other} to promise: {promise}"),
    gettext_lazy("you ask {other} to promise: {promise}"),
    gettext_lazy("{name} asks you to promise: {promise}"),
)


def offer_text(people: People, by: int, promise: Promise) -> str:
    """Who offers it to whom, or asks whom for it, with all its terms."""
    clauses, other = (_OFFERS, promise.to) if by == promise.seat else (_ASKS, promise.seat)
    return sentence(clauses.to(people, by, other, promise=promise_clause(people, promise)))


def made_text(people: People, event: table_events.OfferMade) -> str:
    """The offer, and what a computer player says with it."""
    return _with_remark(offer_text(people, event.by, promise_of(people, event)), event.remark)


_REPLIES: Final[Mapping[str, _Clauses]] = {
    "accepted": _Clauses(
        gettext_lazy("{name} accepts {other}'s offer"),
        gettext_lazy("you accept {other}'s offer"),
        gettext_lazy("{name} accepts your offer"),
    ),
    "declined": _Clauses(
        gettext_lazy("{name} declines {other}'s offer"),
        gettext_lazy("you decline {other}'s offer"),
        gettext_lazy("{name} declines your offer"),
    ),
    "withdrawn": _Clauses(
        gettext_lazy("{name} withdraws an offer to {other}"),
        gettext_lazy("you withdraw your offer to {other}"),
        gettext_lazy("{name} withdraws an offer to you"),
    ),
}
_LAPSED: Final = _Clauses(
    gettext_lazy("{name}'s offer to {other} has lapsed"),
    gettext_lazy("your offer to {other} has lapsed"),
    gettext_lazy("{name}'s offer to you has lapsed"),
)
LET_PASS: Final = "let-pass"  # noqa: S105 (no password)
"""The verdict on a promise that the clock broke after a missed deadline, for readers (days 27)."""

_VERDICTS: Final[Mapping[str, _Clauses]] = {
    Verdict.KEPT: _Clauses(
        gettext_lazy("{name} has kept a promise to {other}"),
        gettext_lazy("you have kept a promise to {other}"),
        gettext_lazy("{name} has kept a promise to you"),
    ),
    Verdict.BROKEN: _Clauses(
        gettext_lazy("{name} has broken a promise to {other}"),
        gettext_lazy("you have broken a promise to {other}"),
        gettext_lazy("{promised}, but broke that promise"),
    ),
    LET_PASS: _Clauses(
        gettext_lazy("{name} missed the deadline, so a promise to {other} wasn't kept"),
        gettext_lazy("you missed the deadline, so a promise to {other} wasn't kept"),
        gettext_lazy("{promised}, but let the deadline pass"),
    ),
    Verdict.VOID: _Clauses(
        gettext_lazy("{name}'s promise to {other} no longer applies"),
        gettext_lazy("your promise to {other} no longer applies"),
        gettext_lazy("{name}'s promise to you no longer applies"),
    ),
}


def outcome_text(people: People, event: FollowUp, *, refers: bool) -> str:
    """What became of an offer or a promise, and its terms; without them where the line `refers`.

    What was kept or broken is told in any case, a broken promise so that it doesn't read as done.
    """
    promise = promise_of(people, event)
    clause, remark, whole = promise_clause(people, promise), "", _("{told}: {promise}")
    promised = Clause()
    match event:
        case table_events.OfferReplied(seat=seat, reply=reply, remark=remark):
            clauses = _REPLIES[reply]
        case table_events.OfferLapsed(by=seat):
            clauses = _LAPSED
        case table_events.PromiseJudged(verdict=verdict):
            clauses, seat, clause = _VERDICTS[verdict], promise.seat, deed_clause(people, promise)
            refers = refers and verdict == Verdict.VOID
            if verdict in (Verdict.BROKEN, LET_PASS):
                whole = _("{told}; the promise was: {promise}")
                promised = promised_clause(people, promise, people.name(seat))
                refers = people.reader == promise.to  # it is in the sentence to them
    other = promise.to if seat == promise.seat else promise.seat
    what = clauses.to(people, seat, other, promised=promised)
    if not refers:
        what = Clause.of(whole, told=what, promise=clause)
    return _with_remark(sentence(what), remark)


def breach_text(people: People, promise: Promise, by: str, verdict: str, happened: str) -> str:
    """What a player promised to the reader, and what `happened` instead, as sentences.

    `by` is the name of who gave the promise; another player may have inherited it.
    """
    missed = _("{name} missed the deadline.").format(name=people.name(promise.seat))
    promised = sentence(promised_clause(people, promise, by))
    between = [missed] if verdict == LET_PASS else []
    return " ".join([promised, *between, happened])


def _with_remark(sentence: str, remark: str) -> str:
    """The sentence, and what a computer player says with it."""
    if not remark:
        return sentence
    return _("{told} “{remark}”").format(told=sentence, remark=remark_text(remark))
