"""The one filter: what a seat, or a spectator, may know. Everything that leaves goes through it.

Secret are the other players' cash until the game is over, and in simultaneous bribing what was
handed in until the last one is in. Everything else is public.
"""

from collections.abc import Iterator
from typing import NamedTuple

from games.engine.choices import Choice, legal
from games.engine.defaults import default_for
from games.engine.events import BribesSealed, Event, GameStarted
from games.engine.moves import Move
from games.engine.state import (
    Payment,
    Scholar,
    Sealed,
    Stage,
    State,
    Table,
    to_move,
    winners,
)


class View(NamedTuple):
    """A state as `seat` may see it; as a spectator where `seat` is None.

    `cash` holds the seat's own money, everybody's when the game is over, else None for a player.
    `own_sealed` is what this seat itself handed in, `handed_in` who did. `choice` is what the
    seat may choose now and `default` the move played if it does nothing; both None where it is
    not to move. `defaults` holds the same move for every seat to move: a bribe's default is the
    minimum whatever is in hand, and all others follow from what is public (ruling 8). All other
    fields are those of `State`.
    """

    table: Table
    seat: int | None
    round: int
    active: int | None
    stage: Stage
    to_move: tuple[int, ...]
    palaces: tuple[tuple[Scholar | None, ...], ...]
    applicants: tuple[tuple[Scholar, ...], ...]
    unsent: tuple[tuple[Scholar, ...], ...]
    island: tuple[Scholar, ...]
    area: int | None
    contenders: tuple[Scholar, ...]
    paid: tuple[Payment, ...]
    cash: tuple[int | None, ...]
    handed_in: tuple[int, ...]
    own_sealed: tuple[tuple[Scholar, int], ...]
    winners: tuple[int, ...]
    choice: Choice | None
    default: Move | None
    defaults: tuple[tuple[int, Move], ...]


type Seen = State | View
"""A state, or what somebody may know of it, for what reads nothing but public facts."""


def view(state: State, seat: int | None) -> View:
    """What this seat (None: a spectator) may know of the state, and what it may choose."""
    defaults = tuple(_defaults(state))
    return _seen(state, seat)._replace(
        choice=None if seat is None else legal(state, seat),
        default=next((move for other, move in defaults if other == seat), None),
        defaults=defaults,
    )


def involved(state: State | View) -> set[int]:
    """The active seat, and the owners of all who bribe at its palace in this turn.

    Those are the applicants at its door and the residents whose areas they want.
    """
    if state.active is None:
        return set()
    applicants = state.applicants[state.active]
    wanted = {scholar.occupation for scholar in applicants}
    attacked = [one for one in state.palaces[state.active] if one and one.occupation in wanted]
    return {state.active, *(scholar.owner for scholar in (*applicants, *attacked))}


def rival_bribes(view: View, scholar: Scholar) -> tuple[int, ...]:
    """What others have paid so far in this scholar's conflict.

    A conflict is between scholars of one occupation at one palace; several may be fought at once.
    """
    if scholar not in view.contenders:
        return ()
    return tuple(
        payment.amount
        for payment in view.paid
        if payment.scholar.owner != scholar.owner
        and payment.scholar.occupation == scholar.occupation
    )


def look_back(state: State, seat: int | None, *, over: bool) -> View:
    """What this seat may know of a past state. Nobody is to move in it any more.

    When the game is over, `over`, everybody's money is shown.
    """
    seen = _seen(state, seat)._replace(to_move=())
    return seen._replace(cash=state.cash) if over else seen


def _seen(state: State, seat: int | None) -> View:
    """The state without what this seat may not know, and without a choice."""
    return View(
        table=state.table,
        seat=seat,
        round=state.round,
        active=state.active,
        stage=state.stage,
        to_move=to_move(state),
        palaces=state.palaces,
        applicants=state.applicants,
        unsent=state.unsent,
        island=state.island,
        area=state.area,
        contenders=state.contenders,
        paid=state.paid,
        cash=_visible_cash(state, seat),
        handed_in=state.handed_in,
        own_sealed=_own_sealed(state.sealed, seat),
        winners=winners(state),
        choice=None,
        default=None,
        defaults=(),
    )


def _defaults(state: State) -> Iterator[tuple[int, Move]]:
    for seat in to_move(state):
        choice = legal(state, seat)
        if choice is not None:
            yield seat, default_for(choice, state.contenders, state.paid)


def view_event(event: Event, seat: int | None) -> Event:
    """The event as this seat (None: a spectator) may read it in the log.

    Sealed bribes of others keep only the fact that they were handed in; the position at the start
    keeps everything but the money.
    """
    if isinstance(event, BribesSealed) and event.seat != seat:
        return BribesSealed(event.seat, ())
    if isinstance(event, GameStarted):
        return event._replace(position=event.position._replace(cash=()))
    return event


def _visible_cash(state: State, seat: int | None) -> tuple[int | None, ...]:
    if state.stage is Stage.OVER:
        return state.cash
    return tuple(cash if owner == seat else None for owner, cash in enumerate(state.cash))


def _own_sealed(handed_in: tuple[Sealed, ...], seat: int | None) -> tuple[tuple[Scholar, int], ...]:
    for sealed in handed_in:
        if sealed.seat == seat:
            return sealed.bribes
    return ()
