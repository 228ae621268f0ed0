"""`teacher`: a computer player of a first game. It teaches the player who plays first.

It sends rivals, so that there is a fight in the first round; it offers promises and asks for some.
In the first round it keeps its word; later one teacher breaks it, once. It bribes little, so that
the learner may win, but pays what it has agreed on, so that the learner owes what was promised for
it. A pure function of what its seat may know, the ledger, which is public, and a seed.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from games.engine.characters import Character
from games.engine.choices import BribeChoice, JudgeChoice, PlaceChoice, SendChoice
from games.engine.ledger import Ledger, Status
from games.engine.moves import Bribe, Judge, Move, Place, Send
from games.engine.negotiator import OfferOrReply, ReplyToOffer, play_negotiator, say
from games.engine.promises import Hire, IfBribed, Keep, PlaceIn, Verdict, Win
from games.engine.state import Scholar
from games.engine.view import View

TEACHER: Final = "teacher"

CHARACTER: Final = Character(greed=0, loyalty=4, vengeance=0)

HONEST_ROUNDS: Final = 1
"""For how many rounds it keeps its word."""

FIGHT_POINTS: Final = 100
"""How much it wants to send a rival to a scholar of the learner's that has none."""

RIVALRY_POINTS: Final = 50
VISIT_POINTS: Final = 30
"""The same for a second one of an occupation at the learner's own door, and for the first."""


def learner(view: View) -> int:
    """The seat of the learner: it plays first."""
    return view.table.first


def teacher_says(view: View, ledger: Ledger) -> list[OfferOrReply]:
    """What the viewed seat says now: replies, and an offer to the learner.

    One a turn, whichever teacher makes it, and no pacts to keep scholars: they last longer than a
    first game.
    """
    now = (view.round, view.active)
    others = set() if any(entry.made_in == now for entry in ledger) else {learner(view)}
    return [
        what
        for what in say(view, ledger, CHARACTER, others)
        if isinstance(what, ReplyToOffer) or not isinstance(what.deed, Keep)
    ]


def play_teacher(view: View, ledger: Ledger, seed: int) -> Move:
    """The move of the viewed seat, which must be to move."""
    move = play_negotiator(view, ledger, CHARACTER, seed)
    match view.choice:
        case BribeChoice() as choice:
            return _bribe(view, ledger, choice)
        case SendChoice() as choice if view.round <= HONEST_ROUNDS:
            return _send(view, choice, Random(seed)) or move  # noqa: S311 (a game, no secret)
        case JudgeChoice() | PlaceChoice():
            return _decide(view, ledger, move)
    return move


# Bribing.


def _bribe(view: View, ledger: Ledger, choice: BribeChoice) -> Bribe:
    """The minimum for each scholar, and what was agreed for those of whom something is promised."""
    agreed: dict[Scholar, int] = {}
    for entry in ledger:
        promise, condition = entry.promise, entry.promise.condition
        if entry.status is not Status.ACCEPTED or entry.is_settled or promise.to != view.seat:
            continue
        if promise.seat == view.active and isinstance(condition, IfBribed):
            agreed[condition.scholar] = condition.least
    bribes: list[tuple[Scholar, int]] = []
    left = choice.cash
    for scholar in choice.scholars:
        others = choice.minimum * (len(choice.scholars) - len(bribes) - 1)
        amount = max(agreed.get(scholar, 0), choice.minimum)
        if amount > left - others:
            amount = choice.minimum
        bribes.append((scholar, amount))
        left -= amount
    return Bribe(tuple(bribes))


# Sending.


def _send(view: View, choice: SendChoice, chance: Random) -> Move | None:
    """Send two scholars where they teach something; None where nothing does."""
    ways = [(scholar, palace) for scholar in choice.scholars for palace in choice.palaces]
    chance.shuffle(ways)
    ways.sort(key=lambda way: _lesson(view, *way), reverse=True)
    sent: list[tuple[Scholar, int]] = []
    for scholar, palace in ways:
        if any(_clashes(scholar, palace, *other, choice) for other in sent):
            continue
        sent.append((scholar, palace))
        if len(sent) == choice.count:
            break
    if len(sent) < choice.count or not _lesson(view, *sent[0]):
        return None
    return Send(tuple(sent))


def _clashes(
    scholar: Scholar, palace: int, other: Scholar, elsewhere: int, choice: SendChoice
) -> bool:
    """Whether these two can't be sent together, or would only fight each other."""
    if scholar == other or (choice.distinct and palace == elsewhere):
        return True
    return palace == elsewhere and scholar.occupation == other.occupation


def _lesson(view: View, scholar: Scholar, palace: int) -> int:
    """How much the learner learns from this scholar at this palace."""
    pupil = learner(view)
    there = [one for one in view.applicants[palace] if one.occupation == scholar.occupation]
    if palace == pupil:
        rivals = there and all(one.owner != scholar.owner for one in there)
        return RIVALRY_POINTS if rivals else VISIT_POINTS
    inside = [
        one
        for one in view.palaces[palace]
        if one is not None and one.occupation == scholar.occupation
    ]
    owners = {one.owner for one in (*there, *inside)}
    if owners != {pupil}:
        return 0
    seats = len(view.table.players)
    return FIGHT_POINTS + seats - (palace - (view.seat or 0)) % seats  # the sooner the better


# Deciding.


def _decide(view: View, ledger: Ledger, move: Move) -> Move:
    """The move as the teacher's word demands; from the second round on, once, as it forbids."""
    promised = dict(_paid_for(view, ledger))
    betrays = view.round > HONEST_ROUNDS and not _has_betrayed(view, ledger)
    if isinstance(move, Judge) and isinstance(view.choice, JudgeChoice):
        winners = view.choice.winners
        wanted = [one for one in winners if (one in promised) != betrays]
        return Judge(wanted[0]) if wanted and any(one in promised for one in winners) else move
    if isinstance(move, Place) and isinstance(view.choice, PlaceChoice) and promised:
        kept = _place_as_promised(view.choice, move, promised)
        return _misplace(view.choice, kept, set(promised)) if betrays else kept
    return move


def _has_betrayed(view: View, ledger: Ledger) -> bool:
    """Whether a promise to the learner has been broken, by any player."""
    return any(
        entry.verdict is Verdict.BROKEN and entry.promise.to == learner(view) for entry in ledger
    )


def _paid_for(view: View, ledger: Ledger) -> Iterator[tuple[Scholar, int]]:
    """The learner's scholars that a place was promised to and bribed for; its least salary."""
    for entry in ledger:
        promise = entry.promise
        if entry.status is not Status.ACCEPTED or entry.is_settled:
            continue
        if (promise.seat, promise.to) != (view.seat, learner(view)):
            continue
        if entry.condition is not Verdict.KEPT:
            continue
        match promise.deed:
            case PlaceIn(scholar, area, least):
                yield scholar, area or least or 0
            case Hire(scholar) | Win(scholar):
                yield scholar, 0


def _place_as_promised(choice: PlaceChoice, move: Place, promised: Mapping[Scholar, int]) -> Place:
    """Give a place to each scholar that was promised one, with the smallest area that will do."""
    chosen = {scholar for scholar, _area in move.placements}
    hired = [
        next(one for rank in (promised, chosen) for one in conflict if one in rank)
        for conflict in choice.conflicts
    ]
    areas = sorted(area for _scholar, area in move.placements)
    areas += [area for area in sorted(choice.open_areas, reverse=True) if area not in areas]
    given: dict[Scholar, int] = {}
    for scholar in sorted(hired, key=lambda one: promised.get(one, -1), reverse=True):
        least = promised.get(scholar, 0)
        given[scholar] = next((area for area in areas if area >= least), areas[0])
        areas.remove(given[scholar])
    return Place(tuple((scholar, given[scholar]) for scholar in hired))


def _misplace(choice: PlaceChoice, move: Place, promised: set[Scholar]) -> Place:
    """Hire rivals instead of promised scholars; those without rivals get the worst area."""
    placed = list(move.placements)
    for place, (scholar, area) in enumerate(placed):
        if scholar not in promised:
            continue
        conflict = next(one for one in choice.conflicts if scholar in one)
        rivals = [one for one in conflict if one not in promised]
        if rivals:
            placed[place] = (rivals[0], area)
            continue
        worst = min(choice.open_areas)
        for other, (holder, taken) in enumerate(placed):
            if taken == worst:
                placed[other] = (holder, area)
        placed[place] = (scholar, worst)
    return Place(tuple(placed))
