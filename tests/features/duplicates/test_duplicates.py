"""Signs that two accounts are one person: the hints, and the desk."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.admin.actions import title_of
from games.engine import decode
from games.features.duplicates import hints
from games.features.duplicates.decisions import clear_pair
from games.features.duplicates.hints import Flow, Money, Names
from games.features.duplicates.queries import read_duplicates
from games.models import AuditLine, Game, Miss, Move, SharedBrowser, Sitting, User
from games.services.lobby import tables
from games.services.moderation.actions.requests import ActionRequest
from games.services.moderation.queries.dashboard import read_dashboard
from games.services.people import acquaintances
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, person, text_of, verified
from tests.support.moderators import moderator
from tests.support.races import at_once
from tests.support.sign_ins import both_in_one_browser, sign_in
from tests.support.tables import (
    MONDAY,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    table_settings,
)

pytestmark = pytest.mark.django_db

NAMES = Names("Anna", "Boris")


def page_of(user: User) -> str:
    return f"/admin/games/user/{user.pk}/doubles/"


def pairs_of(user: User, keeper: User) -> list[str]:
    _person, pairs = read_duplicates(user.pk, keeper, timezone.now())
    return [pair.other.name for pair in pairs]


class TestThePage:
    def test_one_browser_comes_first_and_says_when(self):
        keeper = moderator()
        anna, boris = both_in_one_browser("Anna", "Boris")
        clara = verified("Clara")
        sign_in(Client(), clara)
        page = text_of(browser(keeper).get(page_of(anna)))
        assert "Both used the same browser: Anna from" in page
        assert page.index("Anna and Boris") < page.index("Anna and Clara")
        assert "A strong hint, but people who live together may share a computer." in page
        assert "1 IP address in common. A weak hint:" in page
        assert boris.email not in page

    @pytest.mark.full
    def test_the_page_of_a_person_leads_there_but_not_ones_own(self):
        keeper, anna = moderator(), person("Anna")
        for user, there in ((anna, True), (keeper, False)):
            page = browser(keeper).get(f"/admin/games/user/{user.pk}/change/").content.decode()
            assert (page_of(user) in page) is there

    @pytest.mark.full
    def test_an_address_of_many_accounts_proves_nothing(self):
        keeper, anna = moderator(), person("Anna")
        browser(anna).get("/")
        for number in range(19):
            browser(person(f"Guest {number}")).get("/")
        assert len(pairs_of(anna, keeper)) == 10
        for number in range(19, 22):
            browser(person(f"Guest {number}")).get("/")
        assert pairs_of(anna, keeper) == []

    def test_what_they_declare_themselves_stands_there_too(self):
        keeper = moderator()
        anna, boris = both_in_one_browser("Anna", "Boris")
        acquaintances.declare(user=boris, other_id=anna.pk, now=MONDAY)
        text = "Boris says they know Anna, who hasn't confirmed it."
        assert text in text_of(browser(keeper).get(page_of(anna)))
        acquaintances.declare(user=anna, other_id=boris.pk, now=MONDAY)
        text = "Both say that they know each other."
        assert text in text_of(browser(keeper).get(page_of(boris)))

    @pytest.mark.full
    def test_tables_in_common_and_misses_together(self):
        keeper, people = moderator(), [person(name) for name in ("Anna", "Boris", "Clara")]
        for _ in range(3):
            game = tables.open_table(host=people[0], settings=table_settings(size=3), now=MONDAY)
            for user in people[1:]:
                tables.join(game_id=game.pk, user=user, now=MONDAY)
            for number, user in enumerate(people):
                seat, at = seat_of(game, user.name), MONDAY + number * timedelta(hours=5)
                Miss.objects.create(user=user, seat=seat, phase_no=1, at=at)
        page = text_of(browser(keeper).get(page_of(people[0])))
        assert "3 of Anna's 3 tables were shared with Boris. A weak hint: friends play" in page
        assert (
            "3 of the 3 deadlines missed by Anna fell within 6 hours of one missed by Boris "
            "at a shared table. A moderate hint:" in page
        )
        assert "within 6 hours of one missed by Clara" not in page

    @pytest.mark.full
    def test_it_is_for_moderators_and_not_about_themselves(self):
        keeper, anna = moderator(), person("Anna")
        assert browser(anna).get(page_of(keeper)).status_code == 302
        assert browser(keeper).get(page_of(keeper)).status_code == 403
        assert browser(keeper).get("/admin/games/user/999999/doubles/").status_code == 404
        client = browser(keeper)
        client.get("/")
        other = Client()
        other.force_login(anna)
        other.cookies["device"] = client.cookies["device"].value
        other.get("/")
        assert SharedBrowser.objects.exists()
        assert pairs_of(anna, keeper) == []

    def test_guests_of_before_are_no_candidates(self):
        """What was noted of them once is not shown."""
        keeper, now = moderator(), timezone.now()
        dora, guest = both_in_one_browser("Dora", "Guest")
        User.objects.filter(pk=guest.pk).update(is_guest=True)
        found = read_duplicates(dora.pk, keeper, now)
        assert found is not None
        assert found[1] == []
        assert read_duplicates(guest.pk, keeper, now) is None

    @pytest.mark.full
    def test_it_needs_at_most_15_queries(self):
        keeper = browser(moderator())
        people = both_in_one_browser("Anna", "Boris")
        keeper.get(page_of(people[0]))
        game = tables.open_table(host=people[0], settings=table_settings(size=3), now=MONDAY)
        for user in (people[1], person("Clara")):
            tables.join(game_id=game.pk, user=user, now=MONDAY)
        with CaptureQueriesContext(connection) as captured:
            assert keeper.get(page_of(people[0])).status_code == 200
        assert len(captured) <= 15


class TestMoney:
    def one_way(self, game: Game) -> tuple[User, User, int]:
        """Play until a bribe was paid: who paid it, to whom, and how much."""
        for _ in range(60):
            game.refresh_from_db()
            seat = seats_to_move(game)[0]
            paid = game.events.filter(kind="BribesPaid").first()
            if paid is not None:
                payer = game.seats.get(number=paid.payload["seat"])
                state = decode(game.state)
                taker = game.seats.get(number=state.active)
                amount = sum(amount for _scholar, amount, _bank in paid.payload["payments"])
                return payer.user, taker.user, amount
            submit_move(game, seat.user, MONDAY)
        raise AssertionError("Nobody paid a bribe.")

    @pytest.mark.full
    def test_it_comes_from_public_moves_but_not_of_the_moderators_own_table(self):
        keeper = moderator()
        game = open_table("Anna", "Boris", "Clara", "Dora")
        payer, taker, amount = self.one_way(game)
        page = text_of(browser(keeper).get(page_of(payer)))
        assert "in bribes" not in page
        browser(payer).get("/")
        browser(taker).get("/")
        page = text_of(browser(keeper).get(page_of(payer)))
        text = f"{payer.name} paid {taker.name} {amount:,} in bribes and received 0 from them."
        assert text in page
        Sitting.objects.create(
            seat=seat_of(game, "Dora"), user=keeper, began_at=MONDAY, ended_at=MONDAY
        )
        assert "in bribes" not in text_of(browser(keeper).get(page_of(payer)))

    @pytest.mark.full
    def test_a_seat_that_had_two_players_is_left_out(self):
        keeper = moderator()
        game = open_table("Anna", "Boris", "Clara", "Dora")
        payer, taker, _amount = self.one_way(game)
        browser(payer).get("/")
        browser(taker).get("/")
        Sitting.objects.create(
            seat=seat_of(game, taker.name), user=person("Emil"), began_at=MONDAY, ended_at=MONDAY
        )
        assert "in bribes" not in text_of(browser(keeper).get(page_of(payer)))

    @pytest.mark.parametrize(
        ("there", "back", "strength"),
        [
            (Flow(9000, 4000, 3), Flow(900, 0, 1), 2),
            (Flow(9000, 4000, 3), Flow(1000, 0, 1), None),
            (Flow(9000, 5000, 3), Flow(0, 0, 1), None),
            (Flow(0, 0, 3), Flow(9000, 0, 1), 2),
            (Flow(0, 0, 0), Flow(0, 0, 0), None),
        ],
    )
    def test_one_way_means_ten_times_as_much_and_twice_what_others_get(self, there, back, strength):
        hint = hints.one_way_money(NAMES, Money(2, there, back))
        assert (hint and hint.strength) == strength

    def test_one_table_alone_is_weak_and_the_words_begin_with_the_payer(self):
        hint = hints.one_way_money(NAMES, Money(1, Flow(0, 0, 2), Flow(8000, 1500, 1)))
        assert hint.strength == 1
        assert hint.text == (
            "Shared tables: 1. In these games, Boris paid Anna 8,000 in bribes and received 0 from "
            "them. On average, Boris paid each of the other players 1,500. Boris's scholars hired "
            "by Anna: 1; the other way round: 2."
        )


class TestAnswers:
    def moments(self, *minutes: int):
        return [MONDAY + timedelta(minutes=one) for one in minutes]

    def test_at_least_half_of_ten_come_within_five_minutes(self):
        own = self.moments(*range(0, 1000, 100))
        others = self.moments(5, 105, 205, 305, 405, 1500, 1600, 1700, 1800, 1900, 2000)
        hint = hints.close_moves(NAMES, own, others)
        text = "5 of 10 moves by Anna came within 5 minutes of a move by Boris."
        assert hint.text == text
        assert hints.close_moves(NAMES, own, others[1:]) is None
        assert hints.close_moves(NAMES, own[:9], own[:9]) is None

    @pytest.mark.full
    def test_they_are_read_from_the_moves_of_both(self):
        keeper = moderator()
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        mover = seats_to_move(game)[0].user
        submit_move(game, mover, timezone.now())
        move, other = Move.objects.get(user=mover), game.seats.exclude(user=mover).first().user
        for number in range(20):
            move.pk, move.phase_no, move.token = None, 100 + number, None
            move.user = (mover, other)[number % 2]
            move.save(force_insert=True)
        browser(mover).get("/")
        browser(other).get("/")
        page = text_of(browser(keeper).get(page_of(mover)))
        assert "moves by" in page
        assert "came within 5 minutes of a move by" in page


class TestTheDesk:
    def seated(self) -> tuple[User, User]:
        anna, boris = both_in_one_browser("Anna", "Boris")
        game = tables.open_table(host=anna, settings=table_settings(size=3), now=timezone.now())
        tables.join(game_id=game.pk, user=boris, now=timezone.now())
        return anna, boris

    def lines(self, keeper: User) -> list[str]:
        piles = read_dashboard(timezone.now(), keeper, title_of)
        title = "Same browser, two seats at one table"
        return [line.text for pile in piles if pile.title == title for line in pile.lines]

    @pytest.mark.full
    def test_two_seats_at_one_table_stand_there_until_they_are_cleared(self):
        keeper = moderator()
        anna, boris = self.seated()
        text = "The Venice table: Anna and Boris signed in from the same browser."
        assert self.lines(keeper) == [text]
        client = browser(keeper)
        assert page_of(anna) in client.get("/admin/").content.decode()
        address = f"{page_of(anna)}{boris.pk}/clear/"
        assert address in client.get(page_of(anna)).content.decode()
        form = as_shown(forms_of(client.get(address).content.decode())[""])
        assert client.post(address, form).status_code == 422
        assert self.lines(keeper) == [text]
        response = client.post(address, form | {"reason": "Brothers."})
        assert (response.status_code, response.url) == (302, page_of(anna))
        assert self.lines(keeper) == []
        line = AuditLine.objects.get()
        assert (line.who, line.action, line.person, line.reason, line.after) == (
            "Marta",
            "pair.clear",
            anna,
            "Brothers.",
            {"person": boris.pk, "name": "Boris"},
        )
        page = text_of(client.get(page_of(boris)))
        assert "A moderator has dismissed this pair." in page
        both_in_one_browser("Clara", "Dora")
        assert self.lines(keeper) == []

    @pytest.mark.full
    def test_a_person_who_shares_no_table_or_only_one_that_is_over_is_not_there(self):
        keeper = moderator()
        both_in_one_browser("Anna", "Boris")
        assert self.lines(keeper) == []
        game = tables.open_table(
            host=User.objects.get(name="Anna"), settings=table_settings(), now=timezone.now()
        )
        tables.join(game_id=game.pk, user=User.objects.get(name="Boris"), now=timezone.now())
        assert len(self.lines(keeper)) == 1
        tables.cancel(game_id=game.pk, user=game.host, now=timezone.now())
        assert self.lines(keeper) == []

    @pytest.mark.full
    def test_a_table_of_the_moderators_own_is_not_theirs_to_look_at(self):
        keeper = moderator()
        self.seated()
        game = Game.objects.get()
        Game.objects.update(size=4)
        assert len(self.lines(keeper)) == 1
        tables.join(game_id=game.pk, user=keeper, now=timezone.now())
        assert self.lines(keeper) == []
        assert len(self.lines(moderator("Nora"))) == 1

    def test_only_moderators_clear_and_not_what_is_about_them(self):
        keeper = moderator()
        anna, boris = self.seated()
        request = ActionRequest(anna, "All right.", timezone.now())
        with pytest.raises(Refused, match="Only moderators"):
            clear_pair(request, person_id=anna.pk, other_id=boris.pk)
        with pytest.raises(Refused, match="This concerns you, so another moderator"):
            clear_pair(request._replace(moderator=keeper), person_id=anna.pk, other_id=keeper.pk)
        with pytest.raises(Refused, match="no record of these two accounts sharing a browser"):
            clear_pair(
                request._replace(moderator=keeper), person_id=anna.pk, other_id=person("Emil").pk
            )
        assert not AuditLine.objects.exists()

    @pytest.mark.full
    @pytest.mark.counts
    @pytest.mark.django_db(transaction=True)
    def test_cleared_by_eight_clicks_is_one_line(self):
        keeper = moderator()
        anna, boris = self.seated()
        request = ActionRequest(keeper, "Brothers.", timezone.now())
        at_once(*[lambda: clear_pair(request, person_id=anna.pk, other_id=boris.pk)] * 8)
        assert AuditLine.objects.filter(action="pair.clear").count() == 1
