"""One stuck game stops only itself: the clock skips a locked one and passes over a failing one."""

import logging
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection

from games.models import Game, Outage, OutboxEmail, Seat, Tick, Vote
from games.services.game import votes
from games.services.lobby import tables
from games.services.moderation.actions import site, timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, time_grants
from tests.support.moderators import moderator
from tests.support.sites import by_nadja
from tests.support.stuck import CONNECTION_LOST, DISK_FULL, MISTAKE, TOO_LONG, locked, trouble
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, tick

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
committed = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def failures_are_expected(caplog):
    caplog.set_level(logging.CRITICAL)


def two_tables(now=MONDAY):
    """One that will be stuck, and another."""
    stuck = open_table("Anna", "Boris", "Clara", now=now)
    return stuck, open_table("Dora", "Emil", "Fanny", now=now + MINUTE)


def emails(kind):
    """At which tables somebody gets such a mail."""
    found = OutboxEmail.objects.filter(kind=kind).order_by("pk")
    return list(found.values_list("game", flat=True))


def reasons_of(game):
    """Why deadlines of a game were moved."""
    moved = game.events.filter(kind="DeadlineMoved").order_by("seq")
    return [row.payload["why"] for row in moved]


class TestALockedGame:
    pytestmark = committed

    def test_keeps_no_other_from_its_default_nor_loses_its_own(self):
        held, free = two_tables()
        tick(MONDAY + DAY + MINUTE)
        with locked(held):
            assert clock.sweep(now=MONDAY + DAY + MINUTE) == 1
            assert (held.moves.count(), free.moves.count()) == (0, 1)
        assert clock.sweep(now=MONDAY + DAY + MINUTE) == 1
        assert held.moves.count() == 1

    def test_keeps_no_other_from_being_reminded_nor_loses_its_own(self):
        held, free = two_tables()
        at = MONDAY + 0.85 * DAY
        tick(at)
        with locked(held):
            clock.sweep(now=at)
            assert emails("reminder") == [free.pk]
        clock.sweep(now=at)
        assert emails("reminder") == [free.pk, held.pk]

    @pytest.mark.full
    def test_keeps_no_other_vote_nor_pause_from_its_end(self):
        held, free = two_tables()
        for game, name in ((held, "Anna"), (free, "Dora")):
            user = seat_of(game, name).user
            proposal = votes.Proposal(Vote.Kind.PAUSE, amount=1)
            votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=MONDAY)
            keeper = moderator(f"Keeper {game.pk}")
            request = GameRequest(game.pk, keeper, "A feast.", seen_now(game), MONDAY)
            timing.pause(request, until=MONDAY + DAY)
        tick(MONDAY + DAY)
        with locked(held):
            clock.sweep(now=MONDAY + DAY)
            assert [game.paused_at for game in Game.objects.order_by("pk")] == [MONDAY, None]
            assert list(Vote.objects.filter(closed_at=None).values_list("game")) == [(held.pk,)]
        clock.sweep(now=MONDAY + DAY)
        assert not Game.objects.filter(paused_at__isnull=False).exists()
        assert not Vote.objects.filter(closed_at=None).exists()

    @pytest.mark.full
    def test_keeps_its_grace_after_an_outage_however_late_it_is_let_go(self):
        held, free = two_tables()
        tick(MONDAY + DAY - HOUR)
        back = MONDAY + DAY + HOUR
        with locked(held):
            for later in (timedelta(), MINUTE, 20 * MINUTE):
                tick(back + later) if later else None
                assert clock.sweep(now=back + later) == 0
                assert Tick.objects.last_sweep() == back + later
        assert (reasons_of(held), reasons_of(free)) == ([], ["outage"])
        assert clock.sweep(now=back + HOUR) == 0
        assert (reasons_of(held), reasons_of(free)) == (["outage"], ["outage"])
        assert seats_to_move(held)[0].deadline_at >= back + HOUR + DAY / 4
        assert not Outage.objects.exists()

    @pytest.mark.full
    def test_gets_the_time_that_all_games_get_before_the_clock_plays_there(self):
        held, free = two_tables()
        site.give_hours(by_nadja(MONDAY + MINUTE), hours=5)
        with locked(held):
            time_grants.work_off(now=MONDAY)
            tick(MONDAY + DAY + HOUR)
            clock.sweep(now=MONDAY + DAY + HOUR)
        assert (reasons_of(held), reasons_of(free)) == ([], ["hours"])
        tick(MONDAY + DAY + HOUR)
        assert clock.sweep(now=MONDAY + DAY + HOUR) == 0
        assert (reasons_of(held), reasons_of(free)) == (["hours"], ["hours"])
        assert seats_to_move(held)[0].deadline_at == MONDAY + DAY + 6 * HOUR
        assert site.running_games() == 2
        assert time_grants.games_owed() == []


@pytest.mark.django_db
class TestAFailingGame:
    def test_stops_no_other_reminder(self):
        broken, sound = two_tables()
        Seat.objects.filter(pk=seats_to_move(broken)[0].pk).update(deadline_set_at=None)
        at = MONDAY + 0.85 * DAY
        tick(at)
        clock.sweep(now=at)
        assert emails("reminder") == [sound.pk]
        broken.refresh_from_db()
        assert (broken.attempts, broken.retry_at) == (1, at + MINUTE)
        assert broken.error.endswith("\nValueError")

    @pytest.mark.full
    def test_stops_no_other_table_from_being_closed(self):
        broken, sound = open_table("Anna", size=4), open_table("Boris", size=4)
        now = MONDAY + 14 * DAY
        with trouble("games_outboxemail", broken.pk, does=MISTAKE):
            for _ in range(6):
                tick(now)
                clock.sweep(now=now)
                now += HOUR
        broken.refresh_from_db()
        sound.refresh_from_db()
        assert (broken.status, sound.status) == ("waiting", "cancelled")
        assert (broken.attempts, broken.parked_at) == (3, None)
        assert tables.close_old_tables(now) == 1

    def test_stops_no_default_and_no_mail_is_lost_by_a_failing_vote(self):
        broken, sound = two_tables()
        user = seat_of(broken, "Anna").user
        proposal = votes.Proposal(Vote.Kind.PAUSE, amount=1)
        votes.call_vote(game_id=broken.pk, user=user, proposal=proposal, now=MONDAY)
        Game.objects.filter(pk=broken.pk).update(state={"stage": "no such stage"})
        now = MONDAY + DAY + MINUTE
        tick(now)
        assert clock.sweep(now=now) == 1
        broken.refresh_from_db()
        assert (broken.attempts, sound.moves.count()) == (1, 1)


@pytest.mark.full
@pytest.mark.django_db
class TestALongOutage:
    def test_goes_on_in_the_next_sweep_and_nothing_is_played_before(self, monkeypatch):
        games = two_tables()
        tick(MONDAY)
        back = MONDAY + 2 * DAY
        with monkeypatch.context() as patch:
            patch.setattr(clock, "MOST_SECONDS", 0)
            assert clock.sweep(now=back) == 0
        assert [reasons_of(game) for game in games] == [[], []]
        assert Tick.objects.last_sweep() == back
        assert clock.sweep(now=back + MINUTE) == 0
        assert [reasons_of(game) for game in games] == [["outage"], ["outage"]]
        assert not Outage.objects.exists()

    def test_is_done_with_when_somebody_answers_or_a_game_is_parked(self):
        broken, _other = two_tables()
        Game.objects.filter(pk=broken.pk).update(state={"stage": "no such stage"})
        tick(MONDAY + DAY - HOUR)
        now = MONDAY + DAY + HOUR
        for wait in (0, 1, 5, 30):
            assert Outage.objects.count() == (1 if wait else 0)
            now += wait * MINUTE
            tick(now) if wait else None
            clock.sweep(now=now)
        broken.refresh_from_db()
        assert broken.parked_at == now
        assert not Outage.objects.exists()


class TestTroubleOfTheDatabase:
    def sweeps(self, now):
        """Through all the retries of a failing game."""
        for wait in (0, 1, 5, 30, 60):
            now += wait * MINUTE
            tick(now)
            clock.sweep(now=now)
        return now

    @pytest.mark.full
    @pytest.mark.parametrize("does", [DISK_FULL, TOO_LONG], ids=["disk full", "too long"])
    @pytest.mark.django_db
    def test_is_no_fault_of_a_game_and_clears_up_by_itself(self, does):
        stuck, free = two_tables()
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '300ms'")
        with trouble("games_event", stuck.pk, does=does):
            now = self.sweeps(MONDAY + DAY + MINUTE)
        stuck.refresh_from_db()
        assert (stuck.attempts, stuck.retry_at, stuck.parked_at) == (0, None, None)
        assert (stuck.moves.count(), free.moves.count()) == (0, 1)
        tick(now)
        assert clock.sweep(now=now) == 1
        assert stuck.moves.count() == 1
        assert emails("game_parked") == []

    @pytest.mark.parametrize("does", [DISK_FULL, TOO_LONG], ids=["disk full", "too long"])
    @pytest.mark.django_db
    def test_lets_a_game_wait_for_the_time_that_all_get(self, does):
        stuck, free = two_tables()
        site.give_hours(by_nadja(MONDAY + MINUTE), hours=5)
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '300ms'")
        with trouble("games_event", stuck.pk, does=does):
            time_grants.work_off(now=MONDAY)
        assert (reasons_of(stuck), reasons_of(free)) == ([], ["hours"])
        tick(MONDAY)
        clock.sweep(now=MONDAY)
        assert (reasons_of(stuck), reasons_of(free)) == (["hours"], ["hours"])

    @committed
    def test_a_lost_connection_ends_the_sweep_and_is_noted_nowhere(self):
        stuck, free = two_tables()
        now = MONDAY + DAY + MINUTE
        tick(now)
        with (
            trouble("games_event", stuck.pk, does=CONNECTION_LOST),
            pytest.raises(OperationalError),
        ):
            clock.sweep(now=now)
        stuck.refresh_from_db()
        assert (stuck.attempts, stuck.error, free.moves.count()) == (0, "", 0)
        assert clock.sweep(now=now) == 2

    @pytest.mark.parametrize(
        "where",
        [
            "games.services.operations.clock.Writer",
            "games.services.operations.clock.moved_deadlines.move",
        ],
    )
    @pytest.mark.django_db
    def test_the_time_limit_of_a_task_ends_the_sweep(self, where, monkeypatch):
        """Celery raises it wherever the code happens to be."""
        game = open_table("Anna", "Boris", "Clara")

        def out_of_time(*_given):
            raise SoftTimeLimitExceeded

        tick(MONDAY)
        monkeypatch.setattr(where, out_of_time)
        with pytest.raises(SoftTimeLimitExceeded):
            clock.sweep(now=MONDAY + 2 * DAY)
        game.refresh_from_db()
        assert (game.attempts, game.error) == (0, "")
