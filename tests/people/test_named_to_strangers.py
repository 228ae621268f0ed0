"""What strangers read in place of the names of people, and who chooses that."""

import re

import pytest
from django.utils import translation

from games.models import Game, User
from games.presentation.text.cities import TABLES, city_table
from games.services.accounts.account import delete_account
from games.services.game import seats
from games.services.game.holders import Holders
from games.services.game.read_seats import read_seats
from games.services.lobby import invitations, tables
from games.services.people import display_names
from games.services.people.display_names import read_by_stranger, table_title
from tests.support.client import as_shown, browser, forms_of, opening_form, person, text_of
from tests.support.tables import MONDAY, finished, leave, open_table, seat_of

pytestmark = pytest.mark.django_db

PROFILE = {"name": "Anna", "time_zone": "UTC", "language": ""}


def choose(**named: bool | None) -> None:
    for name, choice in named.items():
        User.objects.filter(name=name).update(named_to_strangers=choice)


def colour_of(game: Game, name: str) -> str:
    return seat_of(game, name).colour.capitalize()


class TestNames:
    def test_strangers_read_the_names_of_those_who_want_it_and_the_colours_of_all_others(self):
        game = open_table("Anna", "Boris", "Clara", "Dora")
        choose(Anna=True, Boris=False)
        expected = {
            name: name if name == "Anna" else colour_of(game, name)
            for name in ("Anna", "Boris", "Clara", "Dora")
        }
        for name, shown in expected.items():
            seat = seat_of(game, name)
            with read_by_stranger():
                assert display_names.seat_name(seat) == display_names.player_name(seat) == shown
                assert display_names.seat_person_id(seat) is None
                assert bool(display_names.seat_crest(seat)) is (name == "Anna")
            assert display_names.seat_name(seat) == name
            assert display_names.seat_person_id(seat) == seat.user_id
            assert display_names.seat_crest(seat)

    def test_before_the_seats_are_drawn_it_is_someone(self):
        game = open_table("Anna", "Boris", size=3)
        choose(Boris=True)
        rows = list(game.seats.select_related("user", "game").order_by("pk"))
        with read_by_stranger():
            seated = display_names.seated(game, rows)
            assert [one.name for one in seated] == ["Someone", "Boris"]
            assert [bool(one.crest) for one in seated] == [False, True]
            assert display_names.host_name(game) == "Someone"

    @pytest.mark.parametrize(("language", "called"), [("de", "Rot"), ("ru", "Красный")])
    def test_in_the_language_of_the_reader(self, language, called):
        game = open_table("Anna", "Boris", "Clara")
        with read_by_stranger(), translation.override(language):
            assert display_names.seat_name(game.seats.get(number=0)) == called

    def test_also_those_who_sat_there_before(self):
        game = open_table("Anna", "Boris", "Clara")
        seat = seat_of(game, "Anna")
        leave(game, "Anna")
        seats.take_over(game_id=game.pk, user=person("Dora"), number=seat.number, now=MONDAY)
        choose(Dora=True)
        game.refresh_from_db()
        assert read_seats(game).sat[seat.number] == ["Anna", "Dora"]
        with read_by_stranger():
            read = read_seats(game)
            assert read.sat[seat.number] == [display_names.HIDDEN, "Dora"]
            by_query, by_statement = Holders.of(game), Holders(game, read.rows, read.sat)
            for holders in (by_query, by_statement):
                assert holders.in_order[seat.number] == [seat.colour.capitalize(), "Dora"]
        delete_account(User.objects.get(name="Anna"), MONDAY)
        with read_by_stranger():
            for sat in (read_seats(game).sat, Holders.of(game)._sat):
                assert sat[seat.number] == [None, "Dora"]


CITY = "a city's"


class TestTitles:
    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("title", "shown"),
        [
            ("The Venice table", "The Venice table"),
            ("Anna's table", CITY),
            ("annas tisch", CITY),
            ("A-n-n-a!", CITY),
            ("Ànnà", CITY),
            ("Стол Анны", CITY),
            ("For Maria", CITY),
            ("Boris against all", "Boris against all"),
        ],
    )
    def test_a_title_with_a_hidden_name_is_a_citys(self, title, shown):
        game = open_table("Anna Maria", "Boris", "Анна", name=title, seed=7)
        choose(Boris=True)
        assert table_title(game) == title
        with read_by_stranger():
            assert table_title(game) == (str(TABLES[7]) if shown == CITY else shown)

    @pytest.mark.parametrize(
        ("name", "title", "is_in_it"),
        [
            ("Bo Andersson", "Bo's table", True),
            ("Bo Andersson", "The Bologna table", False),
            ("Павел", "Стол Павла", True),
            ("Ян", "Стол Яна", True),
            ("Alice", "The Italian table", False),
            ("Alice", "Alices Tisch", True),
        ],
    )
    def test_names_are_found_in_part_and_inflected(self, name, title, is_in_it):
        assert display_names.is_named(name, title) == is_in_it

    def test_a_host_who_leaves_takes_the_name_of_the_table_along(self):
        game = open_table(
            "Anna", "Boris", size=3, name="Anna's table", description="Anna teaches", seed=7
        )
        other = open_table("Clara", "Dora", size=3, name="The Rialto", description="For beginners")
        tables.leave(game_id=game.pk, user=game.host)
        tables.leave(game_id=other.pk, user=other.host)
        game.refresh_from_db()
        other.refresh_from_db()
        assert (game.name, game.description) == (str(TABLES[7]), "")
        assert (other.name, other.description) == ("The Rialto", "For beginners")

    def test_nor_does_it_tell_who_left_the_table_before_or_was_its_host(self):
        game = open_table("Anna", "Boris", "Clara", name="Clara and friends")
        choose(Anna=True, Boris=True)
        leave(game, "Clara")
        with read_by_stranger():
            assert table_title(Game.objects.get()) == city_table(game.seed)
        delete_account(User.objects.get(name="Clara"), MONDAY)
        with read_by_stranger():
            assert table_title(Game.objects.get()) == city_table(game.seed)
        choose(Boris=False)
        game = open_table("Dora", size=3, name="Hello")
        User.objects.get(name="Dora").delete()
        with read_by_stranger():
            assert table_title(Game.objects.get(pk=game.pk)) == city_table(game.seed)

    def test_the_description_is_told_under_the_same_condition(self):
        game = open_table("Anna", size=3, description="Anna teaches")
        other = open_table("Boris", size=3, description="For beginners")
        with read_by_stranger():
            told = [display_names.table_description(one) for one in (game, other)]
        assert told == ["", "For beginners"]
        choose(Anna=True)
        with read_by_stranger():
            assert display_names.table_description(Game.objects.get(pk=game.pk)) == "Anna teaches"

    def test_one_query_reads_those_of_many_tables(self, django_assert_num_queries):
        for name in ("Anna", "Boris", "Clara"):
            open_table(name, size=3, name=f"{name}'s table")
        choose(Boris=True)
        games = list(Game.objects.order_by("pk"))
        with read_by_stranger():
            with django_assert_num_queries(1):
                display_names.read_titles(games)
                titles = [table_title(game) for game in games]
            assert titles == [
                city_table(games[0].seed), "Boris's table", city_table(games[2].seed),
            ]  # fmt: skip
        with django_assert_num_queries(0):
            display_names.read_titles(games)


class TestNewTables:
    def test_one_without_a_name_is_called_after_a_city(self):
        anna = browser(person("Anna", language="de"))
        assert anna.post("/tables/new/", opening_form(anna)).status_code == 302
        game = Game.objects.get()
        with translation.override("de"):
            assert game.name == city_table(game.seed)
        assert game.name.startswith("Der Tisch in ")

    @pytest.mark.full
    def test_its_rematch_has_the_same_name(self):
        game = finished("The Genoa table")
        again = invitations.again(game_id=game.pk, user=game.host, now=MONDAY)
        assert again.name == "The Genoa table"

    def test_every_city_has_a_name_of_its_own_that_fits_in_every_language(self):
        for language in ("en", "de", "ru"):
            with translation.override(language):
                names = {city_table(seed) for seed in range(len(TABLES))}
            assert len(names) == len(TABLES)
            assert max(map(len, names)) <= 60


QUESTION = "May people without an account see your name?"


class TestTheChoice:
    @pytest.mark.full
    def test_it_is_asked_once_of_whoever_has_a_table(self):
        client = browser(person("Anna"))
        assert QUESTION not in text_of(client.get("/"))
        open_table("Boris", size=3)
        game = Game.objects.get()
        client.post(f"{game.get_absolute_url()}join/")
        page = client.get("/").content.decode()
        assert QUESTION in page
        assert "/accounts/named/" in forms_of(page)
        assert User.objects.get(name="Anna").named_to_strangers is None

    @pytest.mark.sample(1)
    @pytest.mark.parametrize(("answer", "named"), [("yes", True), ("no", False), ("", False)])
    def test_the_reply_is_kept_and_not_asked_for_again(self, answer, named):
        open_table("Anna", size=3)
        client = browser(User.objects.get())
        assert client.get("/accounts/named/").status_code == 405
        client.post("/accounts/named/", {"named": answer})
        assert User.objects.get().named_to_strangers is named
        assert QUESTION not in text_of(client.get("/"))
        [box] = re.findall(r'<input type="checkbox" name="named_to_strangers"[^>]*>',
            client.get("/accounts/profile/").content.decode())  # fmt: skip
        assert ("checked" in box) is named

    def test_it_can_be_changed_in_the_profile(self):
        client = browser(person("Anna"))
        client.post("/accounts/profile/", {**PROFILE, "named_to_strangers": "on"})
        assert User.objects.get().named_to_strangers is True
        client.post("/accounts/profile/", PROFILE)
        assert User.objects.get().named_to_strangers is False

    def test_a_profile_that_is_saved_as_it_is_leaves_the_question_open(self):
        client = browser(person("Anna"))
        shown = as_shown(forms_of(client.get("/accounts/profile/").content.decode())[""])
        client.post("/accounts/profile/", shown)
        assert User.objects.get().named_to_strangers is None
