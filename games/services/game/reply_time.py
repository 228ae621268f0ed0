"""Computer players wait with their bribe for a reply (docs/play-over-days.md, 28).

One that has publicly asked the owner of the palace, who is present, for a promise about that bribe
waits until the reply, or for an hour of play time. A table waits so once in a turn: for all who
have asked, until the same moment. The negotiation time is time enough: nobody waits after it.
"""

from datetime import datetime

from games.engine.ledger import Entry, Ledger, Status
from games.engine.promises import IfBribed, Promise
from games.models import Seat
from games.services.game import deadlines
from games.services.game.locked_game import LockedGame


def is_request(promise: Promise, by: int) -> bool:
    """Whether the author of an offer asks what they would get for a bribe of their own."""
    return promise.to == by and isinstance(promise.condition, IfBribed)


def may_ask(locked: LockedGame, ledger: Ledger) -> bool:
    """Whether computer players may ask a person now: somebody waits, or has time to reply.

    Not once they have waited in this turn: they would bribe before anybody can reply.
    """
    if locked.game.is_negotiation_time or _waiting(locked):
        return True
    return not _requests(locked, ledger)


def begin(locked: LockedGame, ledger: Ledger, seats: set[int]) -> None:
    """Let these seats wait, which have just asked, until the same moment as all others."""
    if not seats or locked.game.is_negotiation_time:
        return
    fresh = deadlines.reply_deadline(locked.game, locked.now)
    until = min(_waiting(locked).values(), default=fresh)
    for number in seats & _asking(locked, ledger):
        locked.seats[number].reply_until = until


def end(locked: LockedGame, ledger: Ledger) -> None:
    """Let those wait no longer who have their reply, or whose time was over before their turn.

    While a seat is to move, only the clock ends its wait because the time is over: it has to make
    up for an outage first.
    """
    asking = _asking(locked, ledger)
    for seat, until in _waiting(locked).items():
        passed = until <= locked.now and seat.to_move_phase != locked.game.phase_no
        if passed or seat.drawn_number not in asking:
            seat.reply_until = None


def _waiting(locked: LockedGame) -> dict[Seat, datetime]:
    """The computer players that wait, each with the end of its wait."""
    return {
        seat: seat.reply_until for seat in locked.seats.values() if seat.reply_until is not None
    }


def _asking(locked: LockedGame, ledger: Ledger) -> set[int]:
    """The computer players that the owner of the palace, who is present, owes a reply."""
    owner = locked.state.active
    if owner is None or not locked.seats[owner].is_present():
        return set()
    return {entry.by for entry in _requests(locked, ledger) if entry.status is Status.OPEN}


def _requests(locked: LockedGame, ledger: Ledger) -> list[Entry]:
    """What computer players have asked the owner of the palace in this turn."""
    turn = (locked.state.round, locked.state.active)
    return [
        entry
        for entry in ledger
        if entry.made_in == turn
        and entry.other == locked.state.active
        and is_request(entry.promise, entry.by)
        and locked.seats[entry.by].computer_player
    ]
