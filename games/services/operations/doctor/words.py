"""What the findings of all subjects share: their sentences about clocks, errors and long lists."""

from collections.abc import Iterator
from typing import Final

from games.extensions import Finding

MOST_SKEW_SECONDS: Final = 60
"""How far the clocks of two machines may differ."""

MOST_NAMED: Final = 5
"""How many games or emails are named for each trouble; the rest is counted."""


def well(part: str, text: str) -> Finding:
    return Finding(part, text, is_well=True)


def ahead(now: float, sent_at: float, received_at: float) -> float:
    """How many seconds another clock is ahead of ours, at least; negative where it is behind.

    It said `now` at a moment between the two.
    """
    return min(now - sent_at, 0.0) or max(now - received_at, 0.0)


def skew(clock: str, seconds: float) -> Iterator[Finding]:
    """A finding about a clock that is too many seconds ahead of this machine's."""
    if abs(seconds) > MOST_SKEW_SECONDS:
        side = "ahead of" if seconds > 0 else "behind"
        yield Finding(
            "Clocks",
            f"{clock} is {abs(seconds) / 60:.0f} minutes {side} this machine's. Deadlines are "
            "given by the clocks of the web servers and kept by the database's: let every machine "
            "set its clock by NTP (timedatectl set-ntp true).",
        )


def the_rest(part: str, what: str, found: int) -> Iterator[Finding]:
    if found > MOST_NAMED:
        yield Finding(part, f"And {found - MOST_NAMED} more {what}: the admin lists them.")


def first_line(failure: BaseException) -> str:
    lines = str(failure).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(failure).__name__


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else "no reason was kept"
