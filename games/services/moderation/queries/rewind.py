"""What a moderator reads before a rewind: where it can lead, and what it would do."""

from collections import Counter
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import to_move
from games.models import Cause, Game, Move
from games.presentation.text.words import day_and_hour, listed, to_the_minute
from games.services.game import rewind
from games.services.game.queries.decisions import made_by_the_clock
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import read_log
from games.services.game.replay import event_rows

BY_ITSELF = frozenset({Cause.RULES, Cause.COMPUTER})
"""Who made moves before which nobody wants to be again: they would be played again at once."""


MOST_MOVES = 50
"""How many moves of the clock are offered."""


class Step(NamedTuple):
    """A boundary, and what happened next; `seq` is the last event that would stand."""

    seq: int
    text: str


def steps(game: Game) -> list[Step]:
    """The boundaries before moves that somebody had to make, the latest first."""
    rows = event_rows(game)
    log = read_log(game, rows, read_game(game, None).reader)  # as a spectator reads it
    lines = {line.seq: line.text for turn in log for line in turn.all_lines if not line.abandoned}
    return [
        Step(boundary.seq, _text(lines, boundary.seq))
        for boundary in reversed(rewind.boundaries(game, rows))
        if boundary.next_move.cause not in BY_ITSELF
    ]


def _text(lines: dict[int, str], seq: int) -> str:
    following = min((number for number in lines if number > seq), default=0)
    return _("Step {step}, just before: {what}").format(step=seq, what=lines.get(following, ""))


def taken_back(game: Game, seq: int) -> int:
    """How many moves a rewind to this boundary takes back."""
    return _taken_back(game, rewind.boundary_at(game, event_rows(game), seq)).count()


def _taken_back(game: Game, boundary: rewind.Boundary) -> QuerySet[Move]:
    return game.moves.filter(abandoned=False, pk__gte=boundary.next_move.pk)


def clock_moves(game: Game) -> list[tuple[int, str]]:
    """The moves that the clock made and that stand, the latest first: each by its key, in words."""
    position, zone = read_game(game, None), get_current_timezone_name()
    text = _("{name} ({colour}), {moment}")
    return [
        (
            move.pk,
            text.format(
                name=position.holders.at(move.at)[move.seat.drawn_number],
                colour=position.people.colour_text(move.seat.drawn_number),
                moment=day_and_hour(to_the_minute(move.at), zone),
            ),
        )
        for move in made_by_the_clock(game.moves.all()).select_related("seat")[:MOST_MOVES]
    ]


def result_of_fault(game: Game, move_id: int) -> str:
    """What is said once a move of the clock is taken back; to be called before."""
    move = made_by_the_clock(game.moves.all()).get(pk=move_id)
    return result(game, rewind.step_before(game, event_rows(game), move))


def result(game: Game, seq: int) -> str:
    """What is said once a game is taken back to this boundary; to be called before."""
    if rewind.opened_since(game, event_rows(game), seq):
        return _(
            "Sealed bribes have been revealed since then, so the players vote first. They get an "
            "email."
        )
    return _("The game has been rewound. Everyone at the table gets an email.")


def consequences_of_fault(game: Game, move_id: int) -> list[str]:
    """What it would do to take back a move of the clock, in sentences; `Refused` if it can't be."""
    rows = event_rows(game)
    move = made_by_the_clock(game.moves.all()).select_related("seat").get(pk=move_id)
    name = read_game(game, None).holders.at(move.at)[move.seat.drawn_number]
    excused = _("{name}'s missed deadline won't count.").format(name=name)
    return [excused, *consequences(game, rewind.step_before(game, rows, move))]


def consequences(game: Game, seq: int) -> list[str]:
    """What a rewind to this boundary would do, in sentences; `Refused` where there is none."""
    rows = event_rows(game)
    boundary = rewind.boundary_at(game, rows, seq)
    position = read_game(game, None)
    moves = _taken_back(game, boundary).values_list("seat__number", "at")
    by_name = Counter(position.holders.at(at)[seat or 0] for seat, at in moves)
    text = [
        ngettext(
            "{count} move will be taken back: {who}.", "{count} moves will be taken back: {who}.",
            by_name.total(),
        ).format(
            count=by_name.total(),
            who=listed(f"{name} ({count})" for name, count in by_name.items()),
        ),
        _("Next to move, each with their full time again: {who}.").format(
            who=listed(position.people.name(seat) for seat in to_move(boundary.state))
        ),
        _(
            "Standing orders will be deleted, and deadlines missed after this step will no "
            "longer count."
        ),
        _(
            "The log entries will stay, marked as discarded. Everyone at the table will see your "
            "reason."
        ),
    ]  # fmt: skip
    if rewind.opened_since(game, rows, seq):
        text.append(
            _(
                "Sealed bribes have been revealed since then, so all active players vote first; "
                "the rewind happens only if everyone agrees."
            )
        )
    return text
