"""Choosing among tables: what a card says, filters, search and order, and empty lists."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.forms.find import FindForm
from games.models import Game
from games.services.lobby import lists
from games.services.lobby.wanted import Order, Wanted
from games.services.people.display_names import read_by_stranger
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.reliability import has_played
from tests.support.tables import DAY, MONDAY, alone, open_table, seat_of

pytestmark = pytest.mark.django_db

LISTS = ["/tables/", "/tables/watch/", "/tables/finished/"]


def line_of(game, reader="Zoe"):
    [line] = [one for one in lists.open_tables(person(reader), Wanted(), timezone.now())
              if one.game == game]  # fmt: skip
    return line


def found(reader, **wanted):
    """The names of the hosts of the tables that are found, in order."""
    tables = lists.open_tables(reader, Wanted(**wanted), MONDAY)
    return [line.game.host.name for line in tables]


class TestCards:
    def test_a_usual_table_bears_no_mark(self):
        assert line_of(open_table("Anna", size=4, listed=True)).differs == []

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("settings", "marks"),
        [
            ({"press": "private"}, ["private talk"]),
            ({"press": "none"}, ["no messages"]),
            ({"talk_seconds": 43200}, ["12 hours to negotiate"]),
            ({"options": {"bribing": "simultaneous"}}, ["sealed bribes"]),
            ({"options": {"promises": "binding"}}, ["binding promises"]),
            ({"options": {"rounds": 3}}, ["custom rules"]),
            ({"options": {"bribing": "sequential", "rounds": 5, "refund_losers": False}}, []),
            ({"least_in_time": 90}, ["at least 90% of moves in time", "newcomers welcome"]),
            ({"newcomers_welcome": False}, ["no newcomers"]),
            (
                {"least_in_time": 80, "newcomers_welcome": False},
                ["at least 80% of moves in time", "no newcomers"],
            ),
        ],
    )
    def test_what_differs_is_marked(self, settings, marks):
        game = open_table("Anna", size=4, listed=True, **settings)
        assert line_of(game).differs == marks
        page = text_of(browser(person("Yves")).get("/tables/"))
        assert all(mark in page for mark in marks)

    def test_a_table_of_an_edition_that_there_is_not_spoils_no_list(self):
        open_table("Anna", size=4, listed=True, press="private", name="Sound")
        broken = open_table("Boris", size=4, listed=True, press="private", name="Broken")
        Game.objects.filter(pk=broken.pk).update(edition="gone", options={"rounds": []})
        page = browser(person("Zoe")).get("/tables/")
        assert page.status_code == 200
        assert all(name in text_of(page) for name in ("Sound", "Broken"))

    @pytest.mark.full
    def test_it_says_how_reliable_everybody_there_is_from_ten_moves_on(self):
        game = open_table("Anna", "Boris", "Clara", size=5, listed=True)
        for name, moved, missed in (("Anna", 49, 1), ("Boris", 8, 1), ("Clara", 10, 0)):
            has_played(seat_of(game, name).user, moved, missed)
        assert [one.in_time for one in line_of(game).seated] == ["98% in time", "", "100% in time"]
        page = text_of(browser(person("Yves")).get("/tables/"))
        assert "Seated: Anna (host) 98% in time , Boris, Clara 100% in time" in page

    def test_who_hides_their_share_is_shown_without_it(self):
        game = open_table("Anna", size=4, listed=True)
        has_played(game.host, 20)
        game.host.hidden_parts = ["reliability"]
        game.host.save()
        assert [one.in_time for one in line_of(game).seated] == [""]

    def test_strangers_do_not_read_it(self):
        game = open_table("Anna", size=4, listed=True)
        has_played(game.host, 20)
        with read_by_stranger():
            assert [one.in_time for one in line_of(game).seated] == [""]

    def test_it_shows_what_the_host_has_written(self):
        open_table("Anna", size=4, listed=True, description="Slow & friendly.\nDo come.")
        page = browser(person("Zoe")).get("/tables/")
        assert "Slow & friendly. Do come." in text_of(page)

    def test_no_play_days_stand_with_the_pace(self):
        game = open_table("Anna", size=4, listed=True, no_play_days=[5, 6])
        assert line_of(game).pace == "24 hours per move, not counting Saturday and Sunday (UTC)"


SOUGHT = {
    "size": (3, {"size": 3}, {"size": 5}),
    "press": ("private", {"press": "private"}, {"press": "public"}),
    "bribes": ("simultaneous", {"options": {"bribing": "simultaneous"}}, {}),
    "promises": ("binding", {"options": {"promises": "binding"}}, {"options": {"rounds": 3}}),
    "newcomers": (True, {}, {"newcomers_welcome": False}),
}


class TestFilters:
    @pytest.mark.full
    @pytest.mark.parametrize("name", SOUGHT)
    def test_each_finds_what_it_says(self, name):
        value, fits, fits_not = SOUGHT[name]
        open_table("Anna", **{"size": 4, "listed": True} | fits)
        open_table("Boris", **{"size": 4, "listed": True} | fits_not)
        assert found(person("Zoe"), **{name: value}) == ["Anna"]
        client = browser(person("Yves"))
        page = client.get("/tables/", {name: "on" if value is True else value})
        assert ("Seated: Anna" in text_of(page), "Seated: Boris" in text_of(page)) == (True, False)
        assert "<details open>" in page.content.decode()

    @pytest.mark.parametrize(
        ("way", "names"), [("sequential", ["Anna", "Boris"]), ("simultaneous", [])]
    )
    def test_a_rule_that_is_as_in_the_edition_is_found_whether_it_was_written_down_or_not(
        self, way, names
    ):
        open_table("Anna", size=4, listed=True)
        open_table("Boris", size=4, listed=True, options={"bribing": "sequential"})
        assert found(person("Zoe"), bribes=way) == names

    def test_those_that_few_need_are_folded_until_one_is_used(self):
        client = browser(person("Zoe"))
        page = client.get("/tables/")
        assert "<details open>" not in page.content.decode()
        submitted = as_shown(forms_of(page.content.decode())[""])
        assert {"text", "pace", "language", "size", "press", "bribes", "order"} <= set(submitted)
        again = client.get("/tables/", submitted).content.decode()
        assert "<details open>" not in again
        newest = client.get("/tables/", submitted | {"order": "newest"}).content.decode()
        assert "<details open>" in newest

    @pytest.mark.full
    @pytest.mark.parametrize("list_of", LISTS)
    @pytest.mark.parametrize(
        "query",
        [{"size": "6"}, {"size": "x"}, {"press": "x"}, {"order": "x"}, {"text": "\x00"},
         {"text": "' & | ! \\ :*"}, {"text": "x" * 99}, {"bribes": "x", "promises": "y"}],
    )  # fmt: skip
    def test_what_makes_no_sense_breaks_nothing(self, list_of, query):
        assert browser(person("Zoe")).get(list_of, query).status_code == 200

    @pytest.mark.full
    @pytest.mark.parametrize("state", ["running", "finished"])
    def test_running_and_finished_games_are_found_by_them_too(self, state):
        games = {
            name: open_table(name, f"{name}2", f"{name}3", listed=True, **settings)
            for name, settings in (("Anna", {"press": "private"}), ("Boris", {}))
        }
        if state == "finished":
            Game.objects.update(status="finished", deadline_at=None, finished_at=MONDAY)
        address = {"running": "/tables/watch/", "finished": "/tables/finished/"}[state]
        client = browser(person("Zoe"))
        for query in ({"press": "private"}, {"text": "Anna2"}):
            page = client.get(address, query).content.decode()
            shown = [name for name, game in games.items() if game.get_absolute_url() in page]
            assert shown == ["Anna"], query
        fields = forms_of(client.get(address).content.decode())[""]
        assert not {"newcomers", "order"} & set(fields)


class TestSearch:
    def test_words_of_the_table_or_of_somebody_there_are_found_by_their_beginnings(self):
        open_table("Anna", "Boris", size=4, listed=True, name="The Lido table")
        open_table("Clara", size=4, listed=True, name="Anna's friends")
        zoe = person("Zoe")
        assert found(zoe, text="lid tab") == ["Anna"]
        assert found(zoe, text="bori") == ["Anna"]
        assert sorted(found(zoe, text="ANNA")) == ["Anna", "Clara"]
        assert found(zoe, text="nobody") == []
        assert found(zoe, text="!?") == []

    def test_an_address_finds_nobody(self):
        game = open_table("Anna", size=4, listed=True, name="The Lido table")
        assert "example" in game.host.email
        for text in (game.host.email, "example"):
            assert found(person(f"Reader {len(text)}"), text=text) == []

    def test_nobody_is_found_who_hides_their_games(self):
        game = open_table("Anna", "Boris", size=4, listed=True)
        boris = seat_of(game, "Boris").user
        boris.hidden_parts = ["games"]
        boris.save()
        zoe = person("Zoe")
        assert (found(zoe, text="Boris"), found(zoe, text="Anna")) == ([], ["Anna"])

    def test_a_table_that_is_not_listed_is_not_found(self):
        open_table("Anna", size=4, name="Secret")
        assert found(person("Zoe"), text="Secret") == []

    def test_strangers_learn_no_name_by_looking_for_one(self):
        open_table("Anna", size=4, listed=True, name="Anna's table")
        zoe = person("Zoe")
        with read_by_stranger():
            assert found(zoe, text="Nobody") == found(zoe, text="Anna") == found(zoe)
            assert "text" not in {field.name for field in FindForm({"text": "Anna"}).first}


class TestOrder:
    def test_those_that_start_soonest_come_first_or_the_newest(self):
        open_table("Anna", size=5, listed=True)
        open_table("Boris", "Boris2", size=3, listed=True, now=MONDAY + timedelta(hours=1))
        open_table("Clara", "Clara2", "Clara3", size=5, listed=True, now=MONDAY + DAY)
        client = browser(person("Zoe"))
        for order, hosts in ((Order.SOONEST, ["Boris", "Clara", "Anna"]),
                             (Order.NEWEST, ["Clara", "Boris", "Anna"])):  # fmt: skip
            page = client.get("/tables/", {"order": order.value})
            text = text_of(page)
            assert sorted(hosts, key=lambda name: text.index(f"{name} (host)")) == hosts


NONE = {
    "/tables/": "There are no open tables right now. Open one, and others will find it here.",
    "/tables/watch/": "No games to watch right now.",
    "/tables/finished/": "No games to show yet.",
}
NO_MATCH = {
    "/tables/": "No open tables match your filters right now.",
    "/tables/watch/": "No games match your filters right now.",
    "/tables/finished/": "No finished games match your filters.",
}


class TestEmptyLists:
    @pytest.mark.parametrize("address", LISTS)
    def test_there_is_nothing(self, address):
        page = text_of(browser(person("Zoe")).get(address))
        assert NONE[address] in page
        assert NO_MATCH[address] not in page
        assert "Clear the filters" not in page

    @pytest.mark.parametrize("address", LISTS)
    def test_nothing_fits_the_filters_and_one_click_clears_them(self, address):
        page = browser(person("Zoe")).get(address, {"text": "Nowhere"})
        assert NO_MATCH[address] in text_of(page)
        assert NONE[address] not in text_of(page)
        assert f'href="{address}">Clear the filters' in page.content.decode()

    def test_the_order_alone_is_no_filter(self):
        page = text_of(browser(person("Zoe")).get("/tables/", {"order": "newest", "text": ""}))
        assert NONE["/tables/"] in page


def test_a_finished_game_says_which_of_several_computer_players_has_won():
    game = alone("Anna", "courtier")
    Game.objects.filter(pk=game.pk).update(listed=True)
    client = browser(person("Zoe"))
    [line] = lists.games_to_watch(person("Yves"), Wanted())
    computers = [name for _colour, name in line.players if name != "Anna"]
    assert len(set(computers)) == 2
    assert all(name in text_of(client.get("/tables/watch/")) for name in computers)
