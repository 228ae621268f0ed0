"""The history of a game: past states, the log, and the pages that step through it."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.html import escape

from games.engine import Bribe, view
from games.models import Game, User
from games.services.chat import messages
from games.services.game import seats
from games.services.game.queries.history import read_step, read_turns
from games.services.game.queries.log import LogLine, LogTurn, latest_turns
from games.services.game.replay import event_rows, state_at, states
from games.services.moderation.actions import timing
from tests.support.client import browser, html_of, person
from tests.support.moderators import request_of_nora
from tests.support.tables import MONDAY, long_game, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db


def play_on(game: Game, answers: int) -> None:
    """Default moves, as many as wanted, until the game is over."""
    for _ in range(answers):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            return
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()


@pytest.mark.full
def test_the_events_lead_through_every_state_to_the_present_one():
    game = open_table("Anna", "Boris", "Clara")
    seen = {}
    for _ in range(12):
        play_on(game, 1)
        seen[event_rows(game)[-1].seq] = game.decoded()
    rows = event_rows(game)
    moments = {moment.seq: moment.state for moment in states(rows)}
    assert list(moments) == [row.seq for row in rows]
    assert {seq: moments[seq] for seq in seen} == seen
    assert all(state_at(rows, seq) == state for seq, state in seen.items())
    assert state_at(rows, 0) == state_at(rows, 1)
    assert state_at(rows, 10_000) == game.decoded()


def page_of(client, game, path=""):
    """A page of the table, which has to be there."""
    response = client.get(f"{game.get_absolute_url()}{path}")
    assert response.status_code == 200, path
    return html_of(response)


def links_to_steps(html):
    """The numbers of the events to whose steps a page links, in its order, each once."""
    return list(dict.fromkeys(int(seq) for seq in re.findall(r"/history/(\d+)/", html)))


def ways(html):
    """Where first, back, forward and last lead."""
    found = re.findall(r'<a class="button[^"]*" rel="(\w+)" href="[^"]*/history/(\d+)/"', html)
    return {way: int(seq) for way, seq in found}


@pytest.mark.full
def test_every_line_of_the_whole_log_leads_to_its_step():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 6)
    anna = browser(seat_of(game, "Anna").user)
    steps = sorted(links_to_steps(page_of(anna, game, "history/")))
    text = [line.seq for turn in read_turns(game, None, "UTC") for line in turn.lines]
    assert set(text) < set(steps)  # the headings are steps too
    rows = {row.seq: row for row in event_rows(game)}
    assert steps[0] == 1
    assert {rows[seq].kind for seq in rows} - {rows[seq].kind for seq in steps} == set()
    silent = [seq for seq, row in rows.items() if seq not in steps]
    assert {rows[seq].kind for seq in silent} == {"StageOpened"}
    for place, seq in enumerate(steps):
        html = page_of(anna, game, f"history/{seq}/")
        expected = {}
        if place:
            expected |= {"first": 1, "prev": steps[place - 1]}
        if seq != steps[-1]:
            expected |= {"next": steps[place + 1], "last": steps[-1]}
        assert ways(html) == expected
        assert f"<b>{place + 1}</b> of {len(steps)}" in html


def test_a_step_is_described_beside_the_board_as_it_was_then_with_what_changed():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    while not game.events.filter(kind="ScholarHired").exists():
        play_on(game, 1)
    hired = game.events.filter(kind="ScholarHired").first()
    reading = read_step(game, anna, "UTC", hired.seq)
    assert re.match("(You hire|Boris hires|Clara hires) ", reading.line.text)
    html = page_of(browser(anna), game, f"history/{hired.seq}/")
    assert re.search("<h1>(.*?)</h1>", html)[1] == escape(reading.line.text)
    owner, area = hired.payload["palace"], str(hired.payload["area"])
    changed = [
        (seat, area.key)
        for seat, palace in enumerate(reading.board.palaces)
        for area in palace.areas
        if area.fresh
    ]
    assert changed == [(owner, area)]
    assert html.count('aria-current="step"') == 1


@pytest.mark.full
def test_a_step_says_by_which_number_the_chat_links_to_it():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 12)
    anna = browser(seat_of(game, "Anna").user)
    page = page_of(anna, game, "history/4/")
    assert "write #4 in the chat" in page
    dora = person("Dora")  # nobody writes there without a seat
    assert "history/4/" in page_of(browser(dora), game, "history/")
    assert "in the chat to link" not in page_of(browser(dora), game, "history/4/")


@pytest.mark.full
def test_without_a_chat_no_step_says_how_to_link_to_it():
    game = open_table("Anna", "Boris", "Clara", press="none")
    play_on(game, 12)
    anna = browser(seat_of(game, "Anna").user)
    assert "in the chat to link" not in page_of(anna, game, "history/4/")


@pytest.mark.full
def test_a_silent_event_shows_the_step_before_it_and_there_is_none_outside_the_game():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 12)
    silent = game.events.get(seq=3)
    assert silent.kind == "StageOpened"
    reading = read_step(game, None, "UTC", 3)
    assert reading.line.seq == 2
    anna = browser(seat_of(game, "Anna").user)
    last = event_rows(game)[-1].seq
    for seq in (0, last + 1, 99_999_999):
        assert anna.get(f"{game.get_absolute_url()}history/{seq}/").status_code == 404


@pytest.mark.full
def test_the_last_step_is_the_position_at_present():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 12)
    anna = seat_of(game, "Anna").user
    now = view(game.decoded(), seat_of(game, "Anna").number)
    seen = read_step(game, anna, "UTC", event_rows(game)[-1].seq).view
    assert seen == now._replace(to_move=(), choice=None, default=None, defaults=())


@pytest.mark.full
def test_the_slider_leads_to_the_step_with_its_number():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 12)
    anna = browser(seat_of(game, "Anna").user)
    address = f"{game.get_absolute_url()}history/"
    steps = sorted(links_to_steps(page_of(anna, game, "history/")))
    asked = {"1": steps[0], "5": steps[4], "0": steps[0], "99999": steps[-1]}
    for chosen, seq in asked.items():
        assert anna.get(address, {"step": chosen})["Location"] == f"{address}{seq}/"
    for nonsense in ("", "-1", "x", "1e3", "9" * 30):
        assert anna.get(address, {"step": nonsense}).status_code == 200


@pytest.mark.full
def test_no_past_state_shows_what_is_secret_while_the_game_goes_on():
    """Anna has handed in 13,000, sealed, and nobody sees more money than their own."""
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    anna, number = seat_of(game, "Anna").user, seat_of(game, "Anna").number
    while len(seats_to_move(game)) < 2 or anna not in [seat.user for seat in seats_to_move(game)]:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    own = [scholar for scholar in game.decoded().contenders if scholar.owner == number]
    bribes = tuple((scholar, 1000 if place else 13_000) for place, scholar in enumerate(own))
    submit_move(game, anna, MONDAY, Bribe(bribes))
    last = event_rows(game)[-1].seq
    pages = ["", "history/", *(f"history/{seq}/" for seq in range(last - 5, last + 1))]
    assert "13,000" in "".join(page_of(browser(anna), game, page) for page in pages)
    for reader in (seat_of(game, "Boris").user, person("Zoe")):
        for page in pages:
            html = page_of(browser(reader), game, page)
            assert "13,000" not in html
            assert "13000" not in html


@pytest.mark.full
def test_a_past_state_holds_what_its_seat_could_see_and_no_decision():
    game = open_table("Anna", "Boris", "Clara", options={"bribing": "simultaneous"})
    play_on(game, 14)
    assert game.events.filter(kind="BribesSealed").count() > 2
    for name in ("Anna", None):
        user = seat_of(game, name).user if name else None
        seats = [seat_of(game, name).number] if name else []
        for seq in range(1, event_rows(game)[-1].seq + 1):
            seen = read_step(game, user, "UTC", seq).view
            assert [seat for seat, cash in enumerate(seen.cash) if cash is not None] == seats
            assert {scholar.owner for scholar, _amount in seen.own_sealed} <= set(seats)
            assert (seen.choice, seen.default, seen.defaults) == (None, None, ())


@pytest.mark.full
def test_the_money_of_every_step_is_shown_when_the_game_is_over():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 2})
    play_on(game, 1000)
    rows = event_rows(game)
    for seq in (1, 9, rows[-1].seq // 2, rows[-1].seq):
        seen = read_step(game, None, "UTC", seq)
        assert seen.view.cash == state_at(rows, seen.line.seq).cash
    assert seen.view.cash == game.decoded().cash != (32_000,) * 3


@pytest.mark.full
def test_a_finished_game_is_shown_to_anyone_who_has_its_link_but_not_the_chat():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 2})
    anna = seat_of(game, "Anna").user
    messages.say(
        game_id=game.pk, user=anna, text="Nobody is to read this.", token=uuid4(), now=MONDAY
    )
    stranger = Client()
    pages = ("", "history/", "history/1/", "charts/", "record/")
    for page in pages:
        address = f"{game.get_absolute_url()}{page}"
        assert stranger.get(address)["Location"] == f"/accounts/login/?next={address}"
    play_on(game, 1000)
    for page in pages:
        response = stranger.get(f"{game.get_absolute_url()}{page}")
        assert response.status_code == 200
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["Cache-Control"] == "public, max-age=15"
        assert "Nobody is to read this." not in response.content.decode()
        assert "example.org" not in response.content.decode()
    assert "Nobody is to read this." in page_of(browser(anna), game)
    assert stranger.get(f"{game.get_absolute_url()}talk/").status_code == 302
    assert stranger.post(f"{game.get_absolute_url()}history/").status_code == 405


def test_an_unknown_or_waiting_table_looks_to_strangers_like_a_running_one():
    waiting = open_table("Anna", size=3)
    for address in (waiting.get_absolute_url(), "/tables/nothing-here/"):
        for page in ("", "history/", "charts/"):
            response = Client().get(f"{address}{page}")
            if address == waiting.get_absolute_url() and not page:
                assert "invited to a game" in response.content.decode()  # whoever has its link is
                continue
            assert response["Location"] == f"/accounts/login/?next={address}{page}"
    anna = browser(seat_of(waiting, "Anna").user)
    assert anna.get(f"{waiting.get_absolute_url()}history/").status_code == 404


@pytest.mark.full
def test_the_page_of_a_game_shows_the_latest_turn_and_no_more_of_400_events():
    game = long_game("Anna", "Boris")
    html = page_of(browser(seat_of(game, "Anna").user), game)
    log = html[html.index('id="log"') : html.index("The full log, step by step")]
    assert 1 <= log.count("<li ") <= 30
    assert 1 <= log.count("<h3>") <= 2


@pytest.mark.full
def test_what_is_new_since_the_last_visit_is_marked_with_a_word():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    client = browser(anna)
    assert '<span class="mark new">' not in page_of(client, game)  # the first visit: all is new
    seen = event_rows(game)[-1].seq
    play_on(game, 9)
    fresh = [
        line.seq for turn in read_turns(game, anna, "UTC") for line in turn.lines if line.seq > seen
    ]
    html = page_of(client, game)
    log = html[html.index('id="log"') : html.index("The full log, step by step")]
    assert log.count('<span class="mark new">new</span>') == len(fresh) > 3
    assert set(fresh) <= set(links_to_steps(log))
    assert '<span class="mark new">' not in page_of(client, game)


def test_of_much_that_is_new_the_latest_lines_are_shown():
    lines = [LogLine(seq, f"line {seq}", "", "", "", "", "", fresh=seq > 10) for seq in range(60)]
    log = [LogTurn(None, lines[40:]), LogTurn(None, lines[8:40]), LogTurn(None, lines[:8])]
    shown = latest_turns(log)
    assert [[line.seq for line in turn.lines] for turn in shown] == [
        list(range(40, 60)),
        list(range(30, 40)),
    ]
    assert [len(turn.lines) for turn in latest_turns(log, 5)] == [5]


def test_of_old_turns_so_much_is_shown_that_there_are_ten_lines():
    lines = [LogLine(seq, f"line {seq}", "", "", "", "", "", fresh=False) for seq in range(20)]
    turns = [lines[20:], lines[16:20], lines[13:16], lines[6:13], lines[:6]]
    shown = latest_turns([LogTurn(None, turn) for turn in turns])
    assert [[line.seq for line in turn.lines] for turn in shown] == [
        [],
        [16, 17, 18, 19],
        [13, 14, 15],
        [10, 11, 12],
    ]


@pytest.mark.full
def test_the_last_full_turn_is_on_the_page_also_after_a_reload():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 6)
    anna = seat_of(game, "Anna").user
    while len(read_turns(game, anna, "UTC")[-1].lines) > 1:
        play_on(game, 1)  # up to the very beginning of a turn
    [*_earlier, last, _present] = read_turns(game, anna, "UTC")
    wanted = [line.text for line in last.lines]
    assert any(" send" in text for text in wanted)
    client = browser(anna)
    for _look in range(3):
        log = (
            page_of(client, game)
            .partition('id="log"')[2]
            .partition("The full log, step by step")[0]
        )
        assert [text for text in wanted if escape(text) not in log] == []


def test_a_leaver_is_called_by_their_name_in_the_steps_before_the_substitute():
    game = open_table("Anna", "Boris", "Clara")
    play_on(game, 3)
    number = seat_of(game, "Boris").number
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Boris").user, now=MONDAY)
    dora = person("Dora")
    seats.take_over(game_id=game.pk, number=number, user=dora, now=MONDAY)
    sat = game.events.get(kind="SubstituteSat").seq
    assert read_step(game, None, "UTC", sat - 1).board.palaces[number].owner == "Boris"
    assert read_step(game, None, "UTC", sat).board.palaces[number].owner == "Dora"


@pytest.mark.full
def test_the_page_of_a_finished_game_begins_with_the_result_and_leads_on():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 2})
    play_on(game, 1000)
    html = page_of(Client(), game)
    result = html[html.index('class="decision card"') : html.index("</section>")]
    cash = sorted(game.decoded().cash, reverse=True)
    assert re.findall("<b>(.*?)</b>", result) == [f"{amount:,}" for amount in cash]
    address = game.get_absolute_url()
    for page in ("charts/", "history/1/", "record/"):
        assert f'href="{address}{page}"' in result
    assert f">http://testserver{address}</a>" in result
    assert "Rematch" not in result
    assert "Rematch" in page_of(browser(seat_of(game, "Anna").user), game)


@pytest.mark.full
def test_the_pages_of_a_finished_game_need_few_queries(django_assert_max_num_queries):
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 2})
    play_on(game, 1000)
    anna = browser(seat_of(game, "Anna").user)
    page_of(anna, game)  # the first of a day also writes the session and the visit
    for page in ("", "history/", "history/9/", "charts/"):
        for reader in (anna, Client()):
            with django_assert_max_num_queries(15):
                page_of(reader, game, page)


@pytest.mark.full
def test_sentences_show_instants_on_the_readers_clock():
    game = open_table("Anna", "Boris", "Clara")
    timing.pause(request_of_nora(game), until=MONDAY + timedelta(days=7))
    anna = seat_of(game, "Anna").user
    User.objects.filter(pk=anna.pk).update(time_zone="Europe/Vienna")
    on_page = escape("The game is paused until Mon 9 Mar, 10:00 (Europe/Vienna).")
    in_log = page_of(browser(anna), game, "history/")
    assert on_page in in_log
    assert on_page in page_of(browser(anna), game)
    spectators = page_of(browser(person("Zoe")), game, "history/")
    assert "The game is paused until Mon 9 Mar, 09:00 (UTC)." in spectators
