"""The end of a game: who won, when it turned, who kept their word; and moments to remember."""

import re
from datetime import date

import pytest
from django.test import Client

from games.engine import Scholar, view
from games.engine.events import ScholarHired, ScholarKept, TurnBegan
from games.engine.state import make_table
from games.models import Game, User
from games.presentation.log.story import decisive
from games.presentation.text.words import People
from games.services.game import seats
from games.services.game.queries import ending
from games.services.game.replay import event_rows, states
from tests.game.test_promise_counts import play_to_the_end, promised
from tests.support.client import browser, html_of, text_of
from tests.support.promising import bribed, bribing_table, moves, placed, sitter
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db


def finished(seed: int) -> Game:
    game = open_table("Anna", "Boris", "Clara", seed=seed, options={"rounds": 3})
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    return game


def page_of(game: Game, reader=None) -> str:
    User.objects.update(named_to_strangers=True)
    client = Client() if reader is None else browser(reader)
    return html_of(client.get(game.get_absolute_url()))


TURNED = re.compile(
    r"The turning point: (\w+) took the lead in round (\d) and kept it to the end\. "
    r'<a href="[^"]+/history/(\d+)/">See the moment</a>'
)


def leads(seat: int, cash: tuple[int, ...]) -> bool:
    return sorted(cash)[-2] < cash[seat] == max(cash)


@pytest.mark.long(after=2)
@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 7))
def test_the_turning_point_is_where_the_winner_took_the_lead_for_good(seed):
    game = finished(seed)
    winners = view(game.decoded(), None).winners
    assert len(winners) == 1
    found = TURNED.search(page_of(game))
    name, round_, seq = found.groups()
    assert seat_of(game, name).number == winners[0]
    assert (
        browser(seat_of(game, "Anna").user)
        .get(f"{game.get_absolute_url()}history/{seq}/")
        .status_code
        == 200
    )
    before = [one.state for one in states(event_rows(game)) if one.seq < int(seq)]
    after = [one.state for one in states(event_rows(game)) if one.seq >= int(seq)]
    assert not leads(winners[0], before[-1].cash)
    assert all(leads(winners[0], state.cash) for state in after)
    assert after[0].round == int(round_)


@pytest.mark.parametrize(
    ("round_", "reader", "told"),
    [
        (4, None, "The turning point: Anna took the lead in round 4 and kept it to the end."),
        (4, 0, "The turning point: you took the lead in round 4 and kept it to the end."),
        (5, 1, "The game was decided in the last round, when Anna took the lead."),
        (5, 0, "The game was decided in the last round, when you took the lead."),
    ],
)
def test_a_lead_taken_in_the_last_round_is_no_turning_point(round_, reader, told):
    table = make_table("mayfair-2005", {}, ("red", "yellow", "green"), "red")
    people = People(table, ["Anna", "Boris", "Clara"], reader=reader)
    assert ending.turning_point(7, round_, people, 0) == told


@pytest.mark.full
def test_whoever_won_reads_what_to_do_next_below_the_ranking():
    """The rematch, the charts and the replay come before awards, promises and careers."""
    page = page_of(finished(1), seat_of(Game.objects.get(), "Anna").user)
    parts = ('class="ranking"', "Rematch", "The game in charts", "Replay step by step")
    below = ('class="awards"', 'class="careers"', 'class="share"')
    places = [page.index(part) for part in (*parts, *below) if part in page]
    assert places == sorted(places)
    assert len(places) >= 6


@pytest.mark.full
def test_the_winners_crest_stands_above_the_result():
    game = finished(1)
    page = page_of(game)
    victory = page.split('class="victory"')[1].split("</div>")[0]
    winners = view(game.decoded(), None).winners
    crests = [game.seats.get(number=seat).user.shown_crest for seat in winners]
    assert re.findall(r"/crests/([\w-]+)\.svg", victory) == crests


def test_a_running_game_has_no_ending():
    game = open_table("Anna", "Boris", "Clara")
    assert 'class="victory"' not in page_of(game, seat_of(game, "Anna").user)


@pytest.mark.full
def test_it_names_players_who_kept_and_broke_their_word():
    game = bribing_table()
    owner, _other = promised(game)
    moves(game, bribed(game), placed(game, 10000, 1000))
    play_to_the_end(game)
    text = text_of(browser(sitter(game, owner)).get(game.get_absolute_url()))
    assert f"Promises Player Kept Broken {sitter(game, owner).name} 1 0" in text
    assert "Rematch" in text
    assert "Open a table" in text


class TestMomentsToRemember:
    @pytest.fixture
    def people(self):
        game = open_table("Anna", "Boris", "Clara")
        return People(game.decoded().table, ["Anna", "Boris", "Clara"])

    def test_a_hire_is_a_fight_won_only_against_a_rival_of_the_same_occupation(self, people):
        own, rival = Scholar(0, 1, 1), Scholar(2, 1, 1)
        hired = ScholarHired(1, own, 6000)
        assert decisive(people._replace(among=(own, rival)), hired) == "fight won"
        assert decisive(people._replace(among=(own,)), hired) == ""
        twin, other = Scholar(0, 1, 2), Scholar(2, 3, 1)
        assert decisive(people._replace(among=(own, twin, other)), hired) == ""

    def test_a_resident_who_stays_against_an_attack_has_won_a_fight(self, people):
        resident, attacker = Scholar(0, 1, 1), Scholar(2, 1, 1)
        kept = ScholarKept(1, resident, 6000)
        assert decisive(people._replace(among=(resident, attacker)), kept) == "fight won"

    def test_the_last_round_is_mentioned_once(self, people):
        rounds, first = people.table.edition.rounds, people.table.first
        told = {
            (number, seat): decisive(people, TurnBegan(number, seat))
            for number in (1, rounds)
            for seat in range(3)
        }
        assert {turn for turn, text in told.items() if text} == {(rounds, first)}
        assert told[rounds, first] == "last round"

    @pytest.mark.full
    def test_they_are_marked_in_the_log(self):
        game = finished(1)
        page = browser(seat_of(game, "Anna").user).get(f"{game.get_absolute_url()}history/")
        marks = re.findall(r'class="mark decisive">([^<]+)<', page.content.decode())
        assert marks.count("last round") == 1
        assert "fight won" in marks


@pytest.mark.full
def test_the_page_of_a_finished_game_begins_with_the_outcome_and_what_to_look_at():
    game = finished(1)
    anna = seat_of(game, "Anna").user
    page = page_of(game, anna)
    url = game.get_absolute_url()
    parts = ('class="victory"', 'class="ranking"', f"{url}again/", f"{url}charts/", 'class="share"')
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert 'id="promises"' not in page
    assert f"{url}promises/" not in page


@pytest.mark.full
def test_the_page_of_a_finished_game_has_no_deadlines_but_their_log():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 3})
    day = date(2027, 3, 4)
    seats.announce_days_off(
        game_id=game.pk, user=seat_of(game, "Anna").user, first_day=day, last_day=day, now=MONDAY
    )
    assert "off 4 Mar" in page_of(game, seat_of(game, "Boris").user)
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    page = page_of(game, seat_of(game, "Boris").user)
    for gone in ("time-left", 'class="until"', "off 4 Mar"):
        assert gone not in page
    settings = page.partition("<summary>Table settings</summary>")[2]
    assert page.count(f"{game.get_absolute_url()}deadlines/") == 1
    assert f"{game.get_absolute_url()}deadlines/" in settings


@pytest.mark.full
def test_the_page_of_a_finished_game_leads_to_the_ledger_of_promises():
    game = bribing_table(options={"rounds": 3})
    promised(game)
    play_to_the_end(game)
    page = page_of(game)
    ledger = page.index(f"{game.get_absolute_url()}promises/")
    assert page.index("The game in charts") < page.index('class="careers"') < ledger
