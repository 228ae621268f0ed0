"""Who caused an event, in words, as the lines of a log say it behind the event."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import Event as EngineEvent
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    GameEnded,
    GameStarted,
    LastIncome,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    StageOpened,
    TurnBegan,
)
from games.models import Cause
from games.presentation.log.story import event_text
from games.presentation.text.direction import ComputerName
from games.presentation.text.words import People
from games.services.game.replay import mover_of
from games.table_events import SubstituteSat, TableEvent, WholeTableEvent

SHOWN_CAUSES: Final[dict[str, Promise | str]] = {
    Cause.RULES: "",
    Cause.PLAYER: "",
    Cause.CLOCK: gettext_lazy("by the clock"),
    Cause.COMPUTER: gettext_lazy("by the computer player"),
    Cause.SUBSTITUTE: gettext_lazy("by the substitute"),
    Cause.MODERATOR: gettext_lazy("by a moderator"),
    Cause.TABLE: gettext_lazy("by a table vote"),
    Cause.HOST: gettext_lazy("by the host"),
}
"""The causes that a line names: somebody else than the player did it."""

DECIDED_EVENTS: Final = (ScholarHired, ScholarKept, ScholarBanished, ScholarsSent)
"""The events of decisions. Where the cause is the rules, public facts left no choice."""

BY_A_PERSON: Final = frozenset({Cause.PLAYER, Cause.SUBSTITUTE})


def cause_of(people: People, event: EngineEvent | TableEvent, cause: str) -> str:
    """The cause in words, where it was not the player and neither name nor event says so."""
    if cause == Cause.RULES:
        return _("the only choice") if isinstance(event, DECIDED_EVENTS) else ""
    if isinstance(event, SubstituteSat) and cause == Cause.SUBSTITUTE:
        return ""
    mover = mover_of(event)
    seat = seat_of_line(event) if mover is None else mover
    if cause == Cause.COMPUTER and seat is not None:
        return "" if isinstance(people.name(seat), ComputerName) else cause_text(cause)
    return cause_text(cause)


def cause_text(cause: str) -> str:
    """A cause in words, where it was not the player; "" for them and for the rules."""
    return str(SHOWN_CAUSES[cause])


def cause_with_heir(heir: str, by: str, cause: str, why: str = "") -> str:
    """The cause in words of what became of a promise, with its `heir`, if it was inherited.

    Who is an heir is a substitute: that isn't said twice. `why` it no longer applies counts for
    more than by whose doing.
    """
    if cause == Cause.SUBSTITUTE and not why:
        return heir or by
    return "; ".join(filter(None, (heir, why or by)))


def text_with_cause(people: People, event: TableEvent, cause: str, heir: str = "") -> str:
    """The event in words, with its cause, as in a line of the log; `heir` as there."""
    text, by = event_text(people, event), cause_of(people, event, cause)
    by = cause_with_heir(heir, by, cause)
    return f"{text} ({by})" if by else text


def seat_of_line(event: EngineEvent | TableEvent) -> int | None:
    """The seat whose colour a line of the log has: it acts, is paid, or loses a scholar."""
    match event:
        case TurnBegan() | SalaryPaid() | BribesPaid() | BribesSealed() | ScholarsSent():
            return event.seat
        case ScholarHired() | ScholarKept():
            return event.palace
        case ScholarBanished():
            return event.scholar.owner
        case GameStarted() | StageOpened() | LastIncome() | GameEnded():
            return None
        case _:
            return None if isinstance(event, WholeTableEvent) else event.seat
