"""Standing orders and promises: warnings, what binds, and orders that wait for who negotiates."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction

from games.engine import Bribe, encode_move
from games.engine.ledger import Status
from games.engine.order_codec import encode_order
from games.engine.orders import HighestBribes, PayAmount, SendThese
from games.engine.promises import Hire, Pay, PlaceIn, Promise, SendNobody
from games.models import Cause, Game, Order, OutboxEmail
from games.presentation.board.decision import move_text
from games.services.chat import messages
from games.services.email import delivery
from games.services.game import orders
from games.services.game.position import read_position
from games.services.game.writer import Writer
from games.services.operations import clock
from tests.support.client import all_forms, as_shown, browser, forms_of, text_of
from tests.support.promising import (
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    place_for,
    replies,
    rivals_table,
    sitter,
    state_of,
)
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, tick

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
FAILS = "Your standing order can't be carried out any more, so you have to decide."


def leave(game: Game, seat: int, scholar, order, *, now=MONDAY, wait=False):
    orders.leave_order(
        game_id=game.pk, user=sitter(game, seat), scholar=scholar, order=order,
        wait_if_addressed=wait, now=now,
    )  # fmt: skip
    game.refresh_from_db()


def own(game: Game, seat: int):
    """The scholars of the seat at the door of the active palace, in the order of the bribing."""
    state = state_of(game)
    return [one for one in state.applicants[state.active] if one.owner == seat]


def waiting_orders(game: Game, seat: int, now=MONDAY) -> None:
    """The second briber leaves orders that wait where somebody speaks to them."""
    for scholar in own(game, seat):
        leave(game, seat, scholar, PayAmount(4000), now=now, wait=True)


def asked(game: Game) -> list[int]:
    return [seat.drawn_number for seat in seats_to_move(game)]


def peace(game: Game, by: int, to: int, until: int = 1) -> Promise:
    return Promise(by, to, SendNobody(None, until))


class TestWaiting:
    """An offer addresses who may reply to it, once per player and phase (days 5)."""

    @pytest.fixture
    def game(self):
        return rivals_table()

    @pytest.mark.full
    def test_an_order_waits_for_a_reply_and_is_carried_out_then(self, game):
        first, second, _owner = in_order(game)
        waiting_orders(game, second)
        made_at = offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        moves(game, None, now=MONDAY + 2 * MINUTE)
        assert asked(game) == [second]
        replies(game, second, made_at, Status.DECLINED, now=MONDAY + 3 * MINUTE)
        assert second not in asked(game)
        bribe = game.moves.filter(seat__number=second).latest("pk")
        assert bribe.by_order

    @pytest.mark.full
    def test_without_a_reply_it_is_carried_out_at_the_deadline(self, game):
        first, second, _owner = in_order(game)
        waiting_orders(game, second)
        made_at = offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        moves(game, None, now=MONDAY + 2 * MINUTE)
        assert asked(game) == [second]
        late = seats_to_move(game)[0].deadline_at
        tick(late)
        clock.sweep(now=late)
        bribe = game.moves.filter(seat__number=second).latest("pk")
        assert (bribe.cause, bribe.by_order) == (Cause.PLAYER, True)
        assert entry_of(game, made_at).status is Status.OPEN  # orders accept nothing (days 25)

    def test_who_has_offered_something_in_this_phase_delays_no_later_order(self, game):
        first, second, _owner = in_order(game)
        offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        waiting_orders(game, second, now=MONDAY + 2 * MINUTE)
        offers(game, first, peace(game, first, second, until=2), now=MONDAY + 3 * MINUTE)
        moves(game, None, now=MONDAY + 4 * MINUTE)
        assert second not in asked(game)

    @pytest.mark.parametrize("given", [Status.DECLINED, Status.WITHDRAWN])
    def test_who_offers_again_in_this_phase_does_not_delay_it_again(self, game, given):
        first, second, _owner = in_order(game)
        waiting_orders(game, second)
        made_at = offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        by = first if given is Status.WITHDRAWN else second
        replies(game, by, made_at, given, now=MONDAY + 2 * MINUTE)
        offers(game, first, peace(game, first, second, until=2), now=MONDAY + 3 * MINUTE)
        moves(game, None, now=MONDAY + 4 * MINUTE)
        assert second not in asked(game)

    @pytest.mark.full
    def test_nor_once_it_waits(self, game):
        first, second, _owner = in_order(game)
        waiting_orders(game, second)
        made_at = offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        moves(game, None, now=MONDAY + 2 * MINUTE)
        offers(game, first, peace(game, first, second, until=2), now=MONDAY + 3 * MINUTE)
        assert asked(game) == [second]
        replies(game, second, made_at, Status.DECLINED, now=MONDAY + 4 * MINUTE)
        assert second not in asked(game)

    def test_another_player_still_does(self, game):
        first, second, owner = in_order(game)
        offers(game, first, peace(game, first, second), now=MONDAY + MINUTE)
        waiting_orders(game, second, now=MONDAY + 2 * MINUTE)
        offers(game, owner, peace(game, owner, second), now=MONDAY + 3 * MINUTE)
        moves(game, None, now=MONDAY + 4 * MINUTE)
        assert asked(game) == [second]

    def test_a_computer_player_does_not(self, game):
        _first, second, owner = in_order(game)
        waiting_orders(game, second)
        game.seats.filter(number=owner).update(user=None, computer_player="courtier")
        with transaction.atomic():
            writer = Writer(Game.objects.lock(game.pk), MONDAY + MINUTE)
            writer.promises.offer(owner, peace(game, owner, second), Cause.COMPUTER)
            writer.commit()
        game.refresh_from_db()
        assert game.ledger
        moves(game, None, now=MONDAY + 2 * MINUTE)
        assert second not in asked(game)

    @pytest.mark.full
    def test_ones_own_offers_and_those_to_others_do_not(self, game):
        first, second, owner = in_order(game)
        waiting_orders(game, second)
        offers(game, second, peace(game, second, first), now=MONDAY + MINUTE)
        offers(game, first, peace(game, first, owner), now=MONDAY + MINUTE)
        moves(game, None, now=MONDAY + 2 * MINUTE)
        assert second not in asked(game)


@pytest.mark.full
class TestWarnings:
    """What would break a promise is saved all the same, and it is said so (days 5)."""

    def save(self, game: Game, seat: int, about: str, **filled: str) -> str:
        """The page after one has handed in this form of it."""
        address = f"{game.get_absolute_url()}orders/"
        client = browser(sitter(game, seat))
        shown = [
            as_shown(fields)
            for _action, fields in all_forms(client.get(address).content.decode())
            if "about" in fields
        ]
        [form] = [fields for fields in shown if fields["about"] == about]
        return text_of(client.post(address, form | filled, follow=True))

    def test_a_bribe(self):
        game = rivals_table()
        _first, second, owner = in_order(game)
        scholar = own(game, second)[0]
        promise = Promise(second, owner, Pay(scholar, 5000))
        replies(game, owner, offers(game, second, promise))
        name = state_of(game).table.names[scholar]
        warning = (
            "As things stand, this order would go against what you promised "
            f"{sitter(game, owner).name}."
        )
        page = self.save(game, second, name, **{f"{name}-how": "amount", f"{name}-amount": "4000"})
        assert page.count(warning) == 2  # as a message, and beside the order
        assert Order.objects.get().formula == {"kind": "amount", "amount": 4000}
        assert warning in text_of(browser(sitter(game, second)).get(game.get_absolute_url()))
        page = self.save(game, second, name, **{f"{name}-how": "amount", f"{name}-amount": "5000"})
        assert warning not in page

    def test_a_sending(self):
        game = bribing_table()
        _other, owner, third = in_order(game)
        replies(game, third, offers(game, owner, peace(game, owner, third)))
        to_third = {f"palace-{place}": state_of(game).table.players[third] for place in (1, 2)}
        page = self.save(game, owner, "sending", **to_third)
        assert "would go against what you promised " + sitter(game, third).name in page


class TestBinding:
    @pytest.mark.full
    def test_an_order_that_would_break_a_binding_promise_leaves_the_move_to_the_player(self, smtp):
        """At the deadline the default is played that breaks none (days 26)."""
        tick(MONDAY)
        game = bribing_table(options={"promises": "binding"})
        other, owner, _third = in_order(game)
        promise = place_for(game, 10000, 1000)
        made_at = offers(game, owner, promise)
        replies(game, other, made_at)
        leave(game, owner, None, HighestBribes())
        one, two = state_of(game).contenders
        assert promise.deed.scholar == one
        moves(game, bribes_for(one, two))
        assert asked(game) == [owner]
        assert state_of(game).stage.value == "placement"
        assert self.played_as_announced(game, owner, smtp)["placements"] == [
            [state_of(game).table.names[two], 6000],
            [state_of(game).table.names[one], 10000],
        ]
        assert entry_of(game, made_at).verdict.value == "kept"

    def played_as_announced(self, game, seat, smtp):
        """The deadline passes; what is played is what page and email had said. The move."""
        user = sitter(game, seat)
        position = read_position(Game.objects.get(pk=game.pk), user)
        announced = encode_move(position.view.table, seat, position.deadline_move())
        people = position.people._replace(reader=seat)
        said = move_text(people, position.deadline_move())
        smtp.messages.clear()
        delivery.drain(now=MONDAY)
        [email] = [plain_text(one) for one in smtp.messages if one["To"] == user.email]
        assert f"the default move will be played: {said}" in email
        assert FAILS in email
        page = text_of(browser(user).get(game.get_absolute_url()))
        assert f"the default move is played: {said}" in page
        assert FAILS in page
        tick(MONDAY + 2 * DAY)
        clock.sweep(now=MONDAY + 2 * DAY)
        move = game.moves.filter(seat__number=seat).latest("pk")
        assert (move.move, move.cause) == (announced, Cause.CLOCK)
        return move.move

    def test_a_sending_that_was_promised_is_left_to_the_player_too(self):
        game = bribing_table(options={"promises": "binding"})
        other, owner, third = in_order(game)
        sent = state_of(game).unsent[owner][:2]
        leave(game, owner, None, SendThese(tuple((one, third) for one in sent)))
        replies(game, third, offers(game, owner, peace(game, owner, third)))
        moves(game, None, None)
        assert asked(game) == [owner]
        assert state_of(game).stage.value == "sending"
        assert other != third

    @pytest.mark.full
    def test_of_a_sending_that_is_forbidden_in_part_the_default_is_announced_and_played(self, smtp):
        tick(MONDAY)
        game = open_table("Anna", "Boris", "Clara", options={"promises": "binding"})
        first, second, third = in_order(game)
        clerk, doctor = self.clerk_and_doctor(game, first)
        no_clerk = Promise(first, third, SendNobody(clerk.occupation, 1))
        replies(game, third, offers(game, first, no_clerk))
        leave(game, first, None, SendThese(((clerk, third), (doctor, second))))
        assert asked(game) == [first]
        page = text_of(browser(sitter(game, first)).get(f"{game.get_absolute_url()}orders/"))
        assert "this order couldn't be carried out" in page
        played = self.played_as_announced(game, first, smtp)["scholars"]
        assert [state_of(game).table.names[clerk], game.colours[third]] not in played

    @pytest.mark.full
    def test_who_relies_on_an_order_is_asked_again_when_it_can_be_played_no_more(self, smtp):
        """It waits, since somebody has addressed them; then their offer is accepted, and binds."""
        game = open_table("Anna", "Boris", "Clara", options={"promises": "binding"})
        first, second, third = in_order(game)
        clerk, doctor = self.clerk_and_doctor(game, first)
        made_at = offers(game, first, Promise(first, third, SendNobody(clerk.occupation, 1)))
        order = SendThese(((clerk, third), (doctor, second)))
        now = MONDAY + MINUTE
        Order.objects.create(
            seat=game.seats.get(number=first),
            kind=Order.Kind.SENDING,
            formula=encode_order(state_of(game).table, order),
            wait_if_addressed=True,
            made_at=MONDAY,
        )
        messages.say(
            game_id=game.pk,
            user=sitter(game, second),
            text=f"@{sitter(game, first).name} wait!",
            token=uuid4(),
            now=now,
        )
        delivery.drain(now=now)
        turns = OutboxEmail.objects.filter(person=sitter(game, first), kind="your_turn")
        assert [row.status for row in turns] == ["sent"]
        replies(game, third, made_at, now=now + MINUTE)
        assert asked(game) == [first]
        assert [row.status for row in turns.order_by("pk")] == ["sent", "ready"]
        smtp.messages.clear()
        delivery.drain(now=now + MINUTE)
        [again] = [one for one in smtp.messages if one["To"] == sitter(game, first).email]
        assert FAILS in plain_text(again)

    def clerk_and_doctor(self, game, seat):
        state = state_of(game)
        names = state.table.edition.occupations
        return (
            next(one for one in state.unsent[seat] if names[one.occupation] == name)
            for name in ("clerk", "doctor")
        )


def bribes_for(one, two):
    """The minimum for the first, more for the second: by the bribes the second gets the ten."""
    return Bribe(((one, 1000), (two, 4000)))


class TestHints:
    """The form says which choices keep and which break a promise (days 25)."""

    def options(self, game: Game, seat: int) -> str:
        return text_of(browser(sitter(game, seat)).get(game.get_absolute_url()))

    def test_areas(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        scholar = state_of(game).contenders[0]
        promise = Promise(owner, other, PlaceIn(scholar, None, 6000))
        replies(game, other, offers(game, owner, promise))
        moves(game, None)
        page, name = self.options(game, owner), sitter(game, other).name
        for area in ("10,000", "6,000"):
            assert f"{area} (promised to {name})" in page
        for area in ("3,000", "1,000"):
            assert f"{area} (breaks a promise to {name})" in page

    @pytest.mark.full
    def test_an_area_says_below_the_list_what_it_breaks_and_in_it_for_whom_it_is(self):
        """Whoever is chosen for it: the other one wants the same area."""
        game = rivals_table()
        _first, second, owner = in_order(game)
        scholar = own(game, second)[0]
        promise = Promise(owner, second, PlaceIn(scholar, None, 10000))
        replies(game, second, offers(game, owner, promise))
        moves(game, None, None)
        html = browser(sitter(game, owner)).get(game.get_absolute_url()).content.decode()
        name, colour = sitter(game, second).name, game.colours[second]
        assert f">10,000 (promised to {name} for the {colour} doctor)</option>" in html
        assert f">1,000 (breaks a promise to {name})</option>" in html
        assert f"{colour.capitalize()} doctor (promised to {name})" in html
        pattern = r'<p class="breach" data-value="(\d+)"( hidden)?>\s*(.*?)</p>'
        deed = f"you hire the {colour} doctor at a salary of at least 10,000."
        told = f'This breaks your promise to <bdi translate="no">{name}</bdi>: {deed}'
        assert re.findall(pattern, html) == [
            (str(area), " hidden", f"<strong>{area:,}:</strong> {told}")
            for area in (1000, 3000, 6000)
        ]
        refused = self.handed_in(game, owner, "3000")
        told = [(area, hidden) for area, hidden, _text in re.findall(pattern, refused)]
        assert told == [("1000", " hidden"), ("3000", ""), ("6000", " hidden")]

    def handed_in(self, game: Game, seat: int, area: str) -> str:
        """The page after a form that gives both occupations this area."""
        address, player = game.get_absolute_url(), browser(sitter(game, seat))
        fields = as_shown(forms_of(player.get(address).content.decode())[f"{address}review/"])
        given = {name: area for name in fields if name.endswith("-area")}
        return player.post(f"{address}review/", fields | given).content.decode()

    @pytest.mark.full
    def test_winners(self):
        game = rivals_table()
        first, second, owner = in_order(game)
        scholar = own(game, second)[0]
        replies(game, second, offers(game, owner, Promise(owner, second, Hire(scholar))))
        moves(game, None, None)
        page = self.options(game, owner)
        assert f"(promised to {sitter(game, second).name})" in page
        assert f"(breaks a promise to {sitter(game, second).name})" in page
        assert "breaks a promise" not in self.options(game, first)

    def test_palaces(self):
        game = open_table("Anna", "Boris", "Clara")
        first, second, third = in_order(game)
        replies(game, second, offers(game, first, peace(game, first, second)))
        page, name = self.options(game, first), sitter(game, second).name
        assert page.count(f"{name} (breaks a promise to {name})") == 2  # for either scholar
        told = f"{name}: This breaks your promise to {name}: you send no one to {name} until"
        assert page.count(told) == 2
        assert f"{sitter(game, third).name} (breaks" not in page
