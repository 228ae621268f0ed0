"""Every table event, for tests of what is done with all of them."""

from datetime import UTC, datetime
from typing import Final

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
    PaceChanged,
    Rewound,
    SeatAbsent,
    SeatReopened,
    SeatReturned,
    SubstituteSat,
    TableEvent,
    VoteClosed,
    VoteOpened,
)

NOON: Final = datetime(2026, 11, 26, 12, tzinfo=UTC)

EVERY_TABLE_EVENT: Final[list[TableEvent]] = [
    *(DeadlineMoved(0, NOON, NOON, why) for why in REASONS),
    SeatAbsent(0),
    SeatReturned(0),
    SubstituteSat(0),
    HousePlayerSat(0),
    SeatReopened(0),
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
    *(VoteClosed(kind, passed) for kind in Vote.Kind.values for passed in (True, False)),
]
