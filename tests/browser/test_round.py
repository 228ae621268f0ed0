"""Four people play a whole round on their phones, one of them with the keyboard alone.

What somebody is asked for a second time is answered by the services.
"""

from itertools import count
from random import Random
from typing import NamedTuple

import pytest
from django.utils import timezone

from games.engine import Move, Stage, State, step, to_move, view
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.forced import forced_move
from games.models import Game
from games.services.lobby import tables
from tests.browser.players import KeyboardPlayer, Player
from tests.browser.playing import as_forms_send, assert_board, fields_of, hand_in
from tests.support.client import verified
from tests.support.tables import seat_of, submit_move, table_settings

pytestmark = pytest.mark.full

NAMES = ("Anna", "Boris", "Clara", "Dora")
ROUND = 2
STAGES = set(Stage) - {Stage.OVER}


class Planned(NamedTuple):
    """A move that somebody has to make."""

    stage: Stage
    round: int
    seat: int
    move: Move


def plan(state: State, seed: int) -> list[Planned]:
    """The moves of people who play by this seed, to the end of the round that is played here."""
    chance, planned = Random(seed), []
    while state.round <= ROUND:
        seat = to_move(state)[0]
        seen = view(state, seat)
        move = forced_move(seen)
        if move is None:
            move = as_forms_send(seen, COMPUTER_PLAYERS["random"](seen, chance.getrandbits(32)))
            planned.append(Planned(state.stage, state.round, seat, move))
        state = step(state, seat, move).state
    return planned


def plan_with_all_stages(state: State) -> list[Planned]:
    """A plan with every kind of decision that a game can have."""
    plans = (plan(state, seed) for seed in count())
    return next(
        planned
        for planned in plans
        if {one.stage for one in planned if one.round == ROUND} == STAGES
    )


@pytest.fixture
def game(site):
    """A game of four people that has just begun."""
    host, *others = [verified(name, time_zone="Europe/Vienna") for name in NAMES]
    now = timezone.now()
    game = tables.open_table(host=host, settings=table_settings(), now=now)
    Game.objects.filter(pk=game.pk).update(seed=1)
    for user in others:
        tables.join(game_id=game.pk, user=user, now=now)
    game.refresh_from_db()
    return game


def play_up_to_the_round(game: Game, planned: list[Planned]) -> list[Planned]:
    """Play what comes before, by the services; the rest of the plan."""
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    before = [one for one in planned if one.round < ROUND]
    for one in before:
        submit_move(game, users[one.seat], timezone.now(), one.move)
    game.refresh_from_db()
    assert game.decoded().round == ROUND
    return planned[len(before) :]


class Round:
    """A round being played: the game, who sits where, and what they are going to do."""

    def __init__(self, game: Game, players: dict[int, Player], planned: list[Planned]) -> None:
        self.game = game
        self.players = players
        self.users = {seat.number: seat.user for seat in game.seats.select_related("user")}
        self.planned = planned
        self.asked_together: set[Stage] = set()
        self._done: set[tuple[int, Stage]] = set()
        self._seen: set[Stage] = set()

    def play(self) -> None:
        while self.planned:
            self.play_next()

    def play_next(self) -> None:
        """The player to move moves; before and after, their page is right, once also another's."""
        one = self.planned.pop(0)
        if (one.seat, one.stage) in self._done:
            submit_move(self.game, self.users[one.seat], timezone.now(), one.move)
            return
        self._done.add((one.seat, one.stage))
        state = self.state()
        player = self.players[one.seat]
        player.open(self.game.get_absolute_url())
        assert player.page.title().startswith("(1) ")
        assert_board(player, state, one.seat)
        filled = self.filled(player, state, one)
        player.answer(filled)
        hand_in(player, one.stage, one.move)
        assert player.page.url.partition("#")[0].endswith(self.game.get_absolute_url())
        after = self.state()
        assert_board(player, after, one.seat)
        if one.stage in self._seen:
            return
        self._seen.add(one.stage)
        other = (one.seat + 1) % len(NAMES)
        self.players[other].open(self.game.get_absolute_url())
        assert_board(self.players[other], after, other)

    def filled(self, player: Player, state: State, one: Planned) -> dict[str, str]:
        """The form of the decision, and of the sending where it is made in the same go."""
        filled = fields_of(state, one.move)
        filled = {name: value for name, value in filled.items() if player.control(name).count()}
        if one.stage is Stage.SENDING or not player.control("send-scholar-1").count():
            return filled
        self.asked_together.add(one.stage)
        if self.planned and self.planned[0].stage is Stage.SENDING and self.leave_none():
            return filled | fields_of(state, self.planned.pop(0).move)
        return filled | {"send-later": "on"}

    def leave_none(self) -> bool:
        """Whether the sending may be joined: one is left to be made by itself."""
        return sum(one.stage is Stage.SENDING for one in self.planned) > 1

    def state(self) -> State:
        self.game.refresh_from_db()
        return self.game.decoded()


@pytest.mark.long(after=1)
@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_round_of_four_people_on_their_phones(game, site, chromium, javascript):
    beginning = game.decoded()
    planned = play_up_to_the_round(game, plan_with_all_stages(beginning))
    players = {}
    for name in NAMES:
        kind = KeyboardPlayer if name == "Boris" else Player
        player = kind(chromium, site, name, javascript=javascript)
        player.sign_in()
        players[seat_of(game, name).number] = player
    boris = seat_of(game, "Boris").number
    assert {one.stage for one in planned if one.seat == boris} & {Stage.HIRING, Stage.SENDING}

    playing = Round(game, players, planned)
    playing.play()

    assert playing.state().round == ROUND + 1
    assert playing.asked_together
    for player in players.values():
        assert player.watch.complaints == [], player.name
        player.context.close()
