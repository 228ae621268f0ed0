"""Finding tables: open ones, games to watch, finished ones; and what a new table begins with."""

import re
from datetime import timedelta

import pytest

from games.engine import EDITIONS
from games.forms.presets import PRESETS
from games.forms.table import TableForm
from games.models import Block, Game
from games.services.lobby import lists
from games.services.lobby.queries import settings_text
from games.services.lobby.wanted import Pace, Wanted
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.moderators import marta_acts_on
from tests.support.sanctions import in_days
from tests.support.tables import MONDAY, alone, open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db


def finish(game: Game) -> Game:
    while game.status != Game.Status.FINISHED:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    return game


def names(games: list) -> list[str]:
    return [line.game.name for line in games]


def test_an_open_table_says_who_opened_it_and_who_sits_there():
    game = open_table("Anna", "Boris", size=4, listed=True)
    [line] = lists.open_tables(person("Zoe"), Wanted(), MONDAY)
    assert [(one.name, one.is_host) for one in line.seated] == [("Anna", True), ("Boris", False)]
    assert line.free == 2
    page = browser(person("Yves")).get("/tables/")
    assert "Seated: Anna (host), Boris" in text_of(page)
    assert all(seat.user.shown_crest in page.content.decode() for seat in game.seats.all())
    assert game.name in text_of(page)


def test_tables_are_found_by_the_language_of_the_chat_and_those_of_any_language_always():
    for name, language in (("Anna", "de"), ("Boris", "ru"), ("Clara", "")):
        open_table(name, size=4, listed=True, name=f"At {name}'s", language=language)
    client = browser(person("Zoe"))
    page = text_of(client.get("/tables/", {"language": "de"}))
    assert [name for name in ("Anna", "Boris", "Clara") if f"At {name}'s" in page] == [
        "Anna", "Clara"
    ]  # fmt: skip
    table = Game.objects.get(language="de")
    assert "Language of the chat: German." in text_of(client.get(table.get_absolute_url()))


def test_a_new_table_is_in_the_language_of_its_hosts_pages_unless_the_host_says_otherwise():
    client = browser(person("Anna", language="de"))
    page = client.get("/tables/new/").content.decode()
    assert re.search(r'<option value="de" selected>', page)


@pytest.mark.parametrize("list_of", ["/tables/", "/tables/watch/", "/tables/finished/"])
def test_an_empty_list_leads_on(list_of):
    page = browser(person("Anna")).get(list_of).content.decode()
    assert 'class="card empty"' in page


@pytest.mark.full
def test_the_list_leads_to_the_settings_and_from_there_one_takes_a_seat():
    game, other = (open_table(name, size=4, listed=True) for name in ("Anna", "Boris"))
    zoe = browser(person("Zoe"))
    shown = zoe.get("/tables/").content.decode()
    for one in (game, other):
        assert f'href="{one.get_absolute_url()}#settings"' in shown
    assert not any("join/" in action for action in forms_of(shown))
    page = zoe.get(game.get_absolute_url())
    for sentence in [*settings_text(game), "A game takes about 3 weeks."]:
        assert sentence in text_of(page)
    join = f"{game.get_absolute_url()}join/"
    zoe.post(join, as_shown(forms_of(page.content.decode())[join]))
    assert game.seats.filter(user__name="Zoe").exists()
    assert f"{game.get_absolute_url()}#settings" not in zoe.get("/tables/").content.decode()


@pytest.mark.full
def test_who_is_suspended_is_offered_no_seat_in_the_list():
    open_table("Anna", size=4, listed=True)
    ursula = person("Ursula")
    marta_acts_on(ursula, "suspend", until=in_days(3))
    page = browser(ursula).get("/tables/")
    assert page.status_code == 200
    assert "Take a seat" not in text_of(page)


@pytest.mark.parametrize(
    ("hours", "pace"),
    [(0.1, Pace.EVENING), (2.9, Pace.EVENING), (3, Pace.DAILY), (30, Pace.DAILY),
     (31, Pace.RELAXED), (168, Pace.RELAXED)],
)  # fmt: skip
def test_every_pace_is_found_under_one_name(hours, pace):
    open_table("Anna", size=4, listed=True, move_time=timedelta(hours=hours))
    zoe = person("Zoe")
    found = {one: bool(lists.open_tables(zoe, Wanted(pace=one), MONDAY)) for one in Pace}
    assert found == {one: one is pace for one in Pace}


@pytest.mark.full
@pytest.mark.parametrize("edition", EDITIONS)
def test_tables_are_found_by_edition(edition):
    open_table("Anna", size=4, listed=True, edition=edition)
    client = browser(person("Zoe"))
    for asked in EDITIONS:
        page = client.get("/tables/", {"edition": asked}).content.decode()
        assert ('class="games"' in page) == (asked == edition)


@pytest.mark.parametrize("query", [{"edition": "chess"}, {"pace": "x"}, {"pace": "\x00"}])
def test_what_makes_no_sense_counts_as_any(query):
    game = open_table("Anna", size=4, listed=True)
    page = browser(person("Zoe")).get("/tables/", query)
    assert page.status_code == 200
    assert game.get_absolute_url() in page.content.decode()


def test_listed_games_can_be_watched_by_those_who_do_not_play():
    game = open_table("Anna", "Boris", "Clara", listed=True)
    open_table("Dora", "Emil", "Fritz", listed=False)
    zoe = person("Zoe")
    assert names(lists.games_to_watch(zoe, Wanted())) == [game.name]
    assert lists.games_to_watch(game.host, Wanted()) == []
    page = text_of(browser(zoe).get("/tables/watch/"))
    assert "Round 1 of" in page
    assert "Boris" in page


@pytest.mark.full
def test_finished_games_say_who_has_won():
    game = finish(open_table("Anna", "Boris", "Clara", listed=True))
    [line] = lists.finished_games(person("Zoe"), Wanted(), None)
    assert line.game == game
    assert line.result.endswith("won.")
    page = text_of(browser(person("Yves")).get("/tables/finished/"))
    assert line.result in page
    assert lists.games_to_watch(person("Xenia"), Wanted()) == []


@pytest.mark.full
def test_computer_players_in_lists_are_told_from_one_another():
    game = finish(alone("Anna"))
    Game.objects.filter(pk=game.pk).update(listed=True)
    [line] = lists.finished_games(person("Zoe"), Wanted(), None)
    assert len({name for _colour, name in line.players}) == game.size


@pytest.mark.full
def test_finished_games_come_page_by_page(monkeypatch):
    monkeypatch.setattr(lists, "SHOWN", 1)
    for trio in (("Anna", "Boris", "Clara"), ("Dora", "Emil", "Fritz")):
        finish(open_table(*trio, listed=True))
    client = browser(person("Zoe"))
    first = client.get("/tables/finished/").content.decode()
    [older] = [part.split('"')[0] for part in first.split('href="?')[1:]]
    second = client.get(f"/tables/finished/?{older}").content.decode()
    shown = ["Dora" in first, "Anna" in first, "Dora" in second, "Anna" in second]
    assert shown == [True, False, False, True]
    assert "Older games" not in second


@pytest.mark.full
def test_games_of_people_one_does_not_play_with_are_not_shown():
    game = finish(open_table("Anna", "Boris", "Clara", listed=True))
    zoe = person("Zoe")
    Block.objects.create(blocker=zoe, blocked=game.host, at=MONDAY)
    assert lists.finished_games(zoe, Wanted(), None) == []


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_fills_in_a_form_that_can_be_submitted_as_it_is(key):
    client = browser(person("Anna"))
    answer = client.get("/tables/new/", {"preset": key})
    page = answer.content.decode()
    assert text_of(answer).count(" chosen ") == 1
    form = as_shown(forms_of(page)[""])
    for name, value in PRESETS[key].initial.items():
        assert form[name] == str(value), name
    assert client.post("/tables/new/", form).status_code == 302
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("key", "press"), [("evening", "public"), ("day", "private"), ("", "private")]
)
def test_talking_privately_is_chosen_where_there_is_a_day_for_a_move(key, press):
    page = browser(person("Anna")).get("/tables/new/", {"preset": key})
    asked = forms_of(page.content.decode())[""]["press"]
    assert (asked.kind, asked.value) == ("radio", press)
    assert asked.options == ["private", "public", "none"]


def test_no_preset_is_the_usual_one():
    host = person("Anna")
    usual = TableForm(host=host, preset="day")
    assert {**usual.initial, "opening_token": ""} == {
        **TableForm(host=host, preset="nonsense").initial, "opening_token": "",
    }  # fmt: skip
    page = text_of(browser(host).get("/tables/new/", {"preset": "nonsense"}))
    assert "A day per move chosen Check in once a day." in page
