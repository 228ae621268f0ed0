"""A conversation with somebody who has left says so, and that whoever has their seat can't read it.

Besides, a reader's own lines are theirs, and what is unread is one tap away.
"""

import re
from uuid import uuid4

import pytest
from django.test import Client

from games.engine.promises import Promise, SendNobody
from games.models import Game, Seat, User
from games.services.chat import messages
from games.services.game import seats as game_seats
from tests.chat.test_conversations import id_of_person, shown_at, tabs_of
from tests.support.client import browser, html_of, person, text_of
from tests.support.promising import (
    both_to,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    sitter,
)
from tests.support.tables import MONDAY, open_table
from tests.support.whispering import offers_privately, page_of, replies_privately, whisper

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def left(game: Game, seat: int) -> tuple[User, User]:
    """Who leaves a seat, and Marta, who takes it over."""
    leaver, marta = sitter(game, seat), person("Marta")
    game_seats.step_aside(game_id=game.pk, user=leaver, now=MONDAY)
    game_seats.take_over(game_id=game.pk, user=marta, number=seat, now=MONDAY)
    game.refresh_from_db()
    return leaver, marta


WORDS = {
    "en": (
        "{name} (left)",
        (
            "{name} has left the table. Marta has taken over the seat and can't read what was "
            "written here earlier, but can see the seat's offers and promises."
        ),
    ),
    "de": (
        "{name} (nicht mehr dabei)",
        (
            "{name} hat den Tisch verlassen. Marta hat den Platz übernommen und kann nicht lesen, "
            "was vorher hier geschrieben wurde, kennt aber die Angebote und Versprechen, die zu "
            "dem Platz gehören."
        ),
    ),
    "ru": (
        "{name} (больше не в игре)",
        (
            "{name} больше не за столом. Marta теперь занимает это место и не может прочитать то, "
            "что здесь писали раньше, но знает связанные с этим местом предложения и обещания."
        ),
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("language", WORDS)
def test_it_is_titled_by_who_left_and_says_that_the_substitute_cannot_read_it(game, language):
    first, second, _third = in_order(game)
    said = whisper(game, second, first, text="Between us.")
    leaver, _marta = left(game, second)
    User.objects.update(language=language)
    title, taken = (one.format(name=leaver.name) for one in WORDS[language])
    client = browser(sitter(game, first))
    page = client.get(page_of(said.thread))
    assert shown_at(page).startswith(title)
    assert "Marta" not in shown_at(page)
    assert taken in text_of(page)
    assert "Between us." in text_of(page)
    assert [name for name in tabs_of(page) if name.startswith("Marta")] == ["Marta"]
    fresh = client.get(tabs_of(page)["Marta"])
    assert leaver.name not in shown_at(fresh)
    assert taken not in text_of(fresh)
    assert "Between us." not in text_of(fresh)


@pytest.mark.full
def test_while_nobody_has_the_seat_it_says_that_nobody_will_read_it(game):
    first, second, _third = in_order(game)
    said = whisper(game, second, first)
    leaver = sitter(game, second)
    Seat.objects.filter(game=game, number=second).update(user=None, computer_player="default")
    page = text_of(browser(sitter(game, first)).get(page_of(said.thread)))
    assert f"{leaver.name} (left)" in page
    sentence = "has left the table. A player who takes over the seat won't be able to read what was"
    assert f"{leaver.name} {sentence}" in page


@pytest.mark.full
def test_the_substitute_reads_whose_conversation_it_was_and_from_when(game):
    other, owner, _third = in_order(game)
    whisper(game, owner, other, text="Hidden from her.")
    made = offers_privately(game, owner, place_for(game))
    leaver, marta = left(game, owner)
    replies_privately(game, other, made)
    page = browser(marta).get(page_of(made.thread))
    title = shown_at(page).split(" (1 new)")[0]
    assert set(title.split(" and ")) == {sitter(game, other).name, f"{leaver.name} (left)"}
    sentence = (
        f"You've taken over {leaver.name}'s seat. Anything written here earlier is hidden from "
        "you, but you can see the seat's offers and promises and what becomes of them."
    )
    assert sentence in text_of(page)
    assert "Hidden from her." not in text_of(page)


@pytest.mark.full
def test_the_leaver_reads_nothing_of_the_substitute_there(game):
    first, second, _third = in_order(game)
    said = whisper(game, second, first)
    leaver, _marta = left(game, second)
    page = browser(leaver).get(page_of(said.thread))
    chat = html_of(page).split('id="chat"')[1].split('id="chat-lines"')[0]
    assert "Marta" not in chat
    assert "(left)" not in chat


@pytest.mark.full
def test_others_who_may_know_of_it_read_that_somebody_left():
    game = bribing_table(press="private", threads_shown=True)
    first, second, third = in_order(game)
    whisper(game, second, first)
    leaver, _marta = left(game, second)
    page = text_of(browser(sitter(game, third)).get(game.get_absolute_url()))
    assert f"{leaver.name} (left)" in page


@pytest.mark.full
def test_ones_own_lines_are_by_you(game):
    first, second, _third = in_order(game)
    said = whisper(game, first, second, text="Psst")
    name = sitter(game, first).name
    for reader, by in ((first, "You"), (second, name)):
        page = html_of(browser(sitter(game, reader)).get(page_of(said.thread)))
        lines = page.split('id="chat-lines"')[1].split("</ul>")[0]
        [stamp] = re.findall(r'<p class="stamp">(.*?)</p>', lines, re.DOTALL)
        assert " ".join(re.sub(r"<[^>]+>", " ", stamp).split()).removeprefix("new ").startswith(by)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("language", "you"), [("en", "You"), ("de", "Du"), ("ru", "Вы")])
def test_in_the_table_chat_too(game, language, you):
    first, _second, _third = in_order(game)
    User.objects.update(language=language)
    author = sitter(game, first)
    messages.say(game_id=game.pk, user=author, text="Hello", token=uuid4(), now=MONDAY)
    lines = html_of(browser(author).get(game.get_absolute_url())).split('id="chat-lines"')[1]
    assert f">{you}</span>," in lines


@pytest.mark.full
def test_the_link_to_the_chat_opens_what_is_unread(game):
    first, second, _third = in_order(game)
    client, table = browser(sitter(game, first)), game.get_absolute_url()

    def leads_to() -> str:
        """Where the link to the chat leads on the table's page, which shows the table chat."""
        tabs = html_of(client.get(table)).split('<nav class="tabs"')[1].split("</nav>")[0]
        return re.findall(r'<a aria-keyshortcuts="c"\s+href="([^"]+)"', tabs)[0]

    assert leads_to() == "#chat"
    said = whisper(game, second, first)
    assert leads_to() == f"{page_of(said.thread)}#chat"
    home = html_of(client.get("/"))
    assert f'href="{table}?talk=unread#chat"' in home
    assert client.get(f"{table}?talk=unread")["Location"] == f"{page_of(said.thread)}#chat"
    assert leads_to() == f"{page_of(said.thread)}#chat"  # nothing was read by that
    client.get(page_of(said.thread))
    assert leads_to() == "#chat"
    assert client.get(f"{table}?talk=unread")["Location"] == f"{table}#chat"
    assert Client().get(f"{table}?talk=unread").status_code == 302


@pytest.mark.full
@pytest.mark.parametrize(
    ("language", "talk", "waits"),
    [
        ("en", "Talk to: {} · {}", "1 offer is waiting for your reply"),
        ("de", "Sprich mit: {} · {}", "1 Angebot wartet auf deine Antwort"),
        ("ru", "Поговорить: {} · {}", "1 предложение ждёт вашего ответа"),
    ],
)
def test_in_the_negotiation_time_the_card_leads_to_each_other_and_to_what_waits(
    language, talk, waits
):
    game = open_table("Anna", "Boris", "Clara", press="private", talk_seconds=43200)
    first, second, third = in_order(game)
    moves(game, both_to(game, first, second))
    assert game.is_negotiation_time
    offers(game, second, Promise(second, first, SendNobody(None, 2)))
    User.objects.update(language=language)
    page = browser(sitter(game, first)).get(game.get_absolute_url())
    names = [sitter(game, seat).name for seat in (second, third)]
    card = html_of(page).split('<section class="decision')[1].split("</section>")[0]
    words = " ".join(re.sub(r"<[^>]+>", "", card).split())
    assert talk.format(*names) in words
    assert waits in words
    assert '<a href="#promises">' in card
    for seat in (second, third):
        assert f'href="{game.get_absolute_url()}?talk={id_of_person(game, seat)}#say"' in card
    others = html_of(browser(sitter(game, third)).get(game.get_absolute_url()))
    assert waits not in others


def test_where_nobody_talks_privately_the_card_names_nobody_to_talk_to():
    game = open_table("Anna", "Boris", "Clara", talk_seconds=43200)
    first, second, _third = in_order(game)
    moves(game, both_to(game, first, second))
    assert "Talk to:" not in text_of(browser(sitter(game, first)).get(game.get_absolute_url()))
