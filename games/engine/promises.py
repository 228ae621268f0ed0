"""What players promise each other, and what an event makes of it.

Promises change nothing in the game: every one of them may be broken. Whether one was kept is
judged from public events alone, with the state before each of them. Money is in the edition's
currency, areas are salaries, `until` is the last round of which something is promised.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import combinations, product
from typing import Any, NamedTuple

from games.engine.choices import decision_choice, minimum_bribe, send_choice
from games.engine.events import (
    BribesPaid,
    Event,
    GameEnded,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    TurnBegan,
    apply,
)
from games.engine.state import Scholar, Stage, State


class Hire(NamedTuple):
    """Of those who want the same open place at my palace, I will hire this scholar of yours."""

    scholar: Scholar


class Win(NamedTuple):
    """This scholar of yours, attacker or resident, will win the fight for an area at my palace."""

    scholar: Scholar


class PlaceIn(NamedTuple):
    """This scholar of yours gets this area at my palace, or one that pays at least so much.

    The next time that it applies there. One of the two is None.
    """

    scholar: Scholar
    area: int | None
    least: int | None


class Keep(NamedTuple):
    """This resident of yours stays in my palace against every attacker."""

    scholar: Scholar
    until: int


class SendNobody(NamedTuple):
    """I will send no scholar to your palace, or none of this occupation."""

    occupation: int | None
    until: int


class SendScholar(NamedTuple):
    """With my next sending one of my scholars, or one of this occupation, comes to your palace."""

    occupation: int | None


class Pay(NamedTuple):
    """For my next applicant at your palace, or for this one, I will pay at least `least`."""

    scholar: Scholar | None
    least: int


class PayAtMost(NamedTuple):
    """My next bribe for this scholar of mine is no higher: a ring against a palace's owner."""

    scholar: Scholar
    most: int


class GiveArea(NamedTuple):
    """The next open area of at least `least` that I give goes to a scholar of yours."""

    least: int


Deciding = Hire | Win | PlaceIn | Keep
"""What the owner of a palace decides there about one scholar."""

Sending = SendNobody | SendScholar
"""Whom somebody sends to a palace."""

type Deed = Deciding | Sending | Pay | PayAtMost | GiveArea


class IfBribed(NamedTuple):
    """If at my palace you next pay at least `least` for this scholar of yours."""

    scholar: Scholar
    least: int


type Condition = IfBribed | Deed


class Promise(NamedTuple):
    """What `seat` promises `to` another player, if a condition is met.

    The condition may be a promise of the other player's, which then holds with this one and ends
    with it.
    """

    seat: int
    to: int
    deed: Deed
    condition: Condition | None = None

    def in_return(self) -> "Promise | None":
        """What the other player promises with it."""
        if self.condition is None or isinstance(self.condition, IfBribed):
            return None
        return Promise(self.to, self.seat, self.condition)


class Verdict(StrEnum):
    """What has become of a promise, or of a condition. Values are those of the game record."""

    PENDING = "pending"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"


def judge(promise: Promise, state: State, event: Event) -> Verdict:
    """What the event makes of what was promised, whatever its condition; `state` is before it.

    It is broken if a choice of the promiser rules it out or the promiser pays too little, kept if
    it happened, void if the rules or another player made it impossible. What a forced choice
    makes impossible only the ledger knows to be void.
    """
    verdict = _JUDGES[type(promise.deed)](promise, promise.deed, state, event)
    if verdict is Verdict.PENDING and isinstance(event, GameEnded):
        return Verdict.VOID
    return verdict


def judge_condition(promise: Promise, state: State, event: Event) -> Verdict:
    """What the event makes of the promise's condition, `KEPT` if it is met; there must be one."""
    condition = promise.condition
    if isinstance(condition, IfBribed):
        return _judge_bribe(promise, condition, state, event)
    other = promise.in_return()
    if other is None:
        raise ValueError("This promise has no condition.")
    return judge(other, state, event)


def time_is_up(promise: Promise, state: State, event: Event) -> bool:
    """Whether the last round of a promise `until` some round ends with this event."""
    deed = promise.deed
    return isinstance(deed, Keep | SendNobody) and _is_past(event, state, deed.until)


def holds_at_once(promise: Promise) -> bool:
    """Whether it can be broken before its condition is met.

    What an owner decides can be ruled out before the bribe; all others begin with it.
    """
    return not isinstance(promise.condition, IfBribed) or isinstance(promise.deed, Deciding)


def _judge_bribe(promise: Promise, condition: IfBribed, state: State, event: Event) -> Verdict:
    if isinstance(event, BribesPaid) and state.active == promise.seat:
        for payment in event.payments:
            if payment.scholar == condition.scholar:
                return Verdict.KEPT if payment.amount >= condition.least else _VOID
    return _void_if(isinstance(event, GameEnded) or _is_settled(event, condition.scholar))


def _judge_win(promise: Promise, deed: Hire | Win, state: State, event: Event) -> Verdict:
    """Judge also a resident that wins: then the others are banished, or it keeps its area."""
    if isinstance(event, ScholarHired | ScholarKept):
        won = (event.palace, event.scholar) == (promise.seat, deed.scholar)
        return Verdict.KEPT if won else _void_if(_is_settled(event, deed.scholar))
    if _is_gone(event, deed.scholar) and _could_win(promise.seat, deed.scholar, event, state):
        return Verdict.BROKEN
    return _void_if(_is_settled(event, deed.scholar))


def _judge_place(promise: Promise, deed: PlaceIn, state: State, event: Event) -> Verdict:
    fits = areas_that_fit(deed, _open_at_decision(state, promise.seat))
    if _is_gone(event, deed.scholar):
        could_win = _could_win(promise.seat, deed.scholar, event, state)
        return Verdict.BROKEN if could_win and _had_area(deed, state, fits) else _VOID
    if not isinstance(event, ScholarHired) or event.palace != promise.seat:
        return _void_if(_is_settled(event, deed.scholar))
    if event.scholar == deed.scholar:
        if areas_that_fit(deed, (event.area,)):
            return Verdict.KEPT
        return Verdict.BROKEN if _had_area(deed, state, fits) else _VOID
    return _judge_area_taken(deed, state, event, fits)


def _judge_area_taken(
    deed: PlaceIn, state: State, event: ScholarHired, fits: tuple[int, ...]
) -> Verdict:
    """Judge the hiring of another scholar, perhaps into the last area that fits.

    There was a choice: a palace has as many areas as there are occupations, so one is left for
    each that has none.
    """
    row = state.palaces[event.palace]
    kinds = {one.occupation for one in row if one is not None}
    if state.area is not None or deed.scholar.occupation in kinds or not fits:
        return Verdict.PENDING  # no open area was taken that this scholar could have got
    now_open = set(_open(state, event.palace)) - {event.area}
    if event.scholar.occupation == deed.scholar.occupation:
        now_open = {event.area}  # the only one that it can still win
    return Verdict.PENDING if areas_that_fit(deed, now_open) else Verdict.BROKEN


def _judge_keep(promise: Promise, deed: Keep, state: State, event: Event) -> Verdict:
    if _is_gone(event, deed.scholar):
        return Verdict.BROKEN if _could_win(promise.seat, deed.scholar, event, state) else _VOID
    return Verdict.KEPT if _is_past(event, state, deed.until) else Verdict.PENDING


def _judge_nobody(promise: Promise, deed: SendNobody, state: State, event: Event) -> Verdict:
    if isinstance(event, ScholarsSent) and event.seat == promise.seat:
        came = [one for one, to in event.sent if to == promise.to and _is_of(one, deed.occupation)]
        if came:
            return Verdict.BROKEN if _could_send(promise, deed.occupation, state, 0) else _VOID
    return Verdict.KEPT if _is_past(event, state, deed.until) else Verdict.PENDING


def _judge_scholar(promise: Promise, deed: SendScholar, state: State, event: Event) -> Verdict:
    if isinstance(event, ScholarsSent) and event.seat == promise.seat:
        if any(to == promise.to and _is_of(one, deed.occupation) for one, to in event.sent):
            return Verdict.KEPT
        return Verdict.BROKEN if _could_send(promise, deed.occupation, state, 1) else _VOID
    # A turn that sent nobody: there is nobody left, or it was in the last round.
    over = isinstance(event, TurnBegan) and state.active == promise.seat
    return _void_if(over)


def _judge_pay(promise: Promise, deed: Pay, state: State, event: Event) -> Verdict:
    if isinstance(event, BribesPaid) and (event.seat, state.active) == (promise.seat, promise.to):
        applicants = state.applicants[promise.to]
        paid = [
            payment.amount
            for payment in event.payments
            if (payment.scholar == deed.scholar)
            or (deed.scholar is None and payment.scholar in applicants)
        ]
        if paid:
            return Verdict.KEPT if max(paid) >= deed.least else Verdict.BROKEN
    return _void_if(deed.scholar is not None and _is_settled(event, deed.scholar))


def _judge_at_most(promise: Promise, deed: PayAtMost, state: State, event: Event) -> Verdict:
    if isinstance(event, BribesPaid):
        for payment in event.payments:
            if payment.scholar == deed.scholar:
                if payment.amount <= deed.most:
                    return Verdict.KEPT
                could_pay = deed.most >= minimum_bribe(state)
                return Verdict.BROKEN if could_pay else _VOID
    return _void_if(_is_settled(event, deed.scholar))


def _judge_given(promise: Promise, deed: GiveArea, state: State, event: Event) -> Verdict:
    """Judge at the end of a decision: what counts is who has got areas, not in which order."""
    if state.active != promise.seat or state.stage not in (Stage.PLACEMENT, Stage.HIRING):
        return Verdict.PENDING
    if not isinstance(event, ScholarHired | ScholarBanished) or not _is_last(event, state):
        return Verdict.PENDING
    after = apply(state, event)
    residents = zip(state.table.edition.areas, after.palaces[promise.seat], strict=True)
    given = [one for area, one in residents if one in state.contenders and area >= deed.least]
    if any(one is not None and one.owner == promise.to for one in given):
        return Verdict.KEPT
    if not given:
        return Verdict.PENDING
    kinds = {scholar.occupation for scholar in state.contenders}
    lower = [area for area in _open_at_decision(state, promise.seat) if area < deed.least]
    is_contender = any(scholar.owner == promise.to for scholar in state.contenders)
    return Verdict.BROKEN if is_contender or len(lower) >= len(kinds) else _VOID


_VOID = Verdict.VOID

_JUDGES: dict[type, Callable[[Promise, Any, State, Event], Verdict]] = {
    Hire: _judge_win,
    Win: _judge_win,
    PlaceIn: _judge_place,
    Keep: _judge_keep,
    SendNobody: _judge_nobody,
    SendScholar: _judge_scholar,
    Pay: _judge_pay,
    PayAtMost: _judge_at_most,
    GiveArea: _judge_given,
}


def _void_if(impossible: bool) -> Verdict:  # noqa: FBT001 (its only argument)
    return Verdict.VOID if impossible else Verdict.PENDING


def _is_past(event: Event, state: State, until: int) -> bool:
    """Whether the round has ended; the game's end ends the last one."""
    if isinstance(event, TurnBegan):
        return event.round > until
    return isinstance(event, GameEnded) and until >= state.round


def _is_last(event: ScholarHired | ScholarBanished, state: State) -> bool:
    """Whether it ends the decision: nobody whom that is about is left at the door."""
    left = set(state.contenders) & set(state.applicants[event.palace])
    return left == {event.scholar}


def _is_of(scholar: Scholar, occupation: int | None) -> bool:
    return occupation is None or scholar.occupation == occupation


def _is_settled(event: Event, scholar: Scholar) -> bool:
    """Whether the scholar has an area somewhere, or is on the island: it applies nowhere more."""
    return isinstance(event, ScholarHired | ScholarBanished) and event.scholar == scholar


def _is_gone(event: Event, scholar: Scholar) -> bool:
    return isinstance(event, ScholarBanished) and event.scholar == scholar


def _could_win(palace: int, scholar: Scholar, event: Event, state: State) -> bool:
    """Whether the palace's owner banished the scholar though the rules let it win."""
    if not isinstance(event, ScholarBanished) or event.palace != palace:
        return False
    if state.stage is not Stage.JUDGEMENT or state.area is None:
        return True
    # Its area may have a new holder already. The defender is the first contender.
    areas = state.table.edition.areas
    place = areas.index(state.area)
    row = state.palaces[palace]
    before = (*row[:place], state.contenders[0], *row[place + 1 :])
    choice = decision_choice(state.table, before, state.contenders, state.paid, state.area)
    return scholar in getattr(choice, "winners", ())


def _open(state: State, palace: int) -> list[int]:
    row = state.palaces[palace]
    return [area for area, one in zip(state.table.edition.areas, row, strict=True) if one is None]


def _open_at_decision(state: State, palace: int) -> list[int]:
    """The areas that were open before this decision began to be carried out."""
    areas, row = state.table.edition.areas, state.palaces[palace]
    new = state.contenders if state.area is None else ()
    return [one for one, held_by in zip(areas, row, strict=True) if not held_by or held_by in new]


def areas_that_fit(deed: PlaceIn, areas: Iterable[int]) -> tuple[int, ...]:
    """Those of the areas that the scholar may get by the promise."""
    if deed.least is None:
        return tuple(area for area in areas if area == deed.area)
    return tuple(area for area in areas if area >= deed.least)


def _had_area(deed: PlaceIn, state: State, fits: tuple[int, ...]) -> bool:
    """Whether this decision could have given the scholar an area that fits."""
    if state.area is not None:
        return bool(areas_that_fit(deed, (state.area,)))
    return bool(fits)


def _could_send(promise: Promise, occupation: int | None, state: State, count: int) -> bool:
    """Whether a legal sending had `count` such scholars, or more if not 0, for the other's palace.

    With 0: none of them.
    """
    choice = send_choice(state.table, state.unsent[promise.seat], promise.seat)
    for sent in combinations(choice.scholars, choice.count):
        for palaces in product(choice.palaces, repeat=choice.count):
            if choice.distinct and len(set(palaces)) < len(palaces):
                continue
            came = sum(
                to == promise.to and _is_of(one, occupation)
                for one, to in zip(sent, palaces, strict=True)
            )
            if (came >= count) if count else came == 0:
                return True
    return False
