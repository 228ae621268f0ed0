"""Whatever moves a deadline, everybody in the phase keeps the time they had (days 2)."""

from datetime import timedelta

import pytest

from games.engine.state import bribers
from games.models import Miss, Move, OutboxEmail, TimeGrant, User, Vote
from games.presentation.text.words import moment
from games.services.email import delivery
from games.services.game import failures, votes
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, time_grants
from tests.game.test_orders import two_bribe, until
from tests.support.moderators import moderator
from tests.support.sent_emails import plain_text
from tests.support.tables import (
    DAY,
    MONDAY,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    tick,
)

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
THURSDAY = MONDAY + 3 * DAY


def asked_of(game, now):
    """What a moderator, Nora, means to do with the game as it stands now."""
    game.refresh_from_db()
    nora = User.objects.filter(name="Nora").first() or moderator("Nora")
    return GameRequest(game.pk, nora, "Because.", seen_now(game), now)


def deadline_of(game):
    [seat] = seats_to_move(game)
    return seat.deadline_at


@pytest.fixture
def bribing():
    """A game in which two players bribe one after the other until Tuesday, 9:00."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    until(game, two_bribe)
    return game


def pause_for_a_week(game):
    timing.pause(asked_of(game, MONDAY + HOUR))
    timing.resume(asked_of(game, MONDAY + HOUR + 7 * DAY))
    return MONDAY + HOUR + 7 * DAY


def park_for_a_week(game):
    for _ in range(len(failures.RETRIES) + 1):
        game.refresh_from_db()
        failures.record_failure(game, ValueError("broken"), MONDAY + HOUR)
    timing.retry(asked_of(game, MONDAY + HOUR + 7 * DAY))
    return MONDAY + HOUR + 7 * DAY


def maintain_for_a_week(game):
    grant = TimeGrant.objects.create(
        kind=TimeGrant.Kind.MAINTENANCE, starts_at=MONDAY + HOUR, ends_at=MONDAY + HOUR + 7 * DAY
    )
    time_grants.work_off(now=grant.ends_at)
    return grant.ends_at


# What each leaves of a day of which an hour was used. A parked game gives as much as an outage.
STANDSTILLS = [
    (pause_for_a_week, 23 * HOUR),
    (park_for_a_week, DAY),
    (maintain_for_a_week, 23 * HOUR),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("stand_still", "left"), STANDSTILLS)
def test_after_a_standstill_the_first_and_the_next_have_the_time_they_had(
    bribing, stand_still, left
):
    """One of 24 hours had passed; the first takes another hour."""
    back = stand_still(bribing)
    first = seats_to_move(bribing)[0]
    assert first.deadline_at == back + left
    submit_move(bribing, first.user, back + HOUR)
    [second] = seats_to_move(bribing)
    assert second != first
    assert second.deadline_at == back + left
    assert not second.full_time


@pytest.mark.full
@pytest.mark.parametrize(("stand_still", "left"), STANDSTILLS)
def test_days_off_of_the_next_count_as_before(bribing, stand_still, left):
    """The second one is off from Tuesday to Thursday, which nobody else's time is."""
    second = bribing.seats.get(number=bribers(bribing.decoded())[1])
    days = {"first_day": (MONDAY + DAY).date(), "last_day": (MONDAY + 3 * DAY).date()}
    second.days_off.create(announced_at=MONDAY - DAY, **days)
    bribing.seats.update(phase_deadline_at=None)
    back = stand_still(bribing)
    submit_move(bribing, seats_to_move(bribing)[0].user, back + HOUR)
    [asked] = seats_to_move(bribing)
    assert asked == second
    # By the pause, 23 hours were left; the days off are over by now.
    assert asked.deadline_at == back + left


@pytest.mark.full
def test_after_an_outage_the_next_has_as_long_as_the_first(bribing):
    tick(MONDAY + HOUR)
    back = MONDAY + 30 * HOUR
    clock.sweep(now=back)
    assert deadline_of(bribing) == back + DAY
    submit_move(bribing, seats_to_move(bribing)[0].user, back + 5 * MINUTE)
    assert deadline_of(bribing) == back + DAY


def by_a_moderator(game):
    timing.extend(asked_of(game, MONDAY + HOUR), time=3 * DAY)


def by_a_vote(game):
    anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
    proposal = votes.Proposal(Vote.Kind.EXTEND, amount=72)
    votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=MONDAY + HOUR)
    votes.cast(
        game_id=game.pk, user=boris, vote_id=Vote.objects.get().pk, yes=True, now=MONDAY + HOUR
    )
    clara = seat_of(game, "Clara").user
    votes.cast(
        game_id=game.pk, user=clara, vote_id=Vote.objects.get().pk, yes=True, now=MONDAY + HOUR
    )


def by_a_deadline_set(game):
    timing.set_deadline(asked_of(game, MONDAY + HOUR), at=MONDAY + 4 * DAY)


@pytest.mark.full
@pytest.mark.parametrize("give", [by_a_moderator, by_a_vote, by_a_deadline_set])
def test_more_time_is_for_the_whole_phase(bribing, give):
    give(bribing)
    assert deadline_of(bribing) == MONDAY + 4 * DAY
    submit_move(bribing, seats_to_move(bribing)[0].user, MONDAY + 40 * HOUR)
    assert deadline_of(bribing) == MONDAY + 4 * DAY


@pytest.fixture
def working_days():
    """A game without play on weekends, asked on Thursday, 9:00, in UTC."""
    return open_table("Anna", "Boris", "Clara", now=THURSDAY, no_play_days=(5, 6))


def test_time_on_days_without_play_is_given_back_after_them(working_days):
    """On Thursday, 21:00, twelve hours are left; on Friday, 22:00, the game goes on."""
    timing.pause(asked_of(working_days, THURSDAY + 12 * HOUR))
    timing.resume(asked_of(working_days, THURSDAY + 37 * HOUR))
    assert deadline_of(working_days) == THURSDAY + 4 * DAY + HOUR  # Monday, 10:00


def test_more_time_skips_days_without_play(working_days):
    timing.extend(asked_of(working_days, THURSDAY), time=DAY)
    assert deadline_of(working_days) == THURSDAY + 4 * DAY  # Monday, 9:00


def test_an_outage_that_ends_on_a_weekend_gives_time_after_it(working_days):
    """Two days of outage, until Saturday noon: one answering time of play time."""
    tick(THURSDAY + HOUR)
    clock.sweep(now=THURSDAY + 2 * DAY + 3 * HOUR)
    assert deadline_of(working_days) == THURSDAY + 4 * DAY + 15 * HOUR  # Tuesday, 0:00


@pytest.mark.parametrize(
    "move",
    [
        lambda game: timing.extend(asked_of(game, MONDAY + HOUR), time=5 * HOUR),
        lambda game: (
            timing.pause(asked_of(game, MONDAY + HOUR)),
            timing.resume(asked_of(game, MONDAY + 4 * DAY + 6 * HOUR)),
        ),
        maintain_for_a_week,
        park_for_a_week,
    ],
    ids=["more time", "pause", "maintenance", "parking"],
)
def test_a_deadline_at_the_tables_hour_moves_to_that_hour(move):
    game = open_table("Anna", "Boris", "Clara", fixed_hour=20)
    before = deadline_of(game)
    assert before.hour == 20
    move(game)
    after = deadline_of(game)
    assert after > before
    assert (after.hour, after.minute) == (20, 0)


def test_a_deadline_that_was_made_earlier_is_never_missed():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    soon = MONDAY + 10 * MINUTE
    timing.set_deadline(asked_of(game, MONDAY), at=soon)
    tick(soon)
    clock.sweep(now=soon)
    seat.refresh_from_db()
    assert Move.objects.get(seat=seat, cause="clock").at == soon
    assert seat.missed == []
    assert not Miss.objects.exists()


def test_a_deadline_that_was_made_later_can_be_missed():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    later = MONDAY + 3 * DAY
    timing.set_deadline(asked_of(game, MONDAY), at=later)
    tick(later)
    clock.sweep(now=later)
    seat.refresh_from_db()
    assert seat.missed == [True]


@pytest.mark.full
@pytest.mark.parametrize(
    "change",
    [
        lambda game: (tick(MONDAY), clock.sweep(now=MONDAY + 2 * DAY)),
        lambda game: timing.extend(asked_of(game, MONDAY + HOUR), time=DAY),
        lambda game: timing.set_deadline(asked_of(game, MONDAY + HOUR), at=MONDAY + 5 * HOUR),
        pause_for_a_week,
        park_for_a_week,
        maintain_for_a_week,
    ],
    ids=["outage", "more time", "a deadline set", "pause", "parking", "maintenance"],
)
def test_the_email_that_it_is_their_turn_survives_a_moved_deadline(smtp, change):
    """It had not left yet: it leaves once, and tells the new deadline."""
    game = open_table("Anna", "Boris", "Clara")
    change(game)
    [seat] = seats_to_move(game)
    delivery.drain(now=seat.deadline_at - MINUTE)
    delivery.drain(now=seat.deadline_at)
    text = [m for m in smtp.messages if m["To"] == seat.user.email and "your turn" in plain_text(m)]
    assert len(text) == 1
    assert moment(seat.deadline_at, "UTC") in plain_text(text[0])


@pytest.mark.full
def test_the_email_that_it_is_their_turn_waits_with_a_paused_game(smtp):
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    timing.pause(asked_of(game, MONDAY))
    turn = OutboxEmail.objects.get(kind="your_turn", person=seat.user)
    for now, status in ((MONDAY, "ready"), (MONDAY + DAY, "sent")):
        delivery.drain(now=now)
        turn.refresh_from_db()
        assert turn.status == status
        game.refresh_from_db()
        if game.paused_at is not None:
            timing.resume(asked_of(game, MONDAY + DAY))
    assert OutboxEmail.objects.filter(kind="your_turn", person=seat.user).count() == 1


def test_a_vote_whose_time_ran_out_in_an_outage_stays_open():
    game = open_table("Anna", "Boris", "Clara", "Dora")
    anna = seat_of(game, "Anna").user
    proposal = votes.Proposal(Vote.Kind.PAUSE, amount=5)
    votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=MONDAY)
    tick(MONDAY + HOUR)
    back = MONDAY + 2 * DAY
    clock.sweep(now=back)
    vote = Vote.objects.get()
    assert (vote.closed_at, vote.closes_at) == (None, back + DAY)
    tick(back + DAY)
    clock.sweep(now=back + DAY)
    vote.refresh_from_db()
    assert (vote.closed_at, vote.passed) == (back + DAY, False)


def park(game, now):
    """It cannot be advanced, again and again."""
    for _ in range(len(failures.RETRIES) + 1):
        game.refresh_from_db()
        failures.record_failure(game, ValueError("broken"), now)


@pytest.mark.full
def test_a_game_that_was_parked_in_a_pause_returns_to_it(bribing):
    timing.pause(asked_of(bribing, MONDAY + HOUR))
    park(bribing, MONDAY + 2 * HOUR)
    back = MONDAY + 7 * DAY
    timing.retry(asked_of(bribing, back))
    bribing.refresh_from_db()
    assert (bribing.parked_at, bribing.paused_at) == (None, MONDAY + HOUR)
    assert (bribing.deadline_at, seats_to_move(bribing)) == (None, [])
    timing.resume(asked_of(bribing, back + DAY))
    assert deadline_of(bribing) == back + DAY + 23 * HOUR


@pytest.mark.full
def test_a_pause_that_should_have_ended_while_the_game_was_parked_ends_with_the_retry(bribing):
    timing.pause(asked_of(bribing, MONDAY + HOUR), until=MONDAY + 2 * DAY)
    park(bribing, MONDAY + 2 * DAY)
    back = MONDAY + 7 * DAY
    for now in (MONDAY + 3 * DAY, back):
        tick(now)
        clock.sweep(now=now)
        bribing.refresh_from_db()
        assert bribing.parked_at == MONDAY + 2 * DAY
    timing.retry(asked_of(bribing, back))
    bribing.refresh_from_db()
    assert (bribing.parked_at, bribing.paused_at, bribing.paused_until) == (None, None, None)
    assert deadline_of(bribing) == back + 23 * HOUR
    assert bribing.events.get(kind="GameResumed").cause == "clock"


@pytest.mark.full
def test_votes_of_a_dormant_game_last_longer_when_it_was_parked():
    game = open_table("Anna", "Boris", "Clara")
    leave(game, "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    votes.call_vote(game_id=game.pk, user=anna, proposal=votes.Proposal(Vote.Kind.END), now=MONDAY)
    closes_at = Vote.objects.get().closes_at
    leave(game, "Anna", now=MONDAY + HOUR)
    park(game, MONDAY + HOUR)
    timing.retry(asked_of(game, MONDAY + HOUR + DAY))
    game.refresh_from_db()
    assert (game.parked_at, game.dormant_since) == (None, MONDAY + HOUR)
    assert Vote.objects.get().closes_at == closes_at + DAY
