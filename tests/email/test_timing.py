"""When an email leaves: quiet hours, the digest, urgent questions, time zones and clock changes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.models import Game, OutboxEmail, Seat, User
from games.services.email.claimed import Claimed
from games.services.email.timing import held_until, is_for_digest
from games.services.game.deadlines import Reminder, next_reminder
from games.services.game.hours import QuietHours

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
VIENNA, LA = "Europe/Vienna", "America/Los_Angeles"
NIGHT = {"quiet_from": 22, "quiet_until": 8}
SIESTA = {"quiet_from": 13, "quiet_until": 15}
ASLEEP = NIGHT | {"never_wake": True}
DIGEST = {"digest_hour": 18, "digest_emails": ["your_turn", "game_over"]}
AT_NIGHT = NIGHT | {"digest_hour": 3, "digest_emails": ["game_over"]}


def local(text: str, zone: str) -> datetime:
    """An instant on a clock: "2 Mar 21:59"."""
    read = datetime.strptime(f"2026 {text}", "%Y %d %b %H:%M").replace(tzinfo=ZoneInfo(zone))
    return read.astimezone(UTC)


# What they chose, the zone, what it is, when it is ready, its deadline, and when it leaves.
CASES = {
    "nothing chosen": ({}, VIENNA, "your_turn", "2 Mar 23:30", "4 Mar 20:00", None),
    "by day": (NIGHT, VIENNA, "your_turn", "2 Mar 21:59", "4 Mar 20:00", None),
    "when they begin": (NIGHT, VIENNA, "your_turn", "2 Mar 22:00", "4 Mar 20:00", "3 Mar 08:00"),
    "after midnight": (NIGHT, VIENNA, "game_over", "3 Mar 02:00", None, "3 Mar 08:00"),
    "when they end": (NIGHT, VIENNA, "game_over", "3 Mar 08:00", None, None),
    "at noon": (SIESTA, VIENNA, "game_over", "3 Mar 14:00", None, "3 Mar 15:00"),
    "their own clock": (NIGHT, LA, "your_turn", "2 Mar 22:30", "4 Mar 20:00", "3 Mar 08:00"),
    "urgent": (NIGHT, VIENNA, "your_turn", "2 Mar 23:00", "3 Mar 09:59", None),
    "not urgent": (NIGHT, VIENNA, "your_turn", "2 Mar 23:00", "3 Mar 10:00", "3 Mar 08:00"),
    "never woken": (ASLEEP, VIENNA, "your_turn", "2 Mar 23:00", "3 Mar 07:00", "3 Mar 08:00"),
    "essential news": (NIGHT, VIENNA, "table_news", "2 Mar 23:00", None, "3 Mar 08:00"),
    "spring forward": (NIGHT, VIENNA, "game_over", "29 Mar 01:30", None, "29 Mar 08:00"),
    "fall back": (NIGHT, VIENNA, "game_over", "25 Oct 02:30", None, "25 Oct 08:00"),
    "an hour that does not exist": (
        {"quiet_from": 22, "quiet_until": 2}, VIENNA, "game_over", "28 Mar 23:00", None,
        "29 Mar 03:00",
    ),
    "for the digest": (DIGEST, VIENNA, "game_over", "2 Mar 12:00", None, "2 Mar 18:00"),
    "tomorrow's digest": (DIGEST, VIENNA, "game_over", "2 Mar 18:30", None, "3 Mar 18:00"),
    "not for the digest": (DIGEST, VIENNA, "mention", "2 Mar 12:00", None, None),
    "a turn for the digest": (
        DIGEST, VIENNA, "your_turn", "2 Mar 12:00", "2 Mar 20:00", "2 Mar 18:00",
    ),
    "no time for the digest": (DIGEST, VIENNA, "your_turn", "2 Mar 12:00", "2 Mar 19:59", None),
    "a digest by night": (AT_NIGHT, VIENNA, "game_over", "2 Mar 12:00", None, "3 Mar 08:00"),
    "after a digest by night": (AT_NIGHT, VIENNA, "game_over", "3 Mar 08:01", None, "4 Mar 08:00"),
}  # fmt: skip


def claim_of(chosen, zone, kind, ready_at, deadline, move_time=DAY):
    person = User(time_zone=zone, **chosen)
    game = Game(move_seconds=int(move_time.total_seconds()))
    email = OutboxEmail(kind=kind, person=person, game=game, not_before=ready_at)
    return Claimed(email, Seat(deadline_at=deadline), is_muted=False)


@pytest.mark.parametrize("case", CASES)
def test_when_an_email_leaves(case):
    chosen, zone, kind, ready, by, leaves = CASES[case]
    ready_at = local(ready, zone)
    claim = claim_of(chosen, zone, kind, ready_at, by and local(by, zone))
    expected = leaves and local(leaves, zone)
    assert held_until(claim, ready_at) == expected
    if expected is not None:
        # It is looked at again when it is due, and leaves then, also when the sender is late.
        claim.email.not_before = expected
        assert held_until(claim, expected) is None
        assert held_until(claim, expected + HOUR) is None
        assert is_for_digest(claim) == (kind in chosen.get("digest_emails", ()))


def test_what_comes_to_be_sent_after_its_digest_leaves_in_it_all_the_same():
    """Such as after an outage: else it would leave one by one."""
    hour, later = local("2 Mar 18:00", VIENNA), local("2 Mar 20:30", VIENNA)
    claim = claim_of(DIGEST, VIENNA, "game_over", local("2 Mar 12:00", VIENNA), None)
    assert held_until(claim, later) == hour
    claim.email.not_before = hour
    assert held_until(claim, later) is None
    assert is_for_digest(claim)


def test_what_was_tried_waits_for_the_end_of_quiet_hours_and_for_no_digest():
    at = local("2 Mar 23:00", VIENNA)
    chosen = NIGHT | DIGEST
    claim = claim_of(chosen, VIENNA, "game_over", at, None)
    claim.email.message_id = "<1@example.org>"
    assert held_until(claim, at) == local("3 Mar 08:00", VIENNA)
    claim = claim_of(chosen, VIENNA, "your_turn", at, local("3 Mar 09:00", VIENNA))
    claim.email.message_id = "<1@example.org>"
    assert held_until(claim, at) is None


def test_quiet_hours_mean_nothing_at_a_fast_table():
    at = local("2 Mar 23:00", VIENNA)
    deadline = at + 12 * HOUR
    fast = claim_of(NIGHT, VIENNA, "your_turn", at, deadline, 2 * HOUR - timedelta(seconds=1))
    slow = claim_of(NIGHT, VIENNA, "your_turn", at, deadline, 2 * HOUR)
    assert held_until(fast, at) is None
    assert held_until(slow, at) == local("3 Mar 08:00", VIENNA)


REMINDERS = {
    # When the player is asked, the deadline, and when they are reminded.
    "by day": ("2 Mar 12:00", "3 Mar 20:00", ["3 Mar 13:36", "3 Mar 18:00"]),
    "both at night": ("2 Mar 12:00", "3 Mar 05:00", ["2 Mar 21:30"]),
    "the last at night": ("2 Mar 12:00", "3 Mar 00:30", ["2 Mar 21:30"]),
    "asked at night": ("2 Mar 23:00", "3 Mar 07:00", ["3 Mar 05:24"]),
}


@pytest.mark.parametrize("case", REMINDERS)
def test_reminders_come_before_quiet_hours_begin(case):
    asked, by, reminded = REMINDERS[case]
    deadline_set_at = local(asked, VIENNA)
    deadline_at = local(by, VIENNA)
    found: list[Reminder] = []
    while due := next_reminder(
        deadline_set_at=deadline_set_at,
        deadline_at=deadline_at,
        after=found[-1].at if found else deadline_set_at,
        quiet=QuietHours(22, 8, ZoneInfo(VIENNA)),
    ):
        found.append(due)
    assert [one.at for one in found] == [local(at, VIENNA) for at in reminded]
    assert found[-1].is_last
