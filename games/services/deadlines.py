"""How long a seat has for its answer."""

from datetime import datetime, timedelta

LONG_TABLE = timedelta(hours=12)
LEAST_ON_LONG_TABLES = timedelta(hours=2)
REMIND_AFTER = 0.8
"""The part of the time after which a player is reminded."""


def deadline(*, opened_at: datetime, asked_at: datetime, answer_time: timedelta) -> datetime:
    """When the default is played for a seat asked at `asked_at` in a phase opened at `opened_at`.

    All seats of a phase share the answering time from its opening; a seat whose turn comes late
    still has a quarter of it, at least 2 h at tables of 12 h or more (docs/play-over-days.md, 2).
    """
    quarter = answer_time / 4
    if answer_time >= LONG_TABLE:
        quarter = max(quarter, LEAST_ON_LONG_TABLES)
    return max(opened_at + answer_time, asked_at + quarter)


def reminder(*, asked_at: datetime, deadline_at: datetime) -> datetime:
    """When the player is reminded of a deadline."""
    return asked_at + REMIND_AFTER * (deadline_at - asked_at)
