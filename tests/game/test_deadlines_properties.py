"""Deadlines hold what they promise, whatever the pace: against counting time bit by bit."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.services.game.deadlines import (
    Calendar,
    Pace,
    after_a_standstill,
    after_outage,
    after_parking,
    full_deadline,
    late_deadline,
    next_reminder,
)

pytestmark = pytest.mark.full

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
QUARTER = 15 * MINUTE
ZONES = [
    "UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
    "Pacific/Apia", "Pacific/Chatham", "Asia/Beirut", "America/Nuuk", "America/Havana",
    "Antarctica/Troll", "Pacific/Kiritimati",
]  # fmt: skip
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
MINUTES_OF_2026 = 365 * 24 * 60
# Days about which clocks change somewhere, and some on which they do not.
CHANGES = [
    date(2026, *day) for day in ((3, 8), (3, 29), (4, 5), (9, 27), (10, 4), (10, 25), (11, 1))
]

zones = st.sampled_from(ZONES).map(ZoneInfo)
any_minute = st.integers(0, MINUTES_OF_2026).map(lambda number: BEGIN + number * MINUTE)
about_a_change = st.builds(
    lambda day, minutes: datetime.combine(day, datetime.min.time(), UTC) + minutes * MINUTE,
    st.sampled_from(CHANGES),
    st.integers(-4 * 24 * 60, 2 * 24 * 60),
)
instants = about_a_change | any_minute
no_play_days = st.frozensets(st.integers(0, 6), max_size=6)
hours = st.none() | st.integers(0, 23)


@st.composite
def paces(draw, fixed_hours=hours, most_minutes=2 * 24 * 60):
    """A pace whose quarters are whole minutes."""
    minutes = 4 * draw(st.integers(1, most_minutes // 4))
    return Pace(minutes * MINUTE, draw(zones), draw(no_play_days), draw(fixed_hours))


@st.composite
def days_off_about(draw, instant):
    """Up to three times of some days off, a few days before or after an instant."""
    starts = draw(st.lists(st.tuples(st.integers(-3, 4), st.integers(0, 2)), max_size=3))
    first = [instant.date() + timedelta(days=begin) for begin, _ in starts]
    return [(day, day + timedelta(days=more)) for day, (_, more) in zip(first, starts, strict=True)]


def is_rest(at, pace, days_off, zone):
    """Whether an instant is on a no-play day of the table or a day off of the player."""
    own_day = at.astimezone(zone).date()
    off = any(first <= own_day <= last for first, last in days_off)
    return off or at.astimezone(pace.zone).weekday() in pace.no_play_days


def is_night(at, zone):
    return not 7 <= at.astimezone(zone).hour < 23


def next_quarter(at):
    """When a day may begin or a clock change: in all zones on a quarter of an hour only."""
    return at + QUARTER - (at - BEGIN) % QUARTER


def counted(start, duration, rests):
    """The oracle: go on quarter by quarter until so much of them was no rest."""
    at, left = start, duration
    while left:
        step = next_quarter(at) - at
        if not rests(at):
            step = min(step, left)
            left -= step
        at += step
    return at


@pytest.mark.parametrize("name", ZONES)
def test_within_a_quarter_no_clock_changes(name):
    zone = ZoneInfo(name)
    days = [BEGIN + number * DAY for number in range(366)]
    offsets = {day: day.astimezone(zone).utcoffset() for day in days}
    assert all(offset % QUARTER == timedelta() for offset in offsets.values())
    for day, after in pairwise(days):
        if offsets[day] != offsets[after]:
            shown = [(day + number * MINUTE).astimezone(zone) for number in range(24 * 60)]
            changed = [
                later.astimezone(UTC)
                for at, later in pairwise(shown)
                if at.utcoffset() != later.utcoffset()
            ]
            assert len(changed) <= 1
            assert all((at - BEGIN) % QUARTER == timedelta() for at in changed)


@given(st.data(), paces(fixed_hours=st.none()), instants, zones)
@settings(max_examples=150, deadline=None)
def test_a_full_time_is_so_many_minutes_of_play(data, pace, opened_at, zone):
    days_off = data.draw(days_off_about(opened_at))
    found = full_deadline(Calendar(pace, days_off, zone), opened_at)
    expected = counted(opened_at, pace.move_time, lambda at: is_rest(at, pace, days_off, zone))
    assert found == expected


@given(st.data(), paces(fixed_hours=st.integers(0, 23)), instants, zones)
@settings(max_examples=150, deadline=None)
def test_the_fixed_hour_is_the_first_that_everybody_plays_on(data, pace, opened_at, zone):
    """Quarter by quarter from the end of the time, until the table's clocks come to the hour."""
    days_off = data.draw(days_off_about(opened_at))
    without_hour = Pace(pace.move_time, pace.zone, pace.no_play_days)
    at = full_deadline(Calendar(without_hour, days_off, zone), opened_at)
    while not (comes_to_the_hour(at, pace) and not is_rest(at, pace, days_off, zone)):
        at = next_quarter(at)
    assert full_deadline(Calendar(pace, days_off, zone), opened_at) == at


def comes_to_the_hour(at, pace):
    """Whether the table's clocks show the hour, or have jumped over it, first now on that day."""
    now, before = (moment.astimezone(pace.zone) for moment in (at, at - MINUTE))
    was_there = before.date() == now.date() and before.hour >= pace.fixed_hour
    return now.hour >= pace.fixed_hour and not was_there and now.fold == 0


@given(st.data(), paces(), instants, st.integers(0, 3 * 24 * 60), zones)
@settings(max_examples=150, deadline=None)
def test_a_late_turn_has_its_quarter_by_day(data, pace, opened_at, later, zone):
    days_off = data.draw(days_off_about(opened_at))
    deadline_set_at = opened_at + later * MINUTE
    shared = full_deadline(Calendar(pace, days_off, zone), opened_at)
    found = late_deadline(Calendar(pace, days_off, zone), shared, deadline_set_at)

    def rests(at):
        return is_rest(at, pace, days_off, zone)

    quarter = counted(
        deadline_set_at, pace.move_time / 4, lambda at: rests(at) or is_night(at, zone)
    )
    assert found.at == max(shared, quarter)
    assert found.full == (counted(deadline_set_at, pace.move_time, rests) <= shared)


@given(st.data(), paces(most_minutes=7 * 24 * 60), instants, st.integers(0, 60 * 24 * 3), zones)
@settings(max_examples=300, deadline=None)
def test_who_is_asked_later_never_answers_earlier(data, pace, opened_at, later, zone):
    days_off = data.draw(days_off_about(opened_at))
    later_at = opened_at + later * MINUTE
    first = full_deadline(Calendar(pace, days_off, zone), opened_at)
    assert first >= opened_at + pace.move_time
    assert full_deadline(Calendar(pace, days_off, zone), later_at) >= first
    late = [
        late_deadline(Calendar(pace, days_off, zone), first, at) for at in (opened_at, later_at)
    ]
    assert late[0].at <= late[1].at
    assert late[0].full
    assert late[1].full <= late[0].full


@given(st.data(), paces(fixed_hours=st.integers(0, 23)), instants, zones)
@settings(max_examples=300, deadline=None)
def test_a_fixed_hour_is_on_no_day_off_and_no_day_without_play(data, pace, opened_at, zone):
    days_off = data.draw(days_off_about(opened_at))
    found = full_deadline(Calendar(pace, days_off, zone), opened_at)
    assert not is_rest(found, pace, days_off, zone)
    assert found.astimezone(pace.zone).minute in {0, 30}


@given(st.data(), paces(), instants, zones)
@settings(max_examples=300, deadline=None)
def test_days_off_never_take_time_away(data, pace, opened_at, zone):
    days_off = data.draw(days_off_about(opened_at))
    without = full_deadline(Calendar(pace, (), zone), opened_at)
    assert full_deadline(Calendar(pace, days_off, zone), opened_at) >= without


durations = st.integers(1, 14 * 24 * 3600).map(lambda seconds: timedelta(seconds=seconds))


@given(instants, durations, st.integers(0, 14 * 24 * 3600))
@settings(deadline=None)
def test_reminders_come_at_most_twice_and_before_the_end(deadline_set_at, time, seconds):
    deadline_at, after = deadline_set_at + time, deadline_set_at + timedelta(seconds=seconds)
    found = []
    while due := next_reminder(
        deadline_set_at=deadline_set_at, deadline_at=deadline_at, after=after
    ):
        assert after < due.at < deadline_at
        found.append(due)
        after = due.at
    assert [reminder.is_last for reminder in found] in ([], [True], [False, True])
    assert found or after >= deadline_set_at + 0.8 * time


@given(st.data(), paces(), instants, st.integers(0, 5 * 24 * 60), zones)
@settings(max_examples=150, deadline=None)
def test_play_time_is_counted_quarter_by_quarter(data, pace, start, minutes, zone):
    days_off = data.draw(days_off_about(start))
    calendar = Calendar(pace, days_off, zone)
    end = start + minutes * MINUTE
    at, played = start, timedelta()
    while at < end:
        until = min(next_quarter(at), end)
        played += timedelta() if is_rest(at, pace, days_off, zone) else until - at
        at = until
    assert calendar.play_time(start, end) == played
    assert calendar.play_time(end + MINUTE, start) == timedelta()


@given(st.data(), paces(), instants, st.integers(0, 60 * 24), st.integers(0, 60 * 96), zones)
@settings(max_examples=300, deadline=None)
def test_a_standstill_leaves_everybody_the_play_time_they_had(
    data, pace, opened_at, used, stood, zone
):
    days_off = data.draw(days_off_about(opened_at))
    calendar = Calendar(pace, days_off, zone)
    stopped_at = opened_at + used * MINUTE
    now = stopped_at + stood * MINUTE
    deadline_at = full_deadline(calendar, opened_at)
    had = calendar.play_time(stopped_at, deadline_at)
    lost = calendar.play_time(stopped_at, now)
    for moved in (
        after_parking(deadline_at, parked_at=stopped_at, now=now, calendar=calendar),
        after_a_standstill(deadline_at, lost, ended_at=now, now=now, calendar=calendar),
    ):
        assert calendar.play_time(now, moved) >= had
        assert moved >= deadline_at
        if moved != deadline_at and pace.fixed_hour is not None:
            assert moved == calendar.like(deadline_at, moved)
        if pace.fixed_hour is None and deadline_at > now:
            assert calendar.play_time(now, moved) == had


@given(st.data(), paces(), instants, st.integers(1, 60 * 24 * 3), zones)
@settings(max_examples=300, deadline=None)
def test_more_time_is_play_time_and_ends_at_the_hour(data, pace, opened_at, minutes, zone):
    calendar = Calendar(pace, data.draw(days_off_about(opened_at)), zone)
    deadline_at = full_deadline(calendar, opened_at)
    moved = calendar.move(deadline_at, minutes * MINUTE, since=opened_at)
    gained = calendar.play_time(deadline_at, moved)
    if pace.fixed_hour is None:
        assert gained == minutes * MINUTE
    else:
        assert gained >= minutes * MINUTE
        assert moved == calendar.like(deadline_at, moved)


@given(instants, durations, durations, durations, durations)
@settings(deadline=None)
def test_an_outage_moves_a_deadline_once_and_never_back(now, gap, ahead, move_time, later):
    last_tick, deadline_at = now - gap, now - gap + ahead
    given = {"since": last_tick, "now": now, "calendar": Calendar(Pace(move_time))}
    moved = after_outage(deadline_at, **given)
    assert moved == deadline_at or now < moved <= now + move_time
    assert (moved != deadline_at) == (deadline_at <= now)
    assert after_outage(moved, **given) == moved
