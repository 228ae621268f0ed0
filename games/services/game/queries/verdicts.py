"""What has become of promises, with the story behind it: let pass, void and why, kept at a cost.

All of it follows from the terms and from public events, so who may know a promise may know it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.engine import Event as EngineEvent
from games.engine import view_event
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    GameEnded,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    StageOpened,
)
from games.engine.interest import kept_against_interest
from games.engine.promises import IfBribed, Promise, Verdict
from games.engine.state import BRIBING
from games.models import Cause, Game
from games.presentation.log.promise_story import LET_PASS, breach_text, promise_of
from games.presentation.log.story import event_text
from games.presentation.text.said import Said
from games.presentation.text.words import People, money
from games.services.game.private_offers import LedgerRow
from games.services.game.promise_counts import Misses
from games.services.game.replay import StoredEvent, rule_event
from games.table_events import PromiseJudged, decode_table_event, is_table_event

_PAID_LESS: Final = Said(
    gettext_lazy("{name} paid less than {amount}"),
    gettext_lazy("you paid less than {amount}"),
)
_BROKEN_IN_RETURN: Final = Said(
    gettext_lazy("{name} broke the promise made in return"),
    gettext_lazy("you broke the promise made in return"),
)
_OVER: Final = gettext_lazy("the game is over")
_NO_CHOICE: Final = Said(
    gettext_lazy("{name} had no other choice"),
    gettext_lazy("you had no other choice"),
)
_IMPOSSIBLE: Final = gettext_lazy("the promise could no longer be kept")

JUDGED: Final = PromiseJudged.__name__

_DECISION: Final = ScholarHired | ScholarKept | ScholarBanished
"""The events of an owner's decision."""


class WhyVoid(NamedTuple):
    """Why a promise no longer applies: a sentence about the player of a seat, and an amount."""

    said: Said
    seat: int = 0
    amount: int = 0

    def in_words(self, people: People) -> str:
        return self.said.about(people, self.seat, amount=money(self.amount))


class Outcome(NamedTuple):
    """A verdict and its story. `event` says `LET_PASS` where a deadline was missed (days 27).

    `void` says why a promise no longer applies, None for all others. `behind` is the event of the
    game that settled it; `against_interest` says that it was kept though a higher bribe lost.
    """

    event: PromiseJudged
    promise: Promise
    void: WhyVoid | None
    behind: EngineEvent
    against_interest: bool

    @property
    def is_broken(self) -> bool:
        """Whether it was broken, or let pass."""
        return self.event.verdict in (Verdict.BROKEN, LET_PASS)

    def is_breach_to(self, seat: int | None) -> bool:
        """Whether the player of this seat was promised what wasn't kept."""
        return self.is_broken and self.promise.to == seat

    @property
    def mark(self) -> str:
        """What is remarkable about it, in a word or two; "" for most."""
        if self.event.verdict == LET_PASS:
            return pgettext("promise", "let pass")
        if self.is_broken:
            return _("betrayal")
        return _("kept despite a higher bribe") if self.against_interest else ""

    def why(self, people: People) -> str:
        """Why it no longer applies, in words; "" for all that isn't void."""
        return "" if self.void is None else self.void.in_words(people)

    def breach(self, people: People, given: Sequence[str]) -> str:
        """What the reader was promised and what happened instead; "" if they weren't betrayed.

        `given` are the names of the players when the promise was given.
        """
        if not self.is_breach_to(people.reader):
            return ""
        happened = instead_text(people, self.promise, self.behind)
        by = given[self.promise.seat]
        return breach_text(people, self.promise, by, self.event.verdict, happened)

    @property
    def seal(self) -> str:
        """The name of the seal that marks it; "" for most."""
        if self.event.verdict == Verdict.BROKEN:
            return "broken"
        return "kept" if self.against_interest else ""


def instead_text(people: People, promise: Promise, behind: EngineEvent) -> str:
    """What happened `behind` a breach, as a sentence: mostly to the scholar it was about."""
    own = getattr(promise.deed, "scholar", None)
    match behind:
        case ScholarHired(scholar=scholar, area=area) if scholar == own:
            return _("The salary was {amount} instead.").format(amount=money(area))
        case ScholarBanished(scholar=scholar) if scholar == own:
            return _("The result was banishment instead.")
    return _("Instead: {happened}").format(happened=event_text(people, behind))


def with_private(rows: Iterable[StoredEvent], private: Iterable[LedgerRow]) -> list[LedgerRow]:
    """The events, and behind each the private verdicts that have its number."""
    behind: dict[int, list[LedgerRow]] = {}
    for one in private:
        behind.setdefault(one.row.seq, []).append(one)
    return [one for row in rows for one in (LedgerRow(row, None), *behind.get(row.seq, ()))]


class Verdicts:
    """The verdicts among these events: those of the table, and of threads behind theirs.

    `rows` are all events, or the latest. The database is asked only where the clock broke a
    promise.
    """

    def __init__(self, game: Game, people: People, rows: Sequence[StoredEvent]) -> None:
        self._people = people
        self._rows = rows
        self._misses = Misses(game)

    def __iter__(self) -> Iterator[tuple[int, Outcome]]:
        """Each with its place in the rows, in order."""
        has_begun = False  # the latest events may begin between a move and its verdicts
        for place, row in enumerate(self._rows):
            has_begun = has_begun or not is_table_event(row.kind)
            if has_begun and row.kind == JUDGED:
                yield place, self.at(place)

    def at(self, place: int) -> Outcome:
        """The verdict that stands in this place."""
        row = self._rows[place]
        event = decode_table_event({"kind": row.kind, **row.payload})
        if not isinstance(event, PromiseJudged):
            raise TypeError(f"Event {row.seq} is no verdict.")
        promise = promise_of(self._people, event)
        behind = next(self._before(place))
        if event.verdict == Verdict.BROKEN and self._is_let_pass(place, event):
            event = event._replace(verdict=LET_PASS)
        return Outcome(
            event=event,
            promise=promise,
            void=self._why_void(place, event, promise) if event.verdict == Verdict.VOID else None,
            behind=view_event(rule_event(behind), None),
            against_interest=event.verdict == Verdict.KEPT
            and kept_against_interest(promise, self._conflict(place)),
        )

    def _before(self, place: int) -> Iterator[StoredEvent]:
        """The events of the game before a verdict, the latest first."""
        return (row for row in self._rows[place::-1] if not is_table_event(row.kind))

    def _is_let_pass(self, place: int, event: PromiseJudged) -> bool:
        if self._rows[place].cause != Cause.CLOCK:
            return False
        decision = next(self._before(place))
        if decision.kind == BribesPaid.__name__:
            sealed = (row for row in self._before(place) if row.kind == BribesSealed.__name__)
            handed_in = (row for row in sealed if row.payload["seat"] == event.seat)
            decision = next(handed_in, decision)
        return self._misses.has(event.seat, decision.phase_no)

    def _conflict(self, place: int) -> list[EngineEvent]:
        """The events from the opening of the bribes behind a verdict to the end of the decision."""
        before = []
        for row in self._before(place):
            event = rule_event(row)
            if isinstance(event, StageOpened) and event.stage in BRIBING:
                break
            before.append(event)
        after = []
        for row in self._rows[place:]:
            if is_table_event(row.kind):
                continue
            event = rule_event(row)
            if not isinstance(event, _DECISION):
                break
            after.append(event)
        return [*reversed(before), *after]

    def _why_void(self, place: int, event: PromiseJudged, promise: Promise) -> WhyVoid:
        row = next(self._before(place))
        last, condition = rule_event(row), promise.condition
        if isinstance(condition, IfBribed) and isinstance(last, BribesPaid):
            scholar, least = condition
            if any(one.scholar == scholar and one.amount < least for one in last.payments):
                return WhyVoid(_PAID_LESS, promise.to, least)
        if self._other_is_broken(place, event):
            return WhyVoid(_BROKEN_IN_RETURN, promise.to)
        if isinstance(last, GameEnded):
            return WhyVoid(Said(_OVER, _OVER))
        is_own = isinstance(last, _DECISION) and last.palace == promise.seat
        if is_own and row.cause == Cause.RULES:
            return WhyVoid(_NO_CHOICE, promise.seat)
        return WhyVoid(Said(_IMPOSSIBLE, _IMPOSSIBLE))

    def _other_is_broken(self, place: int, event: PromiseJudged) -> bool:
        """Whether the promise that belongs to it was broken by the same event."""
        around = [*self._rows[max(place - 1, 0) : place], *self._rows[place + 1 : place + 2]]
        return any(
            row.kind == JUDGED
            and row.payload["number"] == event.number
            and row.payload["terms"] == event.terms
            and row.payload["in_return"] != event.in_return
            and row.payload["verdict"] == Verdict.BROKEN
            for row in around
        )
