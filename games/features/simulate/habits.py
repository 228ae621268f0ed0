"""Whole games in simulated days: computer players choose the moves, habits choose when.

Time is in hours since the beginning. The model, as in docs/play-over-days.md (days 2 to 8):

- **Visits.** A player to move comes back by their habits: a third within three hours, a third
  evenly over the rest of the day, and a third not on that day; then the next day is drawn the same
  way. Each visit is followed by another like this, also without a turn. A new turn draws anew.
- **Moves.** A player moves at the next visit, if it comes by the deadline; else the clock plays
  the default. A player who is to move again at the instant of their own move moves again, which
  joins the last decision and the sending. Forced moves take no time.
- **Deadlines.** Each is the full time for a move after the phase opened. Those who are to move
  later, in sequential bribing, have at least a quarter of it, and it is no miss if that passes.
  There are no nights, no-play days or days off.
- **Absence.** Two misses in a row, or three among the last eight moves, make a player absent. The
  default is then played at once, until the next visit. While all are absent nothing is played.
- **Orders.** Some players leave, at each visit and after each move of theirs, an order for every
  bribe for which one may be left; with `order_all` also for their next decision and sending. It
  is still legal when its time comes, and does what the computer player would. It is played at once
  if it covers the whole decision.
- **Negotiation time.** With it the first bribing phase of a turn opens that much later, or once
  everyone present who owns the palace or a contender of the turn has visited since.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, NamedTuple

from games.engine.codec import Json, encode_move
from games.engine.computer_players import ComputerPlayer, play_default
from games.engine.forced import forced_move
from games.engine.orders import may_order
from games.engine.rules import Step, step
from games.engine.state import BRIBING, Scholar, Stage, State, to_move
from games.engine.view import View, involved, view
from games.services.game.absence import RULE

DAY: Final = 24.0
type Source = Literal["people", "orders", "clock", "forced"]
type Phase = tuple[int, int | None, Stage, int | None]


class Habits(NamedTuple):
    """When players visit, how many leave orders, and the table's time for moves and for talk.

    `orders` is the share of the seats that leave them, for bribes or, with `order_all`, for
    decisions and sendings too. Of all days the part `missed` passes without a visit; of
    the others, the visit comes within `soon_hours` in the part `soon`, else evenly over the rest.
    """

    orders: float = 0.5
    negotiation_time: float = 0
    move_time: float = DAY
    missed: float = 1 / 3
    soon: float = 1 / 2
    soon_hours: float = 3
    order_all: bool = False


class Made(NamedTuple):
    """When a move was made, and by whom: "clock" includes the moves for absent players."""

    at: float
    source: Source


class LongGame(NamedTuple):
    """A game played to its end: the last state, the moves as in a record, and how each was made."""

    state: State
    moves: list[Json]
    made: list[Made]

    @property
    def hours(self) -> float:
        """From the beginning to the last move."""
        return self.made[-1].at if self.made else 0.0


@dataclass
class _Player:
    """The player of one seat. `missed` has for each of the last moves whether it was missed."""

    leaves_orders: bool
    next_visit: float
    moved_at: float | None = None
    ordered: set[Scholar] = field(default_factory=set)
    ordered_turn: bool = False
    missed: list[bool] = field(default_factory=list)
    absent: bool = False

    def remember(self, *, missed: bool) -> None:
        """Remember a move, or a miss, which may make the player absent."""
        self.missed = RULE.remember(self.missed, miss=missed)
        if missed and RULE.is_too_much(self.missed):
            self.absent = True

    def come_back(self) -> None:
        if self.absent:
            self.absent = False
            self.missed.clear()


class _PlannedMove(NamedTuple):
    """A move to come: by its player, or the clock at the deadline; `missed` if that is a miss."""

    at: float
    source: Source
    missed: bool


class _Game:
    """A game being played. Lives inside one call."""

    def __init__(
        self, state: State, seats: Sequence[ComputerPlayer], habits: Habits, chance: Random
    ) -> None:
        self.state = state
        self.seats = seats
        self.habits = habits
        self.chance = chance
        self.now = 0.0
        self.moves: list[Json] = []
        self.made: list[Made] = []
        self.phase: Phase | None = None
        self.opened = 0.0
        self.negotiation_time_in: tuple[int, int | None] | None = None
        self.planned: dict[int, _PlannedMove] = {}
        with_orders = _drawn_seats(len(seats), habits.orders, chance)
        self.players = [
            _Player(seat in with_orders, self.visit_after(0)) for seat in range(len(seats))
        ]

    def visit_after(self, start: float) -> float:
        """Draw when a player comes back by their habits."""
        habits, chance = self.habits, self.chance
        while chance.random() < habits.missed:
            start += DAY
        if chance.random() < habits.soon:
            return start + chance.uniform(0, habits.soon_hours)
        return start + chance.uniform(habits.soon_hours, DAY)

    def go_on(self) -> None:
        """Play one move, after whatever has to be waited for."""
        if all(player.absent for player in self.players):
            self.wait_until(min(player.next_visit for player in self.players))
            self.phase = None  # all plan anew
        self.open_phase()
        waiting = to_move(self.state)
        if any(self.plays_at_once(seat) for seat in waiting):
            return
        for seat in waiting:
            if seat not in self.planned:
                self.planned[seat] = self.plan(seat)
        self.play_next(min(waiting, key=lambda seat: self.planned[seat].at))

    def open_phase(self) -> None:
        """Begin a new stage, if it is one: negotiation time, and then everyone's deadline."""
        state = self.state
        phase = (state.round, state.active, state.stage, state.area)
        if phase == self.phase:
            return
        turn = (state.round, state.active)
        if (
            state.stage in BRIBING
            and self.habits.negotiation_time
            and turn != self.negotiation_time_in
        ):
            self.negotiation_time_in = turn
            self.pass_negotiation_time()
        self.phase, self.opened = phase, self.now
        self.planned.clear()

    def pass_negotiation_time(self) -> None:
        ready = self.now
        for seat in sorted(involved(self.state)):
            player = self.players[seat]
            if not player.absent:
                player.next_visit = self.visit_after(self.now)
                ready = max(ready, player.next_visit)
        self.wait_until(min(ready, self.now + self.habits.negotiation_time))

    def plays_at_once(self, seat: int) -> bool:
        """Play the seat's move where it needs no waiting; say whether it was played."""
        player, seen = self.players[seat], view(self.state, seat)
        if forced_move(seen) is not None:
            self.play(seat, seen, "forced")
        elif player.absent:
            self.play(seat, seen, "clock")
        elif self.is_ordered(seat):
            self.play(seat, seen, "orders")
        elif player.moved_at == self.now:
            self.play(seat, seen, "people")
        else:
            return False
        return True

    def is_ordered(self, seat: int) -> bool:
        """Whether orders cover the seat's whole decision."""
        player = self.players[seat]
        if self.state.stage not in BRIBING:
            return player.ordered_turn
        contenders = {one for one in self.state.contenders if one.owner == seat}
        return contenders <= player.ordered

    def plan(self, seat: int) -> _PlannedMove:
        """Draw when the seat's player comes, and whether they or the clock move then."""
        move_time = self.habits.move_time
        deadline = max(self.opened + move_time, self.now + move_time / 4)
        visit = self.players[seat].next_visit = self.visit_after(self.now)
        if visit <= deadline:
            return _PlannedMove(visit, "people", missed=False)
        return _PlannedMove(deadline, "clock", missed=self.now == self.opened)

    def play_next(self, seat: int) -> None:
        """Wait for the seat, and let its player move, or the clock."""
        planned = self.planned[seat]
        self.wait_until(planned.at)
        self.play(seat, view(self.state, seat), planned.source)
        if planned.missed:
            self.players[seat].remember(missed=True)

    def wait_until(self, instant: float) -> None:
        """Let time pass, with everyone's visits meanwhile."""
        for seat, player in enumerate(self.players):
            while player.next_visit <= instant:
                player.come_back()
                player.next_visit = self.visit_after(player.next_visit)
                self.leave_orders(seat)
        self.now = instant

    def leave_orders(self, seat: int) -> None:
        """Leave an order for everything for which the seat leaves one and may now."""
        player = self.players[seat]
        if player.leaves_orders and self.state.stage is not Stage.OVER:
            choice = may_order(view(self.state, seat))
            player.ordered = {one.scholar for one in choice.bribes}
            player.ordered_turn = self.habits.order_all

    def play(self, seat: int, seen: View, source: Source) -> None:
        """Play the move that the computer player, the clock or the rules choose."""
        player = self.players[seat]
        chosen = play_default if source == "clock" else self.seats[seat]
        move = forced_move(seen) or chosen(seen, self.chance.getrandbits(32))
        if self.state.stage in BRIBING:
            player.ordered -= set(self.state.contenders)
        elif self.state.stage is Stage.SENDING:
            player.ordered_turn = False
        self.moves.append(encode_move(self.state.table, seat, move))
        self.made.append(Made(self.now, source))
        self.state = step(self.state, seat, move).state
        if source in ("people", "orders"):
            player.remember(missed=False)
        if source == "people":
            player.moved_at = self.now
            self.leave_orders(seat)


def play_over_days(
    beginning: Step, seats: Sequence[ComputerPlayer], habits: Habits, seed: int
) -> LongGame:
    """Play the game to its end, one computer player for each seat; the same seed, the same game."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    game = _Game(beginning.state, seats, habits, chance)
    while game.state.stage is not Stage.OVER:
        game.go_on()
    return LongGame(game.state, game.moves, game.made)


def _drawn_seats(count: int, share: float, chance: Random) -> set[int]:
    """That share of the seats; of a half seat, by chance."""
    whole, rest = divmod(count * share, 1)
    return set(chance.sample(range(count), int(whole) + (chance.random() < rest)))
