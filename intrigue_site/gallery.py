"""Tables at every stage of a game, for those who work on the pages. Only `bin/dev` shows them.

A table is laid out with the services, as if people had played, and thrown away again once its page
is made: nothing stays in the database.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Final, NamedTuple
from uuid import uuid4

from django.db import connection, transaction

from games.engine import COLOURS, Move, Stage, State, View, awaited, new_game, step, view
from games.engine.forced import forced_move, sending_after
from games.engine.houses import HOUSE_PLAYERS
from games.models import Cause, Game, Seat, User, Vote
from games.services.chat import messages
from games.services.game import seats, votes
from games.services.game.votes import Proposal
from games.services.game.writer import Writer
from games.services.lobby import tables
from games.services.lobby.settings import TableSettings

PLAYERS: Final = ("Ada", "Bruno", "Clio", "Dario", "Elisa")
SPECTATOR: Final = "Zoe"
SEED: Final = 5
"""By which the seats are drawn, the same each time."""

AWAY: Final = timedelta(hours=26)
"""How long everybody was away before the last moves."""

SINCE: Final = timedelta(hours=2)
"""How long ago the last move was made."""

SAID: Final = (
    ("Ada", "Who helps me into the big {area} today can count on me tomorrow."),
    ("Bruno", "You said so yesterday, too, @Ada."),
)


@dataclass(frozen=True)
class Case:
    """A table worth looking at: whose game gets to a state that is `wanted`.

    `moves_away` is how many of the last moves its people have not seen yet; None where it is their
    first visit. `after` does to the table what is no move; `readers` are those who look.
    """

    key: str
    title: str
    wanted: Callable[[State], bool]
    edition: str = "mayfair-2005"
    options: tuple[tuple[str, str | int | bool], ...] = ()
    size: int = 4
    moves_away: int | None = 3
    after: Callable[[Game, datetime], None] | None = None
    readers: tuple[str, ...] = ("awaited", "other", "spectator")


class Played(NamedTuple):
    """A move of a seat; `forced` where the rules leave it no choice."""

    seat: int
    move: Move
    forced: bool


def case_named(key: str) -> Case | None:
    return next((case for case in CASES if case.key == key), None)


@contextmanager
def nothing_stays() -> Iterator[None]:
    """Whatever the block writes is rolled back, also what its services commit."""
    transaction.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            # Frames of a page are laid out at once, with the same people: one waits for another.
            cursor.execute("SET LOCAL lock_timeout = '30s'")
        yield
    finally:
        transaction.rollback()
        transaction.set_autocommit(True)


def lay_out(case: Case, now: datetime) -> Game:
    """The table of a case, as if its people had played until two hours ago.

    Only inside `nothing_stays`.
    """
    game = _full_table(case, now - AWAY)
    moves = _moves_to(case, _first_colour(game))
    unseen = case.moves_away or 0
    _play(game, moves[: len(moves) - unseen], now - AWAY)
    _talk(game, now - AWAY)
    if case.moves_away is not None:
        for _, user in _seated(game):
            messages.visited(game, user, now - AWAY, last_event=game.events.count())
    _play(game, moves[len(moves) - unseen :], now - SINCE)
    if case.after is not None:
        case.after(game, now - SINCE)
    return Game.objects.select_related("host", "again_of").get(pk=game.pk)


def readers(game: Game) -> dict[str, User]:
    """Somebody who is awaited, another player and a spectator, where there are such."""
    asked = [user for seat, user in _seated(game) if seat.deadline_at is not None]
    others = [user for seat, user in _seated(game) if seat.deadline_at is None]
    found = {"awaited": asked[:1], "other": others[:1], "spectator": [_person(SPECTATOR)]}
    return {reader: user for reader, users in found.items() for user in users}


def _seated(game: Game) -> list[tuple[Seat, User]]:
    """Who sits there and is not away, in order of the seats."""
    seats_taken = game.seats.filter(absent_since=None).select_related("user")
    return [(seat, seat.user) for seat in seats_taken if seat.user is not None]


def _person(name: str) -> User:
    known = User.objects.filter(name=name).first()
    return known or User.objects.create_user(
        email=f"{name.lower()}@gallery.example", name=name, time_zone="Europe/Vienna"
    )


def _full_table(case: Case, now: datetime) -> Game:
    """A game that has just begun."""
    host, *others = [_person(name) for name in PLAYERS[: case.size]]
    settings = TableSettings(
        name="The Venice table",
        edition=case.edition,
        size=case.size,
        answer_time=timedelta(hours=48),
        options=dict(case.options),
    )
    game = tables.open_table(host=host, settings=settings, now=now)
    Game.objects.filter(pk=game.pk).update(seed=SEED)
    for user in others:
        tables.join(game_id=game.pk, user=user, now=now)
    game.refresh_from_db()
    return game


def _first_colour(game: Game) -> str:
    table = game.decoded().table
    return table.players[table.first]


@cache
def _moves_to(case: Case, first: str) -> tuple[Played, ...]:
    """The moves of house players from the beginning to the first state that is wanted."""
    beginning = new_game(case.edition, dict(case.options), COLOURS[: case.size], first).state
    for seed in range(100):
        found = _search(case, beginning, Random(seed))  # noqa: S311 (a game, no secret)
        if found is not None:
            return found
    raise LookupError(f"No game came to {case.key}.")


def _search(case: Case, state: State, chance: Random) -> tuple[Played, ...] | None:
    played: list[Played] = []
    while not case.wanted(state) or _is_forced(state):
        if state.stage is Stage.OVER:
            return None
        seat = awaited(state)[0]
        seen = view(state, seat)
        forced = forced_move(seen)
        move = forced or HOUSE_PLAYERS["courtier"](seen, chance.getrandbits(32))
        played.append(Played(seat, move, forced is not None))
        state = step(state, seat, move).state
    return tuple(played)


def _is_forced(state: State) -> bool:
    return any(forced_move(view(state, seat)) is not None for seat in awaited(state))


def _play(game: Game, moves: Sequence[Played], now: datetime) -> None:
    if not moves:
        return
    with transaction.atomic():
        writer = Writer(Game.objects.lock(game.pk), now)
        for seat, move, forced in moves:
            writer.play(writer.seats[seat], move, Cause.RULES if forced else Cause.PLAYER)
        writer.commit()
    game.refresh_from_db()


def _talk(game: Game, now: datetime) -> None:
    area = game.decoded().table.edition.words.area
    for name, text in SAID:
        said = text.format(area=area)
        messages.say(game_id=game.pk, user=_person(name), text=said, token=uuid4(), now=now)


def _somebody_leaves(game: Game, now: datetime) -> None:
    """Who is not asked and sits last steps aside."""
    *_, user = (user for seat, user in _seated(game) if seat.deadline_at is None)
    seats.step_aside(game_id=game.pk, user=user, now=now)


def _park(game: Game, now: datetime) -> None:
    game.seats.update(deadline_at=None)
    Game.objects.filter(pk=game.pk).update(parked_at=now, deadline_at=None, error="Out of order")


def _pause(game: Game, now: datetime) -> None:
    """The table has voted for a week without moves."""
    proposal = Proposal(Vote.Kind.PAUSE, amount=7)
    first, second, third, *_ = (user for _, user in _seated(game))
    votes.call_vote(game_id=game.pk, user=first, proposal=proposal, now=now)
    for user in (second, third):
        votes.cast(game_id=game.pk, user=user, vote_id=game.votes.get().pk, yes=True, now=now)


def _ask_the_table(game: Game, now: datetime) -> None:
    proposal = Proposal(Vote.Kind.EXTEND, amount=24)
    user = _seated(game)[0][1]
    votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=now)


def _guide(game: Game, _now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(guided=True)


def _asked(state: State) -> View:
    return view(state, awaited(state)[0])


def _in_stage(stage: Stage, least_round: int = 2) -> Callable[[State], bool]:
    """States of this stage, with something on the board, and nothing else asked with it."""

    def wanted(state: State) -> bool:
        if state.stage is not stage or state.round < least_round:
            return False
        return sending_after(_asked(state)) is None

    return wanted


def _after_a_bribe(stage: Stage) -> Callable[[State], bool]:
    return lambda state: state.stage is stage and state.round > 1 and bool(state.paid)


def _handed_in(state: State) -> bool:
    return bool(state.sealed) and len(awaited(state)) > 1


def _joined(state: State) -> bool:
    return (
        state.stage is not Stage.OVER
        and state.round > 1
        and sending_after(_asked(state)) is not None
    )


def _may_pass(state: State) -> bool:
    choice = None if state.stage is not Stage.INTERNAL_BRIBES else _asked(state).choice
    return bool(getattr(choice, "may_pass", ()))


def _full_board(state: State) -> bool:
    return state.round == 5 and state.stage is Stage.EXTERNAL_BRIBES


def _over(state: State) -> bool:
    return state.stage is Stage.OVER


NOBODY_ASKED: Final = ("other", "spectator")

CASES: Final = (
    Case("first-visit", "The first page of a game", lambda _: True, moves_away=None),
    Case("uncontested-bribes", "A bribe without a rival", _in_stage(Stage.UNCONTESTED_BRIBES)),
    Case("placement", "The areas are given", _in_stage(Stage.PLACEMENT)),
    Case("external-bribes", "Rivals at the door", _after_a_bribe(Stage.EXTERNAL_BRIBES)),
    Case("hiring", "Whom to hire", _in_stage(Stage.HIRING), edition="russian"),
    Case(
        "internal-bribes",
        "A resident is challenged",
        _after_a_bribe(Stage.INTERNAL_BRIBES),
        edition="fx-schmid-1994",
    ),
    Case("judgement", "Who stays", _in_stage(Stage.JUDGEMENT), size=3),
    Case("sending", "Scholars are sent", _in_stage(Stage.SENDING), edition="reference-manual"),
    Case("joined", "The last decision, and the sending with it", _joined),
    Case(
        "sealed",
        "Sealed bribes, one is in",
        _handed_in,
        edition="fx-schmid-1994",
        options=(("bribing", "simultaneous"),),
        size=5,
    ),
    Case("may-pass", "A bribe that may be nothing", _may_pass, edition="reference-manual"),
    Case(
        "full-board",
        "Five seats, late, with much money",
        _full_board,
        edition="fx-schmid-1994",
        size=5,
        moves_away=20,
    ),
    Case("absent", "Somebody is away", _in_stage(Stage.SENDING), after=_somebody_leaves),
    Case("parked", "The game rests", _in_stage(Stage.HIRING), after=_park, readers=NOBODY_ASKED),
    Case("paused", "The table pauses", _in_stage(Stage.HIRING), after=_pause, readers=NOBODY_ASKED),
    Case("vote", "The table votes", _in_stage(Stage.SENDING), after=_ask_the_table),
    Case("guided", "A guided first game", _in_stage(Stage.SENDING, 1), after=_guide),
    Case("over", "The game is over", _over, moves_away=6, readers=NOBODY_ASKED),
)
