"""Remarks on choices that keep a promise or break one. They forbid nothing."""

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, assert_never

from django.utils.translation import gettext as _

from games.engine import BribeChoice, JudgeChoice, PlaceChoice, Scholar, SendChoice, View
from games.engine.forced import sending_after
from games.engine.ledger import Entry
from games.engine.orders import Order
from games.engine.owed import broken_by, owed_by
from games.engine.promises import (
    Deciding,
    PlaceIn,
    Promise,
    Sending,
    SendScholar,
    areas_that_fit,
)
from games.presentation.text.promises import deed_clause
from games.presentation.text.words import People, listed


class Remark(NamedTuple):
    """A remark on a choice, in few words, and the sentences on promises that it would break."""

    text: str
    breach: str


class Hints(NamedTuple):
    """Remarks on what a form offers: a scholar as a winner, an area for an occupation, a palace."""

    winners: Mapping[Scholar, Remark]
    areas: Mapping[tuple[int, int], Remark]
    palaces: Mapping[int, Remark]


NO_HINTS = Hints({}, {}, {})


def hints(people: People, view: View, entries: Iterable[Entry]) -> Hints:
    """Remarks on the choices of the viewed seat that would keep or break a promise of its own."""
    owed = owed_by(entries, view.seat)
    people = people._replace(among=view.contenders, reader=view.seat)

    def remarks[Key: Hashable](
        pairs: Iterable[tuple[Key, Promise, bool]], *, is_of_area: bool = False
    ) -> Mapping[Key, Remark]:
        found: dict[Key, list[Remark]] = {}
        for key, promise, keeps in pairs:
            found.setdefault(key, []).append(
                _remark(people, promise, keeps=keeps, is_of_area=is_of_area)
            )
        return {
            key: Remark(
                "; ".join(one.text for one in some),
                " ".join(one.breach for one in some if one.breach),
            )
            for key, some in found.items()
        }

    return Hints(
        winners=remarks(_winners(view, owed)),
        areas=remarks(_areas(view, owed), is_of_area=True),
        palaces=remarks(_palaces(view, owed)),
    )


def _remark(people: People, promise: Promise, *, keeps: bool, is_of_area: bool) -> Remark:
    name, deed = people.name(promise.to), promise.deed
    if not keeps:
        text = _("breaks a promise to {name}").format(name=name)
        return Remark(text, breach_text(people, promise))
    if is_of_area and isinstance(deed, PlaceIn) and len(_rivals(people, deed.scholar)) > 1:
        # Somebody else may be chosen for that area.
        text = _("promised to {name} for {scholar}")
        return Remark(text.format(name=name, scholar=people.scholar(deed.scholar)), "")
    return Remark(_("promised to {name}").format(name=name), "")


def _rivals(people: People, scholar: Scholar) -> list[Scholar]:
    """All who want what this scholar wants."""
    return [one for one in people.among if one.occupation == scholar.occupation]


def breach_text(people: People, promise: Promise) -> str:
    """What the reader is told before they break a promise of theirs."""
    text = _("This breaks your promise to {name}: {promise}.")
    return text.format(name=people.name(promise.to), promise=deed_clause(people, promise))


def _winners(view: View, owed: list[Promise]) -> Iterable[tuple[Scholar, Promise, bool]]:
    match view.choice:
        case JudgeChoice(winners):
            conflicts: tuple[tuple[Scholar, ...], ...] = (winners,)
        case PlaceChoice(found):
            conflicts = found
        case BribeChoice() | SendChoice() | None:
            return
        case _:
            assert_never(view.choice)
    for promise in owed:
        deed = promise.deed
        if isinstance(deed, Deciding):
            for conflict in conflicts:
                if len(conflict) > 1 and deed.scholar in conflict:
                    yield from ((one, promise, one == deed.scholar) for one in conflict)


def _areas(view: View, owed: list[Promise]) -> Iterable[tuple[tuple[int, int], Promise, bool]]:
    if not isinstance(view.choice, PlaceChoice):
        return
    contenders = {one for conflict in view.choice.conflicts for one in conflict}
    for promise in owed:
        deed = promise.deed
        if isinstance(deed, PlaceIn) and deed.scholar in contenders:
            fits = areas_that_fit(deed, view.choice.open_areas)
            for area in view.choice.open_areas if fits else ():
                yield (deed.scholar.occupation, area), promise, area in fits


def _palaces(view: View, owed: list[Promise]) -> Iterable[tuple[int, Promise, bool]]:
    """The palaces where no scholar is to come, and those where any scholar will do."""
    choice = view.choice if isinstance(view.choice, SendChoice) else sending_after(view)
    if choice is None:
        return
    for promise in owed:
        deed = promise.deed
        is_plain = isinstance(deed, Sending) and deed.occupation is None
        if is_plain and promise.to in choice.palaces:
            yield promise.to, promise, isinstance(deed, SendScholar)


def order_warning(
    people: People, view: View, entries: Iterable[Entry], scholar: Scholar | None, order: Order
) -> str:
    """A sentence on the promise that a standing order would break; "" if it breaks none."""
    broken = broken_by(view, entries, scholar, order)
    if not broken:
        return ""
    names = dict.fromkeys(people.name(promise.to) for promise in broken)
    text = _("As things stand, this order would go against what you promised {names}.")
    return text.format(names=listed(list(names)))
