"""The ledger of a game: every promise that was settled, and who kept and broke how many to whom."""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.engine.promises import Verdict
from games.engine.teacher import TEACHER
from games.models import Game, User
from games.presentation.log.promise_story import promise_of
from games.presentation.text.promises import deed_text, terms_text
from games.services.game.negotiation import character_at
from games.services.game.position import Position, read_position
from games.services.game.private_offers import that_stand
from games.services.game.queries.log import cause_text
from games.services.game.queries.promises import Promises, read_promises
from games.services.game.replay import EventRow, event_rows, surviving
from games.table_events import PromiseJudged, decode_table_event


class Settled(NamedTuple):
    """A promise that was kept, broken or void. `seq` is the number of the event that says so.

    Of a private one it is that of the event that settled it.

    `terms` are its condition or what was promised in return, "" if there were none; `cause` is
    empty where the player did it or it follows by the rules.
    """

    seq: int
    name: str
    other: str
    colour: str
    text: str
    terms: str
    verdict: str
    cause: str
    is_private: bool


class Tally(NamedTuple):
    """How many promises to one player were kept and broken."""

    kept: int
    broken: int


class TallyRow(NamedTuple):
    """What one player kept and broke to each of the others, None for themselves."""

    name: str
    colour: str
    cells: list[Tally | None]


class LedgerPage(NamedTuple):
    """Every settled promise, the latest first, the matrix, and what is still open.

    `characters` are those of the house players, told when the game is over.
    """

    settled: list[Settled]
    names: list[str]
    matrix: list[TallyRow]
    promises: Promises
    characters: list[str]


def read_ledger(game: Game, user: User | None) -> LedgerPage:
    """The ledger of a started game as `user` (None: nobody who sits there) may read it."""
    position = read_position(game, user)
    people, seats = position.people, range(game.size)
    settled: list[Settled] = []
    counts = {(one, other): [0, 0] for one in seats for other in seats}
    for seq, cause, event, is_private in _all_judged(position, event_rows(game)):
        promise = promise_of(people, event)
        pair = counts[promise.seat, promise.to]
        pair[0] += event.verdict == Verdict.KEPT
        pair[1] += event.verdict == Verdict.BROKEN
        settled.append(
            Settled(
                seq=seq,
                name=people.name(promise.seat),
                other=people.name(promise.to),
                colour=people.colour(promise.seat),
                text=deed_text(people, promise),
                terms=terms_text(people, promise),
                verdict=event.verdict,
                cause=cause_text(cause),
                is_private=is_private,
            )
        )
    matrix = [
        TallyRow(
            people.name(one),
            people.colour(one),
            [None if one == other else Tally(*counts[one, other]) for other in seats],
        )
        for one in seats
    ]
    return LedgerPage(
        settled=settled[::-1],
        names=people.names,
        matrix=matrix,
        promises=read_promises(position, suggests=True),
        characters=_characters(position) if game.is_over else [],
    )


def _characters(position: Position) -> list[str]:
    text = _("{name}: greed {greed}, loyalty {loyalty}, vengeance {vengeance}")
    return [
        text.format(name=position.people.name(seat.drawn_number), **character._asdict())
        for seat in position.seats
        if (character := character_at(position.game, seat)) is not None
        and seat.house_player != TEACHER
    ]


class _Judged(NamedTuple):
    seq: int
    cause: str
    event: PromiseJudged
    is_private: bool


def _all_judged(position: Position, rows: list[EventRow]) -> list[_Judged]:
    """All verdicts that stand and that the reader may know, in order."""
    found = [
        _Judged(row.seq, row.cause, event, is_private=False)
        for row in surviving(rows)
        if (event := _judged({"kind": row.kind, **row.payload})) is not None
    ]
    for private in position.private:
        said = that_stand(private.thread.messages.filter(deal__isnull=False), rows)
        found += [
            _Judged(one.after, one.cause, event, is_private=True)
            for one in said
            if (event := _judged(one.deal or {})) is not None and event.number in private.numbers
        ]
    return sorted(found, key=lambda one: one.seq)


def _judged(told: dict[str, Any]) -> PromiseJudged | None:
    if told.get("kind") != PromiseJudged.__name__:
        return None
    event = decode_table_event(told)
    return event if isinstance(event, PromiseJudged) else None
