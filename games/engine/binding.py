"""Binding promises, with the option `promises: binding`: choices that would break one aren't legal.

Only what an owner promises for a bribe, and a sending, binds, and only in the turn in which it
was accepted. A promise is not accepted if it would leave no legal choice together with others that
bind; so there is always one left, also for the default move.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations, product

from games.engine.choices import Choice, JudgeChoice, PlaceChoice, SendChoice, legal, send_choice
from games.engine.errors import BadPromise, IllegalMove
from games.engine.ledger import Entry, Ledger, Status, follow, reply
from games.engine.moves import Judge, Move, Place, Played, Send
from games.engine.promises import (
    Deciding,
    Deed,
    IfBribed,
    PlaceIn,
    Promise,
    Sending,
    SendScholar,
    Verdict,
    areas_that_fit,
)
from games.engine.rules import Step, default_move, step
from games.engine.state import Scholar, State
from games.engine.view import View, view


def binds(entry: Entry, state: State) -> bool:
    """Whether an accepted promise forbids choices now."""
    if entry.status is not Status.ACCEPTED or entry.verdict is not Verdict.PENDING:
        return False
    is_of_this_turn = entry.accepted_in == (state.round, state.active)
    return is_of_this_turn and could_bind(entry.promise, state)


def could_bind(promise: Promise, state: State) -> bool:
    """Whether a promise would forbid choices in this turn, once accepted."""
    if state.table.edition.promises != "binding" or promise.seat != state.active:
        return False
    deed, for_a_bribe = promise.deed, isinstance(promise.condition, IfBribed)
    if isinstance(deed, Deciding):
        here = (*state.applicants[promise.seat], *state.palaces[promise.seat])
        return for_a_bribe and deed.scholar in here
    is_sending = isinstance(deed, Sending)
    return is_sending and (for_a_bribe or promise.condition is None)


def accept(ledger: Ledger, state: State, seat: int, number: int) -> Ledger:
    """The ledger after an offer was accepted; `BadPromise` as in `reply`.

    Also if it would then bind, and leave no legal choice if every condition were met.
    """
    after = accepted(ledger, state, seat, number)
    if binds(after[number - 1], state) and not _leaves_a_choice(after, state):
        raise BadPromise(
            f"Offer {number} would leave no legal choice, together with other binding promises.",
            "binding",
        )
    return after


def accepted(ledger: Ledger, state: State, seat: int, number: int) -> Ledger:
    """The ledger after an offer was accepted in this state; `BadPromise` as in `reply`."""
    after = reply(ledger, seat, number, Status.ACCEPTED)
    entry = after[number - 1]._replace(accepted_in=(state.round, state.active))
    return (*after[: number - 1], entry, *after[number:])


def view_within(ledger: Ledger, state: State, seat: int | None) -> View:
    """`view`, without choices that a binding promise forbids.

    A decision about areas and a sending may still hold some: whether those can be combined only
    `step_within` says.
    """
    seen = view(state, seat)
    if not any(binds(entry, state) for entry in ledger):
        return seen
    defaults = tuple(
        (other, default_within(ledger, state, other)) for other, _move in seen.defaults
    )
    return seen._replace(
        choice=None if seat is None else _narrowed(ledger, state, seat, seen.choice),
        default=next((move for other, move in defaults if other == seat), None),
        defaults=defaults,
    )


def _narrowed(ledger: Ledger, state: State, seat: int, choice: Choice | None) -> Choice | None:
    moves = list(moves_in_order(state, seat))
    allowed = [move for move in moves if _broken_by(ledger, state, step(state, seat, move)) is None]
    if isinstance(choice, JudgeChoice):
        winners = {move.winner for move in allowed if isinstance(move, Judge)}
        return choice._replace(winners=tuple(one for one in choice.winners if one in winners))
    if isinstance(choice, PlaceChoice):
        pairs = {pair for move in allowed if isinstance(move, Place) for pair in move.placements}
        hired, areas = {scholar for scholar, _ in pairs}, {area for _, area in pairs}
        return PlaceChoice(
            tuple(tuple(one for one in conflict if one in hired) for conflict in choice.conflicts),
            tuple(area for area in choice.open_areas if area in areas),
        )
    if isinstance(choice, SendChoice):
        sent = {pair for move in allowed if isinstance(move, Send) for pair in move.scholars}
        scholars, palaces = {scholar for scholar, _ in sent}, {palace for _, palace in sent}
        return choice._replace(
            scholars=tuple(one for one in choice.scholars if one in scholars),
            palaces=tuple(palace for palace in choice.palaces if palace in palaces),
        )
    return choice


def step_within(ledger: Ledger, state: State, seat: int, move: Move) -> Step:
    """`step`, but a move that a binding promise forbids is refused too, with the code `promise`."""
    made = step(state, seat, move)
    entry = _broken_by(ledger, state, made)
    if entry is not None:
        to = state.table.players[entry.promise.to]
        raise IllegalMove(
            "promise",
            f"This would break offer {entry.id}, a binding promise to {to}. "
            "The default move breaks none.",
        )
    return made


def may_play(ledger: Ledger, state: State, seat: int, move: Move) -> bool:
    """Whether no binding promise forbids this move, which is legal otherwise."""
    if not any(binds(entry, state) for entry in ledger):
        return True
    return _broken_by(ledger, state, step(state, seat, move)) is None


def default_within(ledger: Ledger, state: State, seat: int) -> Played:
    """The default move of a seat to move: the first, in the order of ruling 8, that is legal.

    Refuses a seat that is not to move with `IllegalMove` (`turn`, or `over`).
    """
    default = default_move(state, seat)
    if not any(binds(entry, state) for entry in ledger):
        return default
    for move in moves_in_order(state, seat):
        if _broken_by(ledger, state, step(state, seat, move)) is None:
            return move
    return default


def _broken_by(ledger: Ledger, state: State, made: Step) -> Entry | None:
    """A binding promise that this step breaks, or can then no longer be kept with the others."""
    binding = [entry for entry in ledger if binds(entry, state)]
    if not binding:
        return None
    after = follow(ledger, state, made.events)
    for entry in binding:
        if after[entry.id - 1].verdict is Verdict.BROKEN:
            return entry
    if (made.state.round, made.state.active) == (state.round, state.active):
        return None if _leaves_a_choice(after, made.state) else binding[0]
    return None


def _leaves_a_choice(ledger: Ledger, state: State) -> bool:
    """Whether all binding promises of this turn can be kept, if every condition is met."""
    deeds = [(entry.promise.to, entry.promise.deed) for entry in ledger if binds(entry, state)]
    at_door = [deed for _, deed in deeds if isinstance(deed, Deciding)]
    return _can_decide(state, at_door) and _can_send(state, deeds)


def _can_decide(state: State, deeds: list[Deciding]) -> bool:
    """Whether each occupation at the door can have a winner and an area that suit all deeds."""
    seat = state.active
    if seat is None:
        return True
    areas = state.table.edition.areas
    residents = dict(zip(areas, state.palaces[seat], strict=True))
    kinds = dict.fromkeys(scholar.occupation for scholar in state.applicants[seat])
    ways = []
    for kind in kinds:
        rivals = [one for one in state.applicants[seat] if one.occupation == kind]
        held = [area for area, one in residents.items() if one and one.occupation == kind]
        defender = [one for one in state.palaces[seat] if one and one.occupation == kind]
        about = [deed for deed in deeds if deed.scholar in (*defender, *rivals)]
        open_areas = held or [area for area, one in residents.items() if one is None]
        ways.append(
            {
                area
                for winner, area in product((*defender, *rivals), open_areas)
                if all(_suits(deed, winner, area) for deed in about)
            }
        )
    return _have_different_areas(ways)


def _suits(deed: Deciding, winner: Scholar, area: int) -> bool:
    if winner != deed.scholar:
        return False
    return not isinstance(deed, PlaceIn) or bool(areas_that_fit(deed, (area,)))


def _have_different_areas(ways: list[set[int]]) -> bool:
    """Whether each can have an area of its own out of those that it may have."""
    if not ways:
        return True
    first, *others = sorted(ways, key=len)
    return any(_have_different_areas([way - {area} for way in others]) for area in first)


def _can_send(state: State, deeds: Iterable[tuple[int, Deed]]) -> bool:
    wanted = [(to, deed) for to, deed in deeds if isinstance(deed, Sending)]
    seat = state.active
    if not wanted or seat is None:
        return True
    choice = send_choice(state.table, state.unsent[seat], seat)
    return any(
        all(_is_sent_as_promised(to, deed, move) for to, deed in wanted)
        for move in _sendings(choice)
    )


def _is_sent_as_promised(to: int, deed: Sending, move: Send) -> bool:
    comes = any(
        palace == to and deed.occupation in (None, scholar.occupation)
        for scholar, palace in move.scholars
    )
    return comes == isinstance(deed, SendScholar)


def moves_in_order(state: State, seat: int) -> Iterator[Played]:
    """Every move of a decision or a sending, the default move first (ruling 8)."""
    choice = legal(state, seat)
    amounts = {payment.scholar: payment.amount for payment in state.paid}
    ranked = sorted(state.contenders, key=lambda scholar: -amounts.get(scholar, 0))
    if isinstance(choice, JudgeChoice):
        yield from (Judge(scholar) for scholar in ranked if scholar in choice.winners)
    elif isinstance(choice, PlaceChoice):
        conflicts = [[one for one in ranked if one in conflict] for conflict in choice.conflicts]
        best_first = sorted(choice.open_areas, reverse=True)
        for winners in product(*conflicts):
            hired = [scholar for scholar in ranked if scholar in winners]
            for areas in permutations(best_first, len(hired)):
                yield Place(tuple(zip(hired, areas, strict=True)))
    elif isinstance(choice, SendChoice):
        yield from _sendings(choice)


def _sendings(choice: SendChoice) -> Iterator[Send]:
    """Every sending, those to different palaces first."""
    same = [] if choice.distinct else [(palace,) * choice.count for palace in choice.palaces]
    for scholars in combinations(choice.scholars, choice.count):
        for palaces in chain(permutations(choice.palaces, choice.count), same):
            yield Send(tuple(zip(scholars, palaces, strict=True)))
