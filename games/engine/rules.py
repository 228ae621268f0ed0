"""The rules of Intrigue: how a game begins and what one move leads to.

The turn: salary, then uncontested applicants, external conflicts, internal conflicts one after
the other, then sending; after the last round everybody is paid once more.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.checks import ASKED, check
from games.engine.choices import Choice, choice_of_awaited
from games.engine.defaults import default_for
from games.engine.editions import Options
from games.engine.errors import IllegalMove
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    Event,
    GameEnded,
    GameStarted,
    LastIncome,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    StageOpened,
    TurnBegan,
    apply,
    set_up,
)
from games.engine.moves import Bribe, Default, Judge, Move, Place, Played, Send
from games.engine.state import (
    Payment,
    Position,
    Scholar,
    Stage,
    State,
    Table,
    active_player,
    awaited,
    bribers,
    make_table,
    opening,
    resident,
    richest,
)


class Step(NamedTuple):
    """A state and the events that led to it since the state before."""

    state: State
    events: tuple[Event, ...]


class _Telling:
    """Events being told, and the state they lead to. Lives inside one call."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def step(self) -> Step:
        return Step(self.state, tuple(self.events))


def new_game(edition: str, options: Options, players: Iterable[str], first: str) -> Step:
    """A new game: the first state in which somebody is awaited, and the events so far.

    `players` are 3 to 5 colours clockwise, `first` the colour that begins, `options` overrides of
    the edition. Refuses what cannot be played with `BadSetup`. Rules: set-up of each edition.
    """
    table = make_table(edition, options, players, first)
    return start(table, opening(table))


def start(table: Table, position: Position) -> Step:
    """The game from a position, at the start of the active player's turn, before the salary."""
    started = GameStarted(table, position)
    telling = _Telling(set_up(started))
    telling.events.append(started)
    _begin_turn(telling, position.round, position.active)
    _go_on(telling)
    return telling.step()


def step(state: State, seat: int, move: Move) -> Step:
    """Apply one move and everything that then happens by itself, until somebody is awaited.

    Refuses with `IllegalMove`, in this order: the game is over (`over`), a move that this stage
    does not ask for (`type`), a seat that is not awaited (`turn`), and what `check` refuses.
    Never changes its argument; the same input always gives the same output.
    """
    choice = _choice(state, seat, move)
    if isinstance(move, Default):
        move = default_for(choice, state.contenders, state.paid)
    else:
        check(state.table, choice, move)
    telling = _Telling(state)
    if isinstance(move, Bribe):
        _bribe(telling, seat, move)
    elif isinstance(move, Send):
        telling.tell(ScholarsSent(seat, move.scholars))
        if _begin_next_turn(telling):
            _go_on(telling)
    elif isinstance(move, Place):
        _place(telling, seat, move)
        _go_on(telling)
    else:
        _judge(telling, seat, move)
        _go_on(telling)
    return telling.step()


def default_move(state: State, seat: int) -> Played:
    """The move played for an awaited seat that lets its deadline pass (ruling 8); always legal.

    Refuses a seat that is not awaited with `IllegalMove` (`turn`, or `over`).
    """
    choice = _choice(state, seat, Default())
    return default_for(choice, state.contenders, state.paid)


def refuse_if_over(state: State) -> None:
    """Refuse any move with `IllegalMove` (`over`) once the game is over."""
    if state.stage is Stage.OVER:
        raise IllegalMove("over", "The game is over: no move can be made any more.")


_MOVES_OF_STAGE: dict[Stage, tuple[type, type]] = {
    Stage.UNCONTESTED_BRIBES: (Bribe, Default),
    Stage.PLACEMENT: (Place, Default),
    Stage.EXTERNAL_BRIBES: (Bribe, Default),
    Stage.HIRING: (Place, Default),
    Stage.INTERNAL_BRIBES: (Bribe, Default),
    Stage.JUDGEMENT: (Judge, Default),
    Stage.SENDING: (Send, Default),
}


def _choice(state: State, seat: int, move: Move) -> Choice:
    refuse_if_over(state)
    table, stage = state.table, state.stage
    waiting = awaited(state)
    if not isinstance(move, _MOVES_OF_STAGE[stage]):
        asked = ASKED[type(choice_of_awaited(state, waiting[0]))]
        raise IllegalMove("type", f"The stage {stage} asks for {asked}.")
    if seat not in waiting:
        players = ", ".join(table.players[other] for other in waiting)
        raise IllegalMove("turn", f"It is not this player's turn; awaited: {players}.")
    return choice_of_awaited(state, seat)


def _bribe(telling: _Telling, seat: int, move: Bribe) -> None:
    """Ruling 2 to 4: paid at once in sequential bribing, opened together in simultaneous."""
    state = telling.state
    in_turn = state.table.edition.bribing == "sequential"
    telling.tell(_payment(state, seat, move.bribes) if in_turn else BribesSealed(seat, move.bribes))
    if awaited(telling.state):
        return
    if not in_turn:
        _open_sealed(telling)
    telling.tell(StageOpened(_DECISION_AFTER[state.stage], state.area, state.contenders))


def _payment(state: State, seat: int, bribes: tuple[tuple[Scholar, int], ...]) -> BribesPaid:
    """Bribes paid one after the other; where cash does not reach the minimum, the bank or a debt.

    Ruling 4. What the player has is paid first; debts are carried as negative cash.
    """
    cash = state.cash[seat]
    bank_helps = state.table.edition.broke == "bank"
    payments = []
    for scholar, amount in bribes:
        bank = amount - cash if bank_helps and amount > cash else 0
        cash -= amount - bank
        payments.append(Payment(scholar, amount, bank))
    return BribesPaid(seat, tuple(payments))


def _open_sealed(telling: _Telling) -> None:
    sealed = {handed_in.seat: handed_in.bribes for handed_in in telling.state.sealed}
    for seat in bribers(telling.state):
        telling.tell(_payment(telling.state, seat, sealed[seat]))


_DECISION_AFTER: dict[Stage, Stage] = {
    Stage.UNCONTESTED_BRIBES: Stage.PLACEMENT,
    Stage.EXTERNAL_BRIBES: Stage.HIRING,
    Stage.INTERNAL_BRIBES: Stage.JUDGEMENT,
}


def _place(telling: _Telling, owner: int, move: Place) -> None:
    before = telling.state
    for scholar, area in move.placements:
        telling.tell(ScholarHired(owner, scholar, area))
    if len(move.placements) < len(before.contenders):
        _banish(telling, owner, before, [scholar for scholar, _ in move.placements])


def _judge(telling: _Telling, owner: int, move: Judge) -> None:
    # The winner takes the area at once; the beaten resident is then one of the banished.
    before = telling.state
    took = ScholarKept if move.winner == resident(before) else ScholarHired
    telling.tell(took(owner, move.winner, before.area or 0))
    _banish(telling, owner, before, [move.winner])


def _banish(telling: _Telling, owner: int, before: State, winners: list[Scholar]) -> None:
    """All other contenders leave for the island; with `refund_losers` paid back at once (5)."""
    paid: dict[Scholar, Payment] = {}
    if before.table.edition.refund_losers:
        paid = {payment.scholar: payment for payment in before.paid}
    for scholar in before.contenders:
        if scholar not in winners:
            refund = bank = 0
            if paid:
                bank = paid[scholar].bank
                refund = paid[scholar].amount - bank
            telling.tell(ScholarBanished(owner, scholar, refund, bank))


def _go_on(telling: _Telling) -> None:
    """Open the next stage that waits for somebody, through as many turns as that takes."""
    opened = _next_stage(telling.state)
    while opened is None and _begin_next_turn(telling):
        opened = _next_stage(telling.state)
    if opened is not None:
        telling.tell(opened)


def _next_stage(state: State) -> StageOpened | None:
    """What the active player's turn still holds, or None where nothing is left to choose.

    Ruling 6: the last round sends nothing, nor does a player with no scholar beside the palace.
    """
    seat = active_player(state)
    conflict = next_conflict(state, seat)
    if conflict is None and state.unsent[seat] and state.round < state.table.edition.rounds:
        return StageOpened(Stage.SENDING, None, ())
    return conflict


def _begin_next_turn(telling: _Telling) -> bool:
    """Begin the turn of the player on the left, or end the game and say False."""
    state = telling.state
    table = state.table
    following = (active_player(state) + 1) % len(table.players)
    if following != table.first:
        _begin_turn(telling, state.round, following)
    elif state.round < table.edition.rounds:
        _begin_turn(telling, state.round + 1, following)
    else:
        _end_game(telling)
        return False
    return True


def _begin_turn(telling: _Telling, number: int, seat: int) -> None:
    telling.tell(TurnBegan(number, seat))
    _pay_salary(telling, seat)


def _end_game(telling: _Telling) -> None:
    """After the last round everybody is paid once more; the most money wins (rulings 6 and 7)."""
    first = telling.state.table.first
    telling.tell(LastIncome())
    for seat in (first, *telling.state.table.clockwise_from_left_of(first)):
        _pay_salary(telling, seat)
    cash = telling.state.cash
    telling.tell(GameEnded(richest(cash), cash))


def _pay_salary(telling: _Telling, seat: int) -> None:
    areas = telling.state.table.edition.areas
    salaries = [
        (scholar, palace, areas[place])
        for palace, row in enumerate(telling.state.palaces)
        for place, scholar in enumerate(row)
        if scholar is not None and scholar.owner == seat
    ]
    if salaries:
        telling.tell(SalaryPaid(seat, tuple(salaries)))


def next_conflict(state: State, palace: int) -> StageOpened | None:
    """The next bribing stage before this palace, or None when nobody waits at its door.

    An occupation that holds an area makes one internal conflict of all its applicants; else one
    applicant is uncontested and more are an external conflict. Uncontested come first, then all
    external conflicts together, then each internal one in the edition's order of salaries.
    """
    applicants = state.applicants[palace]
    if not applicants:
        return None
    employed = [scholar.occupation for scholar in state.palaces[palace] if scholar is not None]
    new = [scholar for scholar in applicants if scholar.occupation not in employed]
    if not new:
        return _next_internal_conflict(state, palace)
    occupations = [scholar.occupation for scholar in new]
    single = [scholar for scholar in new if occupations.count(scholar.occupation) == 1]
    stage = Stage.UNCONTESTED_BRIBES if single else Stage.EXTERNAL_BRIBES
    return StageOpened(stage, None, tuple(_in_bribing_order(state, palace, single or new)))


def _next_internal_conflict(state: State, palace: int) -> StageOpened:
    areas = state.table.edition.areas
    wanted = {applicant.occupation for applicant in state.applicants[palace]}
    attacked = [
        (areas[place], scholar)
        for place, scholar in enumerate(state.palaces[palace])
        if scholar is not None and scholar.occupation in wanted
    ]
    descending = state.table.edition.internal_order == "descending"
    salary, defender = (max if descending else min)(attacked)
    attackers = [s for s in state.applicants[palace] if s.occupation == defender.occupation]
    ordered = _in_bribing_order(state, palace, attackers)
    # The resident's owner goes first and bribes for all of his contenders then (ruling 2).
    # Sorting keeps the order of the others, and that of his own.
    if len(ordered) > 1:
        ordered.sort(key=lambda scholar: scholar.owner != defender.owner)
    return StageOpened(Stage.INTERNAL_BRIBES, salary, (defender, *ordered))


def _in_bribing_order(state: State, palace: int, scholars: list[Scholar]) -> list[Scholar]:
    if len(scholars) == 1:  # as nearly always
        return scholars
    seats = len(state.table.players)
    return sorted(scholars, key=lambda scholar: ((scholar.owner - palace - 1) % seats, scholar))
