"""Table talk: who may speak, what is read, and whom it emails."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from games.models import Game, Message, OutboxEmail, Seat, User, Visit
from games.services.chat import messages
from games.services.chat.queries import id_of, messages_of, unread, unread_counts
from games.services.email import delivery
from games.services.people.mentions import mentioned
from games.services.refused import Refused
from tests.support.client import browser, forms_of, person
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def say(game, name, text, now=MONDAY, token=None):
    user = User.objects.get(name=name)
    return messages.say(game_id=game.pk, user=user, text=text, token=token or uuid4(), now=now)


def named(name):
    return User.objects.get(name=name)


def read(game, name, now=MONDAY):
    last = game.messages.last()
    messages.visited(game, named(name), now, last_message=last.pk if last else 0)


def mentions():
    return OutboxEmail.objects.filter(kind="mention")


def post(game, name, text, token=None):
    data = {"talk-text": text, "talk-token": str(token or uuid4())}
    return browser(named(name)).post(f"{game.get_absolute_url()}talk/", data)


# Saying


@pytest.mark.full
def test_what_is_said_is_stamped_with_the_moment_of_the_game():
    game = open_table("Anna", "Boris", size=3)
    say(game, "Boris", "Hello")
    talk_of_the_start = open_table("Dora", "Emil", "Fanny")
    state = talk_of_the_start.decoded()
    said = say(talk_of_the_start, "Emil", "Good luck")
    assert (said.round, said.turn_of) == (1, state.active)
    assert said.seat_number == seat_of(talk_of_the_start, "Emil").number
    while talk_of_the_start.status == Game.Status.RUNNING:
        submit_move(talk_of_the_start, seats_to_move(talk_of_the_start)[0].user, MONDAY)
        talk_of_the_start.refresh_from_db()
    say(talk_of_the_start, "Fanny", "Well played")
    text = messages_of(talk_of_the_start, None)
    first = talk_of_the_start.seats.get(number=state.active).user.name
    assert [line.when for line in text] == ["after the game", f"round 1, {first}'s turn"]
    [line] = messages_of(game, None, "Europe/Vienna")
    assert line[1:6] == (
        "Boris",
        "",
        "before the game",
        "Mon 2 Mar, 10:00 (Europe/Vienna)",
        "Hello",
    )


def test_the_same_post_twice_is_one_message():
    game = open_table("Anna", "Boris", "Clara")
    token = uuid4()
    first = say(game, "Anna", "Once", token=token)
    assert say(game, "Anna", "Once", token=token) == first
    with pytest.raises(Refused, match="page is out of date"):
        say(game, "Boris", "Once", token=token)
    assert Message.objects.count() == 1


def test_only_those_who_sit_there_speak():
    game = open_table("Anna", "Boris", "Clara")
    person("Dora")
    with pytest.raises(Refused, match="Only players at this table"):
        say(game, "Dora", "Hello")
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write something"),
        (" \r\n ", "write something"),
        ("x" * 2001, "yours has 2,001"),
    ],
)
def test_empty_and_endless_messages_are_refused_with_what_would_be_right(text, reason):
    game = open_table("Anna", "Boris", "Clara")
    with pytest.raises(Refused, match=reason):
        say(game, "Anna", text)
    assert not Message.objects.exists()


def test_a_line_break_is_one_character():
    game = open_table("Anna", "Boris", "Clara")
    said = say(game, "Anna", "x" * 1000 + "\r\n" + "y" * 999)
    assert said.text == "x" * 1000 + "\n" + "y" * 999


@pytest.mark.full
def test_twenty_messages_in_five_minutes_are_the_limit_for_each_person_and_table():
    game = open_table("Anna", "Boris", "Clara")
    for number in range(20):
        say(game, "Anna", f"{number}", now=MONDAY + number * timedelta(seconds=1))
    with pytest.raises(Refused, match="wait a bit"):
        say(game, "Anna", "One more", now=MONDAY + 4 * MINUTE)
    say(game, "Boris", "I may", now=MONDAY + 4 * MINUTE)
    say(game, "Anna", "Now I may too", now=MONDAY + 5 * MINUTE)


# Reading


def test_unread_is_what_others_said_since_the_last_visit():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Boris", "One")
    say(game, "Anna", "Two")
    say(game, "Boris", "Three")
    anna = named("Anna")
    assert unread(game, anna) == 2
    assert [line.unread for line in messages_of(game, anna)] == [True, False, True]
    read(game, "Anna")
    assert unread(game, anna) == 0
    say(game, "Clara", "Four")
    assert [line.unread for line in messages_of(game, anna)] == [True, False, False, False]
    assert unread(game, named("Boris")) == 2


def test_how_far_one_has_read_only_rises():
    game = open_table("Anna", "Boris", "Clara")
    anna = named("Anna")
    messages.visited(game, anna, MONDAY, last_message=7, last_event=3)
    messages.visited(game, anna, MONDAY + HOUR, last_message=5)
    visit = Visit.objects.get()
    assert (visit.last_message, visit.last_event, visit.at) == (7, 3, MONDAY + HOUR)


@pytest.mark.full
def test_unread_counts_of_all_tables_are_two_queries(django_assert_num_queries):
    game = open_table("Anna", "Boris", "Clara")
    quiet = open_table("Dora", "Emil", "Fanny")
    say(game, "Boris", "One")
    say(game, "Clara", "Two")
    say(quiet, "Dora", "Not for Anna")
    anna = named("Anna")
    with django_assert_num_queries(2):
        assert unread_counts(anna) == {game.pk: 2}
    read(game, "Anna")
    assert unread_counts(anna) == {}
    assert unread_counts(named("Boris")) == {game.pk: 1}


# Mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Anna, please", {"Anna"}),
        ("Dear @anna maria!", {"Anna Maria"}),
        ("@ANNA and @Anna Maria", {"Anna", "Anna Maria"}),
        ("@Annabel", set()),
        ("mail anna@Anna", set()),
        ("Anna", set()),
        ("@J. (the 2nd)?", {"J. (the 2nd)"}),
        ("@Everybody", set()),
    ],
)
def test_the_longest_name_that_fits_is_mentioned(text, expected):
    people = [person(name) for name in ("Anna", "Boris")]
    people.append(User.objects.create_user(email="am@example.org", name="Anna Maria"))
    people.append(User.objects.create_user(email="j@example.org", name="J. (the 2nd)"))
    seats = [Seat(user=user) for user in people]
    assert {who.name for who in mentioned(text, seats)} == expected


@pytest.mark.full
def test_who_is_mentioned_gets_one_mail_an_hour_with_all_that_is_unread(smtp):
    game = open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.all().delete()
    say(game, "Boris", "@Anna first")
    first = MONDAY + messages.EDITED_WITHIN
    delivery.drain(now=first - timedelta(seconds=1))
    assert smtp.messages == []
    delivery.drain(now=first)
    for minute in (5, 10):
        say(game, "Clara", f"@anna after {minute}", now=MONDAY + minute * MINUTE)
        delivery.drain(now=MONDAY + minute * MINUTE)
    assert len(smtp.messages) == 1
    delivery.drain(now=first + 59 * MINUTE)
    assert len(smtp.messages) == 1
    delivery.drain(now=first + HOUR + MINUTE)
    [_, second] = smtp.messages
    text = second.get_body(("plain",)).get_content()
    assert [word in text for word in ("first", "after 5", "after 10")] == [True, True, True]
    delivery.drain(now=MONDAY + 5 * HOUR)
    assert len(smtp.messages) == 2


def test_who_has_read_meanwhile_gets_no_mail(smtp):
    game = open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.all().delete()
    say(game, "Boris", "@Anna?")
    read(game, "Anna")
    say(game, "Boris", "Never mind")
    assert delivery.drain(now=MONDAY + messages.EDITED_WITHIN) == 0
    assert [mail.status for mail in mentions()] == ["dropped"]


def test_nobody_is_emailed_by_their_own_words_or_from_another_table():
    game = open_table("Anna", "Boris", "Clara")
    open_table("Dora", "Emil", "Fanny")
    say(game, "Anna", "@Anna talks to herself, and to @Dora")
    assert not mentions().exists()


# The page


@pytest.mark.full
@pytest.mark.parametrize("size", [3, 4])
def test_talk_is_said_and_read_on_the_tables_page(size):
    game = open_table("Anna", "Boris", "Clara", size=size)
    page = browser(named("Anna")).get(game.get_absolute_url()).content.decode()
    fields = forms_of(page)[f"{game.get_absolute_url()}talk/"]
    answered = post(game, "Anna", "Hello all", fields["talk-token"].value)
    assert answered.status_code == 302
    assert answered["Location"] == f"{game.get_absolute_url()}#chat"
    others = browser(named("Boris"))
    page = others.get(game.get_absolute_url()).content.decode()
    assert "Hello all" in page
    assert "1 new" in page
    assert "1 new" not in others.get(game.get_absolute_url()).content.decode()


def test_text_is_escaped_links_are_safe_and_line_breaks_kept():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Anna", "<script>x</script>\nexample.org & javascript:x https://example.org/?a=1&b=2")
    page = browser(named("Boris")).get(game.get_absolute_url()).content.decode()
    assert "&lt;script&gt;x&lt;/script&gt;<br>" in page
    assert '<a href="https://example.org" rel="nofollow">example.org</a>' in page
    assert '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">' in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize("text", ["", "x" * 2001])
def test_what_is_refused_comes_back_with_what_was_typed(text):
    game = open_table("Anna", "Boris", "Clara")
    page = post(game, "Anna", text)
    assert page.status_code == 422
    assert text in page.content.decode()
    assert "errorlist" in page.content.decode()
    assert (
        'aria-labelledby="board-title"' in page.content.decode()
    )  # the error stands where it was typed
    assert "autofocus" in page.content.decode()
    assert not Message.objects.exists()


def test_before_the_game_what_is_refused_comes_back_in_the_lobby():
    game = open_table("Anna", size=4)
    page = post(game, "Anna", "x" * 2001)
    assert page.status_code == 422
    assert "Players at this table" in page.content.decode()
    assert "x" * 2001 in page.content.decode()


def test_a_browser_sends_no_empty_message():
    game = open_table("Anna", "Boris", "Clara")
    page = browser(named("Anna")).get(game.get_absolute_url()).content.decode()
    assert re.search(r'<textarea name="talk-text"[^>]* required', page)


@pytest.mark.parametrize("data", [{}, {"talk-text": "Hi"}, {"talk-text": "a\x00b"}])
def test_a_broken_form_is_no_error_page(data):
    game = open_table("Anna", "Boris", "Clara")
    page = browser(named("Anna")).post(f"{game.get_absolute_url()}talk/", data)
    assert page.status_code == 422
    assert not Message.objects.exists()


def test_a_stranger_reads_and_has_no_form():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Anna", "Hello all")
    dora = browser(person("Dora"))
    page = dora.get(game.get_absolute_url()).content.decode()
    assert "Hello all" in page
    assert "talk-text" not in page
    answered = dora.post(
        f"{game.get_absolute_url()}talk/", {"talk-text": "Hi", "talk-token": str(uuid4())}
    )
    assert answered.status_code == 422
    assert Message.objects.count() == 1


def test_looking_at_the_talk_marks_it_as_read():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Anna", "Hello all")
    assert unread(game, named("Boris")) == 1
    browser(named("Boris")).get(game.get_absolute_url())
    assert unread(game, named("Boris")) == 0


def said_at(game, name):
    """The messages on the page of a table, as somebody sees them."""
    page = browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()
    return page[page.index('id="chat-lines"') : page.index('id="log"')]


def test_mentions_are_marked_in_the_colour_of_the_seat_and_other_words_are_not():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Boris", "@anna & @Annabel <b>: boris@anna.org, https://example.org/@Anna")
    page = said_at(game, "Anna")
    colour = seat_of(game, "Anna").colour
    assert page.count("mention ") == 1
    assert (
        f'<bdi translate="no" class="mention {colour}">@anna</bdi> &amp; @Annabel &lt;b&gt;:'
        in page
    )


@pytest.mark.full
def test_ones_own_messages_are_marked_and_those_of_others_have_a_menu():
    game = open_table("Anna", "Boris", "Clara")
    say(game, "Boris", "Hello")
    assert 'class="own"' in said_at(game, "Boris")
    assert '<details class="menu">' not in said_at(game, "Boris")
    page = said_at(game, "Anna")
    assert 'class="own"' not in page
    menu = re.search(r'<details class="menu">.*?</details>', page, re.DOTALL)[0]
    boris = seat_of(game, "Boris").user
    assert re.findall(r'href="([^"]+)"', menu) == [
        f"{game.get_absolute_url()}talk/{id_of(game.messages.get())}/report/",
        f"{reverse('games:person', args=[boris.pk])}#block",
    ]


@pytest.mark.parametrize(("sees", "read"), [("page", 0), ("chat", 1)])
def test_a_lobby_that_fetches_itself_again_reads_only_what_is_in_sight(sees, read):
    game = open_table("Anna", "Boris", size=3)
    anna = browser(named("Anna"))
    anna.get(game.get_absolute_url())
    said = messages.say(
        game_id=game.pk, user=named("Boris"), text="Hello", token=uuid4(), now=MONDAY
    )
    anna.get(game.get_absolute_url(), headers={"X-Live": sees})
    visit = Visit.objects.get(game=game, user=named("Anna"))
    assert visit.last_message == read * said.pk
