"""The conversations of a table are tabs of the chat on its page."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.engine.ledger import Status
from games.models import Game, PrivateMessage, Seat, Thread, User
from games.services.chat import messages
from games.services.chat.queries import unread_counts
from games.services.game import seats
from games.services.game.queries.promises import offers_in
from games.services.people import blocks
from games.services.public_ids import public_id
from tests.support.client import (
    as_shown,
    browser,
    forms_of,
    html_of,
    person,
    text_of,
    without_what_differs,
)
from tests.support.promising import bribing_table, in_order, place_for, sitter
from tests.support.tables import MONDAY, open_table
from tests.support.whispering import entry_of, offers_privately, page_of, thread_of, whisper

pytestmark = pytest.mark.django_db

SECRET = "Let's ruin the third one."
MOST_QUERIES = 16


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def tabs_of(page) -> dict[str, str]:
    """The tabs of the chat: where each leads, by its words."""
    [nav] = re.findall(r'<nav class="conversations".*?</nav>', html_of(page), re.DOTALL) or [""]
    links = re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', nav, re.DOTALL)
    return {" ".join(re.sub(r"<[^>]+>", "", words).split()): link for link, words in links}


def shown_at(page) -> str:
    """The words of the tab whose conversation is shown."""
    [words] = re.findall(r'aria-current="true">(.*?)</a>', html_of(page), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", words).split())


def id_of_person(game: Game, seat: int) -> str:
    """What names the conversation with who sits there, before it has begun too."""
    return public_id("person", sitter(game, seat).pk)


def names(game: Game) -> list[str]:
    return [sitter(game, seat).name for seat in in_order(game)]


@pytest.mark.full
def test_the_first_private_word_is_one_tap_and_the_text(game):
    first, second, _third = in_order(game)
    client, other = browser(sitter(game, first)), sitter(game, second)
    tab = tabs_of(client.get(game.get_absolute_url()))[other.name]
    assert Thread.objects.count() == 0
    page = client.get(tab)
    assert shown_at(page) == other.name
    [say] = [form for form in forms_of(html_of(page)) if form.endswith("/say/")]
    typed = as_shown(forms_of(html_of(page))[say]) | {"talk-text": SECRET}
    answered = client.post(say, typed)
    said = PrivateMessage.objects.get()
    assert (said.text, said.thread.seats) == (SECRET, sorted((first, second)))
    assert answered["Location"] == f"{page_of(said.thread)}#chat"
    assert SECRET in text_of(browser(other).get(answered["Location"]))
    client.post(say, typed)
    assert PrivateMessage.objects.count() == 1


@pytest.mark.full
def test_there_is_a_tab_for_each_other_person_clockwise_and_for_larger_conversations(game):
    first, second, third = in_order(game)
    _anna, boris, clara = names(game)
    client = browser(sitter(game, first))
    shown = tabs_of(client.get(game.get_absolute_url()))
    assert list(shown) == ["Table", boris, clara, "+ New conversation"]
    three = whisper(game, third, first, second)
    whisper(game, first, third)
    shown = tabs_of(client.get(game.get_absolute_url()))
    assert [*list(shown)[:3], list(shown)[4]] == ["Table", boris, clara, "+ New conversation"]
    larger, address = list(shown.items())[3]
    assert set(larger.removesuffix(" (1 new)").split(" and ")) == {boris, clara}
    assert address == f"{page_of(three.thread)}#say"


@pytest.mark.full
def test_nobody_talks_to_computer_players_and_two_people_begin_no_larger_conversation(game):
    first, second, third = in_order(game)
    Seat.objects.filter(game=game, number=third).update(user=None, computer_player="courtier")
    client = browser(sitter(game, first))
    assert list(tabs_of(client.get(game.get_absolute_url()))) == [
        "Table",
        sitter(game, second).name,
    ]
    shown = html_of(client.get(f"{game.get_absolute_url()}?talk=new"))
    assert "talk-others" not in shown


@pytest.mark.full
def test_what_is_unread_is_marked_at_its_tab_and_read_there_alone(game):
    first, second, third = in_order(game)
    _anna, boris, clara = names(game)
    for author in (second, third):
        whisper(game, author, first)
    messages.say(
        game_id=game.pk, user=sitter(game, second), text="Hello", token=uuid4(), now=MONDAY
    )
    reader = sitter(game, first)
    client = browser(reader)
    talk = tabs_of(client.get(f"{game.get_absolute_url()}?talk=new"))
    assert list(talk)[:3] == ["Table (1 new)", f"{boris} (1 new)", f"{clara} (1 new)"]
    client.get(talk[f"{boris} (1 new)"])
    assert unread_counts(reader) == {game.pk: 2}
    assert list(tabs_of(client.get(game.get_absolute_url())))[1:3] == [boris, f"{clara} (1 new)"]
    assert unread_counts(reader) == {game.pk: 1}


@pytest.mark.full
def test_the_newest_message_stands_last(game):
    first, second, _third = in_order(game)
    for text in ("One", "Two"):
        made = whisper(game, first, second, text=text)
        messages.say(game_id=game.pk, user=made.author, text=text, token=uuid4(), now=MONDAY)
    client = browser(sitter(game, first))
    for address in (game.get_absolute_url(), page_of(made.thread)):
        assert re.findall('<p class="said">(.*?)</p>', html_of(client.get(address))) == [
            "One",
            "Two",
        ]


@pytest.mark.full
def test_older_messages_of_a_conversation_are_one_link_up(game):
    first, second, _third = in_order(game)
    thread = thread_of(game, first, second)
    Thread.objects.filter(pk=thread.pk).update(length=60)
    for number in range(1, 61):
        PrivateMessage.objects.create(
            thread=thread, number=number, author=sitter(game, first), seat_number=first,
            text=f"Word {number:02}.", token=uuid4(), at=MONDAY,
        )  # fmt: skip
    client = browser(sitter(game, second))
    latest = html_of(client.get(page_of(thread)))
    [older] = re.findall(r'href="([^"]+)">Older messages', latest)
    assert ("Word 11." in latest, "Word 10." in latest) == (True, False)
    page = html_of(client.get(older.replace("&amp;", "&")))
    assert ("Word 11." in page, "Word 10." in page, "Word 01." in page) == (False, True, True)
    assert f'href="{page_of(thread)}#chat">Latest messages' in page


@pytest.mark.full
def test_several_are_written_to_at_once(game):
    first, second, third = in_order(game)
    client, table = browser(sitter(game, first)), game.get_absolute_url()
    page = client.get(f"{table}?talk=new")
    assert shown_at(page) == "+ New conversation"
    form = forms_of(html_of(page))[f"{table}private/begin/"]
    others = [id_of_person(game, seat) for seat in (second, third)]
    assert form["talk-others"].options == others
    typed = as_shown(form) | {"talk-text": "We three"}
    refused = client.post(f"{table}private/begin/", typed)
    assert refused.status_code == 422
    assert "Please choose who you want to talk to." in text_of(refused)
    assert "We three" in text_of(refused)
    refused = client.post(
        f"{table}private/begin/", typed | {"talk-others": others, "talk-text": ""}
    )
    assert refused.status_code == 422
    assert html_of(refused).count("checked") >= len(others)
    assert Thread.objects.count() == 0
    answered = client.post(f"{table}private/begin/", typed | {"talk-others": others})
    [thread] = Thread.objects.all()
    assert (thread.seats, thread.messages.get().text) == ([0, 1, 2], "We three")
    assert answered["Location"] == f"{page_of(thread)}#chat"


def test_a_person_leads_to_the_conversation_also_once_it_has_begun(game):
    first, second, _third = in_order(game)
    whisper(game, second, first, text=SECRET)
    page = browser(sitter(game, first)).get(
        f"{game.get_absolute_url()}?talk={id_of_person(game, second)}"
    )
    assert SECRET in text_of(page)


def test_what_is_refused_comes_back_in_its_conversation(game):
    first, second, _third = in_order(game)
    blocks.block(user=sitter(game, second), other_id=sitter(game, first).pk, now=MONDAY)
    client = browser(sitter(game, first))
    say = f"{game.get_absolute_url()}private/{id_of_person(game, second)}/say/"
    page = client.post(say, {"talk-text": SECRET, "talk-token": str(uuid4())})
    assert page.status_code == 422
    assert shown_at(page) == sitter(game, second).name
    assert SECRET in text_of(page)
    assert "A private conversation between these players" in text_of(page)
    assert Thread.objects.count() == 0


@pytest.mark.full
def test_what_somebody_muted_has_typed_comes_back(game):
    user = sitter(game, in_order(game)[0])
    User.objects.filter(pk=user.pk).update(muted_until=timezone.now() + timedelta(days=1))
    table = game.get_absolute_url()
    others = [id_of_person(game, seat) for seat in in_order(game)[1:]]
    for place, more in ((f"{others[0]}/say/", {}), ("begin/", {"talk-others": others})):
        typed = {"talk-text": SECRET, "talk-token": str(uuid4()), **more}
        page = browser(user).post(f"{table}private/{place}", typed)
        assert page.status_code == 422
        assert "You are muted until" in text_of(page)
        assert SECRET in text_of(page)
    assert "talk-text" not in html_of(browser(user).get(f"{table}?talk={others[0]}"))
    assert Thread.objects.count() == 0


@pytest.mark.full
def test_the_first_word_to_somebody_who_has_left_reaches_nobody_else(game):
    first, second, _third = in_order(game)
    client, meant = browser(sitter(game, first)), id_of_person(game, second)
    seats.step_aside(game_id=game.pk, user=sitter(game, second), now=MONDAY)
    seats.take_over(game_id=game.pk, user=person("Nils"), number=second, now=MONDAY)
    say = f"{game.get_absolute_url()}private/{meant}/say/"
    page = client.post(say, {"talk-text": SECRET, "talk-token": str(uuid4())})
    assert page.status_code == 404
    assert SECRET in text_of(page)
    assert PrivateMessage.objects.count() == 0
    assert shown_at(page) == "Table"


@pytest.mark.full
def test_an_address_without_a_conversation_shows_the_table_chat_whether_there_is_one_or_not(game):
    first, second, third = in_order(game)
    token = whisper(game, first, second, text=SECRET).thread.token
    for reader in (sitter(game, third), person("Zoe")):
        client = browser(reader)
        pages = []
        for key in (token, "nonsense"):
            page = html_of(client.get(f"{game.get_absolute_url()}?talk={key}"))
            pages.append(without_what_differs(page).replace(key, "KEY"))
        assert pages[0] == pages[1]
        assert SECRET not in pages[0]
        answers = []
        for key in (token, "nonsense"):
            say = f"{game.get_absolute_url()}private/{key}/say/"
            answer = client.post(say, {"talk-text": "Who is there?", "talk-token": str(uuid4())})
            assert "Who is there?" in text_of(answer)
            answers.append((answer.status_code, "There is no such conversation" in text_of(answer)))
        assert answers == [(404, True), (404, True)]
    assert PrivateMessage.objects.count() == 1


@pytest.mark.full
def test_addresses_of_before_lead_to_the_tabs(game):
    first, second, _third = in_order(game)
    token, table = whisper(game, first, second).thread.token, game.get_absolute_url()
    client = browser(sitter(game, first))
    leads_to = {
        "private/": f"{table}?talk=new#chat",
        f"private/{token}/": f"{table}?talk={token}#chat",
        "private/nonsense/": f"{table}?talk=nonsense#chat",
        "talk/": f"{table}#chat",
    }
    for earlier, now in leads_to.items():
        assert client.get(f"{table}{earlier}")["Location"] == now
    assert (
        Client()
        .get(f"{table}private/{token}/", follow=True)
        .redirect_chain[-1][0]
        .startswith("/accounts/login/")
    )


@pytest.mark.full
@pytest.mark.parametrize("reply", ["accept", "decline", "withdraw"])
def test_an_open_offer_has_its_buttons_where_it_was_made(game, reply):
    first, second, _third = in_order(game)
    made = offers_privately(game, second, place_for(game))
    client = browser(sitter(game, second if reply == "withdraw" else first))
    page = html_of(client.get(page_of(made.thread)))
    lines = page[page.index('id="chat-lines"') : page.index(f'private/{made.thread.token}/say/"')]
    offer = f"offers/{public_id(offers_in(made.thread.token), made.number)}/"
    assert f"{offer}{reply}/" in lines
    address = f"{game.get_absolute_url()}{offer}{reply}/"
    answered = client.post(address, {"among": made.thread.token, "token": str(uuid4())})
    assert answered["Location"] == f"{page_of(made.thread)}#chat"
    given = {"accept": Status.ACCEPTED, "decline": Status.DECLINED, "withdraw": Status.WITHDRAWN}
    assert entry_of(made).status is given[reply]
    page = html_of(client.get(page_of(made.thread)))
    assert f"{offer}{reply}/" not in page


def test_a_palace_leads_to_talk_and_offers(game):
    first, second, third = in_order(game)
    Seat.objects.filter(game=game, number=third).update(user=None, computer_player="courtier")
    table, own = game.get_absolute_url(), game.colours[first]
    page = html_of(browser(sitter(game, first)).get(table))
    to_person, to_computer = (game.colours[seat] for seat in (second, third))
    link = f'href="{table}?talk={id_of_person(game, second)}#say">'
    assert f"{link}Talk to {sitter(game, second).name}" in page
    assert page.count("Talk to ") == 1
    for colour in (to_person, to_computer):
        assert f'href="{table}offers/?to={colour}"' in page
    assert f"offers/?to={own}" not in page
    watching = html_of(browser(person("Zoe")).get(table))
    assert 'class="owner"' not in watching


def test_where_nobody_talks_privately_a_palace_leads_to_offers_alone():
    game = bribing_table()
    page = browser(sitter(game, in_order(game)[0])).get(game.get_absolute_url())
    assert "offers/?to=" in html_of(page)
    assert "?talk=" not in html_of(page)


def test_an_offer_from_a_palace_is_to_its_owner(game):
    first, second, third = in_order(game)
    client, colour = browser(sitter(game, first)), game.colours[second]
    page = html_of(client.get(f"{game.get_absolute_url()}offers/?to={colour}"))
    assert f'<option value="{colour}" selected>' in page
    likely = page[page.index("Suggested offers") : page.index("Another offer")]
    assert sitter(game, second).name in likely
    assert sitter(game, third).name not in likely


@pytest.mark.full
def test_the_first_offer_to_one_alone_leads_to_their_conversation(game):
    first, second, _third = in_order(game)
    client, other = browser(sitter(game, second)), id_of_person(game, first)
    address = f"{game.get_absolute_url()}offers/?among={other}"
    page = client.get(address)
    assert "Offers you make here stay in your private conversation with" in text_of(page)
    terms = as_shown(forms_of(html_of(page))[address])
    answered = client.post(address, terms)
    assert answered["Location"] == f"{game.get_absolute_url()}?talk={other}#chat"
    [made] = PrivateMessage.objects.all()
    assert made.thread.seats == sorted((first, second))
    assert shown_at(client.get(answered["Location"])) == sitter(game, first).name


@pytest.mark.full
def test_a_published_conversation_is_read_by_whoever_has_an_account_and_by_no_stranger():
    game = open_table("Anna", "Boris", "Clara", press="private", threads_published=True)
    thread = whisper(game, 0, 1, text=SECRET).thread
    messages.say(game_id=game.pk, user=game.host, text="Hello all", token=uuid4(), now=MONDAY)
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    assert SECRET in text_of(browser(person("Zoe")).get(page_of(thread)))
    for address in ("", "?talk=new", "?talk=nonsense", f"?talk={thread.token}"):
        page = text_of(Client().get(f"{game.get_absolute_url()}{address}"))
        assert "The game is over" in page
        assert SECRET not in page
        assert "Hello all" not in page


@pytest.mark.full
def test_a_page_with_a_conversation_needs_few_queries_however_much_there_is(game):
    first, second, third = in_order(game)
    asked = []
    for _ in range(2):
        for author, other in ((first, second), (second, first), (third, first)):
            for number in range(6):
                whisper(game, author, other, text=f"Word {number}.")
        whisper(game, third, first, second)
        client = browser(sitter(game, first))
        for address in (page_of(Thread.objects.first()), game.get_absolute_url()):
            client.get(address)
            caches["process"].clear()
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            asked.append(len(captured))
        PrivateMessage.objects.update(at=MONDAY.replace(year=2000))
    assert asked[:2] == asked[2:]
    assert max(asked) <= MOST_QUERIES
