"""What a moderator reads before a rewind: where it can lead, and what it would do."""

from collections import Counter
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import to_move, view
from games.models import Cause, Game, Move, Seat
from games.presentation.board.turn_summary import seats_to_move
from games.presentation.text.words import colour_text, day_and_hour, listed, to_the_minute
from games.services.game import rewind
from games.services.game.position import Position
from games.services.game.queries.decisions import made_by_the_clock
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import read_log
from games.services.game.replay import event_rows
from games.services.game.writer import Writer

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
    before = {one.next_move.pk: one for one in rewind.boundaries(game, event_rows(game))}
    text = _("Step {step}, {moment}: {decision}")
    return [
        (
            move.pk,
            text.format(
                step=before[move.pk].seq,
                moment=day_and_hour(to_the_minute(move.at), zone),
                decision=_headline(position, before[move.pk]),
            ),
        )
        for move in made_by_the_clock(game.moves.all()).select_related("seat")[:MOST_MOVES]
    ]


def _headline(position: Position, before: rewind.Boundary) -> str:
    """What was decided by the next move after a boundary, without what it was."""
    move = before.next_move
    people = position.people._replace(names=position.holders.at(move.at))
    decisions = seats_to_move(people, view(before.state, None))
    return next(one.headline for one in decisions if one.seat == move.seat.drawn_number)


def why_not_fault(seat: Seat) -> str:
    """Why the clock would play at this seat again at once; "" where its player can be waited for.

    Being absent is no reason: they are marked present with it.
    """
    if seat.user is None:
        return _(
            "No one has the {colour} seat now, so the move would be made again at once. Use “Give "
            "the seat back” first."
        ).format(colour=colour_text(seat.colour))
    if not seat.user.may_play(timezone.now()):
        return _(
            "{name} is suspended or banned, so the move would be made again at once. Lift the "
            "suspension or ban first."
        ).format(name=seat.user.name)
    return ""


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
    move = made_by_the_clock(game.moves.all()).select_related("seat__user").get(pk=move_id)
    seat, number = move.seat, move.seat.drawn_number
    text = []
    if seat.misses.filter(at=move.at).exists():
        name = read_game(game, None).holders.at(move.at)[number]
        text.append(_("{name}'s missed deadline won't count.").format(name=name))
    if seat.absent_since is not None and seat.user is not None:
        marked = _("{name} will be marked present again, and the game will wait for them.")
        text.append(marked.format(name=seat.user.name))
    return text + _consequences(game, rewind.step_before(game, rows, move), called_back=number)


def consequences(game: Game, seq: int) -> list[str]:
    """What a rewind to this boundary would do, in sentences; `Refused` where there is none."""
    return _consequences(game, seq)


def _consequences(game: Game, seq: int, *, called_back: int | None = None) -> list[str]:
    """The same; the player at one seat is perhaps `called_back` with it."""
    rows = event_rows(game)
    boundary = rewind.boundary_at(game, rows, seq)
    position = read_game(game, None)
    moves = _taken_back(game, boundary).values_list("seat__number", "at")
    by_name = Counter(position.holders.at(at)[seat or 0] for seat, at in moves)
    gone = _not_waited_for(game, seq) - {called_back}
    next_ones = to_move(boundary.state)
    text = [
        ngettext(
            "{count} move will be taken back: {who}.", "{count} moves will be taken back: {who}.",
            by_name.total(),
        ).format(
            count=by_name.total(),
            who=listed(f"{name} ({count})" for name, count in by_name.items()),
        ),
    ]  # fmt: skip
    if present := [position.people.name(seat) for seat in next_ones if seat not in gone]:
        sentence = _("Next to move, each with their full time again: {who}.")
        text.append(sentence.format(who=listed(present)))
    text += [_is_gone(position.seats[seat]) for seat in next_ones if seat in gone]
    text += [
        _(
            "Standing orders will be deleted, and deadlines missed after this step will no "
            "longer count."
        ),
        _(
            "The log entries will stay, marked as discarded. Everyone at the table will see your "
            "reason."
        ),
    ]
    if rewind.opened_since(game, rows, seq):
        text.append(
            _(
                "Sealed bribes have been revealed since then, so all active players vote first; "
                "the rewind happens only if everyone agrees."
            )
        )
    return text


def _not_waited_for(game: Game, seq: int) -> set[int]:
    """The seats for which the game wouldn't wait after a rewind, by trying it and undoing that."""
    with transaction.atomic():
        writer = Writer(Game.objects.lock(game.pk), timezone.now())
        rewind.rewind(writer, seq, Cause.MODERATOR)
        transaction.set_rollback(True)
    return {
        number
        for number, seat in writer.seats.items()
        if not seat.is_present() or (seat.user and not seat.user.may_play(writer.now))
    }


def _is_gone(seat: Seat) -> str:
    """That nobody waits for the move of this seat."""
    if seat.computer_player:
        text = _("The computer player that has the {colour} seat will move at once.")
        return text.format(colour=colour_text(seat.colour))
    if seat.user is None:
        text = _("The {colour} seat is free, so its move will be made automatically at once.")
        return text.format(colour=colour_text(seat.colour))
    text = _(
        "{name} is absent, so their move will be made automatically at once. If the game should "
        "wait for them, mark them present first."
    )
    if not seat.user.may_play(timezone.now()):
        text = _("{name} is suspended or banned, so their move will be made automatically at once.")
    return text.format(name=seat.user.name)
