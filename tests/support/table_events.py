"""Every table event, for tests of what is done with all of them."""

from datetime import UTC, datetime
from typing import Final

from games.engine.negotiator import Remark
from games.models import Vote
from games.table_events import (
    REASONS,
    DeadlineMoved,
    DefaultCalled,
    GameAbandoned,
    GameCancelled,
    GamePaused,
    GameRested,
    GameResumed,
    GameTakenUp,
    GameWoken,
    HousePlayerSat,
    MissExcused,
    NewcomersRefused,
    NewcomersWelcome,
    OfferLapsed,
    OfferMade,
    OfferReplied,
    PaceChanged,
    PromiseJudged,
    Rewound,
    SeatAbsent,
    SeatGivenBack,
    SeatReopened,
    SeatReturned,
    SubstituteSat,
    TableEvent,
    TalkClosed,
    TalkMoved,
    TalkOpened,
    VoteClosed,
    VoteOpened,
    WaitBegan,
)

NOON: Final = datetime(2026, 11, 26, 12, tzinfo=UTC)

PEACE: Final = {
    "to": "yellow",
    "form": "send-nobody",
    "until": 2,
    "if": {"form": "send-nobody", "until": 3},
}
REPLIES: Final = ((1, "accepted"), (1, "declined"), (0, "withdrawn"))
VERDICTS: Final = ("kept", "broken", "void")

EVERY_TABLE_EVENT: Final[list[TableEvent]] = [
    *(DeadlineMoved(0, NOON, NOON, why) for why in REASONS),
    SeatAbsent(0),
    SeatReturned(0),
    SubstituteSat(0),
    HousePlayerSat(0),
    SeatReopened(0),
    SeatGivenBack(0),
    DefaultCalled(0),
    MissExcused(0),
    GamePaused(None),
    GamePaused(NOON),
    GameResumed(),
    GameTakenUp(),
    GameRested(),
    GameWoken(),
    GameAbandoned(),
    GameCancelled(),
    NewcomersRefused(),
    NewcomersWelcome(),
    PaceChanged(86400),
    Rewound(7),
    *(VoteOpened(kind, 3, 0, by) for kind in Vote.Kind.values for by in (1, None)),
    TalkOpened(NOON),
    WaitBegan(1, 0, NOON),
    *(TalkMoved(NOON, NOON, why) for why in REASONS),
    *(TalkClosed(early) for early in (True, False)),
    OfferMade(0, 1, 0, PEACE),
    *(OfferMade(0, 1, 0, PEACE, remark.value) for remark in Remark),
    OfferReplied(1, 1, 0, PEACE, "accepted", "agreed"),
    *(OfferReplied(seat, 1, 0, PEACE, said) for seat, said in REPLIES),
    OfferLapsed(0, 1, 0, PEACE),
    *(PromiseJudged(0, 1, 0, PEACE, verdict, in_return=False) for verdict in VERDICTS),
    *(PromiseJudged(1, 1, 0, PEACE, verdict, in_return=True) for verdict in VERDICTS),
    *(VoteClosed(kind, passed) for kind in Vote.Kind.values for passed in (True, False)),
]
