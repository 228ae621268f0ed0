"""Offers, replies, orders and votes are made once, however often their request comes."""

from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from games.engine.ledger import Status
from games.engine.orders import HighestBribes
from games.engine.promises import Promise, SendNobody
from games.models import Cause, DaysOff, Event, Game, Order, PrivateMessage, Vote
from games.services.chat.promises import reply_to_offer
from games.services.game import orders, rewind
from games.services.game.offers import stored_offers
from games.services.game.replay import event_rows
from tests.support.client import all_forms, as_shown, browser, person, text_of
from tests.support.promising import (
    TEN,
    both_to,
    bribed,
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    rewound,
    sitter,
    state_of,
)
from tests.support.races import assert_whole, doing, race, rounds_of
from tests.support.tables import DAY, MONDAY, alone, open_table, seat_of
from tests.support.whispering import thread_of

pytestmark = [pytest.mark.full, pytest.mark.django_db]

MADE = "You have made the offer"
ASIDE = "You've stepped aside."
BACK = "Welcome back."
READY = "I'm ready"


@pytest.fixture
def game():
    return bribing_table(press="private")


def form_with(page, **wanted):
    """The first form of a page that has these values, or these fields where that is None."""
    for action, fields in all_forms(page.content.decode()):
        held = {key: field.value for key, field in fields.items()}
        if all(key in held and one in (None, held[key]) for key, one in wanted.items()):
            return action, held
    raise AssertionError(f"No form has {wanted}.")


def page_of(game, seat, more=""):
    return browser(sitter(game, seat)).get(f"{game.get_absolute_url()}{more}")


def ledger_of(game):
    game.refresh_from_db()
    return stored_offers(game, state_of(game).table).ledger


def latest_offer(game):
    return Event.objects.filter(game=game, kind="OfferMade").latest("seq").seq


def posts(client, address, form):
    return text_of(client.post(address, form, follow=True))


def one_click(game, seat):
    """Who sits there, and the first offer that one click makes."""
    _action, form = form_with(page_of(game, seat, "offers/"), terms=None)
    return browser(sitter(game, seat)), f"{game.get_absolute_url()}offers/", form


class TestOffers:
    def test_one_click_against_computer_players_who_answer_at_once(self):
        game = alone("Anna", "courtier")
        seat = seat_of(game, "Anna").number
        while "terms" not in page_of(game, seat, "offers/").content.decode():
            moves(game, None)
        client, address, form = one_click(game, seat)
        assert [MADE in posts(client, address, form) for _ in range(3)] == [True] * 3
        assert Event.objects.filter(game=game, kind="OfferMade", cause=Cause.PLAYER).count() == 1

    @pytest.mark.parametrize("given", [Status.ACCEPTED, Status.DECLINED, Status.WITHDRAWN])
    def test_one_click_again_once_it_was_answered(self, game, given):
        owner, other = in_order(game)[1], in_order(game)[0]
        client, address, form = one_click(game, owner)
        client.post(address, form)
        replies(game, owner if given is Status.WITHDRAWN else other, latest_offer(game), given)
        assert MADE in posts(client, address, form)
        assert [one.status for one in ledger_of(game)] == [given]

    def test_a_form_of_terms_again_once_nothing_like_it_can_be_offered(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        client = browser(sitter(game, owner))
        address = f"{game.get_absolute_url()}offers/?to={game.colours[other]}&who=me&what=place"
        _action, form = form_with(client.get(address), text=None)
        form |= {"salary": "least:6000", "text": "Deal?"}
        assert MADE in posts(client, address, form)
        moves(game, None, None)
        assert MADE in posts(client, address, form)
        Game.objects.update(status=Game.Status.FINISHED, deadline_at=None)
        assert MADE in posts(client, address, form)
        assert len(ledger_of(game)) == 1
        assert [said.text for said in game.messages.all()] == ["Deal?"]

    def test_the_same_form_with_other_terms_is_another_offer(self, game):
        client, address, form = one_click(game, in_order(game)[1])
        client.post(address, form)
        terms = form["terms"].replace("4000", "5000")
        assert terms != form["terms"]
        client.post(address, form | {"terms": terms})
        assert len(ledger_of(game)) == 2

    def test_an_offer_that_was_open_already_is_not_made_by_the_same_request_later(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        clicks = [one_click(game, owner) for _ in range(2)]
        assert clicks[0][2]["token"] != clicks[1][2]["token"]
        for client, address, form in clicks:
            assert MADE in posts(client, address, form)
        replies(game, other, latest_offer(game), Status.DECLINED)
        client, address, form = clicks[1]
        assert MADE in posts(client, address, form)
        assert len(ledger_of(game)) == 1

    def test_a_private_one(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        thread = thread_of(game, owner, other)
        page = page_of(game, owner, f"offers/?among={thread.token}")
        address, form = form_with(page, terms=None)
        assert address.endswith(f"?among={thread.token}")
        client = browser(sitter(game, owner))
        assert MADE in posts(client, address, form)
        [said] = PrivateMessage.objects.filter(thread=thread)
        reply_to_offer(
            game_id=game.pk,
            user=sitter(game, other),
            made_at=said.number,
            given=Status.DECLINED,
            now=MONDAY,
            among=thread.token,
        )
        assert MADE in posts(client, address, form)
        assert PrivateMessage.objects.filter(thread=thread).count() == 2


class TestReplies:
    def request(self, game, seat, answer):
        """The request that the first such button on the table's page would send."""
        forms = all_forms(page_of(game, seat).content.decode())
        address, fields = next(one for one in forms if one[0].endswith(f"/{answer}/"))
        form = {key: field.value for key, field in fields.items()}
        return browser(sitter(game, seat)), address, form

    def test_a_reply_is_told_again_once_the_game_is_over(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        offers(game, owner, place_for(game))
        client, address, form = self.request(game, other, "accept")
        assert "You have accepted the offer." in posts(client, address, form)
        Game.objects.update(status=Game.Status.FINISHED, deadline_at=None)
        assert "You have accepted the offer." in posts(client, address, form)
        del form["token"]
        assert "You have accepted the offer." in posts(client, address, form)

    def test_a_reply_that_was_rewound_is_not_given_by_the_same_request(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        peace = offers(game, owner, Promise(owner, other, SendNobody(None, 1)))
        moves(game, bribed(game), placed(game, TEN, 1000))
        client, address, form = self.request(game, other, "accept")
        posts(client, address, form)
        assert entry_of(game, peace).status is Status.ACCEPTED
        moves(game, None)
        rewound(game, rewind.boundaries(game, event_rows(game))[-1].seq)
        assert entry_of(game, peace).status is Status.OPEN
        posts(client, address, form)
        assert entry_of(game, peace).status is Status.OPEN
        posts(client, address.replace("accept", "decline"), form)
        assert entry_of(game, peace).status is Status.DECLINED


class TestOrders:
    def left(self, game, seat):
        client = browser(sitter(game, seat))
        _action, form = form_with(page_of(game, seat, "orders/"), about="decision")
        address = f"{game.get_absolute_url()}orders/"
        assert "Your order has been saved." in posts(client, address, form)
        return client, address, form

    def test_a_withdrawn_order_is_not_left_again_by_the_same_request(self, game):
        seat = in_order(game)[1]
        client, address, form = self.left(game, seat)
        order = Order.objects.get()
        orders.withdraw_order(game_id=game.pk, user=sitter(game, seat), order_id=order.pk)
        assert "Your order has been saved." in posts(client, address, form)
        assert not Order.objects.exists()

    def test_nor_is_one_that_was_changed(self, game):
        seat = in_order(game)[1]
        client, address, form = self.left(game, seat)
        waits = form | {"decision-wait_if_addressed": "on"}
        posts(client, address, waits)
        posts(client, address, form)
        assert Order.objects.get().wait_if_addressed

    def test_nor_is_one_that_was_carried_out(self, game):
        seat = in_order(game)[1]
        client, address, form = self.left(game, seat)
        moves(game, None)
        assert not Order.objects.exists()
        assert "Your order has been saved." in posts(client, address, form)
        assert not Order.objects.exists()
        orders.leave_order(
            game_id=game.pk,
            user=sitter(game, seat),
            scholar=None,
            order=HighestBribes(),
            wait_if_addressed=False,
            now=MONDAY,
        )
        assert Order.objects.exists()  # it could have been left


class TestVotes:
    def test_a_vote_that_has_passed_is_not_called_again_and_a_ballot_not_cast_again(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, boris = (browser(seat_of(game, name).user) for name in ("Anna", "Boris"))
        call = form_with(anna.get(game.get_absolute_url()), kind="extend")
        assert "The vote is open, and you've voted yes." in posts(anna, *call)
        vote = Vote.objects.get()
        cast = reverse("games:cast", args=[game.token, vote.pk])
        fields = dict(all_forms(boris.get(game.get_absolute_url()).content.decode()))[cast]
        form = {"token": fields["token"].value}
        posts(boris, cast, form | {"say": "no"})
        posts(boris, cast, form | {"say": "yes"})
        assert Vote.objects.get().passed
        assert "You can call up to" not in posts(anna, *call)
        assert Vote.objects.count() == 1
        posts(boris, cast, form | {"say": "no"})
        assert Vote.objects.get().ballots.get(user__name="Boris").yes

    def test_a_ballot_that_was_changed_is_not_changed_back(self):
        game = open_table("Anna", "Boris", "Clara", "Dora")
        anna = browser(seat_of(game, "Anna").user)
        posts(anna, *form_with(anna.get(game.get_absolute_url()), kind="pause"))
        vote = Vote.objects.get()
        cast = reverse("games:cast", args=[game.token, vote.pk])
        forms = [
            dict(all_forms(anna.get(game.get_absolute_url()).content.decode()))[cast]
            for _ in range(2)
        ]
        yes, no = (
            {key: field.value for key, field in form.items()} | {"say": say}
            for form, say in zip(forms, ("yes", "no"), strict=True)
        )
        for form in (yes, no, yes):
            anna.post(cast, form)
        assert not vote.ballots.get(user__name="Anna").yes


class TestSeats:
    """A request that comes late takes nothing back."""

    def form_at(self, game, client, name, more=""):
        """What the form that goes to this address would send."""
        address = reverse(f"games:{name}", args=[game.token])
        page = client.get(f"{game.get_absolute_url()}{more}").content.decode()
        return address, as_shown(dict(all_forms(page))[address])

    @pytest.fixture
    def boris(self):
        """The browser of somebody who isn't asked."""
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        name = next(one for one in ("Anna", "Boris") if not seat_of(game, one).deadline_at)
        return game, browser(seat_of(game, name).user), name

    def test_whoever_came_back_does_not_step_aside_again(self, boris):
        game, client, name = boris
        aside = self.form_at(game, client, "step_aside", "step-aside/")
        assert [ASIDE in posts(client, *aside) for _ in range(2)] == [True, True]
        back = self.form_at(game, client, "come_back")
        assert [BACK in posts(client, *back) for _ in range(2)] == [True, True]
        assert ASIDE in posts(client, *aside)
        assert seat_of(game, name).absent_since is None
        again = self.form_at(game, client, "step_aside", "step-aside/")
        posts(client, *again)
        assert BACK in posts(client, *back)
        assert seat_of(game, name).absent_since is not None

    def test_days_off_that_were_taken_back_are_not_announced_again(self, boris):
        game, client, name = boris
        day = (timezone.now() + timedelta(days=20)).date().isoformat()
        address, form = self.form_at(game, client, "days_off")
        form |= {"first_day": day, "last_day": day}
        said = "Your days off have been announced."
        assert [said in posts(client, address, form) for _ in range(2)] == [True, True]
        [off] = DaysOff.objects.all()
        client.post(reverse("games:withdraw_days_off", args=[game.token, off.pk]))
        left = seat_of(game, name).days_off_left
        assert said in posts(client, address, form)
        assert not DaysOff.objects.exists()
        assert seat_of(game, name).days_off_left == left
        form["last_day"] = form["first_day"] = (timezone.now() + DAY).date().isoformat()
        posts(client, address, form)
        assert DaysOff.objects.count() == 1

    def test_whoever_took_over_is_told_so_again(self, boris):
        game, client, _name = boris
        posts(client, *self.form_at(game, client, "step_aside", "step-aside/"))
        nils = browser(person("Nils"))
        page = nils.get(game.get_absolute_url()).content.decode()
        address, fields = next(one for one in all_forms(page) if "/take-over/" in one[0])
        form = as_shown(fields)
        said = "You've taken over this seat."
        assert [said in posts(nils, address, form) for _ in range(2)] == [True, True]

    def test_whoever_is_not_ready_after_all_is_not_made_ready_again(self):
        game = bribing_table(talk_seconds=43200)
        seat = next(
            seat for seat in in_order(game) if READY in page_of(game, seat).content.decode()
        )
        client = browser(sitter(game, seat))
        yes, no = [], []
        for answers in (yes, no):
            address, form = self.form_at(game, client, "ready")
            answers += [address, form | {"ready": "yes" if answers is yes else "no"}]
            client.post(*answers)
        client.post(*yes)
        assert not game.seats.get(number=seat).ready_phase


@pytest.mark.django_db(transaction=True)
def test_one_click_in_many_tabs_while_the_bribe_it_is_about_is_paid():
    """Either the offer is made, once, and every tab is told so; or it is too late for all."""
    for chance, wins in rounds_of("offer", "bribe", least=4):
        game = open_table(*(f"{name}{chance.random()}" for name in ("Anna", "Boris", "Clara")))
        first, owner, _third = in_order(game)
        moves(game, both_to(game, first, owner))
        _client, address, form = one_click(game, owner)
        tabs = [browser(sitter(game, owner)) for _ in range(4)]
        sides = {
            "offer": [partial(posts, tab, address, form) for tab in tabs],
            "bribe": [doing(moves, game, None)],
        }
        told = race(sides, chance)["offer"]
        made = len(ledger_of(game))
        assert made <= 1
        assert [MADE in one for one in told] == [bool(made)] * 4
        assert_whole(game)
        wins["offer" if made else "bribe"] += 1
