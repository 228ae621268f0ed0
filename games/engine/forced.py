"""What follows from public facts alone: moves without a choice, and the sending after a decision.

Never from anybody's cash, so a bribe is never forced, and nothing sealed is revealed: decisions
come after the last bribe is open (days 6 and 7). Two scholars of one owner and one
occupation are twins: which of them is hired or sent makes no difference, so the lower number is.
It does make one while a promise names one of them: then the player chooses.
"""

from games.engine.choices import JudgeChoice, PlaceChoice, SendChoice, send_choice
from games.engine.ledger import Ledger, Status, follow
from games.engine.moves import Judge, Move, Place, Send
from games.engine.promises import Verdict
from games.engine.rules import step
from games.engine.state import Scholar, Stage, State
from games.engine.view import View

DECISIONS = frozenset({Stage.PLACEMENT, Stage.HIRING, Stage.JUDGEMENT})


def forced_move(view: View, ledger: Ledger = ()) -> Move | None:
    """The only legal move of the viewed seat up to twins, or None where it has a choice.

    `ledger` are the promises that everybody knows: private ones must not change what is forced.
    """
    named = _named(ledger, view.seat)
    match view.choice:
        case PlaceChoice((conflict,), (area,)) if _are_equal(view, conflict, named):
            return Place(((min(conflict), area),))
        case JudgeChoice(winners) if _are_equal(view, winners, named):
            return Judge(min(winners))
        case SendChoice(scholars, palaces, count, distinct=True) if len(scholars) == len(
            palaces
        ) == count and _are_twins(scholars, named):
            return Send(tuple(zip(sorted(scholars), palaces, strict=True)))
    return None


def move_by_itself(ledger: Ledger, state: State, seen: View) -> Move | None:
    """The forced move of the viewed seat that is played by itself: it breaks no promise.

    `seen` is the view within the promises of `ledger`, which everybody knows. Only a player's own
    binding promises can leave a single move that breaks another one: then the player decides.
    """
    move = forced_move(seen, ledger)
    if move is None or seen.seat is None or _breaks(ledger, state, seen.seat, move):
        return None
    return move


def sending_after(view: View) -> SendChoice | None:
    """The sending that the viewed seat has to decide right after its present decision.

    None where it has no decision now, where another conflict of this turn comes first, and where
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


def _named(ledger: Ledger, seat: int | None) -> set[Scholar]:
    """The scholars that promises which are owed name, and open offers that the seat made."""
    return {
        scholar
        for entry in ledger
        if any(entry.owed) or (entry.status is Status.OPEN and entry.by == seat)
        for scholar in entry.scholars
    }


def _are_twins(scholars: tuple[Scholar, ...], named: set[Scholar]) -> bool:
    kinds = {(scholar.owner, scholar.occupation) for scholar in scholars}
    return len(kinds) == 1 and (len(scholars) == 1 or named.isdisjoint(scholars))


def _are_equal(view: View, scholars: tuple[Scholar, ...], named: set[Scholar]) -> bool:
    """Whether it makes no difference who of these wins. With refunds, also by what was paid."""
    if not view.table.edition.refund_losers:
        return _are_twins(scholars, named)
    paid = {(one.amount, one.bank) for one in view.paid if one.scholar in scholars}
    return _are_twins(scholars, named) and len(paid) == 1


def _breaks(ledger: Ledger, state: State, seat: int, move: Move) -> bool:
    if not any(any(entry.owed) for entry in ledger):
        return False
    after = follow(ledger, state, step(state, seat, move).events)
    return any(
        Verdict.BROKEN in (new.verdict, new.condition)
        for old, new in zip(ledger, after, strict=True)
        if old != new
    )
