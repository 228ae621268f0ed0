"""Talking privately (`press: private`): who may, who reads it, who never learns of it (days 29)."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import call_command

from games.models import Game, Message, OutboxEmail, PrivateMessage, Seat, Thread, User
from games.services.chat import messages, threads
from games.services.chat.queries import unread_counts
from games.services.email import delivery
from games.services.game import seats as game_seats
from games.services.people import blocks
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.promising import bribing_table, in_order, sitter
from tests.support.tables import MONDAY, open_table
from tests.support.whispering import thread_of, whisper

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=1)
SECRET = "Let's ruin the third one."


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def page(game: Game, reader: User, where: str = "") -> str:
    return text_of(browser(reader).get(f"{game.get_absolute_url()}{where}"))


@pytest.mark.full
def test_two_talk_and_only_they_can_read_it(game):
    first, second, third = in_order(game)
    said = whisper(game, first, second, text=SECRET)
    where, shown = f"private/{said.thread.token}/", f"?talk={said.thread.token}"
    for reader in (first, second):
        assert SECRET in page(game, sitter(game, reader), shown)
    for stranger in (sitter(game, third), person("Zoe")):
        assert SECRET not in page(game, stranger, shown)
        for place in (f"{where}say/", f"{where}1/edit/", f"{where}1/report/"):
            client = browser(stranger)
            answer = client.get(f"{game.get_absolute_url()}{place}")
            assert answer.status_code in {404, 405}, place
            assert SECRET not in answer.content.decode()
        posted = browser(stranger).post(
            f"{game.get_absolute_url()}{where}say/", {"talk-token": uuid4(), "talk-text": "Hi"}
        )
        assert posted.status_code == 404
    assert PrivateMessage.objects.count() == 1


def test_there_is_one_thread_for_every_set_of_people(game):
    first, second, third = in_order(game)
    pair = thread_of(game, first, second)
    assert thread_of(game, second, first) == pair
    three = thread_of(game, third, first, second)
    assert three != pair
    assert thread_of(game, second, third, first) == three
    assert Thread.objects.count() == 2
    assert (pair.seats, three.seats) == (sorted((first, second)), [0, 1, 2])


def test_one_talks_neither_alone_nor_with_computer_players_nor_elsewhere(game):
    first, second, _third = in_order(game)
    user = sitter(game, first)

    def refused(match: str, table: Game = game, who: User = user, others: tuple = (second,)):
        with pytest.raises(Refused, match=match):
            threads.say(
                game_id=table.pk, user=who, text="Psst!", token=uuid4(), now=MONDAY,
                to={sitter(game, other).pk for other in others},
            )  # fmt: skip

    refused("choose who you want to talk to", others=())
    refused("choose who you want to talk to", others=(first,))
    refused("You don't have a seat", who=person("Zoe"))
    gone = sitter(game, second)
    Seat.objects.filter(game=game, number=second).update(user=None, computer_player="courtier")
    with pytest.raises(Refused, match="has left the table"):
        threads.say(
            game_id=game.pk, user=user, to={gone.pk}, text="Psst!", token=uuid4(), now=MONDAY
        )
    Seat.objects.filter(game=game, number=second).update(user=gone, computer_player="")
    public = open_table("Dora", "Emil", "Fritz")
    refused("players can't talk privately", public, sitter(public, 0))
    waiting = open_table("Gerda", size=3, press="private")
    refused("only while the game is running", waiting, waiting.host)
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    refused("only while the game is running")
    assert Thread.objects.count() == 0


def test_the_same_form_is_one_message_however_often_it_comes(game):
    first, second, _third = in_order(game)
    thread, token = thread_of(game, first, second), uuid4()
    for _ in range(2):
        threads.say(
            game_id=game.pk, to=thread.token, user=sitter(game, first), text="Once",
            token=token, now=MONDAY,
        )  # fmt: skip
    assert [row.text for row in PrivateMessage.objects.all()] == ["Once"]
    with pytest.raises(Refused, match="out of date"):
        threads.say(
            game_id=game.pk, to=thread.token, user=sitter(game, second), text="Mine",
            token=token, now=MONDAY,
        )  # fmt: skip


@pytest.mark.full
def test_what_is_said_privately_counts_for_the_limits_of_the_chat(game):
    first, second, _third = in_order(game)
    for _ in range(messages.MOST_AT_ONCE - 1):
        whisper(game, first, second)
    user = sitter(game, first)
    messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=MONDAY)
    with pytest.raises(Refused, match=f"up to {messages.MOST_AT_ONCE} messages"):
        whisper(game, first, second)
    with pytest.raises(Refused, match=f"up to {messages.MOST_AT_ONCE} messages"):
        messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=MONDAY)
    whisper(game, first, second, now=MONDAY + messages.WITHIN + SOON)


@pytest.mark.full
def test_unread_is_marked_until_it_was_read(game):
    first, second, third = in_order(game)
    said = whisper(game, first, second)
    reader = sitter(game, second)
    assert unread_counts(reader) == {game.pk: 1}
    assert unread_counts(sitter(game, first)) == {}
    assert unread_counts(sitter(game, third)) == {}
    table = page(game, reader)
    assert f"{sitter(game, first).name} (1 new" in table
    assert unread_counts(reader) == {game.pk: 1}
    page(game, reader, f"?talk={said.thread.token}")
    assert unread_counts(reader) == {}
    assert "1 new" not in page(game, reader)
    whisper(game, second, first)
    assert unread_counts(reader) == {}


@pytest.mark.full
def test_the_tab_of_the_chat_counts_what_is_unread_anywhere(game):
    first, second, _third = in_order(game)
    whisper(game, first, second)
    user = sitter(game, first)
    messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=MONDAY)
    assert "Chat (2 " in page(game, sitter(game, second))


@pytest.mark.full
def test_who_only_watches_is_not_offered_to_talk(game):
    boris = sitter(game, 1).name
    assert f"Talk to {boris}" in page(game, sitter(game, 0))
    assert f"Talk to {boris}" not in page(game, person("Zoe"))
    assert 'aria-label="Conversations"' not in page(game, person("Yann"))


@pytest.mark.full
def test_the_others_see_who_talks_only_where_that_was_agreed():
    for shown in (False, True):
        names = ("Anna", "Boris", "Clara") if shown else ("Dora", "Emil", "Fritz")
        game = open_table(*names, press="private", threads_shown=shown)
        whisper(game, 0, 1, text=SECRET)
        pair = f"{sitter(game, 0).name} and {sitter(game, 1).name}"
        third = page(game, sitter(game, 2))
        assert (pair in third) is shown
        assert SECRET not in third
        assert (pair in page(game, person(f"Zoe{shown}"))) is shown


@pytest.mark.full
def test_a_mail_comes_when_the_message_cannot_be_edited_any_more_and_one_for_all(game, smtp):
    first, second, third = in_order(game)
    OutboxEmail.objects.all().delete()
    whisper(game, first, second, text=SECRET)
    whisper(game, first, second, text="Are you there?", now=MONDAY + SOON)
    [row] = OutboxEmail.objects.filter(kind="private_message")
    assert row.person == sitter(game, second)
    leaves = MONDAY + SOON + messages.EDITED_WITHIN
    assert row.not_before == leaves
    delivery.drain(now=MONDAY + messages.EDITED_WITHIN)
    assert smtp.messages == []
    delivery.drain(now=leaves)
    [mail] = smtp.messages
    body = mail.get_body(("plain",)).get_content()
    assert SECRET in body
    assert "Are you there?" in body
    assert f"With {sitter(game, first).name}:" in body
    whisper(game, first, second, now=MONDAY + timedelta(minutes=5))
    [later] = OutboxEmail.objects.filter(kind="private_message", status="ready")
    since = later.not_before - leaves
    assert since // timedelta(minutes=1) == messages.BETWEEN_EMAILS // timedelta(minutes=1)
    assert third not in {row.person_id for row in OutboxEmail.objects.all()}


@pytest.mark.full
def test_a_mail_about_what_was_read_is_not_sent(game, smtp):
    first, second, _third = in_order(game)
    OutboxEmail.objects.all().delete()
    said = whisper(game, first, second)
    page(game, sitter(game, second), f"?talk={said.thread.token}")
    delivery.drain(now=MONDAY + timedelta(hours=1))
    assert smtp.messages == []
    assert OutboxEmail.objects.get(kind="private_message").status == "dropped"


@pytest.mark.full
def test_who_leaves_reads_up_to_then_and_who_comes_reads_nothing_of_before(game):
    first, second, third = in_order(game)
    said = whisper(game, first, second, text=SECRET)
    three = whisper(game, third, first, second, text="All of us")
    left, left_at = sitter(game, second), MONDAY + SOON
    game_seats.step_aside(game_id=game.pk, user=left, now=left_at)
    new = person("Nils")
    game_seats.take_over(game_id=game.pk, user=new, number=second, now=left_at + SOON)
    for one in (said, three):
        with pytest.raises(Refused, match="has left the table"):
            threads.say(
                game_id=game.pk, to=one.thread.token, user=sitter(game, first), text="Still?",
                token=uuid4(), now=left_at + SOON,
            )  # fmt: skip
    where = f"?talk={said.thread.token}"
    assert SECRET in page(game, left, where)
    assert SECRET not in page(game, new, where)
    assert SECRET not in page(game, new)
    later = whisper(game, first, second, text="Welcome", now=left_at + 2 * SOON)
    assert later.thread != said.thread
    assert "Welcome" in page(game, new, f"?talk={later.thread.token}")
    assert "Welcome" not in page(game, left, f"?talk={later.thread.token}")


@pytest.mark.full
def test_published_talk_is_open_to_all_when_the_game_is_over_and_no_other_is():
    for published in (False, True):
        names = ("Anna", "Boris", "Clara") if published else ("Dora", "Emil", "Fritz")
        game = open_table(*names, press="private", threads_published=published)
        said = whisper(game, 0, 1, text=SECRET)
        where = f"{game.get_absolute_url()}?talk={said.thread.token}"
        third = browser(sitter(game, 2))
        assert SECRET not in text_of(third.get(where))
        Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
        assert (SECRET in text_of(third.get(where))) is published
        assert SECRET in text_of(browser(sitter(game, 0)).get(where))


def test_muted_people_do_not_write_privately_either(game):
    first, second, _third = in_order(game)
    thread = thread_of(game, first, second)
    user = sitter(game, first)
    User.objects.filter(pk=user.pk).update(muted_until=MONDAY + timedelta(days=1))
    with pytest.raises(Refused):
        threads.say(
            game_id=game.pk, to=thread.token, user=user, text="Hi", token=uuid4(), now=MONDAY
        )
    assert PrivateMessage.objects.count() == 0


def test_who_blocks_somebody_has_no_private_talk_with_them_and_nobody_learns_who(game):
    first, second, _third = in_order(game)
    thread = thread_of(game, first, second)
    blocks.block(user=sitter(game, second), other_id=sitter(game, first).pk, now=MONDAY)
    for seat, other in ((first, second), (second, first)):
        with pytest.raises(Refused, match="A private conversation between these players"):
            whisper(game, seat, other)
        with pytest.raises(Refused, match="A private conversation between these players"):
            threads.say(
                game_id=game.pk, to=thread.token, user=sitter(game, seat), text="Hi",
                token=uuid4(), now=MONDAY,
            )  # fmt: skip


@pytest.mark.full
def test_what_an_ignored_player_writes_is_folded_away_and_causes_neither_mail_nor_mark(game, smtp):
    first, second, _third = in_order(game)
    OutboxEmail.objects.all().delete()
    reader, other = sitter(game, second), sitter(game, first)
    client = browser(reader)
    client.post(f"/people/{other.pk}/ignore/")
    said = whisper(game, first, second, text=SECRET)
    messages.say(
        game_id=game.pk, user=other, text=f"@{reader.name}: hello!", token=uuid4(), now=MONDAY
    )
    assert unread_counts(reader) == {}
    assert OutboxEmail.objects.count() == 0
    client.post(f"/people/{other.pk}/unignore/")
    assert unread_counts(reader) == {game.pk: 2}
    client.post(f"/people/{other.pk}/ignore/")
    for where in ("", f"?talk={said.thread.token}"):
        html = client.get(f"{game.get_absolute_url()}{where}").content.decode()
        assert "You're ignoring this player" in html
        assert "<details><summary" in html
    client.post(f"/people/{other.pk}/unignore/")
    assert "You're ignoring this player" not in page(game, reader)


@pytest.mark.full
def test_a_message_can_be_edited_for_two_minutes(game):
    first, second, _third = in_order(game)
    user = sitter(game, first)
    said = whisper(game, first, second, text="Firts")
    public = messages.say(game_id=game.pk, user=user, text="Firts", token=uuid4(), now=MONDAY)
    last = MONDAY + messages.EDITED_WITHIN - timedelta(seconds=1)
    for one in (said, public):
        messages.edit(message=one, user=user, text="First", now=last)
        one.refresh_from_db()
        assert (one.text, one.earlier, one.edited_at) == ("First", ["Firts"], last)
        with pytest.raises(Refused, match="for 2 minutes"):
            messages.edit(message=one, user=user, text="Never", now=MONDAY + messages.EDITED_WITHIN)
        with pytest.raises(Refused, match="Only the author"):
            messages.edit(message=one, user=sitter(game, second), text="Never", now=last)
        with pytest.raises(Refused, match="write something"):
            messages.edit(message=one, user=user, text=" ", now=last)
    assert "edited" in page(game, sitter(game, second))
    assert "Firts" not in page(game, sitter(game, second))
    assert Message.objects.get().text == "First"


def test_a_number_in_a_message_leads_to_that_step(game):
    user = sitter(game, 0)
    messages.say(
        game_id=game.pk, user=user, text="See #2, not https://x.org/#3 <b>", token=uuid4(),
        now=MONDAY,
    )  # fmt: skip
    html = browser(user).get(game.get_absolute_url()).content.decode()
    assert f'<a href="{game.get_absolute_url()}history/2/">#2</a>' in html
    assert 'history/3/">#3' not in html
    assert "&lt;b&gt;" in html


def test_a_game_with_private_talk_is_whole(game):
    whisper(game, *in_order(game)[:2])
    call_command("verify_games", verbosity=0)
