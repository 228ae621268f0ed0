"""Tables that are opened: their settings, what is refused, the pace in words."""

from dataclasses import fields
from datetime import timedelta
from uuid import UUID

import pytest
import time_machine

from games.engine.computer_players import COMPUTER_PLAYERS
from games.forms.table import TableForm
from games.models import Game, Seat
from games.presentation.text.tables import pace_text
from games.services.lobby import tables
from games.services.lobby.settings import TableSettings, refuse_impossible, settings_of
from games.services.refused import Refused
from tests.support.client import browser, forms_of, opening_form, person, text_of
from tests.support.tables import DAY, MONDAY, open_table, table_settings

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


class TestOpening:
    def test_the_defaults_are_those_of_a_quiet_table_that_anybody_finds(self):
        anna = browser(person("Anna", time_zone="Asia/Tokyo"))
        anna.post("/tables/new/", opening_form(anna))
        game = Game.objects.get()
        assert (game.move_seconds, game.time_zone) == (24 * 3600, "Asia/Tokyo")
        assert (game.no_play_days, game.fixed_hour, game.days_off) == ([], None, 7)
        assert (game.listed, game.computer_players_allowed) == (True, True)
        assert game.press == "private"
        assert (game.absent_player, game.description, game.options) == ("default", "", {})

    @pytest.mark.full
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
            "listed": "invited",
            "computer_players_allowed": "none",
            "absent_player": "random",
            "description": "Slow and friendly.",
        }
        opened = anna.post("/tables/new/", opening_form(anna) | chosen)
        game = Game.objects.get()
        assert opened["Location"] == game.get_absolute_url()
        assert (game.name, game.edition, game.size) == ("Rialto", "russian", 5)
        assert (game.move_seconds, game.time_zone) == (2 * 86400, "Europe/Vienna")
        assert (game.no_play_days, game.fixed_hour, game.days_off) == ([5, 6], 20, 0)
        assert (game.listed, game.computer_players_allowed) == (False, False)
        assert (game.absent_player, game.description) == ("random", "Slow and friendly.")
        assert game.options == {"bribing": "simultaneous"}
        page = text_of(anna.get(game.get_absolute_url()))
        for sentence in (
            "Slow and friendly.",
            "Интрига, Russian rules, 5 seats.",
            "Bribes are submitted sealed and revealed all at once.",
            (
                "2 days per move, not counting Saturday and Sunday, with deadlines at 20:00 "
                "Europe/Vienna."
            ),
            "No days off.",
            "Unlisted: anyone with the link can join.",
            "No computer players: the game starts when the table is full.",
            "The computer player “random” plays for absent players.",
        ):
            assert sentence in page

    def test_every_setting_is_kept(self):
        settings = TableSettings(
            name="Rialto",
            edition="russian",
            size=5,
            move_time=2 * DAY,
            options={"bribing": "simultaneous"},
            time_zone="Europe/Vienna",
            no_play_days=[5, 6],
            fixed_hour=20,
            days_off=0,
            listed=True,
            computer_players_allowed=False,
            absent_player="random",
            description="Slow and friendly.",
            promises_count=False,
            talk_seconds=43200,
            press="none",
            threads_shown=True,
            threads_published=True,
            language="ru",
            least_in_time=90,
            newcomers_welcome=False,
            strangers="everyone",
        )
        for field in fields(settings):
            assert getattr(settings, field.name) not in (field.default, {})
        game = tables.open_table(host=person("Anna"), settings=settings, now=MONDAY)
        assert settings_of(Game.objects.get(pk=game.pk)) == settings

    def test_the_form_shows_every_field_once(self):
        form = TableForm(host=person("Anna"))
        shown = [*form.basic_fields(), *form.move_time_fields()]
        shown += [field for group in form.groups() for field in group.fields]
        assert sorted(field.name for field in shown) == sorted(
            field.name for field in form.visible_fields()
        )

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            (
                {"answer_number": "4", "answer_unit": "minutes"},
                "must be between 5 minutes and 7 days",
            ),
            ({"answer_number": "8", "answer_unit": "days"}, "must be between 5 minutes and 7 days"),
            ({"answer_number": "99999999999"}, "less than or equal to 10080"),
            ({"answer_number": "a while"}, "Enter a whole number."),
            (
                {"answer_number": "11", "fixed_hour": "20"},
                "A fixed hour requires at least 12 hours per move",
            ),
            (
                {"no_play_days": list("0123456")},
                "Please leave at least one day of the week for playing.",
            ),
            ({"days_off": "31"}, "less than or equal to 30"),
            ({"days_off": ""}, "This field is required."),
            ({"time_zone": "Europe/Atlantis"}, "not one of the available choices"),
            ({"fixed_hour": "24"}, "not one of the available choices"),
            ({"absent_player": "wizard"}, "not one of the available choices"),
            ({"listed": "perhaps"}, "not one of the available choices"),
            ({"size": "6"}, "not one of the available choices"),
            ({"edition": "monopoly"}, "not one of the available choices"),
            ({"rounds": "0"}, "greater than or equal to 1"),
            ({"description": "x" * 501}, "at most 500 characters"),
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

    @pytest.mark.full
    def test_a_refused_setting_is_not_folded_away(self):
        anna = browser(person("Anna"))
        assert "<details open>" not in anna.get("/tables/new/").content.decode()
        page = anna.post("/tables/new/", opening_form(anna) | {"days_off": "31"}).content.decode()
        assert page.count("<details open>") == 1
        assert "<details open><summary>Bribing and pace</summary>" in page

    def test_a_minimum_bribe_that_is_right_is_not_blamed_for_another_option(self):
        both = {"uncontested_min_bribe": 2000, "rounds": 99}
        with pytest.raises(Refused, match="These rules aren't valid"):
            refuse_impossible(table_settings(options=both))

    @pytest.mark.full
    def test_the_shortest_and_the_longest_time_can_be_had(self):
        anna = browser(person("Anna"))
        for number, unit in (("5", "minutes"), ("7", "days")):
            typed = {"answer_number": number, "answer_unit": unit}
            anna.post("/tables/new/", opening_form(anna) | typed)
        assert sorted(Game.objects.values_list("move_seconds", flat=True)) == [300, 7 * 86400]

    @pytest.mark.parametrize(
        "impossible",
        [
            {"size": 2},
            {"move_time": 8 * DAY},
            {"move_time": timedelta()},
            {"no_play_days": tuple(range(7))},
            {"no_play_days": (7,)},
            {"fixed_hour": 20, "move_time": 11 * HOUR},
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
            tables.open_table(host=anna, settings=table_settings(**impossible), now=MONDAY)
        assert not Game.objects.exists()

    def test_a_computer_player_that_may_not_play_for_the_absent_is_refused(self, monkeypatch):
        monkeypatch.setitem(COMPUTER_PLAYERS, "thinker", COMPUTER_PLAYERS["courtier"])
        anna, settings = person("Anna"), table_settings(absent_player="thinker")
        with pytest.raises(Refused, match="Please choose who plays for absent players"):
            tables.open_table(host=anna, settings=settings, now=MONDAY)

    def test_a_fixed_hour_can_be_had_from_12_hours_on(self):
        game = open_table("Anna", size=3, fixed_hour=20, move_time=12 * HOUR)
        assert game.fixed_hour == 20

    def test_the_same_post_twice_is_one_table(self):
        anna = browser(person("Anna"))
        form = opening_form(anna)
        first, second = (anna.post("/tables/new/", form) for _ in range(2))
        assert first["Location"] == second["Location"]
        assert UUID(form["opening_token"]) == Game.objects.get().opening_token
        assert Seat.objects.count() == 1


class TestThreeWaitingTables:
    @pytest.mark.full
    def test_a_fourth_is_refused_until_one_is_left(self):
        anna = browser(person("Anna"))
        for _ in range(3):
            assert anna.post("/tables/new/", opening_form(anna)).status_code == 302
        refused = anna.post("/tables/new/", opening_form(anna))
        assert refused.status_code == 422
        assert "You already have a seat at 3 tables that haven't started yet." in text_of(refused)
        boris_table = open_table("Boris", size=3)
        page = anna.post(f"{boris_table.get_absolute_url()}join/", follow=True)
        assert "Leave one of them, or wait until one starts." in text_of(page)
        assert boris_table.seats.count() == 1
        own = Game.objects.filter(host__name="Anna").first()
        anna.post(f"{own.get_absolute_url()}leave/", {"sure": "yes"})
        anna.post(f"{boris_table.get_absolute_url()}join/")
        assert boris_table.seats.count() == 2

    def test_games_that_run_do_not_count(self):
        anna = person("Anna")
        for _ in range(4):
            game = tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
            tables.start_with_computer_players(
                game_id=game.pk, user=anna, computer_player="default", now=MONDAY
            )
        assert Game.objects.filter(status="running").count() == 4


@pytest.mark.parametrize(
    ("pace", "text"),
    [
        ((86400, [], None, "UTC"), "24 hours per move"),
        ((3600, [], None, "UTC"), "1 hour per move"),
        ((2 * 86400, [], None, "UTC"), "2 days per move"),
        ((36 * 3600, [], None, "UTC"), "36 hours per move"),
        ((300, [], None, "UTC"), "5 minutes per move"),
        ((90, [], None, "UTC"), "90 seconds per move"),
        ((86400, [6], None, "Asia/Tokyo"), "24 hours per move, not counting Sunday (Asia/Tokyo)"),
        (
            (86400, [6, 5, 0], 9, "UTC"),
            (
                "24 hours per move, not counting Monday, Saturday and Sunday, with deadlines at "
                "09:00 UTC"
            ),
        ),
    ],
)
def test_the_pace_in_words(pace, text):
    assert pace_text(*pace) == text


@pytest.mark.full
@time_machine.travel(MONDAY, tick=False)
def test_a_table_of_tonight_is_open_for_a_fortnight():
    anna = browser(person("Anna"))
    anna.post("/tables/new/", opening_form(anna))
    assert tables.close_old_tables(MONDAY + 13 * DAY) == 0
    assert tables.close_old_tables(MONDAY + 14 * DAY) == 1
