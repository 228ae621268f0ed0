"""Nobody left at the table: its game rests, is woken by the first who comes, or is given up."""

import pytest
from django.utils import timezone

from games.features.guide import first_game
from games.models import Game, OutboxEmail, Seat, User
from games.services.accounts.account import delete_account
from games.services.email import delivery
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.moderation.actions import seats as seats_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock
from tests.support.client import browser, person, text_of
from tests.support.moderators import marta_acts, marta_acts_on, moderator
from tests.support.sent_emails import bodies
from tests.support.tables import (
    DAY,
    MONDAY,
    alone,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    tick,
)

pytestmark = pytest.mark.django_db
HOUR = 1 / 24 * DAY
TWO_WEEKS = 14 * DAY


def by_nora(game, now=MONDAY):
    game.refresh_from_db()
    nora = User.objects.filter(name="Nora").first() or moderator("Nora")
    return GameRequest(game.pk, nora, "A feast.", seen_now(game), now)


def text(game, *kinds):
    rows = game.events.filter(kind__in=kinds or ("GameRested", "GameWoken", "GameAbandoned"))
    return [(row.kind, row.cause) for row in rows.order_by("seq")]


def emailed(kind="game_rests"):
    return sorted(mail.person.name for mail in OutboxEmail.objects.filter(kind=kind))


def assert_at_rest(game, moves):
    game.refresh_from_db()
    assert game.dormant_since is not None
    assert (game.status, game.deadline_at) == (Game.Status.RUNNING, None)
    assert not game.seats.exclude(deadline_at=None, remind_at=None, seconds_left=None).exists()
    assert game.moves.count() == moves
    assert verify_game(game.pk) == []


class TestComingToRest:
    @pytest.mark.full
    def test_who_leaves_a_game_alone_against_the_house_finds_it_as_they_left_it(self):
        game = alone()
        moves = game.moves.count()
        leave(game, "Anna")
        for now in (MONDAY, MONDAY + DAY, MONDAY + 13 * DAY):
            tick(now)
            clock.sweep(now=now)
            assert_at_rest(game, moves)
        assert text(game) == [("GameRested", "rules")]

    def test_so_does_who_leaves_their_first_game(self):
        anna = person("Anna")
        game = first_game.begin(user=anna, now=MONDAY)
        moves = game.moves.count()
        leave(game, "Anna")
        assert_at_rest(game, moves)
        assert emailed() == ["Anna"]

    @pytest.mark.full
    def test_where_nobody_answers_the_clock_plays_until_all_are_absent_and_no_further(self):
        game = open_table("Anna", "Boris", "Clara")
        while game.deadline_at is not None:
            now = game.deadline_at
            tick(now)
            clock.sweep(now=now)
            game.refresh_from_db()
        assert_at_rest(game, game.moves.count())
        assert game.seats.filter(absent_since=None).count() == 0
        assert text(game, "SeatAbsent", "GameRested") == [
            *[("SeatAbsent", "clock")] * 3,
            ("GameRested", "rules"),
        ]
        assert emailed() == ["Anna", "Boris", "Clara"]

    @pytest.mark.full
    @pytest.mark.parametrize(
        "act",
        [
            lambda game, anna: browser(anna).post(f"{game.get_absolute_url()}step-aside/"),
            lambda game, anna: delete_account(anna, MONDAY),
            lambda game, anna: seats_actions.mark_absent(
                by_nora(game), seat=seat_of(game, "Anna").number
            ),
            lambda game, anna: seats_actions.reopen_seat(
                by_nora(game), seat=seat_of(game, "Anna").number
            ),
            lambda game, anna: seats_actions.replace_by_computer_player(
                by_nora(game), seat=seat_of(game, "Anna").number, computer_player="courtier"
            ),
            lambda game, anna: marta_acts_on(anna, "ban"),
            lambda game, anna: marta_acts_on(
                anna, "suspend", until=f"{timezone.now() + DAY:%Y-%m-%dT%H:%M}"
            ),
        ],
        ids=["step aside", "delete", "absent", "reopen", "computer player", "ban", "suspend"],
    )
    def test_in_whatever_way_the_last_one_goes(self, act):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        moves = game.moves.count()
        assert game.dormant_since is None
        act(game, seat_of(game, "Anna").user)
        assert_at_rest(game, moves)
        assert text(game) == [("GameRested", "rules")]

    @pytest.mark.full
    def test_also_while_it_is_paused_or_a_vote_is_open(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        timing.pause(by_nora(game), until=MONDAY + DAY)
        moves = game.moves.count()
        leave(game, "Anna")
        assert_at_rest(game, moves)
        tick(MONDAY + 2 * DAY)
        clock.sweep(now=MONDAY + 2 * DAY)
        assert_at_rest(game, moves)
        seats.come_back(game_id=game.pk, user=seat_of(game, "Anna").user, now=MONDAY + 3 * DAY)
        game.refresh_from_db()
        assert (game.dormant_since, game.paused_until) == (None, MONDAY + DAY)
        tick(MONDAY + 3 * DAY)
        clock.sweep(now=MONDAY + 3 * DAY)
        game.refresh_from_db()
        assert game.is_going_on
        assert [seat.deadline_at for seat in seats_to_move(game)] == [MONDAY + 4 * DAY]

    @pytest.mark.full
    def test_games_that_nobody_played_before_the_upgrade_rest_with_the_first_sweep(self):
        game = open_table("Anna", "Boris", "Clara")
        moves = game.moves.count()
        game.seats.update(absent_since=MONDAY, remind_at=None)
        game.seats.filter(deadline_at__isnull=False).update(deadline_at=MONDAY)
        Game.objects.update(deadline_at=MONDAY)
        for _ in range(2):
            clock.sweep(now=MONDAY + HOUR)
            assert_at_rest(game, moves)
        assert emailed() == ["Anna", "Boris", "Clara"]

    def test_as_long_as_one_is_there_it_goes_on(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        assert [seat.user.name for seat in seats_to_move(game)] == ["Anna"]
        assert text(game) == []


class TestWaking:
    def test_the_first_who_returns_wakes_it_and_has_the_full_time(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Anna", "Boris", "Clara")
        back = MONDAY + 5 * DAY
        seats.come_back(game_id=game.pk, user=seat_of(game, "Anna").user, now=back)
        game.refresh_from_db()
        assert game.is_going_on
        [anna] = seats_to_move(game)
        assert (anna.user.name, anna.deadline_at, anna.full_time) == ("Anna", back + DAY, True)
        assert text(game) == [("GameRested", "rules"), ("GameWoken", "rules")]

    @pytest.mark.full
    def test_so_does_a_substitute_and_a_moderator_who_calls_somebody_back(self):
        for number, name in enumerate(("Anna", "Boris")):
            game = alone(name)
            leave(game, name)
            seat, back = seat_of(game, name), MONDAY + (number + 1) * DAY
            if number:
                seats_actions.mark_present(by_nora(game, back), seat=seat.number)
            else:
                dora = person("Dora")
                seats.take_over(game_id=game.pk, number=seat.number, user=dora, now=back)
            game.refresh_from_db()
            assert game.is_going_on
            assert [seat.deadline_at for seat in seats_to_move(game)] == [back + DAY]

    @pytest.mark.full
    def test_who_comes_and_goes_emails_nobody_again_that_day(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara", "Anna")
        anna = seat_of(game, "Anna").user
        for hour in range(1, 4):
            now = MONDAY + hour * HOUR
            seats.come_back(game_id=game.pk, user=anna, now=now)
            if seats_to_move(game)[0].user == anna:
                submit_move(game, anna, now)
            leave(game, "Anna", now=now)
        assert emailed() == ["Anna", "Boris", "Clara"]
        seats.come_back(game_id=game.pk, user=anna, now=MONDAY + 7 * DAY)
        leave(game, "Anna", now=MONDAY + 7 * DAY)
        assert emailed() == ["Anna", "Anna", "Boris", "Boris", "Clara", "Clara"]

    @pytest.mark.full
    def test_the_mail_goes_only_while_it_rests_and_tells_who_was_replaced_something_else(
        self, smtp
    ):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        OutboxEmail.objects.all().delete()
        number = seat_of(game, "Anna").number
        seats_actions.replace_by_computer_player(
            by_nora(game), seat=number, computer_player="courtier"
        )
        OutboxEmail.objects.exclude(kind="game_rests").delete()
        delivery.drain(now=MONDAY)
        texts = {mail["To"].partition("@")[0]: bodies(mail)[0] for mail in smtp.messages}
        assert sorted(texts) == ["anna", "boris", "clara"]
        assert "You no longer have a seat at this table." in texts["anna"]
        assert "You can return with one click" in texts["boris"]
        assert "by Mon 16 Mar, 09:00 (UTC), the game ends" in texts["boris"]
        seats.come_back(game_id=game.pk, user=seat_of(game, "Boris").user, now=MONDAY + DAY)
        leave(game, "Boris", now=MONDAY + 2 * DAY)
        seats.come_back(game_id=game.pk, user=seat_of(game, "Boris").user, now=MONDAY + 2 * DAY)
        delivery.drain(now=MONDAY + 2 * DAY)
        late = OutboxEmail.objects.filter(kind="game_rests", created_at=MONDAY + 2 * DAY)
        assert set(late.values_list("status", flat=True)) == {"dropped"}


class TestGivingUp:
    @pytest.mark.full
    def test_after_two_weeks_it_ends_and_counts_for_nobody(self):
        game = open_table("Anna", "Boris", "Clara")
        anna = seat_of(game, "Anna").user
        while game.moves.filter(user=anna).count() < 12:
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
        leave(game, "Anna", "Boris", "Clara")
        reader = browser(person("Dora"))
        about_anna = f"/people/{anna.pk}/"
        assert "not enough moves yet" not in facts(reader, about_anna)
        for now, status in (
            (MONDAY + TWO_WEEKS - HOUR, "running"),
            (MONDAY + TWO_WEEKS, "abandoned"),
            (MONDAY + TWO_WEEKS + DAY, "abandoned"),
        ):
            tick(now)
            clock.sweep(now=now)
            game.refresh_from_db()
            assert game.status == status
        assert (game.finished_at, game.dormant_since) == (MONDAY + TWO_WEEKS, None)
        assert text(game) == [("GameRested", "rules"), ("GameAbandoned", "clock")]
        assert verify_game(game.pk) == []
        assert "Games finished: 0." in facts(reader, about_anna)
        assert "not enough moves yet" in facts(reader, about_anna)
        page = browser(anna)
        assert "This game was abandoned" in text_of(page.get(game.get_absolute_url()))
        assert "Abandoned, so it doesn't count for anyone" in text_of(page.get("/"))
        assert page.get(f"{game.get_absolute_url()}record/").status_code == 200

    @pytest.mark.full
    def test_also_where_it_was_paused_and_nobody_can_come_back_then(self):
        game = alone()
        timing.pause(by_nora(game))
        leave(game, "Anna")
        tick(MONDAY + TWO_WEEKS)
        clock.sweep(now=MONDAY + TWO_WEEKS)
        anna = browser(seat_of(game, "Anna").user)
        answer = anna.post(f"{game.get_absolute_url()}come-back/", follow=True)
        assert "This game isn't running." in text_of(answer)
        game.refresh_from_db()
        assert (game.status, game.paused_at) == ("abandoned", None)

    def test_a_moderator_may_end_it_before(self):
        game = alone()
        leave(game, "Anna")
        timing.cancel(by_nora(game))
        game.refresh_from_db()
        assert (game.status, game.dormant_since) == ("cancelled", None)

    @pytest.mark.full
    def test_one_that_cannot_be_ended_stops_no_other(self, caplog):
        games = [alone(name) for name in ("Anna", "Boris")]
        for game, name in zip(games, ("Anna", "Boris"), strict=True):
            leave(game, name)
        Game.objects.filter(pk=games[0].pk).update(state={"stage": "no such stage"})
        tick(MONDAY + TWO_WEEKS)
        caplog.set_level("CRITICAL")
        clock.sweep(now=MONDAY + TWO_WEEKS)
        broken, ended = Game.objects.order_by("pk")
        assert (broken.status, broken.attempts) == ("running", 1)
        assert ended.status == "abandoned"


def facts(client, address):
    return text_of(client.get(address))


@pytest.mark.full
class TestPages:
    def test_the_table_says_so_and_brings_its_players_back_with_one_click(self):
        game = alone()
        anna = browser(seat_of(game, "Anna").user)
        anna.post(f"{game.get_absolute_url()}step-aside/")
        page = text_of(anna.get(game.get_absolute_url()))
        assert "This game is dormant: nobody is left at the table" in page
        assert "Nobody is left at the table: the game is dormant until" in page
        assert "time is up" not in page
        assert "is playing for you" not in page
        assert "Dormant: nobody is left at the table" in text_of(anna.get("/"))
        assert "Dormant games: nobody is left at the table 1" in text_of(anna.get("/status/"))
        anna.post(f"{game.get_absolute_url()}come-back/")
        page = text_of(anna.get(game.get_absolute_url()))
        assert "Your turn" in page
        assert "Someone is at the table again, and the game continues." in page

    def test_others_can_take_a_seat_over(self):
        game = alone()
        leave(game, "Anna")
        dora = browser(person("Dora"))
        number = seat_of(game, "Anna").number
        take_over = f"{game.get_absolute_url()}take-over/{number}/"
        assert take_over in dora.get(game.get_absolute_url()).content.decode()
        dora.post(take_over)
        assert "Your turn" in text_of(dora.get(game.get_absolute_url()))

    def test_moderators_see_it_and_are_not_asked_to_do_anything(self):
        game = alone()
        now = timezone.now()
        leave(game, "Anna", now=now)
        Seat.objects.filter(user__name="Anna").update(absent_since=now - 5 * DAY)
        nora = browser(moderator("Nora"))
        assert "Absent for days, with no substitute" not in text_of(nora.get("/admin/"))
        page = text_of(nora.get(f"/admin/games/game/{game.pk}/change/"))
        stands = "The game is dormant because nobody is left at the table. Its status is “running”."
        assert stands in page
        for value, shown in ((0, 1), (1, 0)):
            rows = nora.get(f"/admin/games/game/?dormant_since__isempty={value}")
            assert rows.content.decode().count("<span>Dormant</span>") == shown
        page = text_of(nora.get(f"/admin/games/game/{game.pk}/act/extend/"))
        assert "The game is dormant because nobody is left at the table." in page

    def test_who_was_replaced_keeps_the_game_among_the_finished_ones(self):
        game = open_table("Anna", "Boris", "Clara")
        anna = seat_of(game, "Anna")
        marta_acts(game, "house-player", seat=anna.number, computer_player="courtier")
        page = text_of(browser(anna.user).get("/"))
        assert "Finished (1)" in page
        assert "The Venice table You left before the end" in page
        assert browser(anna.user).get(game.get_absolute_url()).status_code == 200
