"""Every change of a deadline leaves an event: from when to when, why, and by whose doing."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, User, Vote
from games.presentation.log.table_story import why_moved
from games.presentation.text.words import day_and_hour
from games.services.game import extra_time, failures, rewind, seats, votes
from games.services.game.replay import event_rows
from games.services.operations import clock
from games.table_events import REASONS, DeadlineMoved
from tests.support.client import browser, text_of
from tests.support.moderators import marta_acts
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def game() -> Game:
    """A game in which Anna, its host, is not asked."""
    game = open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())
    while seats_to_move(game)[0].user.name == "Anna":
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    game.refresh_from_db()
    return game


def host(game):
    extra_time.give_time(
        game_id=game.pk,
        user=seat_of(game, "Anna").user,
        phase_no=game.phase_no,
        time=5 * HOUR,
        now=timezone.now(),
    )


def vote(game):
    anna, boris, clara = (seat_of(game, name).user for name in ("Anna", "Boris", "Clara"))
    now, proposal = timezone.now(), votes.Proposal(Vote.Kind.EXTEND, amount=9)
    votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=now)
    asked = Vote.objects.get()
    for user in (boris, clara):
        votes.cast(game_id=game.pk, user=user, vote_id=asked.pk, yes=True, now=now)


def outage(game):
    now = game.deadline_at + HOUR
    tick(now - 2 * HOUR)
    clock.sweep(now=now)


def pause(game):
    marta_acts(game, "pause")
    marta_acts(game, "resume")


def pause_by_the_clock(game):
    until = timezone.now() + 3 * DAY
    marta_acts(game, "pause", until=until.strftime("%Y-%m-%dT%H:%M"))
    tick(until)
    clock.sweep(now=until)


def park(game, now):
    """It cannot be advanced, again and again."""
    for _ in range(len(failures.RETRIES) + 1):
        failures.record_failure(Game.objects.get(pk=game.pk), ValueError("broken"), now)


def parked(game):
    game.seats.exclude(deadline_at=None).update(deadline_at=timezone.now() - HOUR)
    park(game, timezone.now())
    marta_acts(game, "retry")


def parked_in_a_pause(game):
    marta_acts(game, "pause")
    park(game, timezone.now())
    marta_acts(game, "retry")
    marta_acts(game, "resume")


CHANGES = {
    "moderator": (
        lambda game: marta_acts(game, "extend", seat="all", hours=30),
        "moved",
        "moderator",
    ),
    "host": (host, "moved", "host"),
    "vote": (vote, "moved", "table"),
    "outage": (outage, "outage", "clock"),
    "pause": (pause, "pause", "moderator"),
    "pause with an end": (pause_by_the_clock, "pause", "clock"),
    "parked": (parked, "parked", "moderator"),
    "parked in a pause": (parked_in_a_pause, "pause", "moderator"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_deadline_is_told_from_when_to_when_and_why(game, name):
    change, why, cause = CHANGES[name]
    [before] = seats_to_move(game)
    change(game)
    [after] = seats_to_move(game)
    assert (after.pk, after.to_move_phase) == (before.pk, before.to_move_phase)
    assert after.deadline_at != before.deadline_at
    event = game.events.get(kind="DeadlineMoved")
    assert (event.payload["seat"], event.payload["why"], event.cause) == (after.number, why, cause)
    text = DeadlineMoved(**event.payload)
    if name != "parked":  # its deadline was set back by hand
        assert abs(instant(text.before) - before.deadline_at) <= SECOND
    assert abs(instant(text.after) - after.deadline_at) <= SECOND


def instant(text):
    return datetime.fromisoformat(text)


def test_days_off_are_told_where_they_moved_a_deadline(game):
    boris = seat_of(game, "Boris")
    first = (timezone.now() + timedelta(hours=20)).date()
    seats.announce_days_off(
        game_id=game.pk, user=boris.user, first_day=first, last_day=first, now=timezone.now()
    )
    phase = boris.to_move_phase
    while seat_of(game, "Boris").to_move_phase == phase:
        submit_move(game, seats_to_move(game)[0].user, timezone.now() + SECOND)
    seat = seat_of(game, "Boris")
    [event] = game.events.filter(kind="DeadlineMoved")
    assert (event.payload["seat"], event.payload["why"], event.cause) == (
        seat.number, "days_off", "player",
    )  # fmt: skip
    before, after = instant(event.payload["before"]), instant(event.payload["after"])
    assert after == seat.deadline_at
    assert after - before > 4 * HOUR


def page_of(game, user):
    answered = browser(user).get(f"{game.get_absolute_url()}deadlines/")
    assert answered.status_code == 200
    return text_of(answered)


class TestPage:
    @pytest.mark.full
    def test_it_tells_all_changes_the_latest_first_on_the_readers_clock(self, game):
        zone = "America/New_York"
        [seat] = seats_to_move(game)
        User.objects.filter(pk=seat.user_id).update(time_zone=zone)
        first = seat.deadline_at
        marta_acts(game, "extend", seat="all", hours=30)
        host(game)
        second = seats_to_move(game)[0].deadline_at
        page = page_of(game, User.objects.get(pk=seat.user_id))
        whose = "Your deadline"
        by_host = (
            f"{whose} From {day_and_hour(first + 30 * HOUR, zone)} to {day_and_hour(second, zone)}"
        )
        by_marta = (
            f"{whose} From {day_and_hour(first, zone)} to {day_and_hour(first + 30 * HOUR, zone)}"
        )
        assert f"{by_host} (by the host)" in page
        assert f"{by_marta} (by a moderator) Clara is in hospital." in page
        assert page.index(by_host) < page.index(by_marta)
        assert "All times are in your time zone, America/New_York." in page

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("change", "text"),
        [
            (vote, "(by a table vote)"),
            (outage, "The site was partly down for a while. (by the clock)"),
            (pause_by_the_clock, "The game was paused. (by the clock)"),
            (parked, "The game was stopped by an error. (by a moderator)"),
        ],
    )
    def test_it_says_why(self, game, change, text):
        change(game)
        assert text in page_of(game, seat_of(game, "Dora").user)

    @pytest.mark.full
    def test_a_deadline_that_moved_by_less_than_a_minute_is_left_out(self, game):
        pause(game)
        assert game.events.filter(kind="DeadlineMoved").exists()
        page = page_of(game, seat_of(game, "Dora").user)
        assert "The game resumes." in page
        assert "deadline From" not in page

    def test_days_off_are_a_cause(self, game):
        test_days_off_are_told_where_they_moved_a_deadline(game)
        assert "Days off don't count." in page_of(game, seat_of(game, "Anna").user)

    @pytest.mark.full
    def test_a_pause_and_a_rewind_stand_there_too(self, game):
        until = timezone.now() + 3 * DAY
        marta_acts(game, "pause", until=until.strftime("%Y-%m-%dT%H:%M"))
        marta_acts(game, "resume")
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        boundary = rewind.boundaries(game, event_rows(game))[-1]
        marta_acts(game, "rewind", to_seq=boundary.seq)
        page = page_of(game, seat_of(game, "Anna").user)
        assert f"The game is paused. Until {day_and_hour(until, 'UTC')} (by a moderator)" in page
        assert "The game resumes." in page
        assert f"The game is rewound to step {boundary.seq}" in page

    @pytest.mark.full
    def test_everybody_is_called_as_then(self, game):
        marta_acts(game, "extend", seat="all", hours=30)
        [seat] = seats_to_move(game)
        other = game.seats.exclude(pk=seat.pk).first()
        marta_acts(game, "house-player", seat=seat.number, computer_player="courtier")
        assert f"{seat.user.name}'s deadline From" in page_of(game, other.user)

    @pytest.mark.full
    def test_where_nothing_was_changed_it_says_so_and_the_log_leads_there(self, game):
        anna = seat_of(game, "Anna").user
        assert "No deadlines have changed so far." in page_of(game, anna)
        address = f"{game.get_absolute_url()}deadlines/"
        for page in ("", "history/"):
            html = browser(anna).get(f"{game.get_absolute_url()}{page}").content.decode()
            assert f'href="{address}"' in html
        assert Client().get(address).status_code == 302

    def test_every_reason_has_its_words(self):
        assert [why for why in REASONS if not why_moved(why)] == ["moved"]
