"""Reminders of a deadline, and deadlines that move because the clock stood still."""

from datetime import UTC, datetime, timedelta

import pytest

from games.services.game.deadlines import (
    EPOCH,
    Calendar,
    Pace,
    Reminder,
    after_outage,
    next_reminder,
    stopped_since,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def reminders(time: timedelta) -> list[Reminder]:
    """The reminders of a deadline that was given at noon and leaves this time, three at most."""
    found, after = [], NOON
    for _ in range(3):
        if due := next_reminder(deadline_set_at=NOON, deadline_at=NOON + time, after=after):
            found.append(due)
            after = due.at
    return found


REMINDERS = [
    ("a day", DAY, [19.2 * HOUR, 22 * HOUR]),
    ("a week", 7 * DAY, [5.6 * DAY, 7 * DAY - 2 * HOUR]),
    ("just over ten hours", 10 * HOUR + 5 * MINUTE, [8 * HOUR + 4 * MINUTE, 8 * HOUR + 5 * MINUTE]),
    ("ten hours, where both would come together", 10 * HOUR, [8 * HOUR]),
    ("two hours", 2 * HOUR, [96 * MINUTE]),
    ("five minutes", 5 * MINUTE, [4 * MINUTE]),
]


@pytest.mark.parametrize(
    ("time", "due"), [row[1:] for row in REMINDERS], ids=[row[0] for row in REMINDERS]
)
def test_reminders_at_80_percent_and_two_hours_before_the_end(time, due):
    found = reminders(time)
    assert [reminder.at - NOON for reminder in found] == due
    assert [reminder.is_last for reminder in found] == [False, True][-len(due) :]


def test_a_clock_that_comes_late_reminds_only_of_what_is_still_ahead():
    day = {"deadline_set_at": NOON, "deadline_at": NOON + DAY}
    last = Reminder(NOON + 22 * HOUR, is_last=True)
    assert next_reminder(**day, after=NOON + 20 * HOUR) == last
    assert next_reminder(**day, after=NOON + 22 * HOUR) is None
    assert next_reminder(**day, after=NOON + 23 * HOUR) is None


def test_a_deadline_that_was_moved_warns_anew():
    moved_at = NOON + 23 * HOUR
    found = next_reminder(deadline_set_at=moved_at, deadline_at=NOON + 2 * DAY, after=moved_at)
    assert found == Reminder(moved_at + 20 * HOUR, is_last=False)


OUTAGES = [
    # name, minutes from the last tick to the deadline and to now, hours for an answer; minutes left
    ("a longer gap than a quarter", 10, 60 * 8, 24, 60 * 8),
    ("a shorter gap than a quarter", 10, 60, 24, 60 * 6),
    ("at most one answering time", 10, 60 * 50, 24, 60 * 24),
    ("at a table of five minutes", 1, 6, 5 / 60, 5),
    ("the deadline is now", 60, 60, 24, 60 * 6),
    ("just over five minutes", 1, 5.1, 24, 60 * 6),
]


@pytest.mark.parametrize("case", OUTAGES, ids=lambda case: case[0])
def test_a_deadline_that_passed_while_the_clock_stood_still_moves(case):
    _, deadline, now, hours, left = case
    found = after_outage(
        NOON + deadline * MINUTE,
        since=NOON,
        now=NOON + now * MINUTE,
        calendar=Calendar(Pace(timedelta(hours=hours))),
    )
    assert found == NOON + (now + left) * MINUTE


UNMOVED = [
    ("still ahead", 61, 60),
    ("passed at the last tick", 0, 60),
    ("passed long before it", -60, 60),
]


@pytest.mark.parametrize("case", UNMOVED, ids=lambda case: case[0])
def test_any_other_deadline_stays(case):
    _, deadline, now = case
    deadline_at = NOON + deadline * MINUTE
    found = after_outage(
        deadline_at, since=NOON, now=NOON + now * MINUTE, calendar=Calendar(Pace(DAY))
    )
    assert found == deadline_at


@pytest.mark.parametrize(
    ("minutes", "usual", "expected"),
    [
        (0.25, 0.25, None),
        (5, 0.25, None),
        (5.1, 0.25, NOON),
        (10, 10, None),
        (20, 10, None),
        (20.1, 10, NOON),
        (-5, 0.25, None),
        (-5.1, 0.25, EPOCH),
    ],
)
def test_a_clock_stood_still_when_its_last_tick_is_too_far_away(minutes, usual, expected):
    """Also one that lies ahead: nobody knows how long a clock that was set back did not tick."""
    now = NOON + minutes * MINUTE
    since = stopped_since(NOON, now, usual * MINUTE)
    assert since == expected


@pytest.mark.parametrize("minutes", [0, 40, 60 * 24 * 30])
def test_after_a_clock_was_set_back_whatever_has_passed_gets_a_full_answering_time(minutes):
    since = stopped_since(NOON + 60 * MINUTE, NOON)
    passed = NOON - minutes * MINUTE
    assert after_outage(passed, since=since, now=NOON, calendar=Calendar(Pace(DAY))) == NOON + DAY
