"""The log: offers, replies to them, and what became of promises, as sentences."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import table_events
from games.engine.promise_codec import decode_promise
from games.engine.promises import Promise, Verdict
from games.presentation.text.promises import deed_text, promise_text
from games.presentation.text.remarks import remark_text
from games.presentation.text.words import People


def promise_of(people: People, event: table_events.OfferEvent) -> Promise:
    """The promise that an event is about; the one in return where its verdict is about that."""
    promise = decode_promise(people.table, event.by, event.terms)
    if isinstance(event, table_events.PromiseJudged) and event.in_return:
        return promise.in_return() or promise
    return promise


def _made(people: People, event: table_events.OfferMade) -> str:
    promise = promise_of(people, event)
    other = promise.to if event.by == promise.seat else promise.seat
    if event.by == promise.seat:
        text = _("{name} makes {other} an offer: {promise}")
    else:
        text = _("{name} asks {other} for a promise: {promise}")
    sentence = text.format(
        name=people.name(event.by), other=people.name(other), promise=promise_text(people, promise)
    )
    return _with_remark(sentence, event.remark)


_REPLIES: Final[Mapping[str, LazyText]] = {
    "accepted": gettext_lazy("{name} accepts {other}'s offer: {promise}"),
    "declined": gettext_lazy("{name} declines {other}'s offer: {promise}"),
    "withdrawn": gettext_lazy("{name} withdraws an offer to {other}: {promise}"),
}


def _replied(people: People, event: table_events.OfferReplied) -> str:
    promise = promise_of(people, event)
    other = promise.to if event.seat == promise.seat else promise.seat
    sentence = str(_REPLIES[event.reply]).format(
        name=people.name(event.seat),
        other=people.name(other),
        promise=promise_text(people, promise),
    )
    return _with_remark(sentence, event.remark)


def _with_remark(sentence: str, remark: str) -> str:
    """The sentence, and what a computer player says with it."""
    if not remark:
        return sentence
    return _("{told} “{remark}”").format(told=sentence, remark=remark_text(remark))


def _lapsed(people: People, event: table_events.OfferLapsed) -> str:
    text = _("{name}'s offer has lapsed: {promise}")
    promise = promise_of(people, event)
    return text.format(name=people.name(event.by), promise=promise_text(people, promise))


_VERDICTS: Final[Mapping[str, LazyText]] = {
    Verdict.KEPT: gettext_lazy("{name} has kept a promise to {other}: {promise}"),
    Verdict.BROKEN: gettext_lazy("{name} has broken a promise to {other}: {promise}"),
    Verdict.VOID: gettext_lazy("{name}'s promise to {other} is void: {promise}"),
}


def _judged(people: People, event: table_events.PromiseJudged) -> str:
    promise = promise_of(people, event)
    return str(_VERDICTS[event.verdict]).format(
        name=people.name(promise.seat),
        other=people.name(promise.to),
        promise=deed_text(people, promise),
    )


TELL: Final[Mapping[type, Callable[[People, Any], str]]] = {
    table_events.OfferMade: _made,
    table_events.OfferReplied: _replied,
    table_events.OfferLapsed: _lapsed,
    table_events.PromiseJudged: _judged,
}
