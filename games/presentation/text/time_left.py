"""Deadlines on the reader's clock, and how long it is until then, in words."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.presentation.text.tables import counted
from games.presentation.text.words import date_text, day_and_hour, moment, to_the_minute

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


class Until(NamedTuple):
    """A deadline: the instant, the reader's clock at it, and what is left of the time.

    `at` is to the minute. `ends` is to the second, for the countdown: it shows when the last move
    was made, but not whether the one before it was made at the same moment.
    """

    at: datetime
    text: str
    left: str
    ends: datetime


def until(at: datetime, zone: str, now: datetime) -> Until:
    """A deadline as somebody in this zone reads it at the instant `now`."""
    ends = at.replace(microsecond=0)
    return Until(to_the_minute(at), moment(at, zone), time_left(at - now), ends)


def time_left(left: timedelta) -> str:
    """What is left of the time, in its two greatest units: "1 day 3 hours left".

    `countdown.js` spells it the same way.
    """
    if left <= timedelta():
        return _("time is up")
    if left < MINUTE:
        return _("less than a minute left")
    days, hours, minutes = left // DAY, left % DAY // HOUR, left % HOUR // MINUTE
    if days:
        parts = [counted(days, "day"), counted(hours, "hour") if hours else ""]
    elif hours:
        parts = [counted(hours, "hour"), counted(minutes, "minute") if minutes else ""]
    else:
        parts = [counted(minutes, "minute")]
    return _("{time} left").format(time=" ".join(filter(None, parts)))


def hour_or_day(at: datetime, zone: str, now: datetime) -> str:
    """An instant, as short as can be: "Thu 20:00" within six days, else "Thu 26 Nov, 20:00"."""
    if at - now > 6 * DAY:
        return day_and_hour(at, zone)
    # Translators: day of the week and hour, as Django's template filter "date" spells them.
    return date_text(at, zone, pgettext("day of the week and hour", "D H:i"))


def day_text(at: datetime, zone: str) -> str:
    """The day of an instant on the reader's clock: "Thursday, 26 November"."""
    # Translators: a day, as Django's template filter "date" spells it.
    pattern = pgettext("day", "l, j F")
    return date_text(at, zone, pattern)


def clock_text(at: datetime, zone: str) -> str:
    """The time of an instant on the reader's clock: "14:03"."""
    # Translators: the time of a day, as Django's template filter "date" spells it.
    return date_text(at, zone, pgettext("time of a day", "H:i"))
