"""What a paused game still accepts: people come and go, and leave what is to be played later."""

from datetime import date, timedelta

import pytest

from games.engine.orders import PayAmount
from games.engine.state import bribers
from games.models import Game, Order, User
from games.services.accounts.account import delete_account
from games.services.game import orders, seats
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.refused import Refused
from tests.support.client import browser, forms_of, person, text_of
from tests.support.moderators import moderator
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = MONDAY + 3 * DAY


def by_nora(game, now=MONDAY):
    game.refresh_from_db()
    nora = User.objects.filter(name="Nora").first() or moderator("Nora")
    return GameRequest(game.pk, nora, "A feast.", seen_now(game), now)


@pytest.fixture
def game():
    """A paused game, from which Clara has stepped aside."""
    game = open_table("Anna", "Boris", "Clara")
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=MONDAY)
    timing.pause(by_nora(game))
    game.refresh_from_db()
    return game


def assert_still(game):
    """Nobody is asked, and nothing was played since the pause began."""
    game.refresh_from_db()
    assert (game.paused_at, game.deadline_at) == (MONDAY, None)
    assert not game.moves.filter(at__gt=MONDAY).exists()
    assert not seats_to_move(game)


class TestPeople:
    def test_who_is_absent_comes_back(self, game):
        browser(seat_of(game, "Clara").user).post(f"{game.get_absolute_url()}come-back/")
        assert seat_of(game, "Clara").absent_since is None
        assert_still(game)

    def test_a_substitute_sits_down(self, game):
        dora, clara = person("Dora"), seat_of(game, "Clara")
        seats.take_over(game_id=game.pk, number=clara.number, user=dora, now=MONDAY + HOUR)
        assert seat_of(game, "Dora").pk == clara.pk
        assert_still(game)

    @pytest.mark.full
    def test_a_player_steps_aside_or_deletes_the_account(self, game):
        browser(seat_of(game, "Anna").user).post(f"{game.get_absolute_url()}step-aside/")
        assert seat_of(game, "Anna").absent_since is not None
        boris = seat_of(game, "Boris")
        Order.objects.create(seat=boris, kind="sending", formula={}, made_at=MONDAY)
        delete_account(boris.user, MONDAY + HOUR)
        boris.refresh_from_db()
        assert boris.absent_since == MONDAY + HOUR
        assert not Order.objects.exists()
        assert_still(game)

    def test_days_off_are_announced_and_taken_back_but_not_by_who_is_asked(self, game):
        days = {"first_day": date(2026, 3, 9), "last_day": date(2026, 3, 10)}
        asked = game.seats.get(seconds_left__isnull=False)
        other = game.seats.exclude(pk=asked.pk).get(absent_since=None)
        for seat in (asked, other):
            seats.announce_days_off(game_id=game.pk, user=seat.user, now=MONDAY + HOUR, **days)
            seat.refresh_from_db()
            assert seat.days_off_left == 5

        def withdraw(seat):
            seats.withdraw_days_off(
                game_id=game.pk,
                user=seat.user,
                days_off_id=seat.days_off.get().pk,
                now=MONDAY + HOUR,
            )

        withdraw(other)
        with pytest.raises(Refused, match="It's your turn: move first"):
            withdraw(asked)
        other.refresh_from_db()
        assert other.days_off_left == 7
        assert_still(game)

    @pytest.mark.full
    def test_afterwards_the_time_goes_on_for_who_stayed_and_begins_for_who_came(self, game):
        asked = game.seats.get(seconds_left__isnull=False).user
        other = game.seats.exclude(user=asked).get(absent_since=None).user
        seats.step_aside(game_id=game.pk, user=asked, now=MONDAY + HOUR)
        seats.come_back(game_id=game.pk, user=asked, now=MONDAY + 2 * HOUR)
        seats.step_aside(game_id=game.pk, user=other, now=MONDAY + HOUR)
        timing.resume(by_nora(game, LATER))
        [seat] = seats_to_move(game)
        assert (seat.user, seat.deadline_at, seat.full_time) == (asked, LATER + DAY, True)


@pytest.mark.full
def test_a_parked_game_offers_nothing_that_it_refuses(game):
    clara, dora = browser(seat_of(game, "Clara").user), browser(person("Dora"))
    address = game.get_absolute_url()
    assert f"{address}come-back/" in forms_of(clara.get(address).content.decode())
    Game.objects.filter(pk=game.pk).update(parked_at=MONDAY)
    for client in (clara, dora):
        actions = forms_of(client.get(address).content.decode())
        assert not [action for action in actions if "come-back" in action or "take-over" in action]


@pytest.mark.full
class TestOrders:
    @pytest.fixture
    def left(self):
        """A paused game in which the second briber of a palace has an order; her seat."""
        game = open_table("Anna", "Boris", "Clara", "Dora")
        while not two_bribe(game.decoded()):
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
            game.refresh_from_db()
        second = game.seats.get(number=bribers(game.decoded())[1])
        self.leave(game, second, 9000)
        timing.pause(by_nora(game))
        game.refresh_from_db()
        return game, second

    def leave(self, game, seat, amount, now=MONDAY):
        [scholar] = [one for one in game.decoded().contenders if one.owner == seat.number]
        orders.leave_order(
            game_id=game.pk, user=seat.user, scholar=scholar, order=PayAmount(amount),
            wait_if_addressed=False, now=now,
        )  # fmt: skip

    def test_they_are_shown_and_withdrawn(self, left):
        game, second = left
        client = browser(second.user)
        assert "Change or add orders" in text_of(client.get(game.get_absolute_url()))
        client.post(f"{game.get_absolute_url()}orders/{Order.objects.get().pk}/withdraw/")
        assert not Order.objects.exists()
        assert_still(game)

    def test_they_are_left_and_played_when_the_game_goes_on(self, left):
        game, second = left
        first = game.seats.get(seconds_left__isnull=False)
        self.leave(game, first, 2000, MONDAY + HOUR)
        self.leave(game, second, 3000, MONDAY + HOUR)
        assert_still(game)
        timing.resume(by_nora(game, LATER))
        paid = game.moves.filter(at=LATER).order_by("pk").values_list("move", flat=True)[:2]
        assert [move["bribes"][0][1] for move in paid] == [2000, 3000]
        assert not Order.objects.exists()


def two_bribe(state):
    return state.stage.value in {"external-bribes", "internal-bribes"} and (
        len(bribers(state)) > 1 and not state.paid
    )
