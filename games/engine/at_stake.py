"""What was promised to a seat that its present decision can fulfil, make worthless or rely on."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from games.engine.choices import BribeChoice, Choice, JudgeChoice, PlaceChoice, SendChoice
from games.engine.forced import sending_after
from games.engine.ledger import Entry
from games.engine.owed import owed_by
from games.engine.promises import Deciding, GiveArea, IfBribed, Pay, PayAtMost, Promise, Verdict
from games.engine.state import Scholar
from games.engine.view import View


def is_at_stake(view: View, entry: Entry) -> bool:
    """Whether the viewed seat was promised something here that it has to reckon with now."""
    choices = (view.choice, sending_after(view))
    promises = [promise for promise in entry.owed if promise.to == view.seat]
    return any(_counts(view, entry, one, choice) for one in promises for choice in choices)


def _counts(view: View, entry: Entry, promise: Promise, choice: Choice | None) -> bool:
    match choice:
        case BribeChoice(scholars):
            if isinstance(promise.deed, PayAtMost):
                return _is_rival(promise.deed.scholar, view, scholars)
            is_owner = promise.seat == view.active
            return is_owner and _is_about(entry, promise, scholars, gives=view.area is None)
        case SendChoice(scholars, palaces):
            return promise.seat in palaces and _is_about(entry, promise, scholars, gives=True)
        case PlaceChoice() | JudgeChoice() | None:
            return False
        case _:
            assert_never(choice)


def _is_about(entry: Entry, promise: Promise, scholars: Iterable[Scholar], *, gives: bool) -> bool:
    """Whether an owner's promise waits for a bribe for one of these, or says what becomes of one.

    `gives` says whether the owner will give open areas.
    """
    deed, condition = promise.deed, promise.condition
    if isinstance(condition, IfBribed) and entry.condition is Verdict.PENDING:
        return condition.scholar in scholars
    if isinstance(deed, GiveArea):
        return gives
    return isinstance(deed, Deciding) and deed.scholar in scholars


def _is_rival(scholar: Scholar, view: View, scholars: Iterable[Scholar]) -> bool:
    """Whether it fights one of these now."""
    return scholar in view.contenders and scholar.occupation in {one.occupation for one in scholars}


def agreed_bribes(view: View, entries: Iterable[Entry], scholar: Scholar) -> list[int]:
    """The bribes for this scholar that were agreed with the palace's owner, the lowest first.

    By what was promised to the viewed seat for such a bribe, and by what it has promised to pay.
    """
    entries = list(entries)
    found = {*_conditions(view, entries, scholar), *_promised(view, entries, scholar)}
    return sorted(found)


def _conditions(view: View, entries: Iterable[Entry], scholar: Scholar) -> Iterator[int]:
    for entry in entries:
        for promise in entry.owed:
            condition = promise.condition
            if not isinstance(condition, IfBribed) or entry.condition is not Verdict.PENDING:
                continue
            is_theirs = (promise.seat, promise.to) == (view.active, view.seat)
            if is_theirs and condition.scholar == scholar:
                yield condition.least


def _promised(view: View, entries: Iterable[Entry], scholar: Scholar) -> Iterator[int]:
    if view.active is None:
        return
    applicants = view.applicants[view.active]
    own = [one for one in view.contenders if one in applicants and one.owner == view.seat]
    for promise in owed_by(entries, view.seat):
        deed = promise.deed
        if not isinstance(deed, Pay) or promise.to != view.active:
            continue
        if deed.scholar == scholar or (deed.scholar is None and own == [scholar]):
            yield deed.least
