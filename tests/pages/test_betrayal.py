"""Whoever is betrayed learns it first: on the page, on the board, in log and recap; nobody else."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine import Bribe, Place
from games.engine.promises import Hire, PlaceIn, Promise, SendNobody
from games.models import Game, User
from games.services.email import delivery
from games.services.game import seats
from games.services.game.queries.history import read_turns
from games.services.game.queries.promise_ledger import read_ledger
from games.services.operations import clock
from tests.support.client import browser, html_of, person, text_of
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    rewound,
    rivals_table,
    sitter,
    state_of,
)
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, leave, seats_to_move, tick
from tests.support.whispering import offers_privately, replies_privately

pytestmark = pytest.mark.django_db

type Dealt = Callable[[Game, int, int, Promise], None]


def in_public(game: Game, by: int, other: int, promise: Promise) -> None:
    replies(game, other, offers(game, by, promise))


def in_private(game: Game, by: int, other: int, promise: Promise) -> None:
    replies_privately(game, other, offers_privately(game, by, promise))


def page(game: Game, user: User | None) -> str:
    """The page of the game as somebody opens it, who has then seen what it says."""
    with time_machine.travel(MONDAY, tick=False):
        client = Client() if user is None else browser(user)
        return html_of(client.get(game.get_absolute_url()))


def recap_of(html: str) -> list[str]:
    part = re.search(r'class="recap card".*?</section>', html, re.DOTALL)
    assert part
    return re.findall(r"<li[^>]*>(.*?)</li>", part[0], re.DOTALL)


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def log_of(game: Game, user: User | None) -> list[str]:
    return [line.text for turn in read_turns(game, user, "UTC") for line in turn.lines]


def betrayed(how: Dealt, **more: object) -> tuple[Game, list[int]]:
    """The second player has given the first one less than was promised, while all were away."""
    game = bribing_table(press="private", **more)
    other, owner, third = in_order(game)
    how(game, owner, other, place_for(game, TEN))
    moves(game, bribed(game))
    for seat in (other, owner, third):
        page(game, sitter(game, seat))
    moves(game, placed(game, 3000, TEN))
    return game, [other, owner, third]


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_it_comes_first_and_leads_to_the_moment(how):
    game, (other, owner, _third) = betrayed(how)
    html, name = page(game, sitter(game, other)), sitter(game, owner).name
    notice = html[html.index('class="betrayal"') : html.index('class="decision card"')]
    assert re.search(
        rf"{name} promised to hire your \w+ at a salary of at least 10,000\. "
        r"The salary was 3,000 instead\.",
        words_of(notice),
    )
    [step] = re.findall(rf'href="({game.get_absolute_url()}history/\d+/)"', notice)
    assert browser(sitter(game, other)).get(step).status_code == 200
    assert "promised" not in " ".join(recap_of(html))
    assert seals(html) == [game.colours[owner]]
    assert ("private</span>" in notice) is (how is in_private)
    [line] = [line for line in log_of(game, sitter(game, other)) if "promise." in line]
    assert re.fullmatch(
        rf"{name} promised to hire your \w+ at a salary of at least 10,000, "
        r"but broke that promise\.",
        line,
    )
    assert '#seal-broken"/></svg> betrayal' in html[html.index('class="turns"') :]


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_it_stays_on_every_device_until_the_next_move_of_whom_it_was_done_to(how):
    game, (other, owner, _third) = betrayed(how)
    own = sitter(game, other)
    phone, desk = browser(own), browser(own)
    for client in (phone, phone, desk):
        assert_warned(game, client, by=owner)
    while seats_to_move(game)[0].number != other:
        moves(game, None)
    assert_warned(game, desk, by=owner)
    moves(game, None)
    for client in (phone, desk):
        html = html_of(client.get(game.get_absolute_url()))
        assert 'class="betrayal"' not in html
        assert seals(html) == []
    assert any("broke that promise" in line for line in log_of(game, own))


def assert_warned(game: Game, client: Client, by: int) -> None:
    html = html_of(client.get(game.get_absolute_url()))
    assert html.count('class="betrayal"') == 1
    assert seals(html) == [game.colours[by]]


def seals(html: str) -> list[str]:
    """The colours of the palaces that bear a seal."""
    palaces = html.split('data-palace="')[1:]
    mark = "<title>broke a promise to you</title>"
    assert html.count(mark) == sum(mark in one.partition("</h3>")[0] for one in palaces)
    return [one.partition('"')[0] for one in palaces if mark in one]


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
@pytest.mark.parametrize("mover", ["clock", "order"])
def test_what_the_clock_or_an_order_does_for_them_hides_nothing(how, mover):
    game, (other, owner, _third) = betrayed(how)
    while seats_to_move(game)[0].number != other:
        moves(game, None)
    if mover == "clock":
        later = MONDAY + 2 * DAY
        tick(later)
        clock.sweep(now=later)
    else:
        moves(game, None)
        game.moves.filter(pk=game.moves.latest("pk").pk).update(by_order=True)
    assert game.moves.latest("pk").seat.number == other
    assert_warned(game, browser(sitter(game, other)), by=owner)


@pytest.mark.full
def test_it_is_news_to_who_moved_elsewhere_and_had_not_seen_it():
    """By email: the recap has it first."""
    game, (other, owner, _third) = betrayed(in_public)
    while seats_to_move(game)[0].number != other:
        moves(game, None)
    moves(game, None)
    html = page(game, sitter(game, other))
    assert 'class="betrayal"' not in html
    first = recap_of(html)[0]
    assert f"{sitter(game, owner).name} promised to hire your " in first
    assert '#seal-broken"/></svg> betrayal' in first
    assert "See the moment" in first


@pytest.mark.full
def test_it_was_not_done_to_a_substitute_who_came_later():
    game, (other, _owner, _third) = betrayed(in_public)
    later = MONDAY + timedelta(hours=1)
    leave(game, sitter(game, other).name, now=later)
    seats.take_over(game_id=game.pk, number=other, user=person("Nils"), now=later)
    html = page(game, User.objects.get(name="Nils"))
    assert 'class="betrayal"' not in html
    assert seals(html) == []


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_my_games_says_so_as_long(how):
    game, (other, owner, third) = betrayed(how)
    name = sitter(game, owner).name
    assert told_at_home(game, other) == [f"{name} broke a promise to you"]
    assert told_at_home(game, third) == told_at_home(game, owner) == []
    while seats_to_move(game)[0].number != other:
        moves(game, None)
    assert told_at_home(game, other) == [f"{name} broke a promise to you"]
    assert told_at_home(game, third) == told_at_home(game, owner) == []
    moves(game, None)
    game.moves.filter(pk=game.moves.latest("pk").pk).update(by_order=True)
    assert told_at_home(game, other) == [f"{name} broke a promise to you"]
    game.moves.update(by_order=False)
    assert told_at_home(game, other) == []


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_my_games_says_that_a_deadline_was_missed(how):
    """The default gives the ten to who pays most, and not as promised."""
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    how(game, owner, other, Promise(owner, other, PlaceIn(state_of(game).contenders[1], TEN, None)))
    moves(game, bribed(game))
    later = MONDAY + 2 * DAY
    tick(later)
    clock.sweep(now=later)
    name = sitter(game, owner).name
    assert told_at_home(game, other) == [
        f"{name} missed the deadline, so a promise to you wasn't kept"
    ]


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_my_games_asks_once_more_for_it_and_others_pay_nothing(how):
    game, (other, _owner, third) = betrayed(how)
    asked = {}
    for seat in (other, third):
        client = browser(sitter(game, seat))
        client.get("/")
        with CaptureQueriesContext(connection) as captured:
            client.get("/")
        asked[seat] = len(captured)
    assert asked[other] - asked[third] == 1


def told_at_home(game: Game, seat: int) -> list[str]:
    html = unescape(html_of(browser(sitter(game, seat)).get("/")))
    return [words_of(one) for one in re.findall(r'<p class="betrayal">(.*?)</p>', html)]


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_the_step_of_the_moment_says_what_was_promised(how):
    game, (other, owner, third) = betrayed(how)
    own = browser(sitter(game, other))
    html = html_of(own.get(game.get_absolute_url()))
    [step] = re.findall(r'class="betrayal".*?href="([^"#]+history/\d+/)"', html, re.DOTALL)
    header = html_of(own.get(step)).partition("</header>\n<nav")[0]
    assert re.search(
        rf"{sitter(game, owner).name} promised to hire your \w+ at a salary of at least 10,000\. "
        r"The salary was 3,000 instead\.",
        words_of(header[header.index("<h1>") :]),
    )
    for seat in (owner, third):
        assert 'class="betrayal"' not in html_of(browser(sitter(game, seat)).get(step))


@pytest.mark.full
def test_it_is_said_on_the_last_page_too():
    game, (other, owner, _third) = betrayed(in_private)
    while game.status == Game.Status.RUNNING:
        seat = seats_to_move(game)[0]
        moves(game, None)
        if seat.number == other:
            game.moves.filter(seat=seat).update(by_order=True)
    assert_warned(game, browser(sitter(game, other)), by=owner)


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_whoever_did_it_by_hand_needs_no_news_of_it(how):
    game, (_other, owner, _third) = betrayed(how)
    html = page(game, sitter(game, owner))
    assert 'class="betrayal"' not in html
    assert "<title>broke a promise to you</title>" not in html
    recap = re.search(r'class="recap card".*?</section>', html, re.DOTALL)
    assert recap is None or "broken" not in recap[0]


@pytest.mark.full
def test_a_private_one_stands_in_the_log_of_the_two_alone():
    game, (other, owner, third) = betrayed(in_private)
    for seat in (other, owner):
        lines = log_of(game, sitter(game, seat))
        assert sum("brok" in line for line in lines) == 1
    for reader in (sitter(game, third), None):
        assert not any("promise" in line for line in log_of(game, reader))
    html = page(game, sitter(game, third))
    assert "seal-broken" not in html.replace('id="seal-broken"', "")
    assert "private</span>" not in html


@pytest.mark.full
def test_its_line_has_no_address_of_its_own():
    game, (other, _owner, third) = betrayed(in_private)
    pages = [
        html_of(browser(sitter(game, seat)).get(f"{game.get_absolute_url()}history/"))
        for seat in (other, third)
    ]
    ids = [re.findall(r' id="([^"]+)"', html) for html in pages]
    assert ids[0] == ids[1]
    assert len(ids[0]) == len(set(ids[0]))
    steps = [re.findall(r"\d+ steps", words_of(html)) for html in pages]
    assert steps[0] == steps[1] != []


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private])
def test_a_rewind_takes_it_back(how):
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    how(game, owner, other, place_for(game, TEN))
    moves(game, bribed(game))
    before = game.events.latest("seq").seq
    page(game, sitter(game, other))
    moves(game, placed(game, 3000, TEN))
    rewound(game, before)
    html = page(game, sitter(game, other))
    assert 'class="betrayal"' not in html
    assert seals(html) == []
    turns = read_turns(game, sitter(game, other), "UTC")
    broken = [line for turn in turns for line in turn.lines if "broke" in line.text]
    assert [line.abandoned for line in broken] == ([True] if how is in_public else [])


@pytest.mark.full
def test_the_email_about_the_next_turn_says_so_to_the_two_alone(smtp):
    game, (other, _owner, third) = betrayed(in_private)
    for seat in (other, third):
        while seats_to_move(game)[0].number != seat:
            moves(game, None)
        delivery.drain(now=MONDAY + timedelta(hours=1))
    texts = {
        seat: [
            plain_text(mail)
            for mail in smtp.messages
            if sitter(game, seat).email in mail["To"] and "Your move" in mail["Subject"]
        ]
        for seat in (other, third)
    }
    assert re.search(r"promised to [^\n]*, but broke that promise\. \(private\)", texts[other][-1])
    assert texts[third]
    assert not any("promise" in text for text in texts[third])


@pytest.mark.full
def test_other_tables_pay_no_query_for_it():
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    in_private(game, owner, other, place_for(game, TEN))
    moves(game, bribed(game), placed(game, 3000, TEN))
    asked = []
    for seat in (other, third):
        client = browser(sitter(game, seat))
        client.get(game.get_absolute_url())
        caches["process"].clear()
        with CaptureQueriesContext(connection) as captured:
            client.get(game.get_absolute_url())
        assert len(captured) <= 16
        asked.append(
            sum("privatemessage" in one["sql"] and '"deal"' in one["sql"] for one in captured)
        )
    assert asked == [1, 0]


@pytest.mark.full
def test_what_matters_to_the_reader_is_shown_and_the_rest_is_a_number():
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    page(game, sitter(game, third))
    for _ in range(4):
        made = offers(game, owner, Promise(owner, other, SendNobody(None, 2)))
        replies(game, other, made)
    mine = offers(game, owner, Promise(owner, third, SendNobody(None, 2)))
    assert mine
    moves(game, bribed(game))
    html = page(game, sitter(game, third))
    lines = [words_of(line) for line in recap_of(html)]
    assert sum("offers you" in line for line in lines) == 1
    assert not any("accepts" in line for line in lines)
    assert "8 more events: see them step by step" in words_of(html)


@pytest.mark.full
def test_a_void_promise_says_why():
    game = bribing_table()
    other, owner, third = in_order(game)
    in_public(game, owner, other, place_for(game, TEN, 9000))
    moves(game, bribed(game))
    for seat, who in ((other, "you"), (third, sitter(game, other).name)):
        for where in ("history/", "promises/"):
            address = f"{game.get_absolute_url()}{where}"
            text = text_of(browser(sitter(game, seat)).get(address))
            assert "no longer applies" in text
            assert f"({who} paid less than 9,000)" in text


def test_a_word_kept_against_the_higher_bribe_is_honoured():
    game = rivals_table()
    first, second, third = in_order(game)
    mine = next(one for one in state_of(game).contenders if one.owner == first)
    in_public(game, third, first, Promise(third, first, Hire(mine)))
    for seat, amount in ((first, 1000), (second, 5000)):
        own = [one for one in state_of(game).contenders if one.owner == seat]
        moves(game, Bribe(tuple((one, amount) for one in own)))
    clerk = next(
        one
        for one in state_of(game).contenders
        if (one.owner, one.occupation == mine.occupation) == (second, False)
    )
    moves(game, Place(((mine, TEN), (clerk, 3000))))
    [told] = read_ledger(game, sitter(game, first)).settled
    assert (told.verdict, told.against_interest) == ("kept", True)
    html = html_of(browser(sitter(game, second)).get(f"{game.get_absolute_url()}history/"))
    assert '#seal-kept"/></svg> kept despite a higher bribe' in html
