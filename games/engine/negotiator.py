"""A courtier that negotiates: what it offers, what it accepts, and whether it keeps its word.

Pure, like all computer players: what it says and plays follows from what its seat may know, the
ledger, which is public, its character and a seed. The caller carries out what it says.
"""

from collections.abc import Collection, Iterator
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple

from games.engine.characters import Character
from games.engine.courtier import Assurance, Bias, play_courtier, worth
from games.engine.ledger import MOST_OPEN_OFFERS, Entry, Ledger, Status
from games.engine.moves import Move
from games.engine.offers import bribe_to_ask, makes_sense
from games.engine.promises import (
    Deciding,
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
from games.engine.state import BRIBING, Scholar, Stage
from games.engine.view import View

REMARK_CHANCE: Final = 0.3
"""How often it says a sentence with an offer or a reply."""

LEAST_TRUST: Final = 0.3
"""It doesn't negotiate with players whom it trusts less."""

NEUTRAL_TRUST: Final = 2 / 3
"""The trust in somebody who has kept and broken nothing."""


class Remark(StrEnum):
    """What a negotiator says now and then with an offer or a reply."""

    DEAL = "deal"
    TRUST = "trust"
    AGREED = "agreed"
    REFUSED = "refused"
    REPROACH = "reproach"


def remark_on(
    view: View, ledger: Ledger, character: Character, what: "OfferOrReply", seed: int
) -> Remark | None:
    """What the viewed seat remarks as it says this: a reproach to a traitor, else now and then."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    mind = _Mind(view, ledger, character)
    other = ledger[what.number - 1].by if isinstance(what, ReplyToOffer) else mind.other_of(what)
    if mind.trust(other) < NEUTRAL_TRUST / 2 and character.vengeance > 1:
        return Remark.REPROACH
    if chance.random() > REMARK_CHANCE:
        return None
    if isinstance(what, ReplyToOffer):
        return Remark.AGREED if what.status is Status.ACCEPTED else Remark.REFUSED
    return chance.choice((Remark.DEAL, Remark.TRUST))


class ReplyToOffer(NamedTuple):
    """A negotiator's reply to the open offer of this number."""

    number: int
    status: Status


type OfferOrReply = Promise | ReplyToOffer


def say(
    view: View, ledger: Ledger, character: Character, others: Collection[int]
) -> list[OfferOrReply]:
    """What the viewed seat says now: replies to offers made to it, then new offers to `others`.

    `others` are the seats that can reply. Every open offer to it is accepted or declined at once.
    """
    if view.seat is None or view.stage is Stage.OVER:
        return []
    mind = _Mind(view, ledger, character)
    replies = [
        ReplyToOffer(entry.id, Status.ACCEPTED if mind.likes(entry.promise) else Status.DECLINED)
        for entry in ledger
        if entry.status is Status.OPEN and entry.other == view.seat
    ]
    return [*replies, *mind.offers(others)]


def play_negotiator(view: View, ledger: Ledger, character: Character, seed: int) -> Move:
    """The move of the viewed seat, which must be to move: a courtier's, with an eye on promises."""
    return play_courtier(view, seed, _Mind(view, ledger, character).bias())


class _Mind:
    """How one negotiator judges a moment of the game."""

    def __init__(self, view: View, ledger: Ledger, character: Character) -> None:
        if view.seat is None:
            raise ValueError("A spectator doesn't negotiate.")
        self.view = view
        self.seat = view.seat
        self.ledger = ledger
        self.character = character
        self.unit = view.table.edition.unit
        self.minimum = view.table.edition.minimum_bribe(view.round, uncontested=False)
        self.best = max(view.table.edition.areas)

    # What others are to it.

    def trust(self, other: int) -> float:
        """How likely the other player keeps a promise, by what everybody has seen, 0 to 1."""
        kept = broken = 1.0
        for promiser, to, verdict in self._verdicts():
            if promiser == other:
                weight = 1 + self.character.vengeance * (to == self.seat)
                kept += 2 * (verdict is Verdict.KEPT)
                broken += weight * (verdict is Verdict.BROKEN)
        return (1 + kept) / (1 + kept + broken)

    def _verdicts(self) -> Iterator[tuple[int, int, Verdict]]:
        """Who promised whom, and what came of it, of all that was accepted."""
        for entry in self.ledger:
            if entry.status is Status.ACCEPTED:
                promise = entry.promise
                yield promise.seat, promise.to, entry.verdict
                if promise.in_return() is not None:
                    yield promise.to, promise.seat, entry.condition

    def _regard(self, other: int) -> float:
        """What it gladly gives the other player, or grudges, in money: by what was kept so far."""
        trust = self.trust(other) - NEUTRAL_TRUST
        return trust * self.best * (3 if trust > 0 else 1 + self.character.vengeance)

    def other_of(self, promise: Promise) -> int:
        """The other player of the promise, besides this one."""
        return promise.to if promise.seat == self.seat else promise.seat

    def bond(self) -> float:
        """What its word is worth to it now, in money: less as the game draws to its end."""
        rounds = self.view.table.edition.rounds
        left = (rounds - self.view.round) / rounds
        return self.best * (0.15 + 0.3 * self.character.loyalty * (0.15 + left))

    # What deeds are worth.

    def gain(self, promise: Promise) -> float:
        """What the deed is worth to the player it is promised to, beyond their hopes without it."""
        deed, palace = promise.deed, promise.seat
        match deed:
            case Keep(scholar):
                return 0.3 * worth(self.view, palace, scholar, self._salary(palace, scholar))
            case Win(scholar):
                salary = self._salary(palace, scholar) or self.view.area or 0
                return 0.5 * worth(self.view, palace, scholar, salary)
            case Hire(scholar):
                return 0.5 * worth(self.view, palace, scholar, self._usual(palace))
            case PlaceIn(scholar, area, least):
                more = max((area or least or 0) - self._usual(palace) / 2, 0)
                return worth(self.view, palace, scholar, more)
            case SendNobody() | SendScholar() | Pay() | PayAtMost() | GiveArea():
                return self.unit

    def _salary(self, palace: int, scholar: Scholar) -> int:
        row = zip(self.view.table.edition.areas, self.view.palaces[palace], strict=True)
        return next((area for area, one in row if one == scholar), 0)

    def _usual(self, palace: int) -> float:
        open_areas = self._open(palace)
        return sum(open_areas) / len(open_areas) if open_areas else 0

    def _open(self, palace: int) -> list[int]:
        row = zip(self.view.table.edition.areas, self.view.palaces[palace], strict=True)
        return [area for area, one in row if one is None]

    # Negotiating.

    def likes(self, promise: Promise) -> bool:
        """Whether the promise is worth its price to this player, who is one of the two."""
        other = self.other_of(promise)
        if self.trust(other) < LEAST_TRUST or self._contradicts(promise):
            return False
        if _scholars(promise) & self._dealt(Status.ACCEPTED):
            return False
        price = self.unit * (1 + self.character.greed)
        if promise.seat != self.seat:  # it is promised something
            gained = self.trust(other) * self.gain(promise)
            return gained > self._costs(promise.condition, promise)
        if isinstance(promise.condition, IfBribed):
            return promise.condition.least >= min(price, 0.2 * self.gain(promise) + self.unit)
        in_return = promise.in_return()
        return in_return is not None and self.trust(other) * self.gain(in_return) >= price

    def _contradicts(self, promise: Promise) -> bool:
        """Whether it would promise one place twice: only a disloyal negotiator does."""
        deed = promise.deed
        if promise.seat != self.seat or self.character.loyalty < 2:
            return False
        if not isinstance(deed, Deciding):
            return False
        return any(
            one.seat == self.seat
            and isinstance(one.deed, Deciding)
            and one.deed.scholar.occupation == deed.scholar.occupation
            and one.deed.scholar.owner != deed.scholar.owner
            for one in self._given()
        )

    def _is_repeated(self, promise: Promise) -> bool:
        """Whether it has offered the other player this deed in this turn already."""
        turn = (self.view.round, self.view.active)
        return any(
            entry.by == self.seat and entry.made_in == turn and _same_deed(entry.promise, promise)
            for entry in self.ledger
        )

    def _dealt(self, *statuses: Status) -> set[Scholar]:
        """The scholars of whom something is promised or offered: each has one deal at a time."""
        return {
            scholar
            for entry in self.ledger
            if entry.status in statuses and not entry.is_settled
            for scholar in entry.scholars
        }

    def _given(self) -> Iterator[Promise]:
        """What it has promised, and what it has offered to promise."""
        yield from self._standing()
        for entry in self.ledger:
            if entry.by == self.seat and entry.status is Status.OPEN:
                yield entry.promise

    def _costs(self, condition: Deed | IfBribed | None, promise: Promise) -> float:
        if isinstance(condition, IfBribed):
            return condition.least - self.minimum
        return 0 if condition is None else 2 * self.unit

    def offers(self, others: Collection[int]) -> list[Promise]:
        """What it offers now; one at a time to each player, and nothing that was offered before.

        Nothing to players with an offer of their own open to it, nothing about the same scholar at
        the same palace twice in a turn, on whatever terms, and nothing about one that has a deal.
        """
        made = {entry.promise for entry in self.ledger}
        is_open = [entry for entry in self.ledger if entry.status is Status.OPEN]
        waiting = {entry.other for entry in is_open if entry.by == self.seat}
        replying = {entry.by for entry in is_open if entry.other == self.seat}
        dealt = self._dealt(Status.ACCEPTED, Status.OPEN)
        found: list[Promise] = []
        for promise in self._thought_of(set(others) - waiting - replying - {self.seat}):
            other = self.other_of(promise)
            if promise in made or other in waiting or self.trust(other) < LEAST_TRUST:
                continue
            if len(waiting) >= MOST_OPEN_OFFERS or not makes_sense(promise, self.view):
                continue
            if self._is_repeated(promise) or self._contradicts(promise):
                continue
            if _scholars(promise) & dealt:
                continue
            if self.gain(promise) < 2 * self.unit:
                continue
            found.append(promise)
            waiting.add(other)
            dealt |= _scholars(promise)
        return found

    def _thought_of(self, others: Collection[int]) -> Iterator[Promise]:
        view, owner = self.view, self.view.active
        for other in sorted(others):
            yield from self._pact(other)
        if owner is None or view.stage not in BRIBING:
            return
        for scholar in view.contenders:
            if scholar.owner == self.seat and owner in others:
                yield self._request(owner, scholar)
            elif owner == self.seat and scholar.owner in others:
                yield self._bargain(scholar)

    def _pact(self, other: int) -> Iterator[Promise]:
        """Offer to keep each other's scholar: yours at my palace as long as mine at yours."""
        last = self.view.table.edition.rounds
        mine, theirs = self._resident(other, self.seat), self._resident(self.seat, other)
        if mine is not None and theirs is not None and self.view.round < last:
            yield Promise(self.seat, other, Keep(theirs, last), Keep(mine, last))

    def _resident(self, palace: int, owner: int) -> Scholar | None:
        """The best paid scholar of this owner there of whom nothing is promised yet."""
        promised = {getattr(one.deed, "scholar", None) for one in self._standing()}
        row = zip(self.view.table.edition.areas, self.view.palaces[palace], strict=True)
        held = [(area, one) for area, one in row if one is not None and one.owner == owner]
        return next((one for _area, one in sorted(held)[::-1] if one not in promised), None)

    def _standing(self) -> Iterator[Promise]:
        """All promises that are accepted and not settled, also those in return."""
        for entry in self.ledger:
            if entry.status is Status.ACCEPTED and not entry.is_settled:
                yield entry.promise
                in_return = entry.promise.in_return()
                if in_return is not None:
                    yield in_return

    def _request(self, owner: int, scholar: Scholar) -> Promise:
        """Ask the owner to choose this scholar, for a bribe that it is worth."""
        deed = self._choosing(owner, scholar)
        least = bribe_to_ask(0.25 * self.gain(Promise(owner, self.seat, deed)), self.view)
        return Promise(owner, self.seat, deed, IfBribed(scholar, least))

    def _bargain(self, scholar: Scholar) -> Promise:
        """Offer to choose somebody's scholar for a good bribe."""
        deed = self._choosing(self.seat, scholar)
        share = 0.2 + 0.05 * self.character.greed
        least = bribe_to_ask(share * self.gain(Promise(self.seat, scholar.owner, deed)), self.view)
        return Promise(self.seat, scholar.owner, deed, IfBribed(scholar, least))

    def _choosing(self, owner: int, scholar: Scholar) -> Deed:
        if self.view.area is not None:
            return Win(scholar)
        rivals = [one for one in self.view.contenders if one.occupation == scholar.occupation]
        if len(rivals) > 1:
            return Hire(scholar)
        return PlaceIn(scholar, None, max(self._open(owner), default=self.best))

    # Playing.

    def bias(self) -> Bias:
        """What promises add to what a courtier weighs."""
        favour: dict[Scholar, float] = {}
        assured: dict[Scholar, Assurance] = {}
        for entry in self.ledger:
            if entry.status is Status.ACCEPTED and not entry.is_settled:
                self._weigh(entry, favour, assured)
        for scholar in self.view.contenders:
            if scholar.owner != self.seat:
                favour[scholar] = favour.get(scholar, 0) + self._regard(scholar.owner)
        liking = {
            palace: 0.2 + 1.2 * self.trust(palace)
            for palace in range(len(self.view.palaces))
            if palace != self.seat
        }
        return Bias(favour, assured, liking)

    def _weigh(
        self, entry: Entry, favour: dict[Scholar, float], assured: dict[Scholar, Assurance]
    ) -> None:
        promise, condition = entry.promise, entry.promise.condition
        for one in (promise, promise.in_return()):
            if one is None or not isinstance(one.deed, Deciding):
                continue
            scholar = one.deed.scholar
            if one.seat == self.seat and entry.condition in (Verdict.PENDING, Verdict.KEPT):
                favour[scholar] = favour.get(scholar, 0) + self.bond()
            elif one.to == self.seat:
                least = condition.least if isinstance(condition, IfBribed) else self.minimum
                chance = 0.4 + 0.6 * self.trust(one.seat)
                assured[scholar] = Assurance(least, chance, self.gain(one))


def _scholars(promise: Promise) -> set[Scholar]:
    """The scholars that it names, in what is promised or in its condition."""
    named = (getattr(one, "scholar", None) for one in (promise.deed, promise.condition))
    return {scholar for scholar in named if scholar is not None}


def _same_deed(one: Promise, other: Promise) -> bool:
    """Whether two promises are about what the same player does with the same scholar."""
    scholars = {getattr(promise.deed, "scholar", None) for promise in (one, other)}
    return one.seat == other.seat and len(scholars) == 1 and None not in scholars
