"""The ledger of a game: what was offered and replied, and what came of every promise.

Pure, and rebuilt from the game alone: offers and replies stand between moves, and the ledger
follows every event of the game in order.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from games.engine.errors import BadPromise
from games.engine.events import BribesSealed, Event, apply
from games.engine.offers import check_offer
from games.engine.promises import (
    IfBribed,
    Pay,
    PayAtMost,
    Promise,
    Verdict,
    holds_at_once,
    judge,
    judge_condition,
    time_is_up,
)
from games.engine.state import Scholar, State


class Status(StrEnum):
    """How an offer stands. Values are those of the game record."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class Entry(NamedTuple):
    """An offer that `by` made, who is its promiser or the one it is promised to.

    `id` counts from 1 in a game. `condition` is `KEPT` where there is none, and with a promise in
    return what has become of that one. `made_in` and `accepted_in` are the round and the active
    seat then.
    """

    id: int
    by: int
    promise: Promise
    made_in: tuple[int, int | None]
    status: Status = Status.OPEN
    condition: Verdict = Verdict.PENDING
    verdict: Verdict = Verdict.PENDING
    accepted_in: tuple[int, int | None] | None = None

    @property
    def other(self) -> int:
        """The seat that may accept or decline it."""
        return self.promise.to if self.by == self.promise.seat else self.promise.seat

    @property
    def is_settled(self) -> bool:
        """Whether nothing can come of it any more: no reply, no verdict."""
        if self.status is not Status.ACCEPTED:
            return self.status is not Status.OPEN
        return Verdict.PENDING not in (self.verdict, self._in_return)

    @property
    def _in_return(self) -> Verdict:
        """What has become of the promise in return; `KEPT` where there is none."""
        return Verdict.KEPT if self.promise.in_return() is None else self.condition

    @property
    def scholars(self) -> Iterator[Scholar]:
        """The scholars that it names, in what is promised or in its condition."""
        for one in (self.promise.deed, self.promise.condition):
            scholar = getattr(one, "scholar", None)
            if scholar is not None:
                yield scholar

    @property
    def owed(self) -> Iterator[Promise]:
        """What was accepted and is still to be kept or broken."""
        if self.status is Status.ACCEPTED and self.verdict is Verdict.PENDING:
            yield self.promise
        in_return = self.promise.in_return()
        if self.status is Status.ACCEPTED and self.condition is Verdict.PENDING and in_return:
            yield in_return


type Ledger = tuple[Entry, ...]

MOST_OPEN_OFFERS: Final = 5
"""How many open offers a player may have in a game."""

MOST_OFFERS_IN_A_TURN: Final = 20
"""How many offers a player may make in a turn, their own or another's."""


def offer(ledger: Ledger, state: State, by: int, promise: Promise) -> Ledger:
    """The ledger with one more offer; `BadPromise` for what makes no sense now."""
    if by not in (promise.seat, promise.to):
        raise BadPromise(
            "An offer is made by the one who promises or by the one who is promised.", "player"
        )
    check_offer(promise, state)
    return with_offer(ledger, state, by, promise)


def with_offer(ledger: Ledger, state: State, by: int, promise: Promise) -> Ledger:
    """The ledger with an offer that was made in this state, whatever would be refused today."""
    met = Verdict.KEPT if promise.condition is None else Verdict.PENDING
    made_in = (state.round, state.active)
    return (*ledger, Entry(len(ledger) + 1, by, promise, made_in, condition=met))


def with_bribes(ledger: Ledger, state: State, event: Event) -> Ledger:
    """The ledger with what the event, which comes next, makes of bribes that are conditions.

    For readers of what became of the promises: of these conditions alone no event speaks.
    """
    return tuple(
        entry._replace(condition=judge_condition(entry.promise, state, event))
        if entry.status is Status.ACCEPTED
        and Verdict.PENDING is entry.verdict is entry.condition
        and isinstance(entry.promise.condition, IfBribed)
        else entry
        for entry in ledger
    )


def refuse_too_many(ledger: Ledger, state: State, by: int) -> None:
    """Refuse one more offer of a player with `BadPromise` where so many are open, or were made."""
    mine = [entry for entry in ledger if entry.by == by]
    if sum(entry.status is Status.OPEN for entry in mine) >= MOST_OPEN_OFFERS:
        raise BadPromise(f"At most {MOST_OPEN_OFFERS} offers of a player can be open.", "many")
    if sum(entry.made_in == (state.round, state.active) for entry in mine) >= MOST_OFFERS_IN_A_TURN:
        raise BadPromise(
            f"A player makes at most {MOST_OFFERS_IN_A_TURN} offers in a turn.", "many"
        )


def reply(ledger: Ledger, seat: int, number: int, given: Status) -> Ledger:
    """The ledger after the open offer of this number was accepted, declined or withdrawn.

    `BadPromise` if there is none, or if this seat may not reply so.
    """
    if not 1 <= number <= len(ledger):
        raise BadPromise(f"There is no offer {number}.", "closed")
    entry = ledger[number - 1]
    if entry.status is not Status.OPEN:
        raise BadPromise(f"Offer {number} is no longer open: it is {entry.status}.", "closed")
    if given is Status.WITHDRAWN and seat != entry.by:
        raise BadPromise(f"Only the player who made it can withdraw offer {number}.", "player")
    if given is not Status.WITHDRAWN and seat != entry.other:
        raise BadPromise(f"Only the player it was made to can reply to offer {number}.", "player")
    return (*ledger[: number - 1], entry._replace(status=given), *ledger[number:])


def follow(
    ledger: Ledger, state: State, events: Iterable[Event], *, forced: bool = False
) -> Ledger:
    """The ledger after these events, which come next in the game whose `state` is given.

    `forced` says that they follow from a move without a choice: it breaks nothing, and what it
    would break is void.
    """
    for event in events:
        if all(entry.is_settled for entry in ledger):
            break
        ledger = tuple(
            entry if entry.is_settled else _after(entry, state, event, forced) for entry in ledger
        )
        state = apply(state, event)
    return ledger


def _after(entry: Entry, state: State, event: Event, forced: bool) -> Entry:  # noqa: FBT001
    judged = _judged(entry, state, event)
    if entry.status is Status.OPEN:
        stands = judged == entry and not _is_sealed(entry.promise, state, event)
        return entry if stands else entry._replace(status=Status.LAPSED)
    return entry if judged is entry else _released(_without_breach(judged) if forced else judged)


def _judged(entry: Entry, state: State, event: Event) -> Entry:
    promise, condition, verdict = entry.promise, entry.condition, entry.verdict
    if condition is Verdict.PENDING:
        condition = judge_condition(promise, state, event)
    if verdict is Verdict.PENDING and (entry.condition is Verdict.KEPT or holds_at_once(promise)):
        verdict = judge(promise, state, event)
    waits = isinstance(promise.condition, IfBribed) and entry.condition is not Verdict.KEPT
    if waits and time_is_up(promise, state, event):
        verdict = Verdict.VOID  # its condition can come no more
    if (condition, verdict) == (entry.condition, entry.verdict):
        return entry  # as nearly always: nothing is copied
    return entry._replace(condition=condition, verdict=verdict)


def _without_breach(judged: Entry) -> Entry:
    verdict, condition = (
        Verdict.VOID if one is Verdict.BROKEN else one for one in (judged.verdict, judged.condition)
    )
    return judged._replace(verdict=verdict, condition=condition)


def _released(entry: Entry) -> Entry:
    """A promise is void if its condition failed, and so is what was promised in return for it."""
    pending, failed = Verdict.PENDING, (Verdict.BROKEN, Verdict.VOID)
    condition, verdict = entry.condition, entry.verdict
    if isinstance(entry.promise.condition, IfBribed):
        if verdict is pending and condition in failed:
            verdict = Verdict.VOID
        return entry._replace(verdict=verdict)
    if verdict is pending and condition in failed:
        verdict = Verdict.VOID
    elif condition is pending and verdict in failed:
        condition = Verdict.VOID
    return entry._replace(condition=condition, verdict=verdict)


def _is_sealed(promise: Promise, state: State, event: Event) -> bool:
    """Whether a bribe it is about was handed in: from then on it can't be agreed upon."""
    if not isinstance(event, BribesSealed):
        return False
    for one in (promise, promise.in_return()):
        deed = None if one is None else one.deed
        if isinstance(deed, Pay) and deed.scholar is None and one is not None:
            applicants = state.applicants[one.to]
            if (event.seat, state.active) == (one.seat, one.to) and any(
                scholar in applicants for scholar, _ in event.bribes
            ):
                return True
        elif isinstance(deed, Pay | PayAtMost) and _has_handed_in(deed.scholar, state, event):
            return True
    condition = promise.condition
    return isinstance(condition, IfBribed) and _has_handed_in(condition.scholar, state, event)


def _has_handed_in(scholar: object, state: State, event: BribesSealed) -> bool:
    return any(one == scholar and one.owner == event.seat for one in state.contenders)
