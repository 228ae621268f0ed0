"""The rules of Intrigue: how a game begins and what one move leads to.

The turn: salary, then uncontested applicants, external conflicts, internal conflicts one after
the other, then sending; after the last round everybody is paid once more.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.checks import EXPECTED_MOVE, check
from games.engine.choices import Choice, choice_of_mover
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
    bribers,
    make_table,
    opening,
    resident,
    richest,
    to_move,
)


class Step(NamedTuple):
    """A state and the events that led to it since the state before."""

    state: State
    events: tuple[Event, ...]


class _Course:
    """Events as they happen, and the state they lead to. Lives inside one call."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def step(self) -> Step:
        return Step(self.state, tuple(self.events))


def new_game(edition: str, options: Options, players: Iterable[str], first: str) -> Step:
    """A new game: the first state in which somebody is to move, and the events so far.

    `players` are colours clockwise, as many as may play, `first` the colour that begins, `options`
    overrides of the edition. Refuses what cannot be played with `BadSetup`. Rules: set-up of each
    edition.
    """
    table = make_table(edition, options, players, first)
    return start(table, opening(table))


def start(table: Table, position: Position) -> Step:
    """The game from a position, at the start of the active player's turn, before the salary."""
    started = GameStarted(table, position)
    course = _Course(set_up(started))
    course.events.append(started)
    _begin_turn(course, position.round, position.active)
    _go_on(course)
    return course.step()


def step(state: State, seat: int, move: Move) -> Step:
    """Apply one move and everything that then happens by itself, until somebody is to move.

    Refuses with `IllegalMove`, in this order: the game is over (`over`), a move that this stage
    does not ask for (`type`), a seat that is not to move (`turn`), and what `check` refuses.
    Never changes its argument; the same input always gives the same output.
    """
    choice = _choice(state, seat, move)
    if isinstance(move, Default):
        move = default_for(choice, state.contenders, state.paid)
    else:
        check(state.table, choice, move)
    course = _Course(state)
    if isinstance(move, Bribe):
        _bribe(course, seat, move)
    elif isinstance(move, Send):
        course.add(ScholarsSent(seat, move.scholars))
        if _begin_next_turn(course):
            _go_on(course)
    elif isinstance(move, Place):
        _place(course, seat, move)
        _go_on(course)
    else:
        _judge(course, seat, move)
        _go_on(course)
    return course.step()


def default_move(state: State, seat: int) -> Played:
    """The move played for a seat to move that lets its deadline pass (ruling 8); always legal.

    Refuses a seat that is not to move with `IllegalMove` (`turn`, or `over`).
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
    waiting = to_move(state)
    if not isinstance(move, _MOVES_OF_STAGE[stage]):
        expected = EXPECTED_MOVE[type(choice_of_mover(state, waiting[0]))]
        raise IllegalMove("type", f"The stage {stage} asks for {expected}.")
    if seat not in waiting:
        players = ", ".join(table.players[other] for other in waiting)
        raise IllegalMove("turn", f"It is not this player's turn; awaited: {players}.")
    return choice_of_mover(state, seat)


def _bribe(course: _Course, seat: int, move: Bribe) -> None:
    """Take bribes (rulings 2 to 4): paid at once if sequential, opened together if simultaneous."""
    state = course.state
    in_turn = state.table.edition.bribing == "sequential"
    course.add(_payment(state, seat, move.bribes) if in_turn else BribesSealed(seat, move.bribes))
    if to_move(course.state):
        return
    if not in_turn:
        _open_sealed(course)
    course.add(StageOpened(_DECISION_AFTER[state.stage], state.area, state.contenders))


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


def _open_sealed(course: _Course) -> None:
    sealed = {handed_in.seat: handed_in.bribes for handed_in in course.state.sealed}
    for seat in bribers(course.state):
        course.add(_payment(course.state, seat, sealed[seat]))


_DECISION_AFTER: dict[Stage, Stage] = {
    Stage.UNCONTESTED_BRIBES: Stage.PLACEMENT,
    Stage.EXTERNAL_BRIBES: Stage.HIRING,
    Stage.INTERNAL_BRIBES: Stage.JUDGEMENT,
}


def _place(course: _Course, owner: int, move: Place) -> None:
    before = course.state
    for scholar, area in move.placements:
        course.add(ScholarHired(owner, scholar, area))
    if len(move.placements) < len(before.contenders):
        _banish(course, owner, before, [scholar for scholar, _ in move.placements])


def _judge(course: _Course, owner: int, move: Judge) -> None:
    # The winner takes the area at once; the beaten resident is then one of the banished.
    before = course.state
    took = ScholarKept if move.winner == resident(before) else ScholarHired
    course.add(took(owner, move.winner, before.area or 0))
    _banish(course, owner, before, [move.winner])


def _banish(course: _Course, owner: int, before: State, winners: list[Scholar]) -> None:
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
            course.add(ScholarBanished(owner, scholar, refund, bank))


def _go_on(course: _Course) -> None:
    """Open the next stage that waits for somebody, through as many turns as that takes."""
    opened = _next_stage(course.state)
    while opened is None and _begin_next_turn(course):
        opened = _next_stage(course.state)
    if opened is not None:
        course.add(opened)


def _next_stage(state: State) -> StageOpened | None:
    """What the active player's turn still holds, or None where nothing is left to choose.

    Ruling 6: the last round sends nothing, nor does a player with no scholar beside the palace.
    """
    seat = active_player(state)
    conflict = next_conflict(state, seat)
    if conflict is None and state.unsent[seat] and state.round < state.table.edition.rounds:
        return StageOpened(Stage.SENDING, None, ())
    return conflict


def _begin_next_turn(course: _Course) -> bool:
    """Begin the turn of the player on the left, or end the game and say False."""
    state = course.state
    table = state.table
    following = (active_player(state) + 1) % len(table.players)
    if following != table.first:
        _begin_turn(course, state.round, following)
    elif state.round < table.edition.rounds:
        _begin_turn(course, state.round + 1, following)
    else:
        _end_game(course)
        return False
    return True


def _begin_turn(course: _Course, number: int, seat: int) -> None:
    course.add(TurnBegan(number, seat))
    _pay_salary(course, seat)


def _end_game(course: _Course) -> None:
    """After the last round everybody is paid once more; the most money wins (rulings 6 and 7)."""
    first = course.state.table.first
    course.add(LastIncome())
    for seat in (first, *course.state.table.clockwise_from_left_of(first)):
        _pay_salary(course, seat)
    cash = course.state.cash
    course.add(GameEnded(richest(cash), cash))


def _pay_salary(course: _Course, seat: int) -> None:
    areas = course.state.table.edition.areas
    salaries = [
        (scholar, palace, areas[place])
        for palace, row in enumerate(course.state.palaces)
        for place, scholar in enumerate(row)
        if scholar is not None and scholar.owner == seat
    ]
    if salaries:
        course.add(SalaryPaid(seat, tuple(salaries)))


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
