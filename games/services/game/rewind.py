"""Taking a game back to a boundary between moves (docs/play-over-days.md, 16).

Nothing is deleted. The moves that are taken back are marked, and an event
says up to where the log counts; `surviving` in `services.game.replay` knows what survives.
"""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.engine import State
from games.models import Cause, Game, Miss, Move, PrivateMessage, Seat
from games.services.game import absence, talk_time
from games.services.game.replay import EventRow, event_rows, steps_of, surviving
from games.services.game.writer import Writer
from games.services.refused import Refused
from games.table_events import SETTLING, Rewound, SeatAbsent, SeatReturned


class Boundary(NamedTuple):
    """Between two moves: the number of the last event that stands, the state, the next move."""

    seq: int
    state: State
    next_move: Move


def boundaries(game: Game, rows: list[EventRow]) -> list[Boundary]:
    """Where a game can be taken back to, the earliest first: before each move that counts.

    `rows` are all events, by number. The moves are played again by the engine.
    """
    moves = list(game.moves.filter(abandoned=False).select_related("seat__user").order_by("pk"))
    steps = steps_of(game, rows, [move.move for move in moves])
    return [Boundary(*step, move) for step, move in zip(steps, moves, strict=False)]


def boundary_at(game: Game, rows: list[EventRow], seq: int) -> Boundary:
    """The boundary after this event; `Refused` where no move begins there (any more)."""
    for boundary in boundaries(game, rows):
        if boundary.seq == seq:
            return boundary
    raise Refused(_("The game can't be rewound to this step."))


def step_before(game: Game, rows: list[EventRow], move: Move) -> int:
    """The number of the last event before a move that counts; `Refused` where it doesn't."""
    for boundary in boundaries(game, rows):
        if boundary.next_move.pk == move.pk:
            return boundary.seq
    raise Refused(_("The game can't be rewound to this step."))


def opened_since(game: Game, rows: list[EventRow], seq: int) -> bool:
    """Whether sealed bribes were opened after this event: everybody has seen them."""
    sealed = game.decoded().table.edition.bribing == "simultaneous"
    return sealed and any(row.kind == "BribesPaid" and row.seq > seq for row in surviving(rows))


def rewind(writer: Writer, seq: int, cause: Cause) -> int:
    """Take a game back to the boundary after this event; the number of the event that says so.

    The phase is a new one, with fresh full deadlines; orders are void, and so are the misses of
    what is taken back, and absences that came of them. Offers and promises are as they were then.
    Messages stay, and are marked.
    """
    game, rows = writer.game, event_rows(writer.game)
    boundary = boundary_at(game, rows, seq)
    abandoned = game.moves.filter(abandoned=False, pk__gte=boundary.next_move.pk)
    # The misses for which the clock made these moves go; others of their phases stand.
    made = abandoned.filter(seat=OuterRef("seat"), phase_no=OuterRef("phase_no"))
    Miss.objects.filter(seat__in=abandoned.values("seat")).filter(Exists(made)).delete()
    abandoned.update(abandoned=True)
    kept = [row for row in rows if row.seq <= seq]
    writer.reset_to(boundary.state, kept)
    _mark_undone_messages(game, kept[-1])
    number = writer.record(Rewound(seq), cause)
    talk_time.begin_again_if_rewound(writer, kept)
    for seat in writer.seats.values():
        if seat.user is not None:
            absence.recount(seat, _back_since(rows, seat))
    _call_back(writer, rows, seq, cause)
    return number


def _mark_undone_messages(game: Game, last: EventRow) -> None:
    """Mark messages after the last event that stands as sent at undone moments; they stay.

    Private deals are numbered with the events: they may be of the same instant.
    """
    game.messages.filter(at__gt=last.at, undone=False).update(undone=True)
    messages = PrivateMessage.objects.filter(thread__game=game, undone=False)
    messages.filter(deal__isnull=True, at__gt=last.at).update(undone=True)
    settled = Q(deal__kind__in=SETTLING)
    messages.filter(settled, after__gt=last.seq).update(undone=True)
    messages.filter(~settled, deal__isnull=False, after__gte=last.seq).update(undone=True)


def _back_since(rows: list[EventRow], seat: Seat) -> datetime | None:
    """When the person at a seat came back last; not where a rewind called them back.

    What a rewind makes void was nothing that they came back from.
    """
    rewinds = {row.at for row in rows if row.kind == Rewound.__name__}
    back = [
        row.at
        for row in rows
        if row.kind == SeatReturned.__name__
        and row.payload["seat"] == seat.number
        and row.at not in rewinds
    ]
    return back[-1] if back else None


def _call_back(writer: Writer, rows: list[EventRow], seq: int, cause: Cause) -> None:
    """Call players back who became absent by misses that are void; misses that stand count."""
    for row in rows:
        if row.seq > seq and row.kind == SeatAbsent.__name__ and row.cause == Cause.CLOCK:
            seat = writer.seats[row.payload["seat"]]
            since = seat.absent_since
            enough = absence.RULE.is_too_much(seat.missed)
            mended = since is not None and since >= row.at and not enough
            if mended and seat.user is not None and seat.user.may_play(writer.now):
                seat.absent_since = None
                writer.record(SeatReturned(seat.drawn_number), cause)
