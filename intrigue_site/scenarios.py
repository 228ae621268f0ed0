"""Sample games for the gallery and for tests: a table at every stage of a game.

The services make them, as if people had played.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Final, NamedTuple
from uuid import uuid4

from django.db import transaction

from games.engine import (
    COLOURS,
    Move,
    Stage,
    State,
    View,
    new_game,
    step,
    to_move,
    view,
)
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.forced import forced_move, sending_after
from games.models import Cause, Game, User, Vote
from games.services.chat import messages
from games.services.game import failures, seats, votes
from games.services.game.votes import Proposal
from games.services.game.writer import Writer
from games.services.lobby.settings import TableSettings
from games.services.operations.sample_games import SEED, open_table, seated

PLAYERS: Final = ("Ada", "Bruno", "Clio", "Dario", "Elisa")
SPECTATOR: Final = "Zoe"

UNSEEN_FOR: Final = timedelta(hours=26)
"""How long ago everybody last visited a scenario's table, before the last moves."""

LAST_MOVED: Final = timedelta(hours=2)
"""How long ago the last move of a scenario was made."""

CHAT: Final = (
    ("Ada", "Whoever helps me into the big {area} today can count on me tomorrow."),
    ("Bruno", "You said so yesterday, too, @Ada."),
)


@dataclass(frozen=True)
class Scenario:
    """A table worth looking at: its game gets to a state that is `wanted`.

    `moves_unseen` is how many of the last moves its people have not seen yet; None if this is
    their first visit. `after` changes the table by something other than a move; `readers` are those
    who look.
    """

    key: str
    title: str
    wanted: Callable[[State], bool]
    edition: str = "mayfair-2005"
    options: tuple[tuple[str, str | int | bool], ...] = ()
    size: int = 4
    moves_unseen: int | None = 3
    after: Callable[[Game, datetime], None] | None = None
    readers: tuple[str, ...] = ("awaited", "other", "spectator")


class PlayedMove(NamedTuple):
    """A move of a seat; `forced` where the rules leave it no choice."""

    seat: int
    move: Move
    forced: bool


def scenario(key: str) -> Scenario | None:
    return next((one for one in SCENARIOS if one.key == key), None)


def lay_out(wanted: Scenario, now: datetime) -> Game:
    """The table of a scenario, as if its people had played until two hours ago."""
    host, *others = [_person(name) for name in PLAYERS[: wanted.size]]
    settings = TableSettings(
        name="The Venice table",
        edition=wanted.edition,
        size=wanted.size,
        move_time=timedelta(hours=48),
        options=dict(wanted.options),
    )
    before, recently = now - UNSEEN_FOR, now - LAST_MOVED
    game = open_table(settings, host, *others, now=before, seed=SEED)
    table = game.decoded().table
    played = _moves_to(wanted, table.players[table.first])
    unseen = wanted.moves_unseen or 0
    _play(game, played[: len(played) - unseen], before)
    _chat(game, before)
    if wanted.moves_unseen is not None:
        for _, user in seated(game):
            messages.visited(game, user, before, last_event=game.events.count())
    _play(game, played[len(played) - unseen :], recently)
    if wanted.after is not None:
        wanted.after(game, recently)
    return Game.objects.select_related("host", "rematch_of").get(pk=game.pk)


def spectator() -> User:
    """Somebody who has no seat at the tables of the scenarios."""
    return _person(SPECTATOR)


def _person(name: str) -> User:
    known = User.objects.filter(name=name).first()
    return known or User.objects.create_user(
        email=f"{name.lower()}@gallery.example", name=name, time_zone="Europe/Vienna"
    )


@cache
def _moves_to(wanted: Scenario, first: str) -> tuple[PlayedMove, ...]:
    """The moves of computer players from the beginning to the first state that is wanted."""
    beginning = new_game(wanted.edition, dict(wanted.options), COLOURS[: wanted.size], first).state
    for seed in range(100):
        found = _search(wanted, beginning, Random(seed))  # noqa: S311 (a game, no secret)
        if found is not None:
            return found
    raise LookupError(f"No game came to {wanted.key}.")


def _search(wanted: Scenario, state: State, chance: Random) -> tuple[PlayedMove, ...] | None:
    played: list[PlayedMove] = []
    while not wanted.wanted(state) or _is_forced(state):
        if state.stage is Stage.OVER:
            return None
        seat = to_move(state)[0]
        seen = view(state, seat)
        forced = forced_move(seen)
        move = forced or COMPUTER_PLAYERS["courtier"](seen, chance.getrandbits(32))
        played.append(PlayedMove(seat, move, forced is not None))
        state = step(state, seat, move).state
    return tuple(played)


def _is_forced(state: State) -> bool:
    return any(forced_move(view(state, seat)) is not None for seat in to_move(state))


def _play(game: Game, played: Sequence[PlayedMove], now: datetime) -> None:
    """Play these moves at once."""
    if not played:
        return
    with transaction.atomic():
        writer = Writer(Game.objects.lock(game.pk), now)
        for seat, move, forced in played:
            writer.play(writer.seats[seat], move, Cause.RULES if forced else Cause.PLAYER)
        writer.commit()
    game.refresh_from_db()


def _chat(game: Game, now: datetime) -> None:
    area = game.decoded().table.edition.words.area
    for name, text in CHAT:
        said = text.format(area=area)
        messages.say(game_id=game.pk, user=_person(name), text=said, token=uuid4(), now=now)


def _somebody_leaves(game: Game, now: datetime) -> None:
    """The last player who is not to move steps aside."""
    *_, user = (user for seat, user in seated(game) if seat.deadline_at is None)
    seats.step_aside(game_id=game.pk, user=user, now=now)


def _park(game: Game, now: datetime) -> None:
    """The game fails, again and again."""
    while game.parked_at is None:
        failures.record_failure(game, RuntimeError(), now)
        game.refresh_from_db()


def _pause(game: Game, now: datetime) -> None:
    """The table has voted for a week without moves."""
    proposal = Proposal(Vote.Kind.PAUSE, amount=7)
    first, second, third, *_ = (user for _, user in seated(game))
    votes.call_vote(game_id=game.pk, user=first, proposal=proposal, now=now)
    for user in (second, third):
        votes.cast(game_id=game.pk, user=user, vote_id=game.votes.get().pk, yes=True, now=now)


def _call_a_vote(game: Game, now: datetime) -> None:
    proposal = Proposal(Vote.Kind.EXTEND, amount=24)
    user = seated(game)[0][1]
    votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=now)


def _guide(game: Game, _now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(guided=True)


def _first_to_move(state: State) -> View:
    return view(state, to_move(state)[0])


def _in_stage(stage: Stage, least_round: int = 2) -> Callable[[State], bool]:
    """States of this stage, with something on the board, and no sending joined to the decision."""

    def wanted(state: State) -> bool:
        if state.stage is not stage or state.round < least_round:
            return False
        return sending_after(_first_to_move(state)) is None

    return wanted


def _after_a_bribe(stage: Stage) -> Callable[[State], bool]:
    return lambda state: state.stage is stage and state.round > 1 and bool(state.paid)


def _one_is_sealed(state: State) -> bool:
    return bool(state.sealed) and len(to_move(state)) > 1


def _joined(state: State) -> bool:
    return (
        state.stage is not Stage.OVER
        and state.round > 1
        and sending_after(_first_to_move(state)) is not None
    )


def _may_pass(state: State) -> bool:
    choice = None if state.stage is not Stage.INTERNAL_BRIBES else _first_to_move(state).choice
    return bool(getattr(choice, "may_pass", ()))


def _full_board(state: State) -> bool:
    return state.round == 5 and state.stage is Stage.EXTERNAL_BRIBES


def _over(state: State) -> bool:
    return state.stage is Stage.OVER


NOBODY_TO_MOVE: Final = ("other", "spectator")

SCENARIOS: Final = (
    Scenario("first-visit", "The first page of a game", lambda _: True, moves_unseen=None),
    Scenario("uncontested-bribes", "A bribe without a rival", _in_stage(Stage.UNCONTESTED_BRIBES)),
    Scenario("placement", "The areas are given", _in_stage(Stage.PLACEMENT)),
    Scenario("external-bribes", "Rivals at the door", _after_a_bribe(Stage.EXTERNAL_BRIBES)),
    Scenario("hiring", "Whom to hire", _in_stage(Stage.HIRING), edition="russian"),
    Scenario(
        "internal-bribes",
        "A resident is challenged",
        _after_a_bribe(Stage.INTERNAL_BRIBES),
        edition="fx-schmid-1994",
    ),
    Scenario("judgement", "Who stays", _in_stage(Stage.JUDGEMENT), size=3),
    Scenario("sending", "Scholars are sent", _in_stage(Stage.SENDING), edition="reference-manual"),
    Scenario("joined", "The last decision, and the sending with it", _joined),
    Scenario(
        "sealed",
        "Sealed bribes, one is in",
        _one_is_sealed,
        edition="fx-schmid-1994",
        options=(("bribing", "simultaneous"),),
        size=5,
    ),
    Scenario("may-pass", "A bribe that may be nothing", _may_pass, edition="reference-manual"),
    Scenario(
        "full-board",
        "Five seats, late, with much money",
        _full_board,
        edition="fx-schmid-1994",
        size=5,
        moves_unseen=20,
    ),
    Scenario("absent", "Somebody is away", _in_stage(Stage.SENDING), after=_somebody_leaves),
    Scenario(
        "parked", "The game rests", _in_stage(Stage.HIRING), after=_park, readers=NOBODY_TO_MOVE
    ),
    Scenario(
        "paused", "The table pauses", _in_stage(Stage.HIRING), after=_pause, readers=NOBODY_TO_MOVE
    ),
    Scenario("vote", "The table votes", _in_stage(Stage.SENDING), after=_call_a_vote),
    Scenario("guided", "A guided first game", _in_stage(Stage.SENDING, 1), after=_guide),
    Scenario("over", "The game is over", _over, moves_unseen=6, readers=NOBODY_TO_MOVE),
)
