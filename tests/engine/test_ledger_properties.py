"""What holds for every ledger: random talk in random games of every edition, size and option."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import get_args

import pytest

from games.engine import Bribe, State, Step, encode_move
from games.engine.errors import BadPromise
from games.engine.events import BribesPaid, BribesSealed
from games.engine.ledger import Entry, Ledger, Status, follow, offer, reply
from games.engine.owed import undone_by_moves
from games.engine.promise_codec import encode_promise
from games.engine.promises import (
    Deed,
    GiveArea,
    Hire,
    IfBribed,
    Keep,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    SendNobody,
    SendScholar,
    Verdict,
    Win,
)
from games.engine.record import adjudicate, write_record
from tests.engine.playouts import PLAIN, SIZES, mixed_settings, play

pytestmark = pytest.mark.full

FORMS = get_args(Deed.__value__)
SETTINGS = [*PLAIN, *mixed_settings(40, seed=75)]
REPLIES = {Status.ACCEPTED: "accept", Status.DECLINED: "decline", Status.WITHDRAWN: "withdraw"}


def random_deed(
    chance: Random, state: State, seat: int, to: int, forms: Sequence[type] = FORMS
) -> Deed:
    """A promise of `seat`, of one of these forms, which often makes sense, and often does not."""
    edition = state.table.edition
    own, others = ([one for one in state.table.names if one.owner == who] for who in (seat, to))
    scholar = chance.choice(others)
    contenders = [one for one in state.contenders if one.owner == to]
    if contenders and chance.random() < 0.7:
        scholar = chance.choice(contenders)
    amount = chance.randint(1, 6) * edition.unit
    until = chance.randint(state.round, edition.rounds)
    occupation = chance.choice((None, chance.randrange(len(edition.occupations))))
    area = chance.choice(edition.areas)
    exactly = chance.random() < 0.5
    deeds: dict[type, Deed] = {
        Hire: Hire(scholar),
        Win: Win(scholar),
        PlaceIn: PlaceIn(scholar, area if exactly else None, None if exactly else area),
        Keep: Keep(scholar, until),
        SendNobody: SendNobody(occupation, until),
        SendScholar: SendScholar(occupation),
        Pay: Pay(chance.choice((None, chance.choice(own))), amount),
        PayAtMost: PayAtMost(chance.choice(own), amount),
        GiveArea: GiveArea(area),
    }
    return deeds[chance.choice(forms)]


def random_promise(
    chance: Random, state: State, forms: Sequence[type] = FORMS
) -> tuple[int, Promise]:
    seat, to = chance.sample(range(len(state.table.players)), 2)
    if state.active is not None and chance.random() < 0.5:
        seat, to = (
            state.active,
            chance.choice([one for one in range(len(state.table.players)) if one != state.active]),
        )
    promise = promise_between(chance, state, seat, to, forms)
    return chance.choice((seat, to)), promise


def promise_between(
    chance: Random, state: State, seat: int, to: int, forms: Sequence[type] = FORMS
) -> Promise:
    """What `seat` might promise `to`: for a bribe, for a promise in return or for nothing."""
    deed = random_deed(chance, state, seat, to, forms)
    condition = None
    if chance.random() < 0.4:
        scholar = getattr(deed, "scholar", None) or chance.choice(list(state.table.names))
        condition = IfBribed(scholar, chance.randint(1, 6) * state.table.edition.unit)
    elif chance.random() < 0.3:
        condition = random_deed(chance, state, to, seat, forms)
    return Promise(seat, to, deed, condition)


class Chatter:
    """A game in which random things are offered and replied to before every move."""

    def __init__(self, beginning: Step, seed: int) -> None:
        self.chance = Random(seed)
        self.table = beginning.state.table
        self.seen: list[Ledger] = [()]
        self.entries: list[dict[str, object]] = []
        self.moves: list[dict[str, object]] = []
        self.refused = 0
        for before, seat, move, made, _ in play(beginning, seed):
            self.negotiate(before)
            self.moves.append(encode_move(self.table, seat, move))
            self.seen.append(follow(self.ledger, before, made.events))

    @property
    def ledger(self) -> Ledger:
        return self.seen[-1]

    def negotiate(self, state: State) -> None:
        for _ in range(3):
            by, promise = random_promise(self.chance, state)
            try:
                self.seen.append(offer(self.ledger, state, by, promise))
            except BadPromise:
                self.refused += 1
                continue
            terms = {"id": len(self.ledger), **encode_promise(self.table, by, promise)}
            self.say("offer", by, terms)
        for entry in self.ledger:
            if entry.status is Status.OPEN and self.chance.random() < 0.5:
                given = self.chance.choice((Status.ACCEPTED, Status.ACCEPTED, *REPLIES))
                seat = entry.by if given is Status.WITHDRAWN else entry.other
                self.seen.append(reply(self.ledger, seat, entry.id, given))
                self.say(REPLIES[given], seat, {"id": entry.id})

    def say(self, kind: str, seat: int, terms: dict[str, object]) -> None:
        player = self.table.players[seat]
        self.entries.append({"after": len(self.moves), "player": player, "type": kind, **terms})


EVERYWHERE = pytest.mark.parametrize(("number", "setting"), [*enumerate(SETTINGS)], ids=str)


def how_it_stands(entry: Entry) -> tuple[str, ...]:
    return (entry.status.value, entry.verdict.value, entry.condition.value)


@pytest.mark.long(every=2)
@EVERYWHERE
def test_every_promise_ends_exactly_once(number, setting):
    """Nothing is left open or pending at the end, and what is settled never changes."""
    game = Chatter(setting.begin("red"), number)
    assert all(entry.is_settled for entry in game.ledger)
    for earlier, later in zip(game.seen, game.seen[1:], strict=False):
        for old, new in zip(earlier, later, strict=False):
            assert not old.is_settled or old == new
            assert (old.id, old.by, old.promise) == (new.id, new.by, new.promise)


@pytest.mark.long(every=2)
@EVERYWHERE
def test_a_record_leads_to_the_same_ledger(number, setting):
    game = Chatter(setting.begin("red"), number)
    record = write_record(game.table, game.moves)
    silent, _ = adjudicate(record)
    result, moves = adjudicate(record | {"promises": game.entries})
    verdicts = result.pop("promises")
    assert result == silent
    assert moves == len(game.moves)
    for entry, verdict in zip(game.ledger, verdicts, strict=True):
        is_accepted = entry.status is Status.ACCEPTED
        assert verdict["verdict"] == (entry.verdict if is_accepted else entry.status).value
        assert ("in_return" in verdict) == (is_accepted and entry.promise.in_return() is not None)
        if "in_return" in verdict:
            assert verdict["in_return"]["verdict"] == entry.condition.value
        by_hand = entry.status in {Status.DECLINED, Status.WITHDRAWN}
        assert (verdict["move"] is None) == by_hand


@EVERYWHERE
def test_nobodys_cash_changes_what_is_refused_or_judged(number, setting):
    """Two states that differ only in money lead to the same refusals and ledgers."""
    beginning = setting.begin("red")
    chance = Random(number)
    ledger: Ledger = ()
    for before, _, _, made, _ in play(beginning, number):
        rich = before._replace(cash=tuple(10**9 + seat for seat in before.cash))
        by, promise = random_promise(chance, before)
        results = []
        for state in (before, rich):
            try:
                results.append(offer(ledger, state, by, promise))
            except BadPromise as refusal:
                results.append(str(refusal))
        assert results[0] == results[1]
        if isinstance(results[0], tuple):
            other = results[0][-1].other
            ledger = reply(results[0], other, len(results[0]), Status.ACCEPTED)
        followed = follow(ledger, before, made.events)
        assert followed == follow(ledger, rich, made.events)
        ledger = followed


def just_broken(before: Ledger, after: Ledger) -> list[Promise]:
    """The promises of which the later ledger is the first to say that they are broken."""
    return just_judged(before, after, Verdict.BROKEN)


def just_void(before: Ledger, after: Ledger) -> list[Promise]:
    return just_judged(before, after, Verdict.VOID)


def just_judged(before: Ledger, after: Ledger, verdict: Verdict) -> list[Promise]:
    judged = []
    for old, new in zip(before, after, strict=True):
        if verdict is new.verdict is not old.verdict:
            judged.append(new.promise)
        in_return = new.promise.in_return()
        if in_return and verdict is new.condition is not old.condition:
            judged.append(in_return)
    return judged


@pytest.mark.long(every=2)
@EVERYWHERE
def test_what_a_move_breaks_is_known_before_it_is_made(number, setting):
    """Of sealed bribes, at the latest when they are handed in, whatever the others have sealed."""
    chance = Random(number)
    ledger: Ledger = ()
    sealed: list[Promise] = []
    for before, seat, move, made, _ in play(setting.begin("red"), number):
        by, promise = random_promise(chance, before)
        with suppress(BadPromise):
            offered = offer(ledger, before, by, promise)
            ledger = reply(offered, offered[-1].other, len(offered), Status.ACCEPTED)
        foreseen, unmet = undone_by_moves(ledger, before, seat, [move])
        after = follow(ledger, before, made.events)
        assert {one.to for one in unmet} <= {seat}
        if isinstance(move, Bribe) and any(isinstance(one, BribesSealed) for one in made.events):
            others = [[(one, 7) for one, _ in bribes] for _seat, bribes in before.sealed]
            twin = before._replace(
                sealed=tuple(
                    kept._replace(bribes=tuple(changed))
                    for kept, changed in zip(before.sealed, others, strict=True)
                )
            )
            assert undone_by_moves(ledger, twin, seat, [move]) == (foreseen, unmet)
            sealed += foreseen
            if any(isinstance(one, BribesPaid) for one in made.events):
                assert set(just_broken(ledger, after)) <= set(sealed)
                sealed.clear()
        else:
            assert [one for one in just_broken(ledger, after) if one.seat == seat] == foreseen
            assert set(unmet) <= set(just_void(ledger, after))
        ledger = after


def test_the_negotiations_reach_every_verdict_of_every_form_in_every_edition():
    """Otherwise the properties above would say nothing about it."""
    found: Counter[tuple[str, str, str]] = Counter()
    for setting in PLAIN:
        for seed in range(8):
            for entry in Chatter(setting.begin("red"), 1000 + seed).ledger:
                form = type(entry.promise.deed).__name__
                kept = entry.status is Status.ACCEPTED
                outcome = (entry.verdict if kept else entry.status).value
                found[setting.edition, form, outcome] += 1
    missing = [
        (edition, form.__name__, verdict)
        for edition in {setting.edition for setting in PLAIN}
        for form in FORMS
        for verdict in ("kept", "broken", "void", "lapsed")
        if not found[edition, form.__name__, verdict]
    ]
    assert missing == []
    assert {setting.players for setting in PLAIN} == set(SIZES)
