"""Whole games through the services against our own judge: what was judged, why, and for whom.

People promise each other things, in front of all and privately; they move, leave orders, let
deadlines pass, step aside, come back, and are replaced; moderators rewind. What counts for whom is
worked out from the moves that stand, the judge, and who sat there.
"""

import contextlib
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

import pytest

from games.engine import BRIBING, EDITIONS, Bribe, Scholar, State, decode_move
from games.engine.binding import view_within
from games.engine.errors import BadPromise
from games.engine.ledger import Status, offer
from games.engine.orders import HighestBribes, PayAmount
from games.engine.promises import Promise
from games.engine.record import adjudicate, play, read_record, write_record
from games.models import Cause, Event, Game, Miss, Move, PrivateMessage, Sitting, User
from games.services.chat.promises import reply_to_offer
from games.services.game import orders, seats
from games.services.game import rewind as game_rewind
from games.services.game.offers import stored_offers
from games.services.game.records import game_record
from games.services.game.replay import event_rows, steps_of
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.operations import clock
from games.services.refused import Refused
from tests.engine.judge_of_promises import ACCEPTED, BROKEN, KEPT, OPEN, PENDING, Case, OwnJudge
from tests.engine.playouts import wild_move
from tests.engine.test_ledger_properties import random_promise
from tests.support.client import person
from tests.support.promising import offers
from tests.support.tables import MONDAY, answer, open_table, tick
from tests.support.whispering import offers_privately

pytestmark = pytest.mark.django_db

HANDS = (Cause.PLAYER, Cause.SUBSTITUTE)
ACTIONS = {
    "talk": 34, "move": 40, "order": 6, "deadline": 5, "leave": 2, "return": 4, "sit": 4,
    "rewind": 2,
}  # fmt: skip


class Said(NamedTuple):
    """An offer, or (`number`) a reply to that one, when so many moves stood.

    `seq` is the number of the last event of the game then; `made_at` names the offer.
    """

    after: int
    seq: int
    by: int
    made_at: int
    promise: Promise | None = None
    among: str = ""
    given: Status | None = None


class Evening:
    """A game that is played to its end, with a note of all that was said."""

    def __init__(self, number: int) -> None:
        self.chance = chance = Random(number)
        self.now = MONDAY
        people = ("Anna", "Boris", "Clara", "Dora")[: chance.choice((3, 3, 4))]
        names = [f"{name}{number}" for name in people]
        options = {
            "bribing": ("sequential", "simultaneous")[number % 2],
            "promises": ("free", "free", "binding")[number % 3],
            "rounds": 2 + number % 2,
        }
        self.game = open_table(
            *names,
            seed=number,
            options=options,
            edition=chance.choice(tuple(EDITIONS)),
            press="private",
            threads_published=True,
            absent_player=chance.choice(("default", "courtier")),
        )
        self.said: list[Said] = []
        self.newcomers = 0
        while self.game.status == Game.Status.RUNNING:
            self.now += timedelta(minutes=1)
            tick(self.now)
            [action] = chance.choices(list(ACTIONS), weights=list(ACTIONS.values()))
            with contextlib.suppress(Refused, BadPromise):
                getattr(self, f"do_{action}")()
            self.game.refresh_from_db()

    @property
    def state(self) -> State:
        return self.game.decoded()

    @property
    def present(self) -> dict[int, User]:
        """Who is waited for, by the number of the seat."""
        rows = self.game.seats.filter(user__isnull=False, absent_since=None)
        return {seat.number: seat.user for seat in rows.select_related("user")}

    def stands(self) -> tuple[int, int]:
        """How many moves stand, and the number of the last event."""
        return self.game.moves.filter(abandoned=False).count(), self.game.events.latest("seq").seq

    def do_talk(self) -> None:
        by, promise = random_promise(self.chance, self.state)
        after, seq = self.stands()
        if by in self.present:
            offer((), self.state, by, promise)
            private = self.chance.random() < 0.35
            made_at, among = self.offered(by, promise, private=private)
            if made_at:
                self.said.append(Said(after, seq, by, made_at, promise, among))
        for one in self.open_offers():
            if self.chance.random() < 0.6:
                self.reply(one)

    def offered(self, by: int, promise: Promise, *, private: bool) -> tuple[int, str]:
        """The number of the offer, 0 where the same one was open already, and its thread."""
        known = {(one.made_at, one.among) for one in self.said}
        if private:
            said = offers_privately(self.game, by, promise, now=self.now)
            told = said.number, said.thread.token
        else:
            told = offers(self.game, by, promise, now=self.now), ""
        return told if told not in known else (0, "")

    def open_offers(self) -> list[Said]:
        replied = {(one.made_at, one.among) for one in self.said if one.given}
        made = [one for one in self.said if one.promise is not None]
        return [one for one in made if (one.made_at, one.among) not in replied]

    def reply(self, made: Said) -> None:
        assert made.promise is not None
        given = self.chance.choice((*[Status.ACCEPTED] * 6, Status.DECLINED, Status.WITHDRAWN))
        other = made.promise.to if made.by == made.promise.seat else made.promise.seat
        seat = made.by if given is Status.WITHDRAWN else other
        after, seq = self.stands()
        if (user := self.present.get(seat)) is None:
            return
        try:
            reply_to_offer(
                game_id=self.game.pk, user=user, made_at=made.made_at, given=given, now=self.now,
                among=made.among,
            )  # fmt: skip
        except Refused:  # it has lapsed, or would leave no legal choice
            return
        self.said.append(Said(after, seq, seat, made.made_at, among=made.among, given=given))
        self.game.refresh_from_db()

    def do_move(self) -> None:
        asked = list(self.game.seats.filter(deadline_at__isnull=False).select_related("user"))
        seat = self.chance.choice(asked)
        seen = view_within(
            stored_offers(self.game, self.state.table).ledger, self.state, seat.number
        )
        assert seen.choice is not None
        move = wild_move(seen.choice, self.chance)
        if not answer(self.game, seat.user, self.now, move).played:
            answer(self.game, seat.user, self.now, seen.default)

    def do_order(self) -> None:
        seat, user = self.chance.choice(list(self.present.items()))
        table = self.state.table
        doors = [one for door in self.state.applicants for one in door if one.owner == seat]
        scholar: Scholar | None = self.chance.choice([*doors, None])
        amount = self.chance.randint(1, 6) * table.edition.unit
        order = HighestBribes() if scholar is None else PayAmount(amount)
        orders.leave_order(
            game_id=self.game.pk, user=user, scholar=scholar, order=order,
            wait_if_addressed=False, now=self.now,
        )  # fmt: skip

    def do_deadline(self) -> None:
        if self.game.deadline_at is not None:
            self.now = max(self.now, self.game.deadline_at + timedelta(seconds=1))
            tick(self.now)
            clock.sweep(now=self.now)

    def do_leave(self) -> None:
        if len(self.present) > 1:
            user = self.chance.choice(list(self.present.values()))
            seats.step_aside(game_id=self.game.pk, user=user, now=self.now)

    def do_return(self) -> None:
        away = self.game.seats.exclude(absent_since=None).exclude(user=None)
        for seat in away.select_related("user"):
            seats.come_back(game_id=self.game.pk, user=seat.user, now=self.now)

    def do_sit(self) -> None:
        seat = self.game.seats.exclude(absent_since=None).first()
        if seat is not None:
            self.newcomers += 1
            user = person(f"Newcomer{self.newcomers}of{self.game.pk}")
            seats.take_over(game_id=self.game.pk, number=seat.number, user=user, now=self.now)

    def do_rewind(self) -> None:
        places = list(enumerate(game_rewind.boundaries(self.game, event_rows(self.game))))[-9:]
        if places and len(self.game.events.filter(kind="Rewound")) < 3:
            stood, boundary = self.chance.choice(places)
            writer = Writer(Game.objects.lock(self.game.pk), self.now)
            game_rewind.rewind(writer, boundary.seq, Cause.MODERATOR)
            writer.go_on()
            writer.commit()
            self.said = [one for one in self.said if one.after < stood]


class Agreed(NamedTuple):
    """An offer of the game as our judge sees it, and the event behind which it was accepted."""

    made: Said
    case: Case
    accepted: int


class Sessions:
    """Who sat where, by the numbers of events, and whether they were waited for."""

    def __init__(self, game: Game) -> None:
        kinds = ("SeatAbsent", "SeatReturned", "SubstituteSat")
        self.told = list(game.events.filter(kind__in=kinds).order_by("seq"))

    def at(self, seat: int, seq: int) -> tuple[int, bool]:
        """How many substitutes have sat there up to an event, and whether somebody is there."""
        sat, present = 0, True
        for event in self.told:
            if event.payload["seat"] == seat and event.seq <= seq:
                sat += event.kind == "SubstituteSat"
                present = event.kind != "SeatAbsent"
        return sat, present


class Judged:
    """A game that is over, judged by our own judge from the moves that stand and what was said."""

    def __init__(self, evening: Evening) -> None:
        self.game, self.table = evening.game, evening.state.table
        self.rows = list(self.game.moves.filter(abandoned=False).order_by("pk"))
        told = [row.move for row in self.rows]
        self.states = [made.state for made in play(read_record(write_record(self.table, told)))]
        self.moves = [decode_move(self.table, move) for move in told]
        # The last event of each move, and of what followed by the rules.
        self.ends = [one.seq for one in steps_of(self.game, event_rows(self.game), told)][1:]
        self.own = OwnJudge()
        self.agreed: dict[tuple[int, str], Agreed] = {}
        self.misplayed: list[str] = []
        for number in range(len(told) + 1):
            for one in evening.said:
                if one.after == number:
                    self.hear(one)
            if number < len(told):
                self.see(number)

    def hear(self, said: Said) -> None:
        key = (said.made_at, said.among)
        if said.promise is not None:
            self.own.offered(said.by, said.promise)
            self.agreed[key] = Agreed(said, self.own.cases[-1], 0)
        elif said.given is not None:
            made = self.agreed[key]
            made.case.status = said.given.value
            self.agreed[key] = made._replace(accepted=said.seq)

    def see(self, number: int) -> None:
        before, (seat, move) = self.states[number], self.moves[number]
        forced = self.rows[number].cause == Cause.RULES
        if forced and len(before.contenders) > 1 and before.table.edition.promises == "free":
            named = self.public_names(seat)
            if named & set(before.contenders):
                self.misplayed.append(f"move {number} was played though {named} are promised")
        self.own.moved(before, seat, move, self.states[number + 1], forced=forced)

    def public_names(self, seat: int) -> set[Scholar]:
        """The scholars named by public promises that are owed, and by own open offers."""
        found = set()
        for made, case, _ in self.agreed.values():
            owed = case.status == ACCEPTED and PENDING in (
                case.verdict, case.back if case.returned else KEPT
            )  # fmt: skip
            if not made.among and (owed or (case.status == OPEN and case.by == seat)):
                parts = (case.promise.deed, case.promise.condition)
                found |= {getattr(one, "scholar", None) for one in parts} - {None}
        return found

    def verdicts(self) -> list[tuple[Agreed, bool, str, int, int | None]]:
        """What was kept or broken: whose, in return or not, how, by which move, by what decision.

        The decision is that of the hand-in for sealed bribes, None where time settled it.
        """
        found = []
        for one in self.agreed.values():
            case = one.case
            halves = [(False, case.promise.seat, case.verdict, case.settled, case.by_time)]
            if case.returned is not None:
                halves.append(
                    (True, case.promise.to, case.back, case.settled_back, case.by_time_back)
                )
            for in_return, seat, verdict, move, by_time in halves:
                if case.status == ACCEPTED and verdict in (KEPT, BROKEN) and move is not None:
                    behind = None if by_time else self.decision(seat, move)
                    found.append((one, in_return, verdict, move, behind))
        return found

    def decision(self, seat: int, move: int) -> int:
        return max(at for at in range(move + 1) if self.moves[at][0] == seat)

    def counts(self) -> dict[tuple[int, int], Counter[str]]:
        """What counts for whom: by seat, and how many substitutes had sat down before."""
        sessions = Sessions(self.game)
        misses = set(
            Miss.objects.filter(seat__game=self.game).values_list("seat__number", "phase_no")
        )
        found: dict[tuple[int, int], Counter[str]] = {}
        for one, in_return, verdict, move, behind in self.verdicts():
            seat = one.case.promise.to if in_return else one.case.promise.seat
            sat, _ = sessions.at(seat, one.accepted)
            now_sits, present = sessions.at(seat, self.ends[move])
            counts_as = self.counts_as(verdict, seat, behind, misses, present=present)
            if sat == now_sits and counts_as:
                found.setdefault((seat, sat), Counter())[counts_as] += 1
        return found

    def counts_as(
        self, verdict: str, seat: int, behind: int | None, misses: set[Any], *, present: bool
    ) -> str:
        if behind is None:
            return verdict if present else ""
        row = self.rows[behind]
        if row.cause in HANDS:
            return verdict
        is_miss = (seat, row.phase_no) in misses
        return "let pass" if row.cause == Cause.CLOCK and verdict == BROKEN and is_miss else ""

    def causes(self) -> Counter[tuple[bool, str, str]]:
        """How often what was kept or broken by whose decision, in front of all and privately."""
        return Counter(
            (
                bool(one.made.among),
                verdict,
                self.rows[behind].cause if behind is not None else "rules",
            )
            for one, _, verdict, _, behind in self.verdicts()
        )


def noted_counts(game: Game) -> dict[tuple[int, int], Counter[str]]:
    found = {}
    for seat in game.seats.all():
        for place, one in enumerate(Sitting.objects.filter(seat=seat).order_by("pk")):
            counts = (one.promises_kept, one.promises_broken, one.promises_let_pass or 0)
            told = Counter(dict(zip((KEPT, BROKEN, "let pass"), counts, strict=True)))
            if +told:
                found[seat.number, place] = +told
    return found


def told_causes(judged: Judged) -> Counter[tuple[bool, str, str]]:
    """The causes that the events and the rows of threads which stand tell."""
    found: Counter[tuple[bool, str, str]] = Counter()
    rewinds = Event.objects.filter(game=judged.game, kind="Rewound")
    gone = [(one.payload["to_seq"], one.seq) for one in rewinds]
    for event in Event.objects.filter(game=judged.game, kind="PromiseJudged"):
        if event.payload["verdict"] != "void" and not any(a < event.seq < b for a, b in gone):
            found[False, event.payload["verdict"], event.cause] += 1
    for row in PrivateMessage.objects.filter(thread__game=judged.game, deal__kind="PromiseJudged"):
        if row.deal["verdict"] != "void" and not any(a < row.after < b for a, b in gone):
            found[True, row.deal["verdict"], row.cause] += 1
    return found


def told_in_record(judged: Judged) -> Counter[tuple[str, str | None]]:
    answer, _ = adjudicate(game_record(judged.game))
    return Counter(
        (one["verdict"], one.get("in_return", {}).get("verdict"))
        for one in answer.get("promises", [])
    )


def check(number: int) -> Counter[str]:
    """Play a game and hold it against our judge; what there was in it."""
    evening = Evening(number)
    judged = Judged(evening)
    game = evening.game
    assert verify_game(game.pk) == []
    assert judged.misplayed == []
    assert [one for one in judged.agreed.values() if one.case.spared and not one.made.among] == []
    assert told_in_record(judged) == Counter(case.told for case in judged.own.cases)
    assert told_causes(judged) == judged.causes()
    assert noted_counts(game) == judged.counts()
    found = Counter({"substitutes": evening.newcomers, "games": 1})
    for counts in judged.counts().values():
        found.update(counts)
    for row in Move.objects.filter(game=game):
        found[row.cause] += 1
        found["orders"] += row.by_order
    found["rewinds"] = game.events.filter(kind="Rewound").count()
    found["sealed"] = sum(
        isinstance(judged.moves[behind][1], Bribe) and judged.states[behind].stage in BRIBING
        for *_, behind in judged.verdicts()
        if behind is not None and judged.table.edition.bribing == "simultaneous"
    )
    return found


def test_what_is_judged_and_whom_it_counts_for():
    found: Counter[str] = Counter()
    for number in range(6):
        found += check(number)
    wanted = ("kept", "broken", "orders", "rewinds", "substitutes", "clock", "sealed")
    assert [what for what in wanted if not found[what]] == []
