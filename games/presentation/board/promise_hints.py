"""Which choices of a decision keep a promise and which break one. Nothing is forbidden by it."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from games.engine import JudgeChoice, PlaceChoice, Scholar, View
from games.engine.ledger import Entry, Status
from games.engine.promises import Hire, Keep, PlaceIn, Verdict, Win
from games.presentation.text.words import People


def hints(people: People, view: View, entries: Iterable[Entry]) -> Mapping[Scholar, str]:
    """For each scholar whose choice would keep or break a promise of the viewed seat, a remark."""
    match view.choice:
        case JudgeChoice(winners):
            conflicts: tuple[tuple[Scholar, ...], ...] = (winners,)
        case PlaceChoice(found):
            conflicts = found
        case _:
            return {}
    remarks: dict[Scholar, list[str]] = {}
    for entry in entries:
        deed = entry.promise.deed
        if not _is_owed(entry, view.seat) or not isinstance(deed, Hire | Win | PlaceIn | Keep):
            continue
        name = people.name(entry.promise.to)
        for conflict in conflicts:
            if len(conflict) > 1 and deed.scholar in conflict:
                for scholar in conflict:
                    kept = scholar == deed.scholar
                    text = _("promised to {name}") if kept else _("breaks a promise to {name}")
                    remarks.setdefault(scholar, []).append(text.format(name=name))
    return {scholar: "; ".join(texts) for scholar, texts in remarks.items()}


def _is_owed(entry: Entry, seat: int | None) -> bool:
    return (
        entry.status is Status.ACCEPTED
        and entry.promise.seat == seat
        and entry.verdict is Verdict.PENDING
        and entry.condition in (Verdict.PENDING, Verdict.KEPT)
    )
