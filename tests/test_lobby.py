"""Tables before the game: settings, refusals, who may do what, closing, lists and the home page."""

import re
from datetime import timedelta
from uuid import UUID

import pytest
import time_machine
from django.test import Client

from games.models import Game, OutboxMail, Seat, Sitting
from games.presentation.table_words import pace_told
from games.services import lobby
from games.services.refused import Refused
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table, seat_of, table_settings
from tests.web import as_shown, browser, forms_of, opening_form, person

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
POSTS = ["join", "leave", "start", "cancel", "remove", "invite", "again"]


def text_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def mailed(kind, game):
    """The names of those to whom such a mail is written."""
    rows = OutboxMail.objects.filter(kind=kind, game=game)
    return sorted(rows.values_list("person__name", flat=True))


class TestOpening:
    def test_the_defaults_are_those_of_a_quiet_table_among_friends(self):
        anna = browser(person("Anna", time_zone="Asia/Tokyo"))
        anna.post("/tables/new/", opening_form(anna))
        game = Game.objects.get()
        assert (game.answer_seconds, game.time_zone) == (24 * 3600, "Asia/Tokyo")
        assert (game.no_play_days, game.fixed_hour, game.days_off) == ([], None, 7)
        assert (game.listed, game.house_players_allowed) == (False, True)
        assert (game.absent_player, game.note, game.options) == ("default", "", {})

    def test_everything_can_be_chosen(self):
        anna = browser(person("Anna"))
        chosen = {
            "name": "Rialto",
            "edition": "russian",
            "size": "5",
            "answer_number": "2",
            "answer_unit": "days",
            "time_zone": "Europe/Vienna",
            "no_play_days": ["6", "5"],
            "fixed_hour": "20",
            "days_off": "0",
            "bribing": "simultaneous",
            "listed": "everybody",
            "house_players_allowed": "none",
            "absent_player": "random",
            "note": "Slow and friendly.",
        }
        opened = anna.post("/tables/new/", opening_form(anna) | chosen)
        game = Game.objects.get()
        assert opened["Location"] == game.get_absolute_url()
        assert (game.name, game.edition, game.size) == ("Rialto", "russian", 5)
        assert (game.answer_seconds, game.time_zone) == (2 * 86400, "Europe/Vienna")
        assert (game.no_play_days, game.fixed_hour, game.days_off) == ([5, 6], 20, 0)
        assert (game.listed, game.house_players_allowed) == (True, False)
        assert (game.absent_player, game.note) == ("random", "Slow and friendly.")
        assert game.options == {"bribing": "simultaneous"}
        page = text_of(anna.get(game.get_absolute_url()))
        for sentence in (
            "Slow and friendly.",
            "Интрига, Russian rules, 5 seats.",
            "Bribes are handed in sealed, and all of them opened at once.",
            "2 days for an answer, not on Saturday and Sunday, deadlines at 20:00 Europe/Vienna.",
            "No days off.",
            "Listed: everybody may sit down.",
            "No house players: the game starts when the table is full.",
            "For an absent player the house player “random” plays.",
        ):
            assert sentence in page

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"answer_number": "4", "answer_unit": "minutes"}, "from 5 minutes to 7 days"),
            ({"answer_number": "8", "answer_unit": "days"}, "from 5 minutes to 7 days"),
            ({"answer_number": "99999999999"}, "less than or equal to 10080"),
            ({"answer_number": "a while"}, "Enter a whole number."),
            ({"answer_number": "11", "fixed_hour": "20"}, "at least 12 hours for an answer"),
            ({"no_play_days": list("0123456")}, "At least one day of the week must be for playing"),
            ({"days_off": "31"}, "less than or equal to 30"),
            ({"days_off": ""}, "This field is required."),
            ({"time_zone": "Europe/Atlantis"}, "not one of the available choices"),
            ({"fixed_hour": "24"}, "not one of the available choices"),
            ({"absent_player": "wizard"}, "not one of the available choices"),
            ({"listed": "perhaps"}, "not one of the available choices"),
            ({"size": "6"}, "not one of the available choices"),
            ({"edition": "monopoly"}, "not one of the available choices"),
            ({"rounds": "0"}, "greater than or equal to 1"),
            ({"note": "x" * 501}, "at most 500 characters"),
            ({"opening_token": "mine"}, "Enter a valid UUID."),
        ],
    )
    def test_what_cannot_be_is_refused_with_a_sentence_and_nothing_typed_is_lost(
        self, typed, sentence
    ):
        anna = browser(person("Anna"))
        page = anna.post("/tables/new/", opening_form(anna) | {"name": "Rialto"} | typed)
        assert page.status_code == 422
        assert sentence in text_of(page)
        assert forms_of(page.content.decode())[""]["name"].value == "Rialto"
        assert not Game.objects.exists()

    def test_a_refused_setting_is_not_folded_away(self):
        anna = browser(person("Anna"))
        assert "<details open>" not in anna.get("/tables/new/").content.decode()
        page = anna.post("/tables/new/", opening_form(anna) | {"days_off": "31"}).content.decode()
        assert page.count("<details open>") == 1
        assert "<details open><summary>Bribing and pace</summary>" in page

    def test_the_shortest_and_the_longest_time_can_be_had(self):
        anna = browser(person("Anna"))
        for number, unit in (("5", "minutes"), ("7", "days")):
            typed = {"answer_number": number, "answer_unit": unit}
            anna.post("/tables/new/", opening_form(anna) | typed)
        assert sorted(Game.objects.values_list("answer_seconds", flat=True)) == [300, 7 * 86400]

    @pytest.mark.parametrize(
        "impossible",
        [
            {"size": 2},
            {"answer_time": 8 * DAY},
            {"answer_time": timedelta()},
            {"no_play_days": tuple(range(7))},
            {"no_play_days": (7,)},
            {"fixed_hour": 20, "answer_time": 11 * HOUR},
            {"fixed_hour": 24},
            {"days_off": 31},
            {"time_zone": "Europe/Atlantis"},
            {"absent_player": "wizard"},
            {"edition": "monopoly"},
        ],
    )
    def test_the_service_refuses_what_cannot_be_whoever_asks(self, impossible):
        anna = person("Anna")
        with pytest.raises(Refused):
            lobby.open_table(host=anna, settings=table_settings(**impossible), now=MONDAY)
        assert not Game.objects.exists()

    def test_a_fixed_hour_can_be_had_from_12_hours_on(self):
        game = open_table("Anna", size=3, fixed_hour=20, answer_time=12 * HOUR)
        assert game.fixed_hour == 20

    def test_the_same_post_twice_is_one_table(self):
        anna = browser(person("Anna"))
        form = opening_form(anna)
        first, second = (anna.post("/tables/new/", form) for _ in range(2))
        assert first["Location"] == second["Location"]
        assert UUID(form["opening_token"]) == Game.objects.get().opening_token
        assert Seat.objects.count() == 1


class TestThreeWaitingTables:
    def test_a_fourth_is_refused_until_one_is_left(self):
        anna = browser(person("Anna"))
        for _ in range(3):
            assert anna.post("/tables/new/", opening_form(anna)).status_code == 302
        refused = anna.post("/tables/new/", opening_form(anna))
        assert refused.status_code == 422
        assert "You sit at 3 tables that wait for players already." in text_of(refused)
        boris_table = open_table("Boris", size=3)
        page = anna.post(f"{boris_table.get_absolute_url()}join/", follow=True)
        assert "Leave one of them, or wait until one starts." in text_of(page)
        assert boris_table.seats.count() == 1
        own = Game.objects.filter(host__name="Anna").first()
        anna.post(f"{own.get_absolute_url()}leave/")
        anna.post(f"{boris_table.get_absolute_url()}join/")
        assert boris_table.seats.count() == 2

    def test_games_that_run_do_not_count(self):
        anna = person("Anna")
        for _ in range(4):
            game = lobby.open_table(host=anna, settings=table_settings(), now=MONDAY)
            lobby.start_with_house_players(
                game_id=game.pk, user=anna, house_player="default", now=MONDAY
            )
        assert Game.objects.filter(status="running").count() == 4


class TestTheTableThatWaits:
    def test_it_says_when_it_closes_by_itself_on_the_readers_clock(self):
        game = open_table("Anna", size=3)
        game.host.time_zone = "America/New_York"
        game.host.save()
        page = text_of(browser(game.host).get(game.get_absolute_url()))
        assert "closes by itself on Mon 16 Mar, 05:00 (America/New_York)." in page

    def test_only_the_host_sees_and_may_do_what_is_the_hosts(self):
        game = open_table("Anna", "Boris", size=4)
        url = game.get_absolute_url()
        boris = browser(seat_of(game, "Boris").user)
        assert {f"{url}{act}/" for act in ("start", "cancel", "remove")} <= set(
            forms_of(browser(game.host).get(url).content.decode())
        )
        assert not {f"{url}{act}/" for act in ("start", "cancel", "remove")} & set(
            forms_of(boris.get(url).content.decode())
        )
        for act, sentence in (("cancel", "close it"), ("remove", "send somebody away")):
            page = boris.post(f"{url}{act}/", {"seat": seat_of(game, "Anna").pk}, follow=True)
            assert f"Only the host of the table can {sentence}." in text_of(page)
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("waiting", 2)

    def test_the_host_sends_somebody_away(self):
        game = open_table("Anna", "Boris", size=4)
        anna = browser(game.host)
        url = f"{game.get_absolute_url()}remove/"
        form = as_shown(forms_of(anna.get(game.get_absolute_url()).content.decode())[url])
        for _ in range(2):
            assert anna.post(url, form).status_code == 302
        assert list(game.seats.values_list("user__name", flat=True)) == ["Anna"]

    @pytest.mark.parametrize("seat", ["", "x", "-1", "²", "9" * 40, "1" * 17])
    def test_a_seat_that_is_none_removes_nobody(self, seat):
        game = open_table("Anna", "Boris", size=4)
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat})
        assert game.seats.count() == 2

    def test_the_host_cannot_send_themselves_away(self):
        game = open_table("Anna", "Boris", size=4)
        seat = seat_of(game, "Anna").pk
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat})
        assert game.seats.count() == 2

    def test_nobody_is_removed_from_another_table(self):
        game = open_table("Anna", "Boris", size=4)
        other = open_table("Clara", "Dora", size=4)
        seat = seat_of(other, "Dora").pk
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat})
        assert other.seats.count() == 2

    def test_the_host_closes_it_and_the_others_are_told(self):
        game = open_table("Anna", "Boris", "Clara", size=4)
        url = game.get_absolute_url()
        for _ in range(2):
            assert browser(game.host).post(f"{url}cancel/").status_code == 302
        game.refresh_from_db()
        assert game.status == "cancelled"
        assert mailed("table_closed", game) == ["Boris", "Clara"]
        dora = browser(person("Dora"))
        assert "This table is closed." in text_of(dora.post(f"{url}join/", follow=True))
        page = dora.get(url)
        assert "This table is closed." in text_of(page)
        assert f"{url}join/" not in forms_of(page.content.decode())

    def test_a_game_that_has_started_can_neither_be_closed_nor_left_nor_joined(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, url = browser(game.host), game.get_absolute_url()
        assert "has started already" in text_of(anna.post(f"{url}cancel/", follow=True))
        left = anna.post(f"{url}leave/", follow=True)
        assert "Only a table that waits for players can be left." in text_of(left)
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("running", 3)

    def test_a_get_never_acts(self):
        game = open_table("Anna", "Boris", size=4)
        for act in POSTS:
            url = f"{game.get_absolute_url()}{act}/"
            for reader in (browser(game.host), browser(person(f"Reader {act}"))):
                assert reader.get(url).status_code == 405
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("waiting", 2)

    @pytest.mark.parametrize("act", POSTS)
    def test_who_is_not_signed_in_any_more_comes_back_to_the_table(self, act, client):
        game = open_table("Anna", size=4)
        answered = client.post(f"{game.get_absolute_url()}{act}/")
        assert answered["Location"] == f"/accounts/login/?next={game.get_absolute_url()}"
        assert game.seats.count() == 1

    @pytest.mark.parametrize("act", POSTS)
    def test_a_table_that_does_not_exist_is_not_found(self, act):
        anna = browser(person("Anna"))
        for token in ("no-such-table", "%00", "%C3%A9"):
            assert anna.post(f"/tables/{token}/{act}/").status_code == 404
            assert anna.get(f"/tables/{token}/").status_code == 404


class TestTheStart:
    def test_without_house_players_the_host_cannot_start_alone(self):
        game = open_table("Anna", "Boris", size=4, house_players_allowed=False)
        anna, url = browser(game.host), game.get_absolute_url()
        assert f"{url}start/" not in forms_of(anna.get(url).content.decode())
        page = anna.post(f"{url}start/", {"house_player": "default"}, follow=True)
        assert "This table plays without house players" in text_of(page)
        game.refresh_from_db()
        assert game.status == "waiting"

    @pytest.mark.parametrize("house_player", ["", "wizard", "\0"])
    def test_an_unknown_house_player_is_refused(self, house_player):
        game = open_table("Anna", size=3)
        url = game.get_absolute_url()
        answered = browser(game.host).post(f"{url}start/", {"house_player": house_player})
        assert answered["Location"] == url
        game.refresh_from_db()
        assert game.status == "waiting"

    def test_everybody_sits_with_their_days_off_from_the_start_on(self):
        game = open_table("Anna", "Boris", "Clara", days_off=12)
        sittings = Sitting.objects.filter(seat__game=game)
        assert sorted(sittings.values_list("user__name", "began_at", "ended_at")) == [
            (name, MONDAY, None) for name in ("Anna", "Boris", "Clara")
        ]
        assert set(game.seats.values_list("days_off_left", flat=True)) == {12}
        assert mailed("game_started", game) == ["Anna", "Boris", "Clara"]

    def test_house_players_have_no_sitting(self):
        game = open_table("Anna", size=3)
        lobby.start_with_house_players(
            game_id=game.pk, user=game.host, house_player="default", now=MONDAY
        )
        assert Sitting.objects.get().user == game.host

    def test_the_stored_seed_draws_the_seats_and_the_first_player(self):
        names = ("Anna", "Boris", "Clara")
        people = [person(name) for name in names]
        drawn = []
        for _ in range(2):
            settings = table_settings(size=3)
            game = lobby.open_table(host=people[0], settings=settings, now=MONDAY)
            Game.objects.filter(pk=game.pk).update(seed=20260302)
            for user in people[1:]:
                lobby.join(game_id=game.pk, user=user, now=MONDAY)
            [first] = awaited_seats(game)
            drawn.append([*game.seats.values_list("user__name", flat=True), first.user.name])
        assert drawn[0] == drawn[1]
        assert sorted(drawn[0][:3]) == list(names)


class TestOldTables:
    def test_they_close_after_14_days_and_everybody_is_told_once(self):
        game = open_table("Anna", "Boris", size=4)
        running = open_table("Clara", "Dora", "Emil")
        assert lobby.close_old_tables(MONDAY + 14 * DAY - HOUR) == 0
        assert lobby.close_old_tables(MONDAY + 14 * DAY) == 1
        assert lobby.close_old_tables(MONDAY + 15 * DAY) == 0
        game.refresh_from_db()
        running.refresh_from_db()
        assert (game.status, running.status) == ("cancelled", "running")
        assert mailed("table_closed", game) == ["Anna", "Boris"]
        assert mailed("table_closed", running) == []


class TestLists:
    def test_listed_tables_are_found_by_those_who_do_not_sit_there(self):
        listed = open_table("Anna", "Boris", size=4, name="Rialto", listed=True)
        open_table("Clara", size=4, name="Murano")
        open_table("Dora", "Emil", "Fanny", name="Lido", listed=True)
        closed = open_table("Gustav", size=3, name="Burano", listed=True)
        lobby.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
        zoe = browser(person("Zoe"))
        page = text_of(zoe.get("/tables/"))
        assert "Rialto" in page
        assert "24 hours for an answer" in page
        assert "2 of 4 seats free" in page
        for hidden in ("Murano", "Lido", "Burano"):
            assert hidden not in page
        assert "Open tables (1)" in text_of(zoe.get("/"))
        assert "Rialto" not in text_of(browser(listed.host).get("/tables/"))

    def test_the_list_is_for_those_who_are_signed_in(self, client):
        assert client.get("/tables/")["Location"] == "/accounts/login/?next=/tables/"

    def test_the_list_needs_as_many_queries_for_many_tables(self, django_assert_max_num_queries):
        for number in range(6):
            open_table(f"Host {number}", size=3, listed=True)
        zoe = browser(person("Zoe"))
        with django_assert_max_num_queries(11):
            assert text_of(zoe.get("/tables/")).count("2 of 3 seats free") == 6


class TestHome:
    def test_what_is_needed_comes_first_by_the_nearest_deadline(self):
        anna = person("Anna", time_zone="Europe/Vienna")
        for name, hours in (("Later", 48), ("Sooner", 24)):
            self.a_game_that_waits_for(anna, name, hours * HOUR)
        waiting = lobby.open_table(host=anna, settings=table_settings(name="Unstarted"), now=MONDAY)
        page = text_of(browser(anna).get("/"))
        words = [
            "You are awaited (2)",
            "Sooner ",
            "until Tue 3 Mar, 10:00 (Europe/Vienna)",
            "Later ",
            "until Wed 4 Mar, 10:00 (Europe/Vienna)",
            "Waiting for players (1)",
            "Unstarted 1 of 4 seats taken",
        ]
        places = [page.index(word) for word in words]
        assert places == sorted(places)
        assert waiting.status == "waiting"

    def a_game_that_waits_for(self, user, name, answer_time):
        settings = table_settings(name=name, answer_time=answer_time)
        game = lobby.open_table(host=user, settings=settings, now=MONDAY)
        lobby.start_with_house_players(
            game_id=game.pk, user=user, house_player="default", now=MONDAY
        )
        assert [seat.user for seat in awaited_seats(game)] == [user]

    def test_games_of_others_and_closed_tables_are_not_on_it(self):
        open_table("Boris", "Clara", "Dora", name="Lido")
        closed = open_table("Anna", size=3, name="Burano")
        lobby.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
        page = text_of(browser(closed.host).get("/"))
        assert "You sit at no table yet." in page
        assert "Lido" not in page
        assert "Burano" not in page

    def test_running_and_finished_games_stand_below(self):
        game = open_table("Anna", "Boris", "Clara", name="Lido", options={"rounds": 2})
        [seat] = awaited_seats(game)
        other = game.seats.exclude(pk=seat.pk).first().user
        assert "Others are awaited (1) Lido" in text_of(browser(other).get("/"))
        while awaited_seats(game):
            answer(game, awaited_seats(game)[0].user, MONDAY)
        assert "Finished (1) Lido" in text_of(browser(other).get("/"))

    def test_it_needs_as_many_queries_for_many_games(self, django_assert_max_num_queries):
        anna = person("Anna")
        for _ in range(3):
            lobby.open_table(host=anna, settings=table_settings(), now=MONDAY)
        reader = browser(anna)
        Client().get("/rules/")  # from now on the process remembers how the site stands
        with django_assert_max_num_queries(15):
            reader.get("/")


@pytest.mark.parametrize(
    ("pace", "told"),
    [
        ((86400, [], None, "UTC"), "24 hours for an answer"),
        ((3600, [], None, "UTC"), "1 hour for an answer"),
        ((2 * 86400, [], None, "UTC"), "2 days for an answer"),
        ((36 * 3600, [], None, "UTC"), "36 hours for an answer"),
        ((300, [], None, "UTC"), "5 minutes for an answer"),
        ((90, [], None, "UTC"), "90 seconds for an answer"),
        ((86400, [6], None, "Asia/Tokyo"), "24 hours for an answer, not on Sunday (Asia/Tokyo)"),
        (
            (86400, [6, 5, 0], 9, "UTC"),
            "24 hours for an answer, not on Monday, Saturday and Sunday, deadlines at 09:00 UTC",
        ),
    ],
)
def test_the_pace_in_words(pace, told):
    assert pace_told(*pace) == told


@time_machine.travel(MONDAY, tick=False)
def test_a_table_of_tonight_is_open_for_a_fortnight():
    anna = browser(person("Anna"))
    anna.post("/tables/new/", opening_form(anna))
    assert lobby.close_old_tables(MONDAY + 13 * DAY) == 0
    assert lobby.close_old_tables(MONDAY + 14 * DAY) == 1
