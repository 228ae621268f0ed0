"""Deadlines, as a table of cases: who is asked when, and by when they answer.

Times are what the clocks of the table show, which is in Vienna unless a case says otherwise. The
2nd of March 2026 is a Monday. The clocks go on and back on 29 March and 25 October in Vienna, on
8 March and 1 November in New York, and by half an hour on 4 October and 5 April on Lord Howe.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from games.models import Game
from games.services.game.deadlines import (
    Calendar,
    Deadline,
    Pace,
    full_deadline,
    late_deadline,
    pace_of,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
FRIDAY, SATURDAY, SUNDAY = 4, 5, 6
WEEKEND, SUNDAYS = (SATURDAY, SUNDAY), (SUNDAY,)
VIENNA, NEW_YORK, LORD_HOWE = "Europe/Vienna", "America/New_York", "Australia/Lord_Howe"
KOLKATA, AUCKLAND, APIA = "Asia/Kolkata", "Pacific/Auckland", "Pacific/Apia"
TROLL = "Antarctica/Troll"


def at(text: str, zone: str = "UTC", *, second: bool = False) -> datetime:
    """A time on the clocks of a zone, in 2026 unless it says so; the second of two if asked for."""
    local = datetime.strptime(in_2026(text), "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone))
    return local.replace(fold=int(second)).astimezone(UTC)


def days(text: str) -> tuple[tuple[date, date], ...]:
    """Days off, such as "03-03, 03-05..03-07"."""
    parts = [part.partition("..") for part in text.split(", ") if part]
    return tuple(
        (date.fromisoformat(in_2026(first)), date.fromisoformat(in_2026(last or first)))
        for first, _, last in parts
    )


def in_2026(text: str) -> str:
    return text if text.startswith("20") else f"2026-{text}"


class Full(NamedTuple):
    """A question that opens, and when a full time for it ends; `hour` is the fixed one."""

    name: str
    opened: str
    ends: str
    zone: str = VIENNA
    hours: float = 24
    no_play: Sequence[int] = ()
    hour: int | None = None
    off: str = ""
    player_in: str = VIENNA


FULL = [
    Full("a day is a day", "03-02 09:00", "03-03 09:00"),
    Full("five minutes at midnight", "03-02 23:58", "03-03 00:03", hours=5 / 60),
    Full("a week", "03-02 09:00", "03-09 09:00", hours=168),
    Full("nights count for a full time", "03-02 22:00", "03-03 04:00", hours=6),
    # No-play days.
    Full("the weekend does not count", "03-06 18:00", "03-09 18:00", no_play=WEEKEND),
    Full("asked on a day without play", "03-07 12:00", "03-10 00:00", no_play=WEEKEND),
    Full("asked as the day without play begins", "03-07 00:00", "03-10 00:00", no_play=WEEKEND),
    Full("used up as the weekend begins", "03-06 00:00", "03-07 00:00", no_play=WEEKEND),
    Full("a minute later Monday is needed", "03-06 00:01", "03-09 00:01", no_play=WEEKEND),
    Full("a weekend in the middle", "03-06 12:00", "03-10 12:00", hours=48, no_play=WEEKEND),
    Full("four days a week", "03-05 12:00", "03-11 12:00", hours=72, no_play=(FRIDAY, *WEEKEND)),
    Full("on Sundays only", "03-02 12:00", "03-16 00:00", hours=48, no_play=range(SUNDAY)),
    Full(
        "Friday is the table's", "03-06 23:30", "03-09 23:30", no_play=WEEKEND, player_in=AUCKLAND
    ),
    # 23:30 in Pago Pago is half past midnight on Kiritimati, two days on.
    Full(
        "25 hours apart",
        "03-07 23:30",
        "03-09 00:00",
        "Pacific/Pago_Pago",
        no_play=(SATURDAY,),
        player_in="Pacific/Kiritimati",
    ),
    Full("at a table in Kolkata too", "03-06 23:30", "03-09 23:30", KOLKATA, no_play=WEEKEND),
    # The fixed hour.
    Full("on to the fixed hour", "03-02 10:00", "03-03 20:00", hour=20),
    Full("at the fixed hour already", "03-02 20:00", "03-03 20:00", hour=20),
    Full("just past the fixed hour", "03-02 20:01", "03-04 20:00", hour=20),
    Full("midnight is a fixed hour", "03-02 10:00", "03-04 00:00", hour=0),
    Full("the hour is the table's", "03-02 10:00", "03-03 20:00", hour=20, player_in=NEW_YORK),
    Full("not on a day without play", "03-05 21:00", "03-09 20:00", no_play=WEEKEND, hour=20),
    Full("midnight is Saturday's", "03-05 12:00", "03-09 00:00", no_play=WEEKEND, hour=0),
    # Days off.
    Full("a day off does not count", "03-02 12:00", "03-04 12:00", off="03-03"),
    Full("asked on a day off", "03-03 12:00", "03-05 00:00", off="03-03"),
    Full("three days off", "03-02 12:00", "03-06 12:00", off="03-03..03-05"),
    Full("two days off, the later first", "03-02 12:00", "03-05 12:00", off="03-04, 03-03"),
    Full("days off that overlap", "03-02 12:00", "03-05 12:00", off="03-03..03-04, 03-03"),
    Full(
        "days off over a weekend", "03-05 12:00", "03-09 12:00", no_play=WEEKEND, off="03-06..03-08"
    ),
    Full("days off that are over", "03-02 12:00", "03-03 12:00", off="02-20..03-01"),
    Full("days off that are far ahead", "03-02 12:00", "03-03 12:00", off="03-10"),
    Full("no fixed hour on a day off", "03-01 22:00", "03-04 20:00", hour=20, off="03-03"),
    # 3 March in Auckland is from 12:00 on the 2nd to 12:00 on the 3rd in Vienna.
    Full(
        "a day off is the player's", "03-02 10:00", "03-04 10:00", off="03-03", player_in=AUCKLAND
    ),
    Full(
        "no fixed hour on it", "03-01 11:00", "03-04 08:00", hour=8, off="03-03", player_in=AUCKLAND
    ),
    # Clock changes: a day is 24 hours that pass, not the same time tomorrow.
    Full("the clocks go on in Vienna", "03-28 20:00", "03-29 21:00"),
    Full("the clocks go back in Vienna", "10-24 20:00", "10-25 19:00"),
    Full("the clocks go on in New York", "03-07 20:00", "03-08 21:00", NEW_YORK),
    Full("the clocks go back in New York", "10-31 20:00", "11-01 19:00", NEW_YORK),
    Full("the clocks go on on Lord Howe", "10-03 20:00", "10-04 20:30", LORD_HOWE),
    Full("the clocks go back on Lord Howe", "04-04 20:00", "04-05 19:30", LORD_HOWE),
    Full("the clocks never change in Kolkata", "03-28 20:00", "03-29 20:00", KOLKATA),
    # But the fixed hour is what the wall clock shows.
    Full("the hour as clocks go on in Vienna", "03-28 19:00", "03-29 20:00", hour=20),
    Full("the hour as clocks go back in Vienna", "10-24 20:30", "10-25 20:00", hour=20),
    Full("the hour as clocks go on in New York", "03-07 19:00", "03-08 20:00", NEW_YORK, hour=20),
    Full("the hour as clocks go back in New York", "10-31 20:30", "11-01 20:00", NEW_YORK, hour=20),
    Full("the hour as clocks go on on Lord Howe", "10-03 19:30", "10-04 20:00", LORD_HOWE, hour=20),
    Full(
        "the hour as clocks go back on Lord Howe", "04-04 20:30", "04-05 20:00", LORD_HOWE, hour=20
    ),
    # An hour that no clock shows is the moment after the gap.
    Full("2:00 is left out in Vienna", "03-28 01:00", "03-29 03:00", hour=2),
    Full("2:00 is left out in New York", "03-07 01:00", "03-08 03:00", NEW_YORK, hour=2),
    Full("2:00 is left out on Lord Howe", "10-03 01:00", "10-04 02:30", LORD_HOWE, hour=2),
    Full("1:00 to 3:00 are left out at Troll", "03-28 00:30", "03-29 03:00", TROLL, hour=2),
    # A day without play is from midnight to midnight, however long it is.
    Full("a Sunday of 23 hours in Vienna", "03-28 20:00", "03-30 20:00", no_play=SUNDAYS),
    Full("a Sunday of 25 hours in Vienna", "10-24 20:00", "10-26 20:00", no_play=SUNDAYS),
    Full("23 hours of Sunday in New York", "03-07 20:00", "03-09 20:00", NEW_YORK, no_play=SUNDAYS),
    Full(
        "a Sunday of 25 hours in New York", "10-31 20:00", "11-02 20:00", NEW_YORK, no_play=SUNDAYS
    ),
    Full(
        "a Sunday of 23½ hours on Lord Howe",
        "10-03 20:00",
        "10-05 20:00",
        LORD_HOWE,
        no_play=SUNDAYS,
    ),
    Full(
        "a Sunday of 24½ hours on Lord Howe",
        "04-04 20:00",
        "04-06 20:00",
        LORD_HOWE,
        no_play=SUNDAYS,
    ),
    Full("a day off of 23 hours", "03-28 20:00", "03-30 20:00", off="03-29"),
    # Samoa went over the date line: there was no Friday, 30 December 2011.
    Full("a day that never was", "2011-12-29 20:00", "2011-12-31 20:00", APIA),
    Full(
        "without play on such a day",
        "2011-12-29 20:00",
        "2011-12-31 20:00",
        APIA,
        no_play=(FRIDAY,),
    ),
    Full(
        "off on such a day",
        "2011-12-29 20:00",
        "2011-12-31 20:00",
        APIA,
        off="2011-12-30",
        player_in=APIA,
    ),
    Full(
        "the hour of such a day is its end", "2011-12-28 21:00", "2011-12-31 00:00", APIA, hour=20
    ),
    Full(
        "unless nobody plays then",
        "2011-12-28 21:00",
        "2012-01-02 20:00",
        APIA,
        no_play=WEEKEND,
        hour=20,
    ),
]


@pytest.mark.parametrize("case", FULL, ids=lambda case: case.name)
def test_a_full_answering_time(case):
    pace = Pace(
        timedelta(hours=case.hours), ZoneInfo(case.zone), frozenset(case.no_play), case.hour
    )
    own = Calendar(pace, days(case.off), ZoneInfo(case.player_in))
    ends = full_deadline(own, at(case.opened, case.zone))
    assert ends == at(case.ends, case.zone)
    assert ends.tzinfo is UTC


def test_an_instant_may_be_told_in_any_zone():
    text = datetime(2026, 3, 28, 20, 0, tzinfo=ZoneInfo(VIENNA))
    assert full_deadline(Calendar(Pace(DAY)), text) == at("03-29 21:00", VIENNA)
    assert late_deadline(Calendar(Pace(DAY)), text, text).at == at("03-29 11:00", VIENNA)


def test_an_hour_that_comes_twice_is_the_first_one():
    vienna = Pace(DAY, ZoneInfo(VIENNA), fixed_hour=2)
    assert full_deadline(Calendar(vienna), at("10-24 01:00", VIENNA)) == at("10-25 00:00")
    new_york = Pace(DAY, ZoneInfo(NEW_YORK), fixed_hour=1)
    assert full_deadline(Calendar(new_york), at("10-31 00:30", NEW_YORK)) == at("11-01 05:00")


def test_between_an_hour_and_its_second_time_the_deadline_moves_on_to_the_next_day():
    vienna = Pace(DAY, ZoneInfo(VIENNA), fixed_hour=2)
    half_past_two = at("10-25 02:30", VIENNA)
    assert half_past_two < at("10-25 02:00", VIENNA, second=True)
    assert full_deadline(Calendar(vienna), half_past_two - DAY) == at("10-26 02:00", VIENNA)


def test_days_off_move_the_deadline_of_nobody_else():
    pace = Pace(DAY, ZoneInfo(VIENNA), fixed_hour=20)
    opened_at = at("03-02 10:00", VIENNA)
    anna = full_deadline(Calendar(pace, days("03-03"), ZoneInfo(VIENNA)), opened_at)
    boris = full_deadline(Calendar(pace, (), ZoneInfo(VIENNA)), opened_at)
    assert (anna, boris) == (at("03-04 20:00", VIENNA), at("03-03 20:00", VIENNA))


class Late(NamedTuple):
    """A seat that is asked after its phase was opened: at a table in Vienna."""

    name: str
    asked: str
    ends: str
    full: bool = False
    opened: str = "03-02 09:00"
    hours: float = 24
    no_play: Sequence[int] = ()
    hour: int | None = None
    off: str = ""
    player_in: str = VIENNA


LATE = [
    Late("the shared deadline stands", "03-02 15:00", "03-03 09:00"),
    Late("the quarter begins to matter", "03-03 07:00", "03-03 13:00"),
    Late("a quarter is six hours", "03-03 08:00", "03-03 14:00"),
    Late("asked after the shared deadline", "03-04 08:00", "03-04 14:00"),
    Late("a quarter of twelve hours", "03-02 18:00", "03-02 21:00", hours=12),
    Late("a quarter of four minutes", "03-02 09:10", "03-02 09:11", hours=4 / 60),
    # The night, 23 to 7.
    Late("the quarter ends as the night begins", "03-03 17:00", "03-03 23:00"),
    Late("the quarter skips the night", "03-03 20:00", "03-04 10:00"),
    Late("asked in the night", "03-04 03:00", "03-04 13:00"),
    Late("asked as the night begins", "03-03 23:00", "03-04 13:00"),
    Late("asked as the night ends", "03-04 07:00", "03-04 13:00"),
    Late("two nights", "03-09 20:00", "03-11 12:00", hours=96),
    Late("the night of who lives in New York", "03-04 02:00", "03-04 16:00", player_in=NEW_YORK),
    Late("it is noon in New York", "03-03 18:00", "03-04 00:00", player_in=NEW_YORK),
    Late("it is night in Kolkata", "03-03 18:30", "03-04 08:30", player_in=KOLKATA),
    Late("the night of nobody is that of UTC", "03-03 23:30", "03-04 13:30", player_in="UTC"),
    # Clock changes in the night: it lasts 7, 9, 7½ or 8½ hours.
    Late("the clocks go on in Vienna", "03-28 20:00", "03-29 10:00"),
    Late("the clocks go back in Vienna", "10-24 20:00", "10-25 10:00", opened="10-23 09:00"),
    Late("the clocks go on in New York", "03-08 02:00", "03-08 15:00", player_in=NEW_YORK),
    Late(
        "the clocks go back in New York",
        "11-01 01:00",
        "11-01 16:00",
        opened="10-30 09:00",
        player_in=NEW_YORK,
    ),
    Late(
        "the clocks go on on Lord Howe",
        "10-03 11:30",
        "10-04 01:00",
        opened="10-02 09:00",
        player_in=LORD_HOWE,
    ),
    Late(
        "the clocks go back on Lord Howe",
        "04-04 11:00",
        "04-05 01:30",
        opened="04-03 09:00",
        player_in=LORD_HOWE,
    ),
    # Days that do not count.
    Late("the quarter skips the weekend", "03-06 20:00", "03-09 10:00", no_play=WEEKEND),
    Late(
        "the quarter skips the table's weekend",
        "03-06 20:00",
        "03-09 02:00",
        no_play=WEEKEND,
        player_in=AUCKLAND,
    ),
    Late("the quarter skips days off", "03-03 20:00", "03-06 10:00", off="03-04..03-05"),
    Late("asked on a day off", "03-04 12:00", "03-05 13:00", off="03-04"),
    Late("a day off moves the shared deadline too", "03-02 15:00", "03-04 09:00", off="03-03"),
    # The fixed hour.
    Late("the quarter never moves on to the fixed hour", "03-03 19:00", "03-04 09:00", hour=20),
    Late("the shared deadline is at the fixed hour", "03-03 12:00", "03-03 20:00", hour=20),
    # Full: as much play time as the answering time.
    Late("the fixed hour leaves a full time", "03-02 20:00", "03-03 20:00", full=True, hour=20),
    Late("and a minute less", "03-02 20:01", "03-03 20:00", hour=20),
    Late(
        "a weekend makes no full time",
        "03-06 10:00",
        "03-09 09:00",
        opened="03-06 09:00",
        no_play=WEEKEND,
    ),
    Late("nor do days off", "03-02 10:00", "03-06 09:00", off="03-03..03-05"),
    Late(
        "a full time over a weekend",
        "03-06 20:00",
        "03-09 20:00",
        full=True,
        opened="03-06 09:00",
        no_play=WEEKEND,
        hour=20,
    ),
    Late("a long night is no full time", "03-02 22:30", "03-03 07:30", hours=4),
]


@pytest.mark.parametrize("case", LATE, ids=lambda case: case.name)
def test_a_turn_that_comes_late(case):
    pace = Pace(timedelta(hours=case.hours), ZoneInfo(VIENNA), frozenset(case.no_play), case.hour)
    own = Calendar(pace, days(case.off), ZoneInfo(case.player_in))
    shared = full_deadline(own, at(case.opened, VIENNA))
    found = late_deadline(own, shared, at(case.asked, VIENNA))
    assert found == Deadline(at(case.ends, VIENNA), full=case.full)


def test_four_bribers_at_24_hours_are_done_within_42_hours_and_a_night():
    """Each answers at the last moment; the deadline of the whole stage is shared."""
    calendar = Calendar(Pace(DAY))
    opened_at = at("03-02 07:00")
    shared = deadline_set_at = full_deadline(calendar, opened_at)
    for _ in range(3):
        deadline_set_at = late_deadline(calendar, shared, deadline_set_at).at
    assert deadline_set_at - opened_at == 42 * HOUR + 8 * HOUR


@pytest.mark.parametrize("hours", [12, 13, 24, 168])
def test_a_late_seat_has_at_least_two_hours_at_tables_of_12_hours_or_more(hours):
    calendar = Calendar(Pace(timedelta(hours=hours)))
    noon = at("03-09 12:00")
    assert late_deadline(calendar, noon, noon).at - noon >= 2 * HOUR


@pytest.mark.parametrize("weekdays", [range(7), [7], [-1]])
def test_a_pace_without_a_day_to_play_on_is_refused(weekdays):
    with pytest.raises(ValueError, match="one is left to play on"):
        Pace(DAY, no_play_days=frozenset(weekdays))


def test_the_pace_of_a_table():
    game = Game(move_seconds=300, time_zone=VIENNA, no_play_days=[5, 6], fixed_hour=0)
    assert pace_of(game) == Pace(5 * MINUTE, ZoneInfo(VIENNA), frozenset({5, 6}), 0)
    assert pace_of(Game(move_seconds=1)) == Pace(timedelta(seconds=1), ZoneInfo("UTC"))
