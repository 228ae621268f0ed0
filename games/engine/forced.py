"""What follows from public facts alone: moves without a choice, and the sending after a decision.

Never from anybody's cash, so a bribe is never forced, and never telling what is sealed: decisions
come after the last bribe is open (days 6 and 7). Two scholars of one owner and one
occupation are twins: which of them is hired or sent makes no difference, so the lower number is.
"""

from collections.abc import Iterable

from games.engine.choices import JudgeChoice, PlaceChoice, SendChoice, send_choice
from games.engine.moves import Judge, Move, Place, Send
from games.engine.state import Scholar, Stage
from games.engine.view import View

DECISIONS = frozenset({Stage.PLACEMENT, Stage.HIRING, Stage.JUDGEMENT})


def forced_move(view: View) -> Move | None:
    """The only legal move of the viewed seat up to twins, or None where it has a choice."""
    match view.choice:
        case PlaceChoice((conflict,), (area,)) if _are_equal(view, conflict):
            return Place(((min(conflict), area),))
        case JudgeChoice(winners) if _are_equal(view, winners):
            return Judge(min(winners))
        case SendChoice(scholars, palaces, count, distinct=True) if len(scholars) == len(
            palaces
        ) == count and _are_twins(scholars):
            return Send(tuple(zip(sorted(scholars), palaces, strict=True)))
    return None


def sending_after(view: View) -> SendChoice | None:
    """The sending that the viewed seat will be asked for right after the decision it is asked now.

    None where it is asked no decision, where another conflict of this turn comes first, and where
    nothing is sent in this turn.
    """
    seat = view.seat
    if seat is None or view.choice is None or view.stage not in DECISIONS:
        return None
    if not set(view.applicants[seat]) <= set(view.contenders):
        return None
    if not view.unsent[seat] or view.round >= view.table.edition.rounds:
        return None
    return send_choice(view.table, view.unsent[seat], seat)


def _are_twins(scholars: Iterable[Scholar]) -> bool:
    return len({(scholar.owner, scholar.occupation) for scholar in scholars}) == 1


def _are_equal(view: View, scholars: tuple[Scholar, ...]) -> bool:
    """Whether it makes no difference who of these wins. With refunds, also by what was paid."""
    if not view.table.edition.refund_losers:
        return _are_twins(scholars)
    paid = {(one.amount, one.bank) for one in view.paid if one.scholar in scholars}
    return _are_twins(scholars) and len(paid) == 1
