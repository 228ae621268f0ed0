"""Time for all games: hours, and downtime that is excused."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Game, Miss, Move, OutboxEmail, Reason, TimeGrant, Vote
from games.services.email import delivery
from games.services.game import votes
from games.services.game.verify import verify_game
from games.services.moderation.actions import site, timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, time_grants
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, text_of
from tests.support.moderators import moderator
from tests.support.sites import audited, by_nadja, nadja, nadja_acts, site_act, site_url
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def tables(count, now=MONDAY):
    """Games that run, each with four people of its own."""
    names = ("Anna", "Boris", "Clara", "Dora")
    return [open_table(*(f"{name} {n}" for name in names), now=now) for n in range(count)]


def deadline(game):
    [seat] = seats_to_move(game)
    game.refresh_from_db()
    assert game.deadline_at == seat.deadline_at
    return seat.deadline_at


def moved(game):
    rows = game.events.filter(kind="DeadlineMoved").order_by("seq")
    return [(row.cause, row.payload["why"]) for row in rows]


def text(game, name):
    client = browser(seat_of(game, name).user)
    return text_of(client.get(f"{game.get_absolute_url()}history/"))


class TestHours:
    @pytest.mark.full
    def test_every_open_deadline_moves_on_once(self):
        games = tables(3, timezone.now())
        before = [deadline(game) for game in games]
        emails = OutboxEmail.objects.count()
        nadja_acts("hours", hours=36)
        tick(timezone.now())
        for _ in range(2):
            clock.sweep(now=timezone.now())
        assert [deadline(game) for game in games] == [at + 36 * HOUR for at in before]
        assert [moved(game) for game in games] == 3 * [[("moderator", "hours")]]
        assert OutboxEmail.objects.count() == emails
        assert audited() == [("Nadja", "site.hours", {"hours": 36})]
        grant = TimeGrant.objects.get()
        assert (grant.games_expected, grant.games_done, grant.games_moved) == (3, 3, 3)
        page = text(games[0], "Anna 0")
        assert "all games were given extra time." in page
        assert "The server moves." in page
        assert all(verify_game(game.pk) == [] for game in games)

    def test_its_consequences_are_read_first(self):
        tables(2, timezone.now())
        client = browser(nadja())
        form = as_shown(forms_of(client.get(site_url("hours")).content.decode())[""])
        page = client.post(site_url("hours"), form | {"hours": "5", "reason": "Why not."})
        assert page.status_code == 200
        assert "Extends every open deadline by 5 hours." in page.content.decode()
        assert "2 games are running." in page.content.decode()
        assert not TimeGrant.objects.exists()

    def test_the_same_form_twice_is_one_grant(self):
        token = uuid4()
        for _ in range(2):
            site.give_hours(by_nadja(MONDAY), hours=5, token=token)
        assert TimeGrant.objects.count() == 1
        assert len(audited()) == 1

    def test_a_seat_that_is_to_move_after_it_gets_nothing(self):
        [game] = tables(1)
        site.give_hours(by_nadja(MONDAY + HOUR), hours=5)
        now = MONDAY + 2 * HOUR
        submit_move(game, seats_to_move(game)[0].user, now)
        before = deadline(game)
        time_grants.work_off(now=now)
        assert deadline(game) == before
        assert moved(game) == []

    @pytest.mark.full
    def test_the_clock_plays_nothing_before_every_game_has_its_time(self):
        games = tables(2)
        now = MONDAY + DAY + HOUR
        site.give_hours(by_nadja(now - 2 * HOUR), hours=5)
        tick(now)
        clock.sweep(now=now)
        assert [deadline(game) for game in games] == 2 * [now + 5 * HOUR]
        assert not Move.objects.filter(cause="clock").exists()

    @pytest.mark.full
    def test_paused_and_parked_games_stay_as_they_are(self):
        paused, parked = tables(2)
        timing.pause(GameRequest(paused.pk, moderator(), "A feast.", seen_now(paused), MONDAY))
        left = awaited_left(paused)
        Game.objects.filter(pk=parked.pk).update(parked_at=MONDAY, deadline_at=None)
        site.give_hours(by_nadja(MONDAY), hours=5)
        time_grants.work_off(now=MONDAY)
        assert awaited_left(paused) == left
        assert moved(paused) == moved(parked) == []
        assert TimeGrant.objects.get().finished_at == MONDAY

    @pytest.mark.full
    def test_the_reminder_moves_too_and_the_waiting_email_goes_out(self, smtp):
        game = open_table("Anna", "Boris", "Clara")
        [seat] = seats_to_move(game)
        site.give_hours(by_nadja(MONDAY), hours=24)
        time_grants.work_off(now=MONDAY)
        [again] = seats_to_move(game)
        assert again.remind_at - MONDAY == 2 * (seat.remind_at - MONDAY)
        mail = OutboxEmail.objects.get(person=seat.user, kind="your_turn")
        delivery.drain(now=MONDAY)
        mail.refresh_from_db()
        assert mail.status == "sent"


def awaited_left(game):
    return list(game.seats.filter(seconds_left__isnull=False).values_list("seconds_left"))


@pytest.mark.full
class TestEachGameOnce:
    def test_a_game_that_fails_is_noted_and_stops_no_other(self):
        games = tables(3)
        Game.objects.filter(pk=games[1].pk).update(state={"a secret": 1})
        before = [deadline(games[n]) for n in (0, 2)]
        site.give_hours(by_nadja(MONDAY), hours=5)
        time_grants.work_off(now=MONDAY)
        assert [deadline(games[n]) for n in (0, 2)] == [at + 5 * HOUR for at in before]
        assert moved(games[1]) == []
        grant = TimeGrant.objects.get()
        assert grant.failures == [[games[1].pk, "TypeError"]]
        assert (grant.games_done, grant.games_moved, grant.finished_at) == (3, 2, MONDAY)
        page = browser(nadja()).get("/admin/site/").content.decode()
        assert f'href="/admin/games/game/{games[1].pk}/change/"' in page
        assert "a secret" not in page

    def test_a_crash_in_the_middle(self):
        games = tables(4)
        before = [deadline(game) for game in games]
        site.give_hours(by_nadja(MONDAY), hours=5)
        marks = []

        def crash(execute, sql, *more):
            if sql.startswith('UPDATE "games_timegrant"'):
                marks.append(sql)
                if len(marks) == 3:
                    raise KeyboardInterrupt
            return execute(sql, *more)

        with connection.execute_wrapper(crash), pytest.raises(KeyboardInterrupt):
            time_grants.work_off(now=MONDAY)
        assert [len(moved(game)) for game in games] == [1, 1, 0, 0]
        time_grants.work_off(now=MONDAY)
        assert [len(moved(game)) for game in games] == [1, 1, 1, 1]
        assert [deadline(game) for game in games] == [at + 5 * HOUR for at in before]


class TestDowntime:
    @pytest.mark.full
    def test_open_decisions_get_as_much_as_they_lost(self):
        asked_before, asked_within, asked_after = tables(3)
        user = seats_to_move(asked_within)[0].user
        submit_move(asked_within, user, MONDAY + 3 * HOUR)
        submit_move(asked_after, seats_to_move(asked_after)[0].user, MONDAY + 5 * HOUR)
        games = (asked_before, asked_within, asked_after)
        before = [deadline(game) for game in games]
        period = {"since": MONDAY + HOUR, "until": MONDAY + 4 * HOUR}
        now = MONDAY + 6 * HOUR
        site.excuse_downtime(by_nadja(now), **period)
        time_grants.work_off(now=now)
        after = [deadline(game) for game in games]
        gained = [late - early for early, late in zip(before, after, strict=True)]
        assert gained == [3 * HOUR, HOUR, timedelta()]
        assert moved(asked_before) == [("moderator", "downtime")]
        assert [verify_game(game.pk) for game in games] == [[], [], []]

    def test_at_most_the_time_for_one_move(self):
        game = open_table("Anna", "Boris", "Clara", move_time=2 * HOUR)
        timing.extend(
            GameRequest(game.pk, moderator(), "Why.", seen_now(game), MONDAY), time=20 * HOUR
        )
        before = deadline(game)
        period = {"since": MONDAY, "until": MONDAY + 10 * HOUR}
        site.excuse_downtime(by_nadja(MONDAY + 11 * HOUR), **period)
        time_grants.work_off(now=MONDAY + 11 * HOUR)
        assert deadline(game) - before == 2 * HOUR

    def test_two_periods_count_both_and_none_twice(self):
        [game] = tables(1)
        before, now = deadline(game), MONDAY + 10 * HOUR
        for first, last in ((1, 3), (4, 5)):
            period = {"since": MONDAY + first * HOUR, "until": MONDAY + last * HOUR}
            site.excuse_downtime(by_nadja(now), **period)
        with pytest.raises(Refused, match="already been excused"):
            site.excuse_downtime(by_nadja(now), since=MONDAY + 2 * HOUR, until=MONDAY + 6 * HOUR)
        time_grants.work_off(now=now)
        assert deadline(game) - before == 3 * HOUR
        assert Reason.objects.filter(game=game).count() == 2

    @pytest.mark.full
    def test_a_player_who_missed_a_move_is_excused_and_notified(self):
        [game] = tables(1)
        [seat] = seats_to_move(game)
        late = MONDAY + DAY
        tick(late)
        clock.sweep(now=late)
        seat.refresh_from_db()
        assert (seat.missed, seat.last_miss_at) == ([True], late)
        site.excuse_downtime(by_nadja(late + HOUR), since=late - HOUR, until=late + HOUR)
        time_grants.work_off(now=late + HOUR)
        seat.refresh_from_db()
        assert (seat.missed, seat.last_miss_at) == ([], None)
        assert not Miss.objects.exists()
        assert game.moves.get(seat=seat).cause == "clock"
        [news] = OutboxEmail.objects.filter(game=game, kind="table_news")
        assert news.person == seat.user
        assert "Your missed deadlines are excused." in text(game, seat.user.name)

    def test_only_what_was_missed_in_the_period_is_forgotten(self):
        [game] = tables(1)
        [seat] = seats_to_move(game)
        defaults = [MONDAY + n * DAY for n in (1, 3, 4, 6)]
        for phase, at in enumerate(defaults, 100):
            Miss.objects.create(user=seat.user, seat=seat, phase_no=phase, at=at)
        seat.missed = [True, False, True, False, True, True, False]
        seat.last_miss_at = defaults[-1]
        seat.save()
        now = MONDAY + 7 * DAY
        period = {"since": MONDAY + 2 * DAY, "until": MONDAY + 5 * DAY}
        site.excuse_downtime(by_nadja(now), **period)
        time_grants.work_off(now=now)
        seat.refresh_from_db()
        assert seat.missed == [True, False, False, True, False]
        assert seat.last_miss_at == defaults[-1]
        assert list(Miss.objects.order_by("at").values_list("at", flat=True)) == [
            defaults[0],
            defaults[-1],
        ]

    @pytest.mark.full
    def test_a_player_who_became_absent_in_the_period_is_waited_for_again(self):
        game = open_table("Anna", "Boris", "Clara", absent_player="default")
        now = MONDAY
        while not game.seats.filter(absent_since__isnull=False).exists():
            now += DAY
            tick(now)
            clock.sweep(now=now)
        [seat] = game.seats.filter(absent_since=now)
        site.excuse_downtime(by_nadja(now + HOUR), since=now - HOUR, until=now + HOUR)
        time_grants.work_off(now=now + HOUR)
        seat.refresh_from_db()
        assert seat.absent_since is None
        assert (seat.missed, seat.last_miss_at) == ([], None)
        back = game.events.filter(kind="SeatReturned").get()
        assert (back.cause, back.payload) == ("moderator", {"seat": seat.number})
        assert OutboxEmail.objects.filter(kind="table_news", person=seat.user).exists()
        assert verify_game(game.pk) == []

    def test_a_player_who_stepped_aside_stays_away(self):
        [game] = tables(1)
        seat = seat_of(game, "Boris 0")
        client = browser(seat.user)
        client.post(f"{game.get_absolute_url()}step-aside/")
        seat.refresh_from_db()
        gone = seat.absent_since
        now = gone + HOUR
        site.excuse_downtime(by_nadja(now), since=gone - HOUR, until=now)
        time_grants.work_off(now=now)
        seat.refresh_from_db()
        assert seat.absent_since == gone

    def test_a_vote_lasts_longer_too(self):
        [game] = tables(1)
        user = seat_of(game, "Anna 0").user
        proposal = votes.Proposal(Vote.Kind.EXTEND, amount=5)
        votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=MONDAY + HOUR)
        site.excuse_downtime(by_nadja(MONDAY + 4 * HOUR), since=MONDAY, until=MONDAY + 3 * HOUR)
        time_grants.work_off(now=MONDAY + 4 * HOUR)
        assert Vote.objects.get().closes_at == MONDAY + DAY + 3 * HOUR

    @pytest.mark.parametrize(
        ("since", "until"), [(-HOUR, HOUR), (-15 * DAY, -HOUR), (-HOUR, -2 * HOUR), (-HOUR, -HOUR)]
    )
    def test_periods_that_cannot_be_are_refused(self, since, until):
        with pytest.raises(Refused):
            site.excuse_downtime(by_nadja(MONDAY), since=MONDAY + since, until=MONDAY + until)
        assert not TimeGrant.objects.exists()

    @pytest.mark.full
    def test_by_the_page(self):
        games = tables(2, timezone.now() - 5 * HOUR)
        before = [deadline(game) for game in games]
        now = timezone.now().replace(second=0, microsecond=0)
        form = {"since": now - 4 * HOUR, "until": now - HOUR}
        nadja_acts("downtime", **{key: f"{at:%Y-%m-%dT%H:%M}" for key, at in form.items()})
        time_grants.work_off(now=timezone.now())
        assert [deadline(game) for game in games] == [at + 3 * HOUR for at in before]
        [line] = audited()
        assert line[:2] == ("Nadja", "site.downtime")
        form |= {"until": now + HOUR}
        refused = site_act(
            browser(nadja()), "downtime",
            **{key: f"{at:%Y-%m-%dT%H:%M}" for key, at in form.items()},
        )  # fmt: skip
        assert refused.status_code == 422
        assert "Downtime can only be excused once it's over." in text_of(refused)
