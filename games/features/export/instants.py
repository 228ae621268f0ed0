"""Instants as an export writes them: in UTC, to the minute, as pages show them."""

from datetime import datetime

from games.presentation.text.words import to_the_minute


def instant(at: datetime | None) -> str | None:
    return None if at is None else to_the_minute(at).isoformat()
