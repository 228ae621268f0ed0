"""What becomes of the seat of somebody who left the table, as they read it themselves."""

from typing import Final

from django.utils.translation import gettext as _

from games.engine.events import TurnBegan
from games.models import Cause, Event, Game, Sitting, User
from games.services.game.holders import round_at
from games.services.game.position import Position
from games.services.game.replay import REWOUND, surviving
from games.table_events import (
    NAME_CHANGES,
    SeatAbsent,
    SeatGivenBack,
    SeatReturned,
)

_ABSENT: Final = SeatAbsent.__name__
_BACK: Final = (SeatReturned.__name__, SeatGivenBack.__name__)


def left_seat_text(position: Position, user: User | None) -> str:
    """In which round the reader left a seat of this running game, and who has it now.

    "" for everybody else. Asks the database only where somebody has left.
    """
    running = position.game.status == Game.Status.RUNNING
    if user is None or position.seat is not None or not running:
        return ""
    if not position.holders.has_changed:
        return ""
    sitting = Sitting.objects.filter(seat__game=position.game, user=user).last()
    seat = next((one for one in position.seats if sitting and one.pk == sitting.seat_id), None)
    if sitting is None or seat is None:
        return ""
    kinds = (*NAME_CHANGES, *_BACK, _ABSENT, TurnBegan.__name__, REWOUND)
    rows = list(position.game.events.filter(kind__in=kinds, at__lte=sitting.ended_at))
    left = _left_with(rows, seat.drawn_number)
    return _text(
        ""
        if seat.wants_substitute() and seat.user is None
        else position.people.name(seat.drawn_number),
        round_at(surviving(rows), left.seq),
        stepped_aside=(left.kind, left.cause) == (_ABSENT, Cause.PLAYER),
    )


def _left_with(rows: list[Event], seat: int) -> Event:
    """The event with which a seat was left last: the absence, if its player didn't return."""
    absent = left = rows[-1]
    is_absent = False
    for row in rows:
        if row.payload.get("seat") != seat or row.kind == TurnBegan.__name__:
            continue
        if row.kind in NAME_CHANGES and row.kind not in _BACK:
            left = absent if is_absent else row
        absent, is_absent = row, row.kind == _ABSENT
    return left


def _text(name: str, round_: int, *, stepped_aside: bool) -> str:
    if stepped_aside and name:
        text = _("You stepped aside in round {round}; {name} has your seat now.")
    elif stepped_aside:
        text = _("You stepped aside in round {round}.")
    elif name:
        text = _("You lost your seat in round {round}; {name} has it now.")
    else:
        text = _("You lost your seat in round {round}.")
    return text.format(round=round_, name=name)
