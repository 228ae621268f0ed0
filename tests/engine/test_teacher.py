"""The teacher: what a first game shows to its first player (days 32)."""

from collections import Counter
from random import Random

import pytest

from games.engine import COLOURS, Bribe, Stage, State, default_move, new_game, step, to_move, view
from games.engine.binding import view_within
from games.engine.courtier import play_courtier
from games.engine.forced import forced_move
from games.engine.ledger import Entry, Ledger, Status, follow
from games.engine.negotiated_games import MOST_EXCHANGES, ledger_after
from games.engine.negotiator import ReplyToOffer
from games.engine.promises import IfBribed, Verdict
from games.engine.state import BRIBING
from games.engine.teacher import learner, play_teacher, teacher_says

PUPIL = 1
SEEDS = range(40)


class FirstGame:
    """A first game of somebody who replies to every offer in one way and pays what was agreed.

    `first_bribed` is the first turn of the learner in which others bribe, and `owned` are the
    requests in such turns as they stand when the learner decides about the scholar.
    """

    def __init__(self, seed: int, *, plays_to_win: bool, replies: Status = Status.ACCEPTED) -> None:
        self.chance = Random(seed)
        self.plays_to_win = plays_to_win
        self.replies = replies
        self.first_bribed: tuple[int, int | None] | None = None
        self.owned: list[tuple[tuple[int, int | None], Entry]] = []
        colours = COLOURS[:4]
        self.state = new_game("mayfair-2005", {"rounds": 3}, colours, colours[PUPIL]).state
        self.ledger: Ledger = ()
        self.fights: Counter[int] = Counter()
        self.decisions = 0
        self.betrayed_in: list[int] = []

    def play(self) -> "FirstGame":
        while self.state.stage is not Stage.OVER:
            self.negotiated_at()
            seat = to_move(self.state)[0]
            move = self.move(seat)
            contenders = self.state.contenders if self.state.stage in BRIBING else ()
            owners = {one.owner for one in contenders}
            if self.state.active == PUPIL and owners - {PUPIL} and self.first_bribed is None:
                self.first_bribed = (self.state.round, PUPIL)
            if PUPIL in owners and len(owners) > 1:
                self.fights[self.state.round] += 1
            before = self.broken()
            made = step(self.state, seat, move)
            self.ledger = follow(self.ledger, self.state, made.events)
            if self.broken() > before:
                self.betrayed_in.append(self.state.round)
            self.state = made.state
        return self

    def negotiated_at(self) -> None:
        for _ in range(MOST_EXCHANGES):
            before = self.ledger
            for seat in {0, 1, 2, 3} - {PUPIL}:
                for what in teacher_says(view_within(self.ledger, self.state, seat), self.ledger):
                    self.ledger = ledger_after(self.ledger, self.state, seat, what)
            for entry in self.ledger:
                if entry.status is Status.OPEN and entry.other == PUPIL:
                    given = ReplyToOffer(entry.id, self.replies)
                    self.ledger = ledger_after(self.ledger, self.state, PUPIL, given)
            if self.ledger == before:
                return

    def move(self, seat: int):
        seen, luck = view(self.state, seat), self.chance.getrandbits(32)
        forced = forced_move(seen)
        if forced is not None:
            return forced
        if seat != PUPIL:
            return play_teacher(seen, self.ledger, luck)
        self.decisions += 1
        if self.state.stage not in BRIBING:
            self.note_requests()
        move = play_courtier(seen, luck) if self.plays_to_win else default_move(self.state, seat)
        return self.with_agreed(move) if isinstance(move, Bribe) else move

    def note_requests(self) -> None:
        turn = (self.state.round, self.state.active)
        self.owned += [
            (turn, entry)
            for entry in self.ledger
            if entry.made_in == turn
            and entry.promise.seat == PUPIL != entry.by
            and entry.promise.condition.scholar in self.state.contenders
        ]

    def with_agreed(self, move: Bribe) -> Bribe:
        """The bribes, raised to what was agreed, where there is money for it."""
        agreed = {
            entry.promise.condition.scholar: entry.promise.condition.least
            for entry in self.ledger
            if entry.status is Status.ACCEPTED
            and entry.promise.to == PUPIL
            and isinstance(entry.promise.condition, IfBribed)
        }
        raised = tuple((who, max(paid, agreed.get(who, 0))) for who, paid in move.bribes)
        cash = self.state.cash[PUPIL]
        return Bribe(raised) if sum(paid for _, paid in raised) <= cash else move

    def broken(self) -> int:
        return sum(
            entry.promise.to == PUPIL and entry.verdict is Verdict.BROKEN for entry in self.ledger
        )

    def offered(self, *, to_give: bool) -> int:
        """How many promises teachers have offered, or requested."""
        return sum(
            entry.by != PUPIL and (entry.promise.seat != PUPIL) == to_give for entry in self.ledger
        )


@pytest.mark.full
@pytest.mark.parametrize("plays_to_win", [True, False])
def test_every_first_game_has_a_fight_at_once_offers_requests_and_one_betrayal(plays_to_win):
    for seed in SEEDS:
        game = FirstGame(seed, plays_to_win=plays_to_win).play()
        assert game.fights[1] >= 1, seed
        assert game.offered(to_give=True) >= 1, seed
        assert game.offered(to_give=False) >= 1, seed
        assert game.betrayed_in, seed
        assert min(game.betrayed_in) > 1, seed
        assert 6 <= game.decisions <= 20, (seed, game.decisions)


@pytest.mark.full
def test_at_most_one_offer_a_turn():
    for seed in SEEDS:
        game = FirstGame(seed, plays_to_win=True).play()
        turns = Counter(entry.made_in for entry in game.ledger)
        assert set(turns.values()) == {1}, seed


def test_the_learner_is_whoever_plays_first():
    state: State = new_game("mayfair-2005", {"rounds": 3}, COLOURS[:4], COLOURS[2]).state
    assert {learner(view(state, seat)) for seat in range(4)} == {2}


def test_it_plays_by_view_ledger_and_seed_alone():
    """A spectator's secrets change nothing, and the same again is the same."""
    first = FirstGame(7, plays_to_win=True).play()
    again = FirstGame(7, plays_to_win=True).play()
    assert (first.state, first.ledger) == (again.state, again.ledger)


@pytest.mark.full
@pytest.mark.parametrize("status", [Status.ACCEPTED, Status.DECLINED])
def test_the_learner_is_asked_in_the_first_turn_with_bribes_and_owes_what_they_agreed_to(status):
    """Nothing that the asker does makes the promise void before the learner decides."""
    for seed in SEEDS:
        game = FirstGame(seed, plays_to_win=seed % 2 == 0, replies=status).play()
        assert game.owned, seed
        turn, asked = game.owned[0]
        assert turn == game.first_bribed, seed
        assert asked.status is status, seed
        for _turn, entry in game.owned:
            assert entry.status is status, seed
            open_still = (entry.condition, entry.verdict) == (Verdict.KEPT, Verdict.PENDING)
            assert open_still == (status is Status.ACCEPTED), (seed, entry)
