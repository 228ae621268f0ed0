"""A judge of promises of our own: written from the rulings, not from the engine's ledger.

It gets the offers and replies, and of every move the state before and after it. From these alone it
works out what happened (bribes that were opened, areas that were given, who was sent, turns and
rounds that ended) and what that makes of each promise. It shares with the engine only the words for
promises and the states.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, NamedTuple

from games.engine import BRIBING, Bribe, Judge, Move, Place, Scholar, Send, Stage, State
from games.engine.promises import (
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
    Win,
)

PENDING, KEPT, BROKEN, VOID = "pending", "kept", "broken", "void"
OPEN, ACCEPTED, LAPSED = "open", "accepted", "lapsed"
OF_OWNERS = (Hire, Win, PlaceIn, Keep)
"""What can be ruled out before its bribe is paid; everything else for a bribe begins with that."""


class Happened(NamedTuple):
    """One thing that happened in the state `before`: only the fields that apply are filled.

    `palace` is where bribes were opened or a decision was made; `sent_by` is who sent. `turn_of`
    has just ended its turn, and with `round_over` that round.
    """

    before: State
    palace: int | None = None
    handed_in: tuple[int, frozenset[Scholar]] | None = None
    bribes: tuple[tuple[Scholar, int], ...] = ()
    winners: tuple[tuple[Scholar, int], ...] = ()
    losers: frozenset[Scholar] = frozenset()
    sent_by: int | None = None
    sent: tuple[tuple[Scholar, int], ...] = ()
    turn_of: int | None = None
    round_over: int | None = None
    is_over: bool = False

    def settles(self, scholar: Scholar) -> bool:
        """Whether the scholar has got an area, or is on the island: it applies nowhere more."""
        kept = self.before.palaces[self.palace] if self.palace is not None else ()
        won = any(one == scholar and one not in kept for one, _ in self.winners)
        return won or scholar in self.losers


@dataclass
class Case:
    """An offer, and what has become of it, of its bribe and of what is promised in return.

    `settled` and `settled_back` are the numbers of the moves that did it; `by_time` and
    `by_time_back` say that no move of the promiser's did. `spared` says that a forced choice would
    have broken one of them.
    """

    by: int
    promise: Promise
    status: str = OPEN
    bribe: str = PENDING
    verdict: str = PENDING
    back: str = PENDING
    settled: int | None = None
    settled_back: int | None = None
    by_time: bool = False
    by_time_back: bool = False
    spared: bool = False

    @property
    def returned(self) -> Promise | None:
        """What the other player promises with it."""
        condition = self.promise.condition
        if condition is None or isinstance(condition, IfBribed):
            return None
        return Promise(self.promise.to, self.promise.seat, condition)

    @property
    def needs_bribe(self) -> bool:
        return isinstance(self.promise.condition, IfBribed)

    @property
    def in_record(self) -> tuple[str, str | None]:
        """The verdict and that in return as a record holds them, or how an offer stands."""
        if self.status != ACCEPTED:
            return self.status, None
        return self.verdict, None if self.returned is None else self.back

    @property
    def moves(self) -> tuple[int | None, int | None]:
        """The numbers of the moves that settled them."""
        return self.settled, self.settled_back if self.status == ACCEPTED else None


@dataclass
class OwnJudge:
    """Follows a game move by move. `cases` are the offers in order."""

    cases: list[Case] = field(default_factory=list)
    played: int = 0
    forced: bool = False
    sealed: list[tuple[int, tuple[tuple[Scholar, int], ...]]] = field(default_factory=list)

    def offered(self, by: int, promise: Promise) -> None:
        self.cases.append(Case(by, promise))

    def forbids(self, promise: Promise, state: State) -> bool:
        """Whether it may not be offered: about a bribe that is sealed, or what can't be refused."""
        case = Case(promise.seat, promise)
        if any(
            about_sealed(case, Happened(state, handed_in=(seat, frozenset(dict(bribes)))))
            for seat, bribes in self.sealed
        ):
            return True
        return any(
            isinstance(one.deed, Hire) and not could_be_refused(one.deed.scholar, one.seat, state)
            for one in (promise, case.returned)
            if one is not None
        )

    def replied(self, number: int, status: str) -> None:
        self.cases[number - 1].status = status

    def moved(
        self, before: State, seat: int, move: Move, after: State, *, forced: bool = False
    ) -> None:
        """A move was made, which is never the default by name; `forced` without a choice."""
        self.forced = forced
        for happened in self._all_that_happened(before, seat, move, after):
            for case in self.cases:
                self._look_at(case, happened)
        self.played += 1

    def _all_that_happened(
        self, before: State, seat: int, move: Move, after: State
    ) -> Iterator[Happened]:
        palace = before.active
        if isinstance(move, Bribe):
            yield from self._bribed(before, seat, move, after)
        elif isinstance(move, Place):
            lost = {one for one in before.contenders if one not in dict(move.placements)}
            yield Happened(before, palace, winners=move.placements, losers=frozenset(lost))
        elif isinstance(move, Judge):
            lost = set(before.contenders) - {move.winner}
            won = ((move.winner, before.area or 0),)
            yield Happened(before, palace, winners=won, losers=frozenset(lost))
        elif isinstance(move, Send):
            yield Happened(before, sent_by=seat, sent=move.scholars)
        yield from time_passed(before, after)

    def _bribed(self, before: State, seat: int, move: Bribe, after: State) -> Iterator[Happened]:
        if before.table.edition.bribing == "sequential":
            yield Happened(before, before.active, bribes=move.bribes)
            return
        self.sealed.append((seat, move.bribes))
        yield Happened(before, handed_in=(seat, frozenset(dict(move.bribes))))
        if after.stage not in BRIBING:
            opened = dict(self.sealed)
            self.sealed.clear()
            for owner in dict.fromkeys(one.owner for one in before.contenders):  # as they pay
                yield Happened(before, before.active, bribes=opened[owner])

    def _look_at(self, case: Case, happened: Happened) -> None:
        if case.status == OPEN:
            if about_sealed(case, happened) or any(
                one != PENDING for one in self._judged(case, happened)
            ):
                case.status, case.settled = LAPSED, self.played
        elif case.status == ACCEPTED:
            before = case.verdict, case.back
            case.bribe, case.verdict, case.back = self._judged(case, happened)
            release(case)
            by_time = happened.turn_of is not None
            if case.verdict != before[0]:
                case.settled, case.by_time = self.played, by_time
            if case.back != before[1]:
                case.settled_back, case.by_time_back = self.played, by_time

    def _judged(self, case: Case, happened: Happened) -> tuple[str, str, str]:
        """The bribe, the promise and that in return after what happened."""
        promise, returned = case.promise, case.returned
        bribe, verdict, back = case.bribe, case.verdict, case.back
        if case.needs_bribe and bribe == PENDING:
            bribe = bribe_of(promise, happened)
        begun = not case.needs_bribe or case.bribe == KEPT or isinstance(promise.deed, OF_OWNERS)
        if verdict == PENDING and begun:
            verdict = verdict_of(promise, happened)
        if case.needs_bribe and bribe != KEPT and verdict != BROKEN:
            # Its condition has failed, or its time ends without it.
            is_late = happened.round_over == getattr(promise.deed, "until", None) is not None
            verdict = VOID if bribe == VOID or is_late or verdict == KEPT else verdict
        if returned is not None and back == PENDING:
            back = verdict_of(returned, happened)
        if self.forced:
            verdict, back = (
                self._spared(case, verdict, case.verdict),
                self._spared(case, back, case.back),
            )
        return bribe, verdict, back

    def _spared(self, case: Case, now: str, before: str) -> str:
        """The verdict on a forced choice, which breaks nothing."""
        if now != BROKEN or before == BROKEN:
            return now
        case.spared = case.status == ACCEPTED
        return VOID


def release(case: Case) -> None:
    """Of two promises for each other, one that is broken or void ends the other."""
    if case.returned is None:
        return
    if case.verdict in (BROKEN, VOID) and case.back == PENDING:
        case.back = VOID
    elif case.back in (BROKEN, VOID) and case.verdict == PENDING:
        case.verdict = VOID


def time_passed(before: State, after: State) -> Iterator[Happened]:
    """Every turn that has ended between these states, with its round if it was the last of it."""
    seats, first = len(before.table.players), before.table.first
    round_, seat, over = before.round, before.active, after.stage is Stage.OVER
    while (round_, seat) != (after.round, after.active) and seat is not None:
        following = (seat + 1) % seats
        ends_round = following == first
        is_last = over and ends_round and round_ == after.round
        yield Happened(
            before, turn_of=seat, round_over=round_ if ends_round else None, is_over=is_last
        )
        if is_last:
            return
        round_, seat = round_ + ends_round, following


def could_be_refused(scholar: Scholar, palace: int, state: State) -> bool:
    """Whether another of its kind may stand at the palace's door together with it."""
    table, kind = state.table, scholar.occupation
    door = {one for one in state.applicants[palace] if one.occupation == kind}
    may_come: set[Scholar] = set()
    round_, seat = state.round, state.active
    while seat is not None and round_ <= table.edition.rounds:
        if seat == palace:
            together = door | may_come
            for other in together - {scholar}:
                at_once = {scholar, other} <= may_come and other.owner == scholar.owner
                if scholar in together and not (at_once and table.edition.distinct_palaces):
                    return True
            door, may_come = set(), set()
        elif round_ < table.edition.rounds:
            may_come |= {one for one in state.unsent[seat] if one.occupation == kind}
        seat = (seat + 1) % len(table.players)
        round_ += seat == table.first
    return False


def about_sealed(case: Case, happened: Happened) -> bool:
    """Whether the offer is about a bribe that has just been handed in."""
    if happened.handed_in is None:
        return False
    seat, scholars = happened.handed_in
    before = happened.before
    if case.needs_bribe and getattr(case.promise.condition, "scholar", None) in scholars:
        return True
    for one in (case.promise, case.returned):
        if one is None or not isinstance(one.deed, Pay | PayAtMost):
            continue
        if one.deed.scholar in scholars:
            return True
        if one.deed.scholar is None and (seat, before.active) == (one.seat, one.to):
            return not scholars.isdisjoint(before.applicants[one.to])
    return False


def bribe_of(promise: Promise, happened: Happened) -> str:
    """If at the promiser's palace the next bribe for this scholar is at least so much."""
    condition: Any = promise.condition
    if happened.palace == promise.seat and condition.scholar in dict(happened.bribes):
        return KEPT if dict(happened.bribes)[condition.scholar] >= condition.least else VOID
    return VOID if happened.is_over or happened.settles(condition.scholar) else PENDING


def verdict_of(promise: Promise, happened: Happened) -> str:
    """What becomes of what is promised, whatever its condition."""
    verdict = VERDICTS[type(promise.deed)](promise, promise.deed, happened)
    return VOID if verdict == PENDING and happened.is_over else verdict


def of_win(promise: Promise, deed: Hire | Win, happened: Happened) -> str:
    here = happened.palace == promise.seat
    if here and deed.scholar in dict(happened.winners):
        return KEPT
    if here and deed.scholar in happened.losers:
        return BROKEN if could_win(deed.scholar, happened.before) else VOID
    return VOID if happened.settles(deed.scholar) else PENDING


def of_keep(promise: Promise, deed: Keep, happened: Happened) -> str:
    if deed.scholar in happened.losers:
        mine = happened.palace == promise.seat
        return BROKEN if mine and could_win(deed.scholar, happened.before) else VOID
    return KEPT if happened.round_over == deed.until else PENDING


def of_place(promise: Promise, deed: PlaceIn, happened: Happened) -> str:
    before = happened.before
    if happened.palace != promise.seat or not happened.winners:
        return VOID if happened.settles(deed.scholar) else PENDING
    if before.area is not None:  # a fight for one area
        if deed.scholar not in before.contenders:
            return PENDING
        suits = suits_area(deed, before.area) and could_win(deed.scholar, before)
        won = deed.scholar in dict(happened.winners)
        return KEPT if won and suits else BROKEN if suits else VOID
    if may_still_get(deed, before, happened.winners):
        return KEPT if deed.scholar in dict(happened.winners) else PENDING
    others = all_placements(before)
    was_possible = any(may_still_get(deed, before, one) for one in others)
    return BROKEN if was_possible else VOID if deed.scholar in before.contenders else PENDING


def may_still_get(
    deed: PlaceIn, before: State, placements: tuple[tuple[Scholar, int], ...]
) -> bool:
    """Whether after this decision about open areas the scholar has, or may get, one that suits."""
    given = dict(placements)
    if deed.scholar in before.contenders:
        return deed.scholar in given and suits_area(deed, given[deed.scholar])
    return any(suits_area(deed, area) for area in within_reach(deed.scholar, before, given))


def within_reach(scholar: Scholar, before: State, given: dict[Scholar, int]) -> list[int]:
    """The area that its occupation has, or else all open ones."""
    residents = residents_of(before)
    holders = {area: one.occupation for area, one in residents.items() if one is not None}
    holders |= {area: one.occupation for one, area in given.items()}
    own = [area for area, occupation in holders.items() if occupation == scholar.occupation]
    return own or [area for area in residents if area not in holders]


def of_given(promise: Promise, deed: GiveArea, happened: Happened) -> str:
    before = happened.before
    decides = happened.palace == promise.seat and bool(happened.winners)
    if not decides or before.area is not None:
        return PENDING
    given = [one.owner for one, area in happened.winners if area >= deed.least]
    if promise.to in given:
        return KEPT
    if not given:
        return PENDING
    for other in all_placements(before):
        owners = [one.owner for one, area in other if area >= deed.least]
        if promise.to in owners or not owners:
            return BROKEN
    return VOID


def of_nobody(promise: Promise, deed: SendNobody, happened: Happened) -> str:
    if happened.sent_by == promise.seat and came(happened.sent, promise.to, deed.occupation):
        others = all_sendings(happened.before, promise.seat)
        free = any(not came(one, promise.to, deed.occupation) for one in others)
        return BROKEN if free else VOID
    return KEPT if happened.round_over == deed.until else PENDING


def of_sending(promise: Promise, deed: SendScholar, happened: Happened) -> str:
    if happened.sent_by == promise.seat:
        if came(happened.sent, promise.to, deed.occupation):
            return KEPT
        others = all_sendings(happened.before, promise.seat)
        return BROKEN if any(came(one, promise.to, deed.occupation) for one in others) else VOID
    return VOID if happened.turn_of == promise.seat else PENDING


def of_paying(promise: Promise, deed: Pay, happened: Happened) -> str:
    if happened.palace == promise.to and happened.bribes:
        door = happened.before.applicants[promise.to]
        wanted = [deed.scholar] if deed.scholar else [one for one in door if is_of(one, promise)]
        paid = [amount for one, amount in happened.bribes if one in wanted]
        if paid:
            return KEPT if max(paid) >= deed.least else BROKEN
    return VOID if deed.scholar and happened.settles(deed.scholar) else PENDING


def is_of(scholar: Scholar, promise: Promise) -> bool:
    return scholar.owner == promise.seat


def of_at_most(promise: Promise, deed: PayAtMost, happened: Happened) -> str:
    paid = dict(happened.bribes).get(deed.scholar)
    if paid is None:
        return VOID if happened.settles(deed.scholar) else PENDING
    edition = happened.before.table.edition
    uncontested = happened.before.stage is Stage.UNCONTESTED_BRIBES
    minimum = edition.uncontested_min_bribe if uncontested else edition.unit
    if paid <= deed.most:
        return KEPT
    return VOID if minimum > deed.most else BROKEN


VERDICTS: dict[type, Any] = {
    Hire: of_win,
    Win: of_win,
    PlaceIn: of_place,
    Keep: of_keep,
    SendNobody: of_nobody,
    SendScholar: of_sending,
    Pay: of_paying,
    PayAtMost: of_at_most,
    GiveArea: of_given,
}


def residents_of(state: State) -> dict[int, Scholar | None]:
    """Who holds the areas of the palace whose turn it is."""
    assert state.active is not None
    return dict(zip(state.table.edition.areas, state.palaces[state.active], strict=True))


def suits_area(deed: PlaceIn, area: int) -> bool:
    return area == deed.area if deed.least is None else area >= deed.least


def could_win(scholar: Scholar, before: State) -> bool:
    """Whether the rules let the owner choose this contender."""
    if before.area is None or before.table.edition.attackers == "any":
        return True
    defender = residents_of(before)[before.area]
    attacks = {one.scholar: one.amount for one in before.paid if one.scholar != defender}
    return scholar == defender or attacks[scholar] == max(attacks.values())


def all_placements(before: State) -> Iterator[tuple[tuple[Scholar, int], ...]]:
    """Every legal decision about open areas."""
    kinds = dict.fromkeys(one.occupation for one in before.contenders)
    rivals = [[one for one in before.contenders if one.occupation == kind] for kind in kinds]
    open_areas = [area for area, one in residents_of(before).items() if one is None]
    for hired in product(*rivals):
        for areas in permutations(open_areas, len(hired)):
            yield tuple(zip(hired, areas, strict=True))


def all_sendings(before: State, seat: int) -> Iterator[tuple[tuple[Scholar, int], ...]]:
    """Every legal sending."""
    count = min(2, len(before.unsent[seat]))
    others = [palace for palace in range(len(before.palaces)) if palace != seat]
    for scholars in permutations(before.unsent[seat], count):
        for palaces in product(others, repeat=count):
            if not before.table.edition.distinct_palaces or len(set(palaces)) == count:
                yield tuple(zip(scholars, palaces, strict=True))


def came(sent: tuple[tuple[Scholar, int], ...], palace: int, occupation: int | None) -> bool:
    return any(to == palace and occupation in (None, one.occupation) for one, to in sent)
