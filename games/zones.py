"""Time zones by the names under which they are stored.

A name may be one that this machine doesn't have: zones leave the database of zones, and new ones
are missing on an older machine. That is its owner's matter, and stops nobody else.
"""

import logging
from functools import cache
from zoneinfo import ZoneInfo

logger = logging.getLogger(__name__)


def is_known(name: str) -> bool:
    """Whether this machine has a time zone of this name."""
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True


@cache
def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name; UTC and a warning, once in a process, if there is none."""
    if is_known(name):
        return ZoneInfo(name)
    logger.warning("There is no time zone %r here: UTC is used. Is tzdata up to date?", name)
    return ZoneInfo("UTC")
