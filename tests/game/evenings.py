"""Random games at real tables, played through the services to their end, and what was said there.

People promise each other things, in front of all and privately; they counter, withdraw and let
offers lapse; they move, leave orders, take days off, let deadlines pass, step aside and come back;
others sit down for them; and moderators rewind.
"""

import contextlib
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from games.engine import EDITIONS, State, view
from games.engine.binding import could_bind, view_within
from games.engine.errors import BadPromise
from games.engine.ledger import Entry, Status, offer
from games.engine.orders import (
    BribeOrder,
    BribeOrderChoice,
    HighestBribes,
    Order,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    may_order,
)
from games.engine.promises import Promise
from games.models import Event, Game, Seat, User
from games.services.chat.promises import reply_to_offer
from games.services.game import orders, seats, votes
from games.services.game import rewind as game_rewind
from games.services.game.offers import stored_offers
from games.services.game.replay import event_rows
from games.services.moderation.actions import rewind as rewinding
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, sample_games
from games.services.refused import Refused
from tests.engine.playouts import SIZES, random_options, wild_move
from tests.engine.test_ledger_properties import FORMS, promise_between, random_promise
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.promising import offers
from tests.support.tables import MONDAY, open_table, submit_move, tick
from tests.support.whispering import offers_privately

PEOPLE = ("Anna", "Boris", "Clara", "Dora", "Emil")
ACTIONS = {
    "talk": 36, "move": 40, "order": 6, "days_off": 1, "leave": 1, "return": 5, "sit": 4,
    "rewind": 1,
}  # fmt: skip
DEADLINES = (5, 15)
"""How often nothing is done until the next deadline, beside these: people are quick or slow."""

MOST_REWINDS = 2
MOST_ACTIONS = 3_000
"""More than any game takes."""


class Said(NamedTuple):
    """An offer or, with `given`, a reply, behind the event `seq` of the game.

    `made_at` and the thread `among` name the offer.
    """

    seq: int
    by: int
    made_at: int
    among: str = ""
    promise: Promise | None = None
    given: Status | None = None


class Rewinds:
    """What the rewinds of a game have taken back."""

    def __init__(self, game: Game) -> None:
        rows = Event.objects.filter(game=game, kind="Rewound")
        self.spans = [(row.payload["to_seq"], row.seq) for row in rows.order_by("seq")]

    def undid(self, event: int) -> bool:
        return any(last < event < rewound for last, rewound in self.spans)

    def undid_behind(self, event: int) -> bool:
        """Whether they have taken back what was said behind this event, before the next one."""
        return any(last <= event < rewound for last, rewound in self.spans)


class Evening:
    """A game that is played to its end, with a note of all that its people said."""

    def __init__(self, number: int, forms: Sequence[type] = FORMS) -> None:
        self.chance = Random(number)
        self.forms = forms
        self.now = MONDAY
        self.said: list[Said] = []
        self.newcomers = 0
        self.game = self.open_table(number)
        self.moderator = moderator(f"Marta{number}")
        weights = ACTIONS | {"deadline": self.chance.choice(DEADLINES)}
        for _ in range(MOST_ACTIONS):
            if self.game.status != Game.Status.RUNNING:
                break
            [action] = self.chance.choices(list(weights), weights=list(weights.values()))
            with contextlib.suppress(Refused, BadPromise):
                getattr(self, f"do_{action}")()
            self.game.refresh_from_db()

    def open_table(self, number: int) -> Game:
        """Every edition and size is the next one's turn, and each kind of bribing half the time."""
        chance, size = self.chance, SIZES[number % len(SIZES)]
        edition = tuple(EDITIONS)[number % len(EDITIONS)]
        options: dict[str, Any] = random_options(edition, chance)
        options["rounds"] = 2 if size == max(SIZES) else chance.choice((2, 3))
        options["bribing"] = ("sequential", "simultaneous")[(number + number // 4) % 2]
        options["promises"] = chance.choice(("free", "free", "binding"))
        has_house = chance.random() < 0.2
        people = [f"{name}{number}" for name in PEOPLE[: size - has_house]]
        game = open_table(
            *people,
            size=size,
            seed=number,
            options=options,
            edition=edition,
            press="private",
            threads_published=chance.random() < 0.7,
            promises_count=chance.random() < 0.9,
            absent_player=chance.choice(("default", "courtier")),
            talk_seconds=chance.choice((0, 0, 0, 20_000)),
            no_play_days=chance.choice(((), (), (5, 6))),
        )
        if has_house:
            sample_games.start_with_computer_players(game, game.host, "courtier", self.now)
        return game

    @property
    def state(self) -> State:
        return self.game.decoded()

    @property
    def present(self) -> dict[int, User]:
        """Who is waited for, by the number of the seat."""
        rows = self.game.seats.filter(user__isnull=False, absent_since=None)
        return {seat.number: seat.user for seat in rows.select_related("user").order_by("number")}

    def later(self) -> None:
        """A little later: no two things are done at the same instant."""
        self.now += timedelta(minutes=1)

    def do_talk(self) -> None:
        self.propose()
        for made_at, among, entry in self.open_offers():
            if self.chance.random() < 0.6:
                self.reply(made_at, among, entry)

    def propose(self, by: int | None = None, to: int | None = None) -> None:
        """Make a random offer that makes sense; of the seat `by` to that of `to`, if given."""
        state, present = self.state, self.present
        for _ in range(8):
            if by is None or to is None:
                who, promise = random_promise(self.chance, state, self.forms)
            else:
                pair = self.chance.sample((by, to), 2)
                who, promise = by, promise_between(self.chance, state, *pair, self.forms)
            with contextlib.suppress(BadPromise):
                offer((), state, who, promise)
                if who in present:
                    self.offer(state, who, promise)
                    return

    def offer(self, state: State, by: int, promise: Promise) -> None:
        self.later()
        seq = self.game.events.latest("seq").seq
        if self.chance.random() < 0.35 and not could_bind(promise, state):
            said = offers_privately(self.game, by, promise, now=self.now)
            made_at, among = said.number, said.thread.token
        else:
            made_at, among = offers(self.game, by, promise, now=self.now), ""
        if (made_at, among) not in {(one.made_at, one.among) for one in self.said}:
            self.said.append(Said(seq, by, made_at, among, promise))

    def open_offers(self) -> list[tuple[int, str, Entry]]:
        """Those that somebody may reply to: the number, the thread, and the offer."""
        table = self.state.table
        threads = self.game.threads.exclude(ledger=[]).order_by("pk")
        return [
            (made_at, among, entry)
            for stored, among in [(self.game, ""), *((one, one.token) for one in threads)]
            for told in [stored_offers(stored, table)]
            for made_at, entry in zip(told.made, told.ledger, strict=True)
            if entry.status is Status.OPEN
        ]

    def reply(self, made_at: int, among: str, entry: Entry) -> None:
        """Accept it or not; whoever declines or withdraws often makes another one instead."""
        given = self.chance.choice((*[Status.ACCEPTED] * 6, Status.DECLINED, Status.WITHDRAWN))
        seat, other = entry.other, entry.by
        if given is Status.WITHDRAWN:
            seat, other = other, seat
        if (user := self.present.get(seat)) is None:
            return
        self.later()
        seq = self.game.events.latest("seq").seq
        try:
            reply_to_offer(
                game_id=self.game.pk, user=user, made_at=made_at, given=given, now=self.now,
                among=among,
            )  # fmt: skip
        except Refused:  # it has lapsed meanwhile, or would leave no legal choice
            return
        self.said.append(Said(seq, seat, made_at, among, given=given))
        self.game.refresh_from_db()
        if given is not Status.ACCEPTED and self.chance.random() < 0.6:
            self.propose(seat, other)

    def do_move(self) -> None:
        asked = self.game.seats.filter(deadline_at__isnull=False, user__isnull=False)
        people = list(asked.select_related("user").order_by("number"))
        if not people:  # it is negotiation time
            self.do_deadline()
            return
        self.later()
        self.move(self.chance.choice(people))

    def move(self, seat: Seat) -> None:
        state = self.state
        seen = view_within(stored_offers(self.game, state.table).ledger, state, seat.number)
        assert seen.choice is not None
        move = wild_move(seen.choice, self.chance)
        if not submit_move(self.game, seat.user, self.now, move).played:
            submit_move(self.game, seat.user, self.now, seen.default)

    def do_order(self) -> None:
        if not (present := self.present):
            return
        seat, user = self.chance.choice(list(present.items()))
        choice = may_order(view(self.state, seat))
        possible: list[Order] = [HighestBribes()] if choice.decision else []
        if choice.sending is not None:
            sending = wild_move(choice.sending, self.chance)
            possible.append(SendThese(sending.scholars))
        bribed = self.chance.choice([*choice.bribes, None])
        if bribed is not None:
            possible = [self.bribe_order(bribed)]
        if not possible:
            return
        self.later()
        orders.leave_order(
            game_id=self.game.pk,
            user=user,
            scholar=None if bribed is None else bribed.scholar,
            order=self.chance.choice(possible),
            wait_if_addressed=self.chance.random() < 0.3,
            now=self.now,
        )

    def bribe_order(self, choice: BribeOrderChoice) -> BribeOrder:
        chance, unit = self.chance, choice.unit
        possible: list[BribeOrder] = [
            PayMinimum(), PayAmount(max(choice.minimum, chance.randint(1, 6) * unit))
        ]  # fmt: skip
        if choice.may_follow:
            limit = choice.minimum + chance.randint(1, 6) * unit
            possible.append(PayAbove(unit, limit, then_limit=chance.random() < 0.5))
        if choice.may_pass:
            possible.append(PayNothing())
        return chance.choice(possible)

    def do_deadline(self) -> None:
        """Nothing happens until the next deadline has passed."""
        if self.game.deadline_at is not None:
            self.now = max(self.now, self.game.deadline_at) + timedelta(seconds=1)
            tick(self.now)
            clock.sweep(now=self.now)

    def do_days_off(self) -> None:
        if not (present := self.present):
            return
        self.later()
        seat, user = self.chance.choice(list(present.items()))
        announced = self.game.seats.get(number=seat).days_off.first()
        if announced is not None:
            seats.withdraw_days_off(
                game_id=self.game.pk, user=user, days_off_id=announced.pk, now=self.now
            )
            return
        first = self.now.date() + timedelta(days=self.chance.randint(0, 3))
        last = first + timedelta(days=self.chance.randint(0, 2))
        seats.announce_days_off(
            game_id=self.game.pk, user=user, first_day=first, last_day=last, now=self.now
        )

    def do_leave(self) -> None:
        if len(present := self.present) > 1:
            self.later()
            user = self.chance.choice(list(present.values()))
            seats.step_aside(game_id=self.game.pk, user=user, now=self.now)

    def do_return(self) -> None:
        away = self.game.seats.exclude(absent_since=None).exclude(user=None)
        for seat in away.select_related("user").order_by("number"):
            self.later()
            seats.come_back(game_id=self.game.pk, user=seat.user, now=self.now)

    def do_sit(self) -> None:
        seat = self.game.seats.exclude(absent_since=None).order_by("number").first()
        if seat is not None:
            self.later()
            newcomer = person(f"Newcomer{self.newcomers + 1}of{self.game.pk}")
            seats.take_over(game_id=self.game.pk, number=seat.number, user=newcomer, now=self.now)
            self.newcomers += 1

    def do_rewind(self) -> None:
        """A moderator takes the game back; where bribes were opened since, all have to agree."""
        places = game_rewind.boundaries(self.game, event_rows(self.game))[-9:]
        if not places or len(Rewinds(self.game).spans) == MOST_REWINDS:
            return
        self.later()
        to_seq = self.chance.choice(places).seq
        request = GameRequest(
            self.game.pk, self.moderator, "A feast.", seen_now(self.game), self.now
        )
        rewinding.rewind(request, to_seq=to_seq)
        for vote in self.game.votes.filter(closed_at=None):
            for user in self.present.values():
                with contextlib.suppress(Refused):  # it is closed as soon as it is decided
                    votes.cast(
                        game_id=self.game.pk, user=user, vote_id=vote.pk, yes=True, now=self.now
                    )
        rewinds = Rewinds(self.game)
        self.said = [one for one in self.said if not rewinds.undid_behind(one.seq)]
