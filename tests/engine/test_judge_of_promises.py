"""The ledger and `adjudicate` against a judge of our own, in random games with random talk.

Every edition, size, option and kind of bribing, free promises and binding ones, all forms, with a
bribe, for each other and bare.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.engine import (
    COLOURS,
    EDITIONS,
    Default,
    IllegalMove,
    Move,
    State,
    encode_move,
    new_game,
    to_move,
    view,
)
from games.engine.binding import accept, default_within, step_within
from games.engine.errors import BadPromise
from games.engine.ledger import Ledger, Status, follow, offer, reply
from games.engine.promise_codec import REPLIES, encode_promise
from games.engine.promises import IfBribed, Promise
from games.engine.record import adjudicate, write_record
from tests.engine.judge_of_promises import ACCEPTED, OwnJudge
from tests.engine.playouts import SIZES, random_options, wild_move
from tests.engine.test_ledger_properties import FORMS, random_promise

PARTS, IN_A_PART = 10, 500
"""The first one is always played, all of them in full: 5,000 games."""

LEAST_IN_A_PART = 5
"""How often each form must have ended in each way, so in full at least fifty times."""

ENDS = ("kept", "broken", "void", "lapsed")
KINDS = ("bare", "for a bribe", "for each other")


class Talkative:
    """A game in which anybody may promise anything before every move, followed by both judges."""

    def __init__(self, number: int) -> None:
        self.chance = chance = Random(number)
        edition = chance.choice(tuple(EDITIONS))
        options: dict[str, Any] = random_options(edition, chance)
        options["rounds"] = chance.choice((1, 2, 2, 3, 3, 4))
        options["bribing"] = ("sequential", "simultaneous")[number % 2]
        options["promises"] = ("free", "free", "binding")[number % 3]
        colours = COLOURS[: chance.choice(SIZES)]
        self.state: State = new_game(edition, options, colours, chance.choice(colours)).state
        self.table = self.state.table
        self.own = OwnJudge()
        self.ledger: Ledger = ()
        self.moves: list[Any] = []
        self.entries: list[Any] = []
        self.wrong: list[str] = []
        while waiting := to_move(self.state):
            for _ in range(chance.choice((0, 1, 2))):
                self.negotiated_at()
            self.play(chance.choice(waiting))

    def negotiated_at(self) -> None:
        by, promise = random_promise(self.chance, self.state)
        try:
            self.ledger = offer(self.ledger, self.state, by, promise)
        except BadPromise as refusal:
            if refusal.code == "only" and not self.own.forbids(promise, self.state):
                self.wrong.append(f"{promise} was refused: {refusal}")
        else:
            if self.own.forbids(promise, self.state):
                self.wrong.append(f"{promise} wasn't refused")
            self.own.offered(by, promise)
            terms = encode_promise(self.table, by, promise)
            self.say("offer", by, id=len(self.ledger), **terms)
        for entry in self.ledger:
            if entry.status is Status.OPEN and self.chance.random() < 0.5:
                given = self.chance.choice((*[Status.ACCEPTED] * 8, *map(Status, REPLIES)))
                self.reply(entry.by if given is Status.WITHDRAWN else entry.other, entry.id, given)

    def reply(self, seat: int, number: int, given: Status) -> None:
        try:
            if given is Status.ACCEPTED:
                self.ledger = accept(self.ledger, self.state, seat, number)
            else:
                self.ledger = reply(self.ledger, seat, number, given)
        except BadPromise as refusal:
            if refusal.code != "binding":
                raise
            return
        self.own.replied(number, given.value)
        self.say(REPLIES[given.value], seat, id=number)

    def say(self, kind: str, seat: int, **in_record: Any) -> None:
        player = self.table.players[seat]
        self.entries.append({"after": len(self.moves), "player": player, "type": kind, **in_record})

    def play(self, seat: int) -> None:
        before = self.state
        move, made = self.chosen(seat)
        self.own.moved(before, seat, move, made.state)
        self.ledger = follow(self.ledger, before, made.events)
        self.moves.append(encode_move(self.table, seat, move))
        self.state = made.state

    def chosen(self, seat: int) -> tuple[Move, Any]:
        """A move that no binding promise forbids; now and then the default."""
        choice = view(self.state, seat).choice
        assert choice is not None
        for _ in range(3):
            move = wild_move(choice, self.chance) if self.chance.random() < 0.95 else Default()
            if isinstance(move, Default):
                break
            try:
                return move, step_within(self.ledger, self.state, seat, move)
            except IllegalMove as refusal:
                if refusal.code != "promise":
                    raise
        default = default_within(self.ledger, self.state, seat)
        return default, step_within(self.ledger, self.state, seat, default)

    def disagreements(self) -> list[str]:
        """Where the engine, its ledger or `adjudicate` says something else than our own judge."""
        record = write_record(self.table, self.moves)
        result, _ = adjudicate(record | {"promises": self.entries})
        return self.wrong + [
            f"{entry.promise}: {entry.status} {entry.verdict} {entry.condition}, told {in_record}; "
            f"our judge: {case.in_record} by the moves {case.moves}"
            for entry, case, in_record in zip(
                self.ledger, self.own.cases, result["promises"], strict=True
            )
            if (how := _in_record(in_record)) != (*case.in_record, *case.moves)
            or how[:2] != _stands(entry)
        ]


def _in_record(in_record: dict[str, Any]) -> tuple[Any, ...]:
    back = in_record.get("in_return", {})
    return in_record["verdict"], back.get("verdict"), in_record["move"], back.get("move")


def _stands(entry: Any) -> tuple[str, str | None]:
    if entry.status is not Status.ACCEPTED:
        return entry.status.value, None
    back = entry.condition.value if entry.promise.in_return() is not None else None
    return entry.verdict.value, back


def kind_of(promise: Promise) -> str:
    if promise.condition is None:
        return "bare"
    return "for a bribe" if isinstance(promise.condition, IfBribed) else "for each other"


def ends_of(game: Talkative) -> Counter[tuple[str, str]]:
    """How often each form of promise has ended in each way."""
    found: Counter[tuple[str, str]] = Counter()
    for case in game.own.cases:
        parts = ((case.promise, case.in_record[0]), (case.returned, case.in_record[1]))
        for promise, end in parts:
            if promise is not None and end is not None:
                found[type(promise.deed).__name__, end] += 1
        if case.status == ACCEPTED:
            found[kind_of(case.promise), case.verdict] += 1
    return found


@pytest.mark.long(after=4)
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.full) for part in range(1, PARTS))]
)
def test_the_ledger_and_the_record_agree_with_our_judge(part):
    found: Counter[tuple[str, str]] = Counter()
    for number in range(part * IN_A_PART, (part + 1) * IN_A_PART):
        game = Talkative(number)
        assert game.disagreements() == [], f"game {number}"
        found.update(ends_of(game))
    seldom = {
        (form.__name__, end): found[form.__name__, end]
        for form in FORMS
        for end in ENDS
        if found[form.__name__, end] < LEAST_IN_A_PART
    }
    seldom |= {
        (kind, end): found[kind, end]
        for kind in KINDS
        for end in ENDS[:-1]
        if found[kind, end] < LEAST_IN_A_PART
    }
    assert seldom == {}
