"""What happens at a table that is no move: shown in the log, and ignored when a game is replayed.

Payloads hold seat numbers, instants in UTC and the terms of promises, no person and no free text.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, get_args


class DeadlineMoved(NamedTuple):
    """The deadline of a seat's open decision was moved. `why` is one of `REASONS`.

    Days off move a deadline as soon as it is given: `before` is then what it would have been.
    """

    seat: int
    before: datetime
    after: datetime
    why: str


class SeatAbsent(NamedTuple):
    """The player of this seat is absent: nobody waits for their moves any more."""

    seat: int


class SeatReturned(NamedTuple):
    """The player of an absent seat is back."""

    seat: int


class SubstituteSat(NamedTuple):
    """Somebody else took the seat over."""

    seat: int


class HousePlayerSat(NamedTuple):
    """A computer player took the seat over for good."""

    seat: int


class SeatReopened(NamedTuple):
    """The player of this seat has left it; a substitute may sit down."""

    seat: int


class SeatGivenBack(NamedTuple):
    """The last player of this freed seat has it again."""

    seat: int


class DefaultCalled(NamedTuple):
    """The wait for this seat was ended before its deadline: what follows is played for it."""

    seat: int


class MissExcused(NamedTuple):
    """The misses of this seat are forgotten."""

    seat: int


class GamePaused(NamedTuple):
    """No time passes and nobody moves, until that instant or until somebody resumes the game."""

    until: datetime | None


class GameResumed(NamedTuple):
    """Time passes again; everybody has what was left of their time."""


class GameTakenUp(NamedTuple):
    """The game was parked, and goes on."""


class GameRested(NamedTuple):
    """The game fell dormant: nobody is left at the table, no time passes, nothing is played."""


class GameWoken(NamedTuple):
    """The game woke up: somebody is there again, and it goes on with full deadlines."""


class GameAbandoned(NamedTuple):
    """Nobody came back: the game ends and counts for nobody."""


class GameCancelled(NamedTuple):
    """The game ends without a winner."""


class NewcomersRefused(NamedTuple):
    """Nobody new may sit down at this table."""


class NewcomersWelcome(NamedTuple):
    """Substitutes may sit down again."""


class PaceChanged(NamedTuple):
    """The time for a move is another one, for all decisions from now on."""

    seconds: int


class Rewound(NamedTuple):
    """The game is again as it was after the event `to_seq`; what came since is abandoned."""

    to_seq: int


class TalkOpened(NamedTuple):
    """Until that instant nobody is to move, so that the players can talk."""

    until: datetime


class TalkMoved(NamedTuple):
    """The end of the negotiation time was moved. `why` is one of `REASONS`."""

    before: datetime
    after: datetime
    why: str


class TalkClosed(NamedTuple):
    """The negotiation time is over; `early` says that everybody was ready before its end."""

    early: bool


class WaitBegan(NamedTuple):
    """The computer player at this seat waits until then for the reply of the seat `of`."""

    seat: int
    of: int
    until: datetime


class VoteOpened(NamedTuple):
    """A vote of the people at the table. `vote` is its kind, `amount` days or hours.

    `seat` is the one that would be replaced, `by` the seat that calls it, None for a moderator.
    """

    vote: str
    amount: int | None
    seat: int | None
    by: int | None


class VoteClosed(NamedTuple):
    """A vote has an outcome."""

    vote: str
    passed: bool


class OfferMade(NamedTuple):
    """An offer of a promise was made by `seat`. `number` counts the offers of the game from 1.

    `terms` are those of the game record. Each event about an offer repeats them and the seat that
    made it (`by`), for after a rewind another offer may have its number. `remark` is what a
    computer player says with it (`presentation.text.remarks`), "" for nothing.
    """

    seat: int
    number: int
    by: int
    terms: dict[str, Any]
    remark: str = ""


class OfferReplied(NamedTuple):
    """The seat has accepted, declined or withdrawn an offer, as `reply` says."""

    seat: int
    number: int
    by: int
    terms: dict[str, Any]
    reply: str
    remark: str = ""


class OfferLapsed(NamedTuple):
    """Nobody can accept the offer any more. `seat` made it."""

    seat: int
    number: int
    by: int
    terms: dict[str, Any]


class PromiseJudged(NamedTuple):
    """It is settled whether the promise was kept. `seat` had given it.

    `verdict` is one of the game record; `in_return` says that it is about what was promised in
    return.
    """

    seat: int
    number: int
    by: int
    terms: dict[str, Any]
    verdict: str
    in_return: bool


OfferEvent = OfferMade | OfferReplied | OfferLapsed | PromiseJudged
"""All events about an offer. A rewind takes them back, like a move."""

SETTLING: Final = frozenset({OfferLapsed.__name__, PromiseJudged.__name__})
"""The kinds that follow from a move by themselves, and stand right behind its events."""

SeatEvent = (
    DeadlineMoved
    | SeatAbsent
    | SeatReturned
    | SubstituteSat
    | HousePlayerSat
    | SeatReopened
    | SeatGivenBack
    | DefaultCalled
    | MissExcused
    | WaitBegan
)
"""All events at one seat."""

WholeTableEvent = (
    GamePaused
    | GameResumed
    | GameTakenUp
    | GameRested
    | GameWoken
    | GameAbandoned
    | GameCancelled
    | NewcomersRefused
    | NewcomersWelcome
    | PaceChanged
    | Rewound
    | TalkOpened
    | TalkMoved
    | TalkClosed
    | VoteOpened
    | VoteClosed
)

TableEvent = SeatEvent | WholeTableEvent | OfferEvent

NameChange = SubstituteSat | HousePlayerSat | SeatReopened | SeatGivenBack
"""After one of these, the table calls the seat by another name."""

NAME_CHANGES: Final[tuple[str, ...]] = tuple(event.__name__ for event in get_args(NameChange))
"""Their kinds, as they are stored."""

REASONS: Final = (
    "outage",
    "email",
    "moved",
    "pause",
    "parked",
    "hours",
    "downtime",
    "maintenance",
    "days_off",
)

_EVENTS: Final[Mapping[str, Callable[..., TableEvent]]] = {
    event.__name__: event for event in get_args(TableEvent)
}

OFFER_EVENTS: Final = frozenset(event.__name__ for event in get_args(OfferEvent))
"""The kinds of what happens to offers, as they are stored."""

FOLLOW_UPS: Final = OFFER_EVENTS - {OfferMade.__name__}
"""Of these, what becomes of an offer after it was made."""

LASTING_EVENTS: Final[tuple[str, ...]] = tuple(
    event.__name__ for event in get_args(SeatEvent | WholeTableEvent)
)
"""The kinds that count whatever a rewind takes back, as they are stored."""

_INSTANTS: Final = frozenset({"before", "after", "until"})


def is_table_event(kind: str) -> bool:
    """Whether a stored event of this kind is the table's, and not the engine's."""
    return kind in _EVENTS


def encode_table_event(event: TableEvent) -> dict[str, Any]:
    """The event as a JSON object; `kind` is the name of its class, instants are ISO 8601."""
    fields = {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in event._asdict().items()
    }
    return {"kind": type(event).__name__, **fields}


def decode_table_event(value: Mapping[str, Any]) -> TableEvent:
    """The event that `encode_table_event` made this object of."""
    fields = {
        key: datetime.fromisoformat(part) if key in _INSTANTS and part is not None else part
        for key, part in value.items()
        if key != "kind"
    }
    return _EVENTS[value["kind"]](**fields)
