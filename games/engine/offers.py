"""Which promises make sense now: what an offer is refused for. Public facts only."""

from collections.abc import Callable
from typing import Any

from games.engine.choices import minimum_bribe
from games.engine.editions import LARGEST_NUMBER
from games.engine.errors import BadPromise
from games.engine.promises import (
    Deciding,
    GiveArea,
    Hire,
    IfBribed,
    Keep,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    Sending,
    SendNobody,
    SendScholar,
    Win,
    areas_that_fit,
)
from games.engine.state import Scholar, Stage
from games.engine.view import Seen


def check_offer(promise: Promise, state: Seen) -> None:
    """Refuse with `BadPromise` what cannot happen any more, or is nobody's to promise."""
    seats = range(len(state.table.players))
    if promise.seat == promise.to or promise.seat not in seats or promise.to not in seats:
        raise BadPromise("A promise is made by one player of the table to another.", "player")
    if state.stage is Stage.OVER:
        raise BadPromise("The game is over: nothing can be promised any more.", "over")
    _CHECKS[type(promise.deed)](promise.seat, promise.to, promise.deed, state)
    condition = promise.condition
    if isinstance(condition, IfBribed):
        _check_bribed(promise, condition, state)
    elif condition is not None:
        _CHECKS[type(condition)](promise.to, promise.seat, condition, state)


def makes_sense(promise: Promise, state: Seen) -> bool:
    """Whether it can be offered now."""
    try:
        check_offer(promise, state)
    except BadPromise:
        return False
    return True


def bribe_to_ask(amount: float, state: Seen) -> int:
    """About this much, as a bribe of this stage: at least a unit more than is due anyway."""
    unit = state.table.edition.unit
    return max(int(amount) // unit * unit, minimum_bribe(state) + unit)


def _check_bribed(promise: Promise, condition: IfBribed, state: Seen) -> None:
    _check_amount(condition.least, state)
    _check_owner(condition.scholar, promise.to, state)
    _check_may_bribe(condition.scholar, promise.seat, state)
    if isinstance(promise.deed, Deciding):
        if promise.deed.scholar != condition.scholar:
            raise BadPromise(
                "The bribe must be for the scholar that the promise is about.", "bribe"
            )
    elif not isinstance(promise.deed, Sending | GiveArea):
        raise BadPromise(
            "Only what a palace's owner does can be promised for a bribe there.", "bribe"
        )


def _check_hire(seat: int, to: int, deed: Hire, state: Seen) -> None:
    _check_owner(deed.scholar, to, state)
    _check_may_apply(deed.scholar, seat, state)
    if deed.scholar.occupation in _employed(seat, state):
        raise BadPromise(
            "This occupation has an area there already: promise that the scholar wins the conflict."
        )
    if not _may_have_rival(deed.scholar, seat, state):
        raise BadPromise("The only applicant of an occupation can't be refused.", "only")


def _check_win(seat: int, to: int, deed: Win, state: Seen) -> None:
    _check_owner(deed.scholar, to, state)
    if deed.scholar in state.palaces[seat]:
        return
    _check_may_apply(deed.scholar, seat, state)
    if deed.scholar.occupation not in _employed(seat, state):
        raise BadPromise("This occupation has no area there yet: promise to hire the scholar.")


def _check_place(seat: int, to: int, deed: PlaceIn, state: Seen) -> None:
    _check_owner(deed.scholar, to, state)
    _check_may_apply(deed.scholar, seat, state)
    areas = state.table.edition.areas
    if (deed.area is None) == (deed.least is None) or not areas_that_fit(deed, areas):
        raise BadPromise(f"The areas are {', '.join(map(str, sorted(areas)))}.", "area")
    residents = dict(zip(areas, state.palaces[seat], strict=True))
    of_its_kind = [
        area
        for area, one in residents.items()
        if one is not None and one.occupation == deed.scholar.occupation
    ]
    within_reach = of_its_kind or [area for area, one in residents.items() if one is None]
    if not areas_that_fit(deed, within_reach):
        raise BadPromise("The scholar can get no such area there.", "area")


def _check_keep(seat: int, to: int, deed: Keep, state: Seen) -> None:
    _check_owner(deed.scholar, to, state)
    if deed.scholar not in state.palaces[seat]:
        raise BadPromise(
            f"{state.table.names[deed.scholar]} has no area in that palace.", "no-area"
        )
    _check_until(deed.until, state)


def _check_nobody(seat: int, to: int, deed: SendNobody, state: Seen) -> None:
    _check_sender(seat, deed.occupation, state)
    _check_until(deed.until, state)


def _check_scholar(seat: int, to: int, deed: SendScholar, state: Seen) -> None:
    _check_sender(seat, deed.occupation, state)


def _check_pay(seat: int, to: int, deed: Pay, state: Seen) -> None:
    _check_amount(deed.least, state)
    if deed.scholar is None:
        if state.active == to and seat in state.handed_in and _is_for_applicants(seat, to, state):
            raise BadPromise("That bribe has been submitted already.", "late")
        if not _has_applicant_to_pay(seat, to, state):
            raise BadPromise("That player has no scholar left who could apply there.", "late")
        return
    _check_owner(deed.scholar, seat, state)
    _check_may_bribe(deed.scholar, to, state)


def _check_at_most(seat: int, to: int, deed: PayAtMost, state: Seen) -> None:
    _check_amount(deed.most, state)
    _check_owner(deed.scholar, seat, state)
    if not any(_may_bribe(deed.scholar, palace, state) for palace in range(len(state.palaces))):
        raise _never(deed.scholar, state)


def _check_given(seat: int, to: int, deed: GiveArea, state: Seen) -> None:
    residents = zip(state.table.edition.areas, state.palaces[seat], strict=True)
    open_areas = [area for area, one in residents if one is None]
    if deed.least <= 0 or not any(area >= deed.least for area in open_areas):
        raise BadPromise("No such area is open there.", "area")
    at_door = any(one.owner == to for one in state.applicants[seat])
    if not at_door and not (state.unsent[to] and _will_send(to, state)):
        raise BadPromise("That player has no scholar left who could apply there.", "late")


_CHECKS: dict[type, Callable[[int, int, Any, Seen], None]] = {
    Hire: _check_hire,
    Win: _check_win,
    PlaceIn: _check_place,
    Keep: _check_keep,
    SendNobody: _check_nobody,
    SendScholar: _check_scholar,
    Pay: _check_pay,
    PayAtMost: _check_at_most,
    GiveArea: _check_given,
}


def _check_owner(scholar: Scholar, seat: int, state: Seen) -> None:
    if scholar not in state.table.names or scholar.owner != seat:
        player = state.table.players[seat]
        raise BadPromise(f"The scholar must be one of the player {player}.", "scholar")


def _check_may_apply(scholar: Scholar, palace: int, state: Seen) -> None:
    """It is at that palace's door, and hasn't been hired; or it may still be sent there."""
    if scholar not in state.applicants[palace] and not _may_be_sent(scholar, state):
        raise _elsewhere(scholar, state)


def _check_may_bribe(scholar: Scholar, palace: int, state: Seen) -> None:
    if not _is_or_may_come(scholar, palace, state):
        raise _elsewhere(scholar, state)
    if not _may_bribe(scholar, palace, state):
        raise _never(scholar, state)


def _may_bribe(scholar: Scholar, palace: int, state: Seen) -> bool:
    """Whether it may still be bribed for at this palace: a resident is, when it is attacked."""
    if scholar not in state.applicants[palace] and scholar not in state.palaces[palace]:
        return _may_be_sent(scholar, state)
    if state.active != palace or scholar not in state.contenders:
        return True
    paid = any(payment.scholar == scholar for payment in state.paid)
    return not paid and scholar.owner not in state.handed_in


def _is_for_applicants(seat: int, palace: int, state: Seen) -> bool:
    """Whether the seat bribes in this stage for an applicant, and not for a resident only."""
    applicants = state.applicants[palace]
    return any(one.owner == seat and one in applicants for one in state.contenders)


def _has_applicant_to_pay(seat: int, palace: int, state: Seen) -> bool:
    at_door = [one for one in state.applicants[palace] if one.owner == seat]
    if any(_may_bribe(one, palace, state) for one in at_door):
        return True
    return bool(state.unsent[seat]) and _will_send(seat, state)


def _may_have_rival(scholar: Scholar, palace: int, state: Seen) -> bool:
    """Whether another of its occupation may ever stand at that palace's door together with it."""
    at_door, table = state.applicants[palace], state.table
    others = [
        one
        for one in table.names
        if one.occupation == scholar.occupation and one != scholar and one.owner != palace
    ]
    following = state.round + _has_passed(palace, state)
    if scholar in at_door:
        return any(one in at_door or _may_come(one, palace, following, state) for one in others)
    return any(
        _may_come(scholar, palace, turn, state)
        and any(
            (one in at_door and turn == following) or _may_come(one, palace, turn, state)
            for one in others
            if one.owner != scholar.owner or not table.edition.distinct_palaces
        )
        for turn in range(following, table.edition.rounds + 1)
    )


def _may_come(scholar: Scholar, palace: int, turn: int, state: Seen) -> bool:
    """Whether it may still be sent there for the palace's turn in the round `turn`.

    Its owner sends once between two turns of the palace.
    """
    owner, first, seats = scholar.owner, state.table.first, len(state.table.players)
    comes_later = (owner - first) % seats > (palace - first) % seats
    sent_in = turn - comes_later
    is_ahead = sent_in >= state.round + _has_passed(owner, state)
    return scholar in state.unsent[owner] and is_ahead and sent_in < state.table.edition.rounds


def _has_passed(seat: int, state: Seen) -> bool:
    """Whether the seat's turn in this round is over."""
    seats, first = len(state.table.players), state.table.first
    active = first if state.active is None else state.active
    return (seat - first) % seats < (active - first) % seats


def _may_be_sent(scholar: Scholar, state: Seen) -> bool:
    return scholar in state.unsent[scholar.owner] and _will_send(scholar.owner, state)


def _check_sender(seat: int, occupation: int | None, state: Seen) -> None:
    if occupation is not None and occupation not in range(len(state.table.edition.occupations)):
        raise BadPromise("There is no such occupation.", "scholar")
    left = [one for one in state.unsent[seat] if occupation in (None, one.occupation)]
    if not left or not _will_send(seat, state):
        raise BadPromise("That player will send no such scholar any more.", "late")


def _will_send(seat: int, state: Seen) -> bool:
    """Whether the seat has a sending ahead: there is none in the last round."""
    return state.round + _has_passed(seat, state) < state.table.edition.rounds


def _employed(palace: int, state: Seen) -> set[int]:
    """The occupations that have an area; those being hired now are still applicants."""
    return {one.occupation for one in state.palaces[palace] if one is not None}


def _check_amount(amount: int, state: Seen) -> None:
    unit = state.table.edition.unit
    if not unit <= amount <= LARGEST_NUMBER or amount % unit:
        raise BadPromise(f"An amount must be a multiple of {unit}, and at least {unit}.", "amount")


def _check_until(until: int, state: Seen) -> None:
    last = state.table.edition.rounds
    if not state.round <= until <= last:
        raise BadPromise(f"The last round must be from {state.round} to {last}.", "until")


def _is_or_may_come(scholar: Scholar, palace: int, state: Seen) -> bool:
    """Whether it is at this palace, at the door or inside, or may still be sent there."""
    is_there = scholar in state.applicants[palace] or scholar in state.palaces[palace]
    return is_there or _may_be_sent(scholar, state)


def _elsewhere(scholar: Scholar, state: Seen) -> BadPromise:
    return BadPromise(
        f"{state.table.names[scholar]} isn't at that palace, and can't be sent there.", "elsewhere"
    )


def _never(scholar: Scholar, state: Seen) -> BadPromise:
    return BadPromise(
        f"It is too late for {state.table.names[scholar]}: nothing can come of it.", "late"
    )
