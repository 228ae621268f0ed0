"""Offers that are likely to be made now, with terms filled in. Public facts only."""

from collections.abc import Iterator
from typing import Final

from games.engine.offers import bribe_to_ask, makes_sense
from games.engine.promises import Hire, IfBribed, Keep, PlaceIn, Promise, SendNobody, Win
from games.engine.state import BRIBING, Scholar, Stage
from games.engine.view import View

MOST: Final = 6
LIKELY_BRIBE_SHARE: Final = 0.4
"""A likely bribe for a place, as a part of its salary."""


def likely_offers(view: View) -> list[Promise]:
    """What the viewed seat may want to promise or be promised now, the likeliest first."""
    if view.seat is None or view.stage is Stage.OVER:
        return []
    found: list[Promise] = []
    for promise in _thought_of(view, view.seat):
        if promise not in found and makes_sense(promise, view):
            found.append(promise)
    return found[:MOST]


def _thought_of(view: View, seat: int) -> Iterator[Promise]:
    owner = view.active
    if owner is not None and view.stage in BRIBING:
        for scholar in view.contenders:
            if seat in (owner, scholar.owner) and scholar.owner != owner:
                yield from _for_a_bribe(view, owner, scholar)
    for other in range(len(view.table.players)):
        if other != seat:
            yield from _mutual_keeping(view, seat, other)
            peace = SendNobody(None, view.round)
            yield Promise(seat, other, peace, SendNobody(None, min(view.round + 1, _last(view))))


def _for_a_bribe(view: View, owner: int, scholar: Scholar) -> Iterator[Promise]:
    """What the owner may do for a scholar at the door, and what that is worth."""
    to = scholar.owner
    if view.area is not None:
        yield Promise(owner, to, Win(scholar), IfBribed(scholar, _worth(view, view.area)))
        return
    row = zip(view.table.edition.areas, view.palaces[owner], strict=True)
    open_areas = sorted((area for area, one in row if one is None), reverse=True)
    rivals = [one for one in view.contenders if one.occupation == scholar.occupation]
    for area in open_areas[:2]:
        bribe = IfBribed(scholar, _worth(view, area))
        yield Promise(owner, to, PlaceIn(scholar, None, area), bribe)
    if len(rivals) > 1 and open_areas:
        bribe = IfBribed(scholar, _worth(view, open_areas[-1]))
        yield Promise(owner, to, Hire(scholar), bribe)


def _mutual_keeping(view: View, seat: int, other: int) -> Iterator[Promise]:
    """Offer to keep each other's scholar: yours keeps its place as long as mine does."""
    mine, yours = _resident(view, other, seat), _resident(view, seat, other)
    if mine is not None and yours is not None:
        last = _last(view)
        yield Promise(seat, other, Keep(yours, last), Keep(mine, last))


def _resident(view: View, palace: int, owner: int) -> Scholar | None:
    """The best paid scholar of this owner in the palace."""
    row = zip(view.table.edition.areas, view.palaces[palace], strict=True)
    held = [(area, one) for area, one in row if one is not None and one.owner == owner]
    return max(held)[1] if held else None


def _worth(view: View, area: int) -> int:
    return bribe_to_ask(area * LIKELY_BRIBE_SHARE, view)


def _last(view: View) -> int:
    return view.table.edition.rounds
