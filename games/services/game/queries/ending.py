"""The end of a game: who won it and when, who kept their word, awards, and what scholars earned."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.core.cache import caches
from django.utils.translation import gettext_lazy

from games.engine import State
from games.engine.awards import Award, GivenWord, awards
from games.engine.careers import Career, careers
from games.engine.promises import Verdict
from games.models import Game
from games.presentation.careers import CareerTables, career_tables
from games.presentation.log.promise_story import LET_PASS
from games.presentation.text.awards import AwardLine, award_line
from games.presentation.text.characters import Betrayal, character_at_the_end
from games.presentation.text.said import Said
from games.presentation.text.words import People
from games.services.game.holders import round_at
from games.services.game.negotiation import role_at
from games.services.game.position import Position
from games.services.game.promise_counts import Judged, judged_in
from games.services.game.queries.doers import Doer, doer_of
from games.services.game.queries.verdicts import Verdicts
from games.services.game.replay import EventRow, event_rows, rule_event, states, surviving
from games.services.people.display_names import seat_crest
from games.services.site_state import MEMORY
from games.table_events import NAME_CHANGES, is_table_event

KEPT_FOR: Final = 3600
"""How many seconds a process remembers what it has computed from all events of a game."""


class Winner(NamedTuple):
    """A player who has won; `crest` is "" for an empty seat."""

    name: str
    colour: str
    crest: str


class Word(NamedTuple):
    """How many promises a player made in front of all, and kept, broke and let pass.

    The player who sat there then; `names` are those in `name`, which says who kept or broke for
    whom what was inherited. `against_interest` are those of the kept ones for which a higher bribe
    lost.
    """

    name: str
    names: Sequence[str]
    colour: str
    kept: int
    broken: int
    let_pass: int
    against_interest: int


class CharacterLine(NamedTuple):
    """How a computer player was, as a sentence; `names` are those in it."""

    text: str
    names: Sequence[str]


class Ending(NamedTuple):
    """The end of a game. `turning_point` is "" where nobody won alone; `step` shows it.

    `lets_pass` says that a player let a promise pass. `characters` are those of computer players
    that negotiate. `careers` are what each player's scholars cost and earned, the reader's first.
    """

    winners: list[Winner]
    turning_point: str
    step: int | None
    awards: list[AwardLine]
    words: list[Word]
    characters: list[CharacterLine]
    careers: CareerTables

    @property
    def lets_pass(self) -> bool:
        return any(word.let_pass for word in self.words)

    @property
    def honours_any(self) -> bool:
        """Whether a promise was kept though a higher bribe lost."""
        return any(word.against_interest for word in self.words)


class _Verdict(NamedTuple):
    """A verdict, how it counts, and the round in which the promise was kept or broken.

    `against_interest` says that it was kept though a higher bribe lost; it was given `to` a seat.
    """

    judged: Judged
    how: str
    against_interest: bool
    to: int
    round: int


class _Course(NamedTuple):
    """The course of a game as its events show it, the same for every reader.

    `seq` is the event with which the winner took the lead for good, in this `round`: None if nobody
    won alone. `verdicts` are the verdicts that stand.
    """

    seq: int | None
    round: int
    verdicts: list[_Verdict]
    careers: list[Career]
    awards: list[Award]


def read_ending(position: Position, last_event: int) -> Ending | None:
    """How the game ended, None while it goes on; `last_event` is the number of its last event."""
    game, seen, people = position.game, position.view, position.people
    if game.status != Game.Status.FINISHED or not seen.winners:
        return None
    key = f"ending:{game.pk}:{last_event}"
    course: _Course | None = caches[MEMORY].get(key)
    if course is None:
        course = _course(position, event_rows(game))
        caches[MEMORY].set(key, course, KEPT_FOR)
    return Ending(
        winners=[
            Winner(people.name(seat), people.colour(seat), seat_crest(position.seats[seat]))
            for seat in seen.winners
        ],
        turning_point=turning_point(course.seq, course.round, people, seen.winners[0]),
        step=course.seq,
        awards=[award_line(people, award) for award in course.awards],
        words=_words(position, course.verdicts),
        characters=_characters(position, course.verdicts),
        careers=career_tables(people, course.careers),
    )


def _words(position: Position, verdicts: Iterable[_Verdict]) -> list[Word]:
    counts: dict[Doer, Counter[str]] = {}
    honoured: Counter[Doer] = Counter()
    for judged, how, against_interest, _to, _round in verdicts:
        if how != Verdict.VOID:
            doer = doer_of(position.holders, judged)
            counts.setdefault(doer, Counter())[how] += 1
            honoured[doer] += against_interest
    return [
        Word(
            name=doer.text,
            names=doer.names,
            colour=position.people.colour(doer.seat),
            kept=counts[doer][Verdict.KEPT],
            broken=counts[doer][Verdict.BROKEN],
            let_pass=counts[doer][LET_PASS],
            against_interest=honoured[doer],
        )
        for doer in sorted(counts, key=lambda doer: doer.seat)
    ]


def _characters(position: Position, verdicts: Sequence[_Verdict]) -> list[CharacterLine]:
    found = []
    for seat in position.seats:
        role, number = role_at(position.game, seat), seat.drawn_number
        if role is None:
            continue
        name = position.people.name(number)
        given: Counter[str] = Counter()
        betrayals: list[Betrayal] = []
        for judged, how, _against_interest, to, in_round in verdicts:
            names = position.holders.after(judged.done.seq)
            if names[number] != name:
                continue  # a person sat there
            if judged.seat == number:
                given[how] += 1
            elif how == Verdict.BROKEN and to == number:
                to_them = position.people_after(judged.done.seq)
                by_reader = to_them.reader == judged.seat
                betrayals.append(Betrayal(in_round, names[judged.seat], by_reader))
        betrayed = min(betrayals, default=None)
        text = character_at_the_end(
            name, role, kept=given[Verdict.KEPT], broken=given[Verdict.BROKEN], betrayed=betrayed
        )
        names = [name] if betrayed is None or betrayed.by_reader else [name, betrayed.by]
        found.append(CharacterLine(text, names))
    return found


_LAST_ROUND: Final = Said(
    gettext_lazy("The game was decided in the last round, when {name} took the lead."),
    gettext_lazy("The game was decided in the last round, when you took the lead."),
)
_TURNED: Final = Said(
    gettext_lazy(
        "The turning point: {name} took the lead in round {round} and kept it to the end."
    ),
    gettext_lazy("The turning point: you took the lead in round {round} and kept it to the end."),
)


def turning_point(seq: int | None, in_round: int, people: People, winner: int) -> str:
    """When the winner took the lead for good, in words; "" if there is no such event (`seq`)."""
    if seq is None:
        return ""
    said = _LAST_ROUND if in_round == people.table.edition.rounds else _TURNED
    return said.about(people, winner, round=in_round)


def _course(position: Position, rows: Sequence[EventRow]) -> _Course:
    winners, counting = position.view.winners, surviving(rows)
    outcomes = Verdicts(position.game, position.people, counting)
    verdicts = [
        _Verdict(
            judged,
            outcome.event.verdict,
            outcome.against_interest,
            outcome.promise.to,
            round_at(counting, judged.done.seq),
        )
        for judged, (_place, outcome) in zip(judged_in(counting), outcomes, strict=True)
    ]
    seq, round_ = _lead_for_good(winners[0], rows, counting) if len(winners) == 1 else (None, 0)
    of_scholars = careers(rule_event(row) for row in counting if not is_table_event(row.kind))
    changed = {row.payload["seat"] for row in rows if row.kind in NAME_CHANGES}
    words, edition = _given_words(verdicts, len(position.seats)), position.view.table.edition
    given = awards(of_scholars, words, edition, changed)
    return _Course(seq, round_, verdicts, of_scholars, given)


def _lead_for_good(
    winner: int, rows: Sequence[EventRow], counting: Iterable[EventRow]
) -> tuple[int | None, int]:
    """The event with which the winner took the lead for good, and its round."""
    numbers = {row.seq for row in counting}
    taken: tuple[int | None, int] = (None, 0)
    for moment in states(rows):
        if moment.seq not in numbers:
            continue
        if not _leads(winner, moment.state):
            taken = (None, 0)
        elif taken[0] is None:
            taken = (moment.seq, moment.state.round)
    return taken


def _given_words(verdicts: Iterable[_Verdict], seats: int) -> list[GivenWord]:
    """What became of the promises of each seat, in order."""
    counts: Counter[tuple[int, str]] = Counter()
    for judged, how, against_interest, _to, _round in verdicts:
        counts[judged.seat, how] += 1
        counts[judged.seat, "despite bribe"] += against_interest
    hows = (Verdict.KEPT, Verdict.BROKEN, LET_PASS, "despite bribe")
    return [GivenWord(*(counts[seat, how] for how in hows)) for seat in range(seats)]


def _leads(seat: int, state: State) -> bool:
    """Whether the seat has more money than everybody else."""
    return all(state.cash[seat] > cash for other, cash in enumerate(state.cash) if other != seat)
