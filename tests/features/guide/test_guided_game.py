"""The guided first game: begun with one click, explained stage by stage, played through forms."""

import re
from random import Random

import pytest
from django.test import Client

from games.engine import Stage, default_move, new_game, step, view
from games.engine.state import to_move
from games.features.guide import first_game
from games.features.guide.text import guide
from games.models import Game, OutboxEmail
from games.presentation.text.words import People
from games.services.email import delivery
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.subscriptions import wants
from games.services.lobby import tables
from tests.engine.standing_orders import one_clerk_of_green, two_of_green
from tests.support.client import as_shown, at_random, browser, forms_of, move_form, person, text_of
from tests.support.guests import decline
from tests.support.tables import MONDAY, open_table, table_settings

pytestmark = pytest.mark.django_db


def begin(client):
    return client.post("/first-game/")["Location"]


class TestBeginning:
    def test_one_click_on_the_empty_home_page_begins_it(self):
        anna = browser(person("Anna"))
        assert "/first-game/" in forms_of(anna.get("/").content.decode())
        url = begin(anna)
        game = Game.objects.get()
        assert (game.get_absolute_url(), game.guided) == (url, True)
        assert (game.edition, game.options, game.size) == ("mayfair-2005", {"rounds": 3}, 4)
        assert (game.status, game.listed, game.move_seconds) == ("running", False, 315360000)
        kinds = sorted(game.seats.values_list("computer_player", flat=True))
        assert kinds == ["", "teacher", "teacher", "teacher"]
        assert anna.get(url).status_code == 200

    def test_the_computer_players_have_moved_when_the_page_comes(self):
        anna = browser(person("Anna"))
        page = anna.get(begin(anna)).content.decode()
        assert move_form(page) is not None

    def test_there_is_one_at_a_time(self):
        anna = browser(person("Anna"))
        assert begin(anna) == begin(anna)
        assert Game.objects.count() == 1

    def test_it_is_no_waiting_table_and_needs_no_place_among_them(self):
        boris = open_table("Boris", size=4).host
        for _ in range(2):
            tables.open_table(host=boris, settings=table_settings(), now=MONDAY)
        assert begin(browser(boris)).startswith("/tables/")
        assert Game.objects.filter(guided=True, status=Game.Status.RUNNING).count() == 1

    def test_a_get_begins_nothing(self):
        page = browser(person("Anna")).get("/first-game/")
        assert "/first-game/" in forms_of(page.content.decode())
        assert not Game.objects.exists()

    def test_where_people_are_invited_they_sign_up_first_and_come_back(self, settings):
        settings.SIGN_UP = "invited"
        assert '"/first-game/"' in Client().get("/").content.decode()
        page = Client().get("/first-game/").content.decode()
        assert 'href="/accounts/signup/?next=%2Ffirst-game%2F"' in page
        posted = Client().post("/first-game/")
        assert posted["Location"] == "/accounts/signup/?next=%2Ffirst-game%2F"


class TestPlaying:
    @pytest.mark.long(after=1)
    @pytest.mark.full
    @pytest.mark.parametrize("seed", range(3))
    def test_a_whole_game_through_the_forms_with_a_guide_at_every_step(self, seed):
        anna, chance = browser(person("Anna")), Random(seed)
        url = begin(anna)
        titles = []
        for _ in range(100):
            page = anna.get(url)
            html = page.content.decode()
            [title] = re.findall(r'<h2 id="guide">(.*?)</h2>', html)
            titles.append(title)
            fields = move_form(html)
            if fields is None and decline(anna, html):
                continue
            if fields is None:
                break
            filled = as_shown(fields) if seed == 0 else at_random(fields, chance)
            anna.post(f"{url}review/", filled)
            response = anna.post(f"{url}move/", filled | {"reviewed": "yes"})
            if response.status_code == 422:
                anna.post(f"{url}move/", as_shown(fields) | {"reviewed": "yes"})
        assert titles[-1] == "That was your first game"
        assert len(titles) >= 4
        assert Game.objects.get().status == Game.Status.FINISHED
        end = text_of(anna.get(url))
        assert "Open tables" in end
        assert "Play again" in end
        assert "Rematch" not in end
        assert begin(anna) != url

    def test_it_can_be_closed_and_the_game_goes_on(self):
        anna = browser(person("Anna"))
        url = begin(anna)
        assert 'id="guide"' in anna.get(url).content.decode()
        assert f"{url}no-guide/" in forms_of(anna.get(url).content.decode())
        anna.post(f"{url}no-guide/")
        page = anna.get(url).content.decode()
        assert 'id="guide"' not in page
        assert move_form(page) is not None

    def test_nobody_else_can_close_it_or_reads_it(self):
        anna, boris = browser(person("Anna")), browser(person("Boris"))
        url = begin(anna)
        boris.post(f"{url}no-guide/")
        assert not Game.objects.get().guide_closed
        assert 'id="guide"' not in boris.get(url).content.decode()

    def test_other_games_have_no_guide(self):
        game = open_table("Anna", "Boris", "Clara")
        page = browser(game.host).get(game.get_absolute_url())
        assert 'id="guide"' not in page.content.decode()

    def test_only_players_who_forget_it_get_email(self, mailoutbox):
        anna = person("Anna")
        game = first_game.begin(user=anna, now=MONDAY)
        assert OutboxEmail.objects.filter(kind="game_started", game=game).exists()
        delivery.drain(now=MONDAY)
        assert mailoutbox == []
        assert wants(anna, game, KIND_BY_KEY["reminder"])
        assert not wants(anna, game, KIND_BY_KEY["game_over"])


class TestWhatItSays:
    def test_every_stage_has_its_text_and_no_secret(self):
        """Two views that differ in secrets alone give the same text."""
        state = new_game("mayfair-2005", {"rounds": 3}, ["red", "yellow", "green"], "red").state
        people = People(state.table, ["Anna", "Boris", "Clara"])
        seen = set()
        while state.stage is not Stage.OVER:
            [seat] = to_move(state)
            text = guide(people, view(state, seat), ())
            others = tuple(
                held if other == seat else held + 1000 * other
                for other, held in enumerate(state.cash)
            )
            assert text == guide(people, view(state._replace(cash=others), seat), ())
            assert text.title
            assert len(text.lead) == 2
            assert text.why
            assert all((*text.lead, *text.why, *text.hints))
            seen.add(state.stage)
            state = step(state, seat, default_move(state, seat)).state
        assert guide(people, view(state, 0), ()).title == "That was your first game"
        assert guide(people, view(state, None), ()) is None
        assert seen >= {Stage.UNCONTESTED_BRIBES, Stage.PLACEMENT, Stage.SENDING}

    def test_it_counts_how_often_an_area_would_still_pay(self):
        state = new_game("mayfair-2005", {"rounds": 3}, ["red", "yellow", "green"], "red").state
        people = People(state.table, ["Anna", "Boris", "Clara"])
        state = step(state, 0, default_move(state, 0)).state
        text = guide(people, view(state, 0), ())
        assert (
            "An area that pays 10,000 will pay 3 more times: 30,000 if you can keep it."
            in text.hints[0]
        )

    def test_the_highest_rival_bribe_is_shown_for_each_conflict_by_itself(self):
        """Green's priest and clerk each meet one of yellow's."""
        game = two_of_green()
        people = People(game.state.table, ["Red", "Yellow", "Green", "Blue"])
        assert guide(people, view(game.state, 2), ()).why[1:] == [
            "The highest bribe against your priest so far is 7,000.",
            "The highest bribe against your clerk so far is 4,000.",
        ]

    def test_the_bribe_of_another_conflict_is_no_rival_bribe(self):
        """Yellow has paid 7,000 for its priest, which is none of the clerk's business."""
        game = one_clerk_of_green()
        people = People(game.state.table, ["Red", "Yellow", "Green", "Blue"])
        assert guide(people, view(game.state, 2), ()).why[1:] == [
            "The highest bribe a rival has paid so far is 4,000."
        ]

    def test_a_player_who_waits_for_computer_players_reads_so(self):
        state = new_game("mayfair-2005", {"rounds": 3}, ["red", "yellow", "green"], "red").state
        text = guide(People(state.table, ["Anna", "Boris", "Clara"]), view(state, 1), ())
        assert text.title == "The others are playing"
