"""Drawn examples for the rules: one small game, played by the engine with the edition's own rules.

So every example is a position that these rules lead to, and is told as the log would tell it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games.engine import (
    COLOURS,
    Bribe,
    BribeChoice,
    Event,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Scholar,
    Send,
    SendChoice,
    Stage,
    State,
    Table,
    default_move,
    legal,
    step,
    to_move,
    view,
    view_event,
)
from games.engine.editions import Edition
from games.engine.events import BribesPaid, SalaryPaid
from games.engine.rules import start
from games.engine.state import opening
from games.presentation.board.board import Palace, board
from games.presentation.board.decision import move_text
from games.presentation.log.story import HEADINGS, event_text
from games.presentation.text.words import People, money

ROSA, YVETTE, GUSTAV, BRUNO = range(4)
NAMES: Final = (
    pgettext_lazy("a player of the examples", "Rosa"),
    pgettext_lazy("a player of the examples", "Yvette"),
    pgettext_lazy("a player of the examples", "Gustav"),
    pgettext_lazy("a player of the examples", "Bruno"),
)
"""Each begins like the colour of the seat: red, yellow, green, blue."""

FEWEST_ROUNDS: Final = 4
"""The examples need three rounds that are not the last one."""

SENT: Final[Mapping[tuple[int, int], tuple[tuple[int, int], ...]]] = {
    (1, ROSA): ((0, YVETTE), (1, GUSTAV)),
    (1, YVETTE): ((0, ROSA), (3, BRUNO)),
    (1, GUSTAV): ((1, ROSA), (3, YVETTE)),
    (1, BRUNO): ((2, ROSA), (3, YVETTE)),
    (2, ROSA): ((3, YVETTE), (2, BRUNO)),
    (2, YVETTE): ((1, ROSA), (2, GUSTAV)),
    (2, GUSTAV): ((0, ROSA), (2, YVETTE)),
    (2, BRUNO): ((1, ROSA), (0, GUSTAV)),
}
"""Who is sent in which round: the occupation and palace of each. No palace twice, and no twins."""

UNITS: Final[Mapping[tuple[int, int, int], int]] = {
    (2, ROSA, YVETTE): 2,
    (2, ROSA, GUSTAV): 5,
    (2, YVETTE, GUSTAV): 3,
    (2, YVETTE, BRUNO): 1,
    (2, YVETTE, ROSA): 2,
    (3, ROSA, YVETTE): 3,
    (3, ROSA, BRUNO): 4,
}
"""By how many bills a bribe is above the minimum: round, palace, who pays."""


class Example(NamedTuple):
    """A position and what became of it: the palaces to draw, what it shows, and the log after it.

    `palaces` may be empty, and so may `told`.
    """

    palaces: list[Palace]
    caption: str
    text: list[str]


def examples(edition: Edition) -> dict[str, Example]:
    """An example for each section of the rules that has one, by the section's anchor."""
    edition = replace(edition, rounds=max(edition.rounds, FEWEST_ROUNDS))
    table = Table(edition, (), COLOURS[: len(NAMES)], ROSA)
    people = People(table, [str(name) for name in NAMES])
    begun = start(table, opening(table)).state
    first = _play(begun, 2, ROSA, Stage.UNCONTESTED_BRIBES)[0]
    sending = _play(first, 2, ROSA, Stage.SENDING)[0]
    rivals = _play(sending, 2, YVETTE, Stage.EXTERNAL_BRIBES)[0]
    fights, before = _play(rivals, 3, ROSA, Stage.INTERNAL_BRIBES)
    return {
        "salary": _salary(people, fights, before),
        "uncontested": _uncontested(people, first),
        "external": _external(people, rivals),
        "internal": _internal(people, fights),
        "broke": _broke(people, rivals),
        "sending": _sending(people, sending),
        "default": _default(people, rivals),
    }


def _salary(people: People, state: State, before: list[Event]) -> Example:
    paid = [event for event in before if isinstance(event, SalaryPaid) and event.seat == ROSA]
    caption = _("{name} begins a turn and is paid salaries for four {scholars}.")
    return Example(
        _palaces(people, state, YVETTE, GUSTAV, BRUNO),
        caption.format(name=people.name(ROSA), scholars=people.words.scholars),
        _text(people, paid[-1:]),
    )


def _uncontested(people: People, state: State) -> Example:
    _after, events = _play(state, 2, ROSA, Stage.SENDING)
    caption = _(
        "Nobody is sent away, but the owner decides who gets the lowest salary, whatever was paid."
    )
    return Example(_palaces(people, state, ROSA), caption, _text(people, events))


def _external(people: People, state: State) -> Example:
    _after, events = _play(state, 2, YVETTE, Stage.SENDING)
    caption = _(
        "Three want the same job, and only one is hired. It doesn't have to be the one with the "
        "highest bribe."
    )
    return Example(_palaces(people, state, YVETTE), caption, _text(people, events))


def _internal(people: People, state: State) -> Example:
    _after, events = _play(state, 3, ROSA, Stage.SENDING)
    first = state.area or 0
    low, high = sorted((min(people.table.edition.areas), max(people.table.edition.areas)))
    caption = _(
        "Two conflicts at one door: first the one over the {first} salary, then the one over "
        "the {second} salary."
    )
    caption = caption.format(first=money(first), second=money(low + high - first))
    return Example(_palaces(people, state, ROSA), caption, _text(people, events))


def _broke(people: People, state: State) -> Example:
    cash = tuple(0 if seat == BRUNO else held for seat, held in enumerate(state.cash))
    state = state._replace(cash=cash)
    _after, events = _play(state, 2, YVETTE, Stage.HIRING)
    paid = [event for event in events if isinstance(event, BribesPaid) and event.seat == BRUNO]
    caption = _("{name} has no money left.").format(name=people.name(BRUNO))
    return Example([], caption, _text(people, paid))


def _sending(people: People, state: State) -> Example:
    made = step(state, ROSA, _choose_move(state, ROSA))
    caption = _("{name} ends the turn. Now two more applicants are waiting at the doors.").format(
        name=people.name(ROSA)
    )
    palaces = _palaces(people, made.state, YVETTE, BRUNO)
    return Example(palaces, caption, _text(people, made.events[:1]))


def _default(people: People, state: State) -> Example:
    state = _play(state, 2, YVETTE, Stage.HIRING)[0]
    move = move_text(people, default_move(state, YVETTE))
    caption = _("If {name} misses this deadline, the default move is played: {move}.")
    palaces = _palaces(people, state, YVETTE)
    return Example(palaces, caption.format(name=people.name(YVETTE), move=move), [])


# How the game of the examples is played.


def _play(state: State, number: int, active: int, stage: Stage) -> tuple[State, list[Event]]:
    """Play on to this stage of a turn: the state there, and what happened on the way."""
    events: list[Event] = []
    while (state.round, state.active, state.stage) != (number, active, stage):
        seat = to_move(state)[0]
        state, more = step(state, seat, _choose_move(state, seat))
        events += more
    return state, events


def _choose_move(state: State, seat: int) -> Move:
    choice = legal(state, seat)
    match choice:
        case BribeChoice():
            return _bribe(state, choice)
        case PlaceChoice(((one,), (other,), (another,)), areas):
            least, *_between, second, best = sorted(areas)
            return Place(((one, best), (other, least), (another, second)))
        case PlaceChoice(((*_rivals, last),), areas):
            return Place(((last, max(areas)),))
        case JudgeChoice(winners):
            return Judge(winners[1] if len(state.contenders) > 2 else winners[0])
        case SendChoice() if (state.round, seat) in SENT:
            sent = SENT[state.round, seat]
            return Send(tuple((Scholar(seat, title, 1), palace) for title, palace in sent))
        case PlaceChoice() | SendChoice():
            return default_move(state, seat)
        case None:
            raise ValueError("This seat is not to move.")
        case _:
            assert_never(choice)


def _bribe(state: State, choice: BribeChoice) -> Bribe:
    """The bribes of `UNITS`, as far as the money goes; a resident passes where it may."""
    cash, bribes = choice.cash, []
    for scholar in choice.scholars:
        above = UNITS.get((state.round, state.active or 0, scholar.owner), 0) * choice.unit
        amount = min(choice.minimum + above, choice.highest(cash))
        amount = 0 if scholar in choice.may_pass else amount
        cash -= amount
        bribes.append((scholar, amount))
    return Bribe(tuple(bribes))


# How an example is drawn and described.


def _palaces(people: People, state: State, *seats: int) -> list[Palace]:
    drawn = board(people, view(state, None)).palaces
    return [drawn[seat]._replace(to_move=False) for seat in seats]


def _text(people: People, events: Iterable[Event]) -> list[str]:
    """The lines of the log that these events make."""
    seen = [view_event(event, None) for event in events if type(event).__name__ not in HEADINGS]
    return [line for line in (event_text(people, event) for event in seen) if line]
