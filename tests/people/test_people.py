"""A person's page, and people who say that they know each other."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Acquaintance, Miss, Move, SignIn, User
from games.services.accounts.account import delete_account
from games.services.accounts.queries.profile import read_person
from games.services.lobby import tables
from games.services.operations import clock
from games.services.people import acquaintances, blocks
from games.services.refused import Refused
from tests.pages.test_queries import queries
from tests.support.client import all_forms, browser, html_of, person
from tests.support.moderators import marta_acts
from tests.support.races import at_once
from tests.support.tables import (
    DAY,
    MONDAY,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    table_settings,
    tick,
)

pytestmark = pytest.mark.django_db


def url(user: User, act: str = "") -> str:
    return f"{reverse('games:person', args=[user.pk])}{act}"


def facts(of: User, reader: User, now=MONDAY) -> list[str]:
    return read_person(of, reader, now).facts


def actions(page) -> set[str]:
    """What the forms of a page do, but signing out."""
    found = {action for action, _fields in all_forms(page.content.decode())}
    return {action.rsplit("/", 2)[-2] for action in found} - {"logout"}


def know(one: User, other: User, *, both: bool = True) -> None:
    acquaintances.declare(user=one, other_id=other.pk, now=MONDAY)
    if both:
        acquaintances.declare(user=other, other_id=one.pk, now=MONDAY)


class TestThePage:
    def test_it_is_for_members_and_shows_public_facts_only(self):
        anna, boris = person("Anna", date_joined=MONDAY), person("Boris")
        assert Client().get(url(anna)).status_code == 302
        page = browser(boris).get(url(anna)).content.decode()
        assert re.search(r"<h1><img[^>]+> <bdi[^>]+>Anna</bdi></h1>", page)
        assert "Member since 2 March 2026." in page
        assert "Games finished: 0." in page
        assert "On time: not enough moves yet." in page
        assert anna.email not in page
        assert browser(boris).get("/people/123456/").status_code == 404

    def test_ones_own_page_offers_nothing_against_oneself(self):
        anna = person("Anna")
        page = browser(anna).get(url(anna))
        assert "This is how others see you." in page.content.decode()
        assert actions(page) == set()

    def test_it_tells_the_tables_of_both_and_no_others(self):
        anna, boris = person("Anna"), person("Boris")
        for name, host, guest in (
            ("Together", anna, boris), ("Annas own", anna, None), ("Boris' own", boris, None)
        ):  # fmt: skip
            settings = table_settings(name=name, size=3)
            game = tables.open_table(host=host, settings=settings, now=MONDAY)
            if guest:
                tables.join(game_id=game.pk, user=guest, now=MONDAY)
        assert [game.name for game in read_person(anna, boris, MONDAY).tables] == ["Together"]
        assert read_person(anna, person("Clara"), MONDAY).tables == []

    @pytest.mark.full
    def test_it_is_asked_for_with_few_queries(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
        know(anna, boris)
        few = queries(browser(boris), url(anna))
        for number in range(4):
            settings = table_settings(name=f"Table {number}", size=3)
            more = tables.open_table(host=anna, settings=settings, now=MONDAY)
            for user in (boris, person(f"Guest {number}")):
                tables.join(game_id=more.pk, user=user, now=MONDAY)
        assert (queries(browser(boris), url(anna)), few <= 15) == (few, True)
        assert queries(browser(boris), "/people/") <= 15

    def test_names_at_a_table_lead_to_it_but_not_for_strangers(self):
        over = open_table("Anna", "Boris", "Clara", "Dora", "Emil", options={"rounds": 1})
        anna = seat_of(over, "Anna").user
        assert url(anna) in browser(anna).get(over.get_absolute_url()).content.decode()
        page = Client().get(over.get_absolute_url())
        assert page.status_code == 200
        assert "/people/" not in page.content.decode()


class TestAnswersInTime:
    def test_answers_and_full_times_let_pass_are_counted_for_a_year(self):
        game = open_table("Anna", "Boris", "Clara")
        asked = seats_to_move(game)[0]
        reader = person("Zoe")
        now = asked.deadline_at + timedelta(minutes=1)
        tick(now)
        clock.sweep(now=now)
        assert Miss.objects.get().user == asked.user
        move = Move.objects.get(seat=asked)
        for number in range(8):
            move.pk, move.phase_no, move.user = None, 900 + number, asked.user
            move.save(force_insert=True)
        assert facts(asked.user, reader, now)[-1] == "On time: not enough moves yet."
        move.pk, move.phase_no = None, 999
        move.save(force_insert=True)
        assert facts(asked.user, reader, now)[-1] == (
            "On time: 90% of 10 moves in the last 12 months."
        )
        assert facts(asked.user, reader, now + 366 * DAY)[-1] == "On time: not enough moves yet."

    @pytest.mark.full
    def test_what_is_excused_counts_no_more(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        asked = seats_to_move(game)[0]
        now = asked.deadline_at + timedelta(minutes=1)
        tick(now)
        clock.sweep(now=now)
        assert Miss.objects.filter(user=asked.user).count() == 1
        marta_acts(game, "excuse", seat=asked.number)
        assert not Miss.objects.exists()

    @pytest.mark.full
    def test_what_is_taken_back_counts_no_more(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        before = game.events.order_by("-seq").first().seq
        asked = seats_to_move(game)[0]
        now = asked.deadline_at + timedelta(minutes=1)
        tick(now)
        clock.sweep(now=now)
        assert Miss.objects.count() == 1
        marta_acts(game, "rewind", to_seq=before, previewed=before)
        assert not Miss.objects.exists()

    def test_an_answer_is_no_miss(self):
        game = open_table("Anna", "Boris", "Clara")
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        assert not Miss.objects.exists()


class TestKnowingEachOther:
    @pytest.mark.full
    def test_anna_says_so_and_boris_confirms_it(self):
        anna, boris = person("Anna"), person("Boris")
        page = browser(anna).post(url(boris, "know/"), {"note": "My brother."}, follow=True)
        assert "This takes effect once they've said so too." in page.content.decode()
        assert actions(page) == {"know-no-more", "block", "ignore"}
        home = html_of(browser(boris).get("/"))
        assert "Anna says you know each other" in home
        assert "Anna" in browser(boris).get("/people/").content.decode()
        page = browser(boris).get(url(anna))
        assert "My brother." in page.content.decode()
        assert actions(page) == {"know", "know-no-more", "block", "ignore"}
        page = browser(boris).post(url(anna, "know/"), follow=True).content.decode()
        assert (
            "You know each other, and the other players at the tables you share know this." in page
        )
        assert "says you know" not in browser(boris).get("/").content.decode()
        assert Acquaintance.objects.get().confirmed_at

    @pytest.mark.full
    def test_the_table_is_told_before_the_start_and_while_it_plays(self):
        anna, boris = person("Anna"), person("Boris")
        clara, text = person("Clara"), "Anna and Boris know each other."
        know(anna, boris, both=False)
        game = tables.open_table(host=clara, settings=table_settings(size=3), now=MONDAY)
        for user in (anna, boris):
            tables.join(game_id=game.pk, user=user, now=MONDAY)
            assert text not in html_of(browser(clara).get(game.get_absolute_url()))
        know(boris, anna, both=False)
        page = html_of(browser(clara).get(game.get_absolute_url()))
        assert text in page
        game.refresh_from_db()
        assert game.status == "running"
        waiting = tables.open_table(host=anna, settings=table_settings(size=4), now=MONDAY)
        assert text not in html_of(browser(clara).get(waiting.get_absolute_url()))
        tables.join(game_id=waiting.pk, user=boris, now=MONDAY)
        assert text in html_of(browser(clara).get(waiting.get_absolute_url()))

    def test_it_is_taken_back_by_either_but_not_from_a_table_that_was_told(self):
        anna, boris = person("Anna"), person("Boris")
        know(anna, boris)
        game = tables.open_table(host=anna, settings=table_settings(size=3), now=MONDAY)
        tables.join(game_id=game.pk, user=boris, now=MONDAY)
        page = browser(boris).post(url(anna, "know-no-more/"), follow=True)
        assert Acquaintance.objects.exists()
        assert "the players there can see that you know each other" in page.content.decode()
        tables.leave(game_id=game.pk, user=anna)
        browser(boris).post(url(anna, "know-no-more/"))
        assert not Acquaintance.objects.exists()

    def test_boris_says_no(self):
        anna, boris = person("Anna"), person("Boris")
        know(anna, boris, both=False)
        browser(boris).post(url(anna, "know-no-more/"))
        assert not Acquaintance.objects.exists()
        assert "says you know" not in browser(boris).get("/").content.decode()

    @pytest.mark.full
    def test_who_is_blocked_does_not_ask(self):
        anna, boris = person("Anna"), person("Boris")
        blocks.block(user=boris, other_id=anna.pk, now=MONDAY)
        know(anna, boris, both=False)
        for page in ("/", "/people/"):
            assert "says you know" not in browser(boris).get(page).content.decode()
            assert "These players say" not in browser(boris).get(page).content.decode()

    def test_a_note_that_is_too_long_comes_back(self):
        anna, boris = person("Anna"), person("Boris")
        page = browser(anna).post(url(boris, "know/"), {"note": "x" * 201})
        assert page.status_code == 422
        assert "x" * 201 in page.content.decode()
        assert not Acquaintance.objects.exists()

    def test_not_more_than_twenty_are_asked_at_a_time(self):
        anna = person("Anna")
        for number in range(20):
            know(anna, person(f"Guest {number}"), both=False)
        with pytest.raises(
            Refused, match="20 people haven't confirmed yet that you know each other"
        ):
            know(anna, person("Boris"), both=False)

    def test_oneself_one_knows_anyway(self):
        anna = person("Anna")
        with pytest.raises(Refused, match="This is your own account"):
            know(anna, anna)

    @pytest.mark.counts
    @pytest.mark.django_db(transaction=True)
    def test_both_say_it_at_once(self):
        anna, boris = person("Anna"), person("Boris")
        acts = [lambda: know(anna, boris, both=False), lambda: know(boris, anna, both=False)]
        at_once(*acts * 4)
        assert Acquaintance.objects.get().confirmed_at == MONDAY


def test_all_acts_are_by_post_and_for_members():
    anna, boris = person("Anna"), person("Boris")
    for act in ("block/", "unblock/", "know/", "know-no-more/"):
        assert browser(anna).get(url(boris, act)).url == url(boris)
        assert Client().post(url(boris, act)).status_code == 302
    assert not anna.blocks.exists()
    assert not Acquaintance.objects.exists()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_is_between_people_goes_with_their_account():
    anna, boris = person("Anna"), person("Boris")
    know(anna, boris)
    blocks.block(user=boris, other_id=anna.pk, now=MONDAY)
    browser(anna).get("/")
    browser(boris).get("/")
    delete_account(anna, MONDAY)
    assert not Acquaintance.objects.exists()
    assert not boris.blocks.exists()
    assert [row.user for row in SignIn.objects.all()] == [boris]


@pytest.mark.full
def test_one_finds_the_people_one_has_blocked_and_lets_go_of_it():
    anna, boris = person("Anna"), person("Boris")
    assert "/people/" in browser(anna).get("/accounts/profile/").content.decode()
    page = browser(anna).post(url(boris, "block/"), follow=True)
    assert "You've blocked this player" in page.content.decode()
    assert url(boris) in browser(anna).get("/people/").content.decode()
    theirs = browser(boris).get(url(anna)).content.decode()
    assert "You've blocked" not in theirs
    assert "Anna" not in browser(boris).get("/people/").content.decode()
    browser(anna).post(url(boris, "unblock/"))
    assert url(boris) not in browser(anna).get("/people/").content.decode()
