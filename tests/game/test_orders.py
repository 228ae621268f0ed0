"""Standing orders: left beforehand, executed when asked, secret, told as played by hand."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.urls import reverse

from games.engine import BRIBING, to_move
from games.engine.orders import HighestBribes, PayAbove, PayAmount, PayMinimum, SendThese
from games.engine.state import bribers
from games.models import Cause, Game, Move, Order, OutboxEmail
from games.services.chat import messages
from games.services.game import orders, seats
from games.services.operations import clock
from games.services.refused import Refused
from tests.support.client import all_forms, browser, html_of, person, text_of
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db


def until(game, wanted):
    """Default moves until the state is one that is wanted; the state."""
    for _ in range(300):
        game.refresh_from_db()
        state = game.decoded()
        if wanted(state):
            return state
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    raise AssertionError("No such moment came.")


def two_bribe(state):
    """Two players bribe one after the other for rivals, and neither has yet."""
    return state.stage.value in {"external-bribes", "internal-bribes"} and (
        len(bribers(state)) > 1 and not state.paid
    )


def leave(game, seat, scholar, order, **more):
    wanted = {"wait_if_addressed": False, "now": MONDAY} | more
    orders.leave_order(game_id=game.pk, user=seat.user, scholar=scholar, order=order, **wanted)


def second_briber(game, state):
    number = bribers(state)[1]
    seat = game.seats.get(number=number)
    [scholar] = [one for one in state.contenders if one.owner == number]
    return seat, scholar


def addressed(game, seat):
    """Whoever is asked now speaks to the player of this seat, and answers."""
    first = seats_to_move(game)[0].user
    text = f"@{seat.user.name} let us talk first"
    messages.say(game_id=game.pk, user=first, text=text, token=uuid4(), now=MONDAY + DAY / 100)
    submit_move(game, first, MONDAY + DAY / 50)


@pytest.fixture
def rivals():
    """A game in which two players are about to bribe, and the second one's seat and scholar."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    state = until(game, two_bribe)
    return game, *second_briber(game, state)


def bribe_of(game, seat):
    move = Move.objects.filter(game=game, seat=seat, move__type="bribe").latest("pk")
    return move.move["bribes"][0][1], move.cause


@pytest.mark.full
def test_an_order_is_executed_when_the_seat_is_asked_and_told_as_the_players_own(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(4000))
    assert not Move.objects.filter(seat=seat, phase_no=game.phase_no).exists()
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert bribe_of(game, seat) == (4000, Cause.PLAYER)
    assert not Order.objects.exists()
    page = browser(game.host).get(game.get_absolute_url()).content.decode()
    assert "order" not in page.split('id="log"')[1].split("At the table")[0]


@pytest.mark.full
@pytest.mark.parametrize(
    ("order", "paid"),
    [
        (PayMinimum(), 1000),
        (PayAbove(2000, 9000, then_limit=False), 3000),
        (PayAbove(9000, 9000, then_limit=False), 1000),
        (PayAbove(9000, 9000, then_limit=True), 9000),
    ],
)
def test_more_than_the_highest_up_to_a_limit(rivals, order, paid):
    game, seat, scholar = rivals
    leave(game, seat, scholar, order)
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert bribe_of(game, seat)[0] == paid


def test_who_is_asked_already_has_the_order_executed_at_once():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    table = game.decoded().table
    others = table.clockwise_from_left_of(seat.number)
    own = [scholar for scholar in table.names if scholar.owner == seat.number]
    leave(game, seat, None, SendThese(((own[0], others[0]), (own[1], others[1]))))
    move = Move.objects.get()
    assert (move.seat, move.cause, move.move["type"]) == (seat, "player", "send")


@pytest.mark.full
def test_an_order_that_is_not_legal_any_more_asks_the_player(rivals):
    game, seat, scholar = rivals
    cash = game.decoded().cash[seat.number]
    leave(game, seat, scholar, PayAmount(cash + 5000))
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert [asked.pk for asked in seats_to_move(game)] == [seat.pk]
    late = seat_of(game, seat.user.name).deadline_at
    tick(late)
    clock.sweep(now=late)
    assert bribe_of(game, seat) == (cash, Cause.CLOCK)
    assert seat_of(game, seat.user.name).missed[-1:] == [True]
    assert OutboxEmail.objects.filter(kind="default_played", person=seat.user).count() == 1


@pytest.mark.full
def test_wait_if_somebody_addresses_me_only_delays(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(4000), wait_if_addressed=True)
    addressed(game, seat)
    assert [asked.pk for asked in seats_to_move(game)] == [seat.pk]
    late = seat_of(game, seat.user.name).deadline_at
    tick(late)
    clock.sweep(now=late)
    assert bribe_of(game, seat) == (4000, Cause.PLAYER)
    assert seat_of(game, seat.user.name).missed[-1:] == [False]


def test_an_order_can_be_changed_and_withdrawn_until_it_is_executed(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(4000))
    leave(game, seat, scholar, PayAmount(7000))
    [order] = Order.objects.all()
    assert order.formula == {"kind": "amount", "amount": 7000}
    orders.withdraw_order(game_id=game.pk, user=seat.user, order_id=order.pk)
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert [asked.pk for asked in seats_to_move(game)] == [seat.pk]


def test_nobody_withdraws_the_orders_of_another(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(4000))
    other = game.seats.exclude(pk=seat.pk).first().user
    orders.withdraw_order(game_id=game.pk, user=other, order_id=Order.objects.get().pk)
    assert Order.objects.count() == 1


def test_who_answers_by_hand_uses_the_order_up():
    game = open_table("Anna", "Boris", "Clara", "Dora")
    state = until(game, two_bribe)
    first = game.seats.get(number=to_move(state)[0])
    scholar = next(one for one in state.contenders if one.owner == first.number)
    Order.objects.create(
        seat=first,
        kind="bribe",
        scholar=state.table.names[scholar],
        formula={"kind": "amount", "amount": 990000},
        made_at=MONDAY,
    )
    submit_move(game, first.user, MONDAY)
    assert not Order.objects.exists()


def test_whoever_pays_most_decides_a_whole_turn():
    game = open_table("Anna", "Boris", "Clara", "Dora")
    state = until(game, lambda state: state.stage in BRIBING)
    owner = game.seats.get(number=state.active)
    leave(game, owner, None, HighestBribes())
    until(game, lambda state: state.active != owner.number or state.stage == "sending")
    decisions = Move.objects.filter(seat=owner, move__type__in=["place", "judge"])
    assert decisions.exists()
    assert not Order.objects.exists()


@pytest.mark.full
def test_a_bad_order_is_refused_with_a_sentence_and_keeps_what_was_typed(rivals):
    game, seat, scholar = rivals
    page = browser(seat.user)
    name = game.decoded().table.names[scholar]
    url = f"{game.get_absolute_url()}orders/"
    assert f'value="{name}"' in page.get(url).content.decode()
    typed = {
        "about": name,
        f"{name}-scholar": name,
        f"{name}-how": "amount",
        f"{name}-amount": "1500",
    }
    refused = page.post(url, typed)
    assert refused.status_code == 422
    assert "must be a multiple of 1,000 and at least 1,000" in refused.content.decode()
    assert 'value="1500"' in refused.content.decode()
    assert not Order.objects.exists()
    assert page.post(url, typed | {f"{name}-amount": "5000"}).status_code == 302
    text = page.get(url).content.decode()
    assert "pay 5,000" in text
    assert "As things stand, this order would pay 5,000." in text
    withdraw = f"{url}{Order.objects.get().pk}/withdraw/"
    assert page.post(withdraw).status_code == 302
    assert not Order.objects.exists()


def orders_text(game, seat):
    """What the page of a game and the page of orders say of the orders of a seat; both the same."""
    text = []
    for path, begins in (("", 'class="standing-orders'), ("orders/", '<ul class="orders">')):
        page = html_of(browser(seat.user).get(f"{game.get_absolute_url()}{path}"))
        lines = re.findall("<li>([^<]*)", page.partition(begins)[2].partition("</ul>")[0])
        text.append([" ".join(unescape(line).split()) for line in lines])
    assert text[0] == text[1]
    return text[0]


@pytest.mark.full
def test_an_order_for_decisions_says_what_it_would_decide_now(rivals):
    game, seat, _scholar = rivals
    state = game.decoded()
    owner = game.seats.get(number=state.active)
    highest = (
        "In your palace, whoever pays the most wins, and the highest bribe gets the highest salary."
    )
    for palace in (owner, seat):
        leave(game, palace, None, HighestBribes())
    [not_yet] = orders_text(game, seat)
    assert not_yet == f"{highest} It's not your turn yet, so there's nothing to decide."
    [none_open] = orders_text(game, owner)
    assert none_open == f"{highest} No bribes are visible yet, so there's nothing to decide."
    first = seats_to_move(game)[0]
    submit_move(game, first.user, MONDAY)
    [so_far] = orders_text(game, owner)
    assert so_far.startswith(f"{highest} With the bribes so far: the {first.colour} ")


@pytest.mark.full
def test_an_order_for_a_sending_says_what_it_would_send(rivals):
    game, _seat, _scholar = rivals
    state = game.decoded()
    owner = game.seats.get(number=state.active)
    one, other = state.unsent[owner.number][:2]
    left, right = (game.seats.get(number=(owner.number + steps) % 4) for steps in (1, 2))
    leave(game, owner, None, SendThese(((one, left.number), (other, right.number))))
    [text] = orders_text(game, owner)
    sent, now = text.split(". ", 1)
    assert sent == (
        f"Your scientist goes to {left.user.name}, and the other one to {right.user.name}"
    )
    expected = f"At the end of your turn in round {state.round}, as things stand: "
    assert now == f"{expected}{sent[0].lower()}{sent[1:]}."


def typed_order(game, scholar, **typed):
    """The form of a bribe order, handed in with the page's own values but for these."""
    name = game.decoded().table.names[scholar]
    filled = {"scholar": name, "how": "minimum"} | typed
    return {"about": name} | {f"{name}-{field}": value for field, value in filled.items()}


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (
            {"amount": "7000"},
            (
                "You chose “the minimum, 1,000” but entered 7000 for “This amount”. Choose "
                "“this amount”, or clear that field."
            ),
        ),
        (
            {"more": "1000", "limit": "9000"},
            (
                "You chose “the minimum, 1,000” but entered 1000 for “Amount above the "
                "highest rival bribe”. Choose “more than the highest rival bribe so far”, or "
                "clear that field."
            ),
        ),
        (
            {"limit": "9000"},
            (
                "You chose “the minimum, 1,000” but entered 9000 for “but at most”. Choose "
                "“more than the highest rival bribe so far”, or clear that field."
            ),
        ),
        (
            {"how": "amount", "amount": "7000", "more": "2000"},
            (
                "You chose “this amount” but entered 2000 for “Amount above the highest "
                "rival bribe”. Choose “more than the highest rival bribe so far”, or clear that "
                "field."
            ),
        ),
        (
            {"how": "above", "amount": "7000", "more": "1000", "limit": "9000"},
            (
                "You chose “more than the highest rival bribe so far” but entered 7000 for “This "
                "amount”. Choose “this amount”, or clear that field."
            ),
        ),
    ],
)
def test_an_amount_that_was_typed_is_never_left_aside_without_a_word(rivals, typed, text):
    game, seat, scholar = rivals
    client, url = browser(seat.user), f"{game.get_absolute_url()}orders/"
    refused = client.post(url, typed_order(game, scholar, **typed))
    assert refused.status_code == 422
    assert text in text_of(refused)
    assert not Order.objects.exists()
    name = game.decoded().table.names[scholar]
    form = next(
        fields for _action, fields in all_forms(refused.content.decode()) if f"{name}-how" in fields
    )
    kept = {"how": "minimum"} | typed
    assert {field: form[f"{name}-{field}"].value for field in kept} == kept


def test_the_minimum_is_ordered_where_nothing_was_typed(rivals):
    game, seat, scholar = rivals
    url = f"{game.get_absolute_url()}orders/"
    empty = {"amount": "", "more": "", "limit": ""}
    answered = browser(seat.user).post(url, typed_order(game, scholar, **empty))
    assert answered.status_code == 302
    assert Order.objects.get().formula == {"kind": "minimum"}


def test_the_page_says_that_others_may_guess_that_there_is_an_order(rivals):
    game, seat, _scholar = rivals
    text = text_of(browser(seat.user).get(f"{game.get_absolute_url()}orders/"))
    assert (
        "players who see you move the moment it's your turn may guess that you've set an order"
        in text
    )
    assert "This can give away that you've set an order" in text


@pytest.mark.full
def test_nobody_else_sees_an_order(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(23000))
    amount = re.compile(r"(?<![\w-])23,?000(?![\w-])")  # not a part of some token
    others = [other.user for other in game.seats.exclude(pk=seat.pk)] + [person("Zoe")]
    for reader in (seat.user, *others):
        for path in ("", "orders/"):
            page = browser(reader).get(f"{game.get_absolute_url()}{path}", follow=True)
            assert bool(amount.search(page.content.decode())) == (reader == seat.user), path


def test_a_stranger_and_an_absent_player_cannot_leave_orders(rivals):
    game, seat, scholar = rivals
    with pytest.raises(Refused, match="You don't have a seat at this table"):
        orders.leave_order(
            game_id=game.pk,
            user=person("Zoe"),
            scholar=scholar,
            order=PayMinimum(),
            wait_if_addressed=False,
            now=MONDAY,
        )
    seats.step_aside(game_id=game.pk, user=seat.user, now=MONDAY)
    if Game.objects.get().status == Game.Status.RUNNING:
        with pytest.raises(Refused, match="return to your seat before"):
            leave(game, seat, scholar, PayMinimum())


def test_an_order_for_decisions_ends_with_the_turn():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    leave(game, seat, None, HighestBribes())
    assert Order.objects.count() == 1
    submit_move(game, seat.user, MONDAY)
    assert not Order.objects.exists()


@pytest.mark.full
def test_that_there_was_an_order_is_told_only_when_the_game_is_over(rivals):
    game, seat, scholar = rivals
    leave(game, seat, scholar, PayAmount(4000))
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    reader = browser(game.host)
    assert "by a standing order" not in reader.get(game.get_absolute_url()).content.decode()
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    text = " ".join(html_of(reader.get(reverse("games:history", args=[game.token]))).split())
    assert text.count("by a standing order") == 1
    who = "You pay" if seat.user == game.host else f"{seat.user.name} pays"
    assert f"{who} 4,000" in text
