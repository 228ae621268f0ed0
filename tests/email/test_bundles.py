"""What leaves as one email: what happens at the same time at a table, and the digest."""

import re
from datetime import timedelta

import pytest
from django.template import engines

from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import MutedGame, OutboxEmail
from games.services import outbox
from games.services.chat import messages
from games.services.email import delivery
from games.services.operations import sample_games
from games.services.outbox import NEWS_WAITS
from games.services.public_ids import short_id
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.promising import SIX, bribing_table, in_order, offers, rivals_table, sitter
from tests.support.sent_emails import bodies, plain_text, words_of_html
from tests.support.tables import (
    DAY,
    MONDAY,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    table_settings,
)
from tests.support.whispering import whisper

pytestmark = pytest.mark.django_db
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
EVENING = MONDAY.replace(hour=18)


def to(smtp, person):
    """What has arrived at a person's address, the first before the others."""
    return [mail for mail in smtp.messages if mail["To"] == person.email]


def states(person):
    rows = OutboxEmail.objects.filter(person=person).order_by("pk")
    return [(row.kind, row.status) for row in rows]


@pytest.fixture
def table():
    """A game that has just started, with whoever begins."""
    game = open_table("Anna", "Boris", "Clara")
    return game, seats_to_move(game)[0].user


def test_what_one_commit_causes_is_one_email(table, smtp):
    game, first = table
    assert delivery.drain(now=MONDAY) == 3  # to each player one
    [mail] = to(smtp, first)
    assert mail["Subject"].startswith("Your move by ")
    text = plain_text(mail)
    assert text.index("It's your turn at") < text.index("The game has started · The Venice table")
    assert text.index("The game has started ·") < text.index("Seats, clockwise:")
    assert text.count("Hello ") == 1
    assert mail["References"].startswith(f"<game-{short_id('game', game.pk)}@")
    assert sorted(states(first)) == [("game_started", "sent"), ("your_turn", "sent")]
    assert OutboxEmail.objects.filter(person=first).values("message_id").distinct().count() == 1


def test_text_and_html_of_several_things_say_the_same(table, smtp):
    delivery.drain(now=MONDAY)
    [mail] = to(smtp, table[1])
    text, html = bodies(mail)
    assert words_of_html(html) == re.findall(r"\w+", text)


def test_news_waits_a_minute_and_leaves_at_once_with_a_turn(smtp):
    game = rivals_table()
    seat = seats_to_move(game)[0]
    OutboxEmail.objects.all().delete()
    outbox.enqueue("vote", game=game, person=seat.user, now=MONDAY, about=0)
    vote = OutboxEmail.objects.get()
    assert delivery.drain(now=MONDAY + NEWS_WAITS - timedelta(seconds=1)) == 0
    assert OutboxEmail.objects.get().status == "ready"
    vote.kind = "game_started"
    vote.save()
    outbox.enqueue("your_turn", game=game, person=seat.user, now=MONDAY)
    assert delivery.drain(now=MONDAY) == 1
    [mail] = to(smtp, seat.user)
    assert mail["Subject"].startswith("Your move by ")
    assert "The game has started" in plain_text(mail)


@pytest.mark.full
def test_what_may_still_be_edited_is_not_taken_along(table, smtp):
    game, first = table
    other = game.seats.exclude(user=first).first().user
    delivery.drain(now=MONDAY)
    smtp.messages.clear()
    said = {"game_id": game.pk, "user": other, "text": f"@{first.name}: a deal?"}
    at = MONDAY + HOUR
    messages.say(**said, token="6a3a1c1e-0000-4000-8000-000000000001", now=at)
    outbox.enqueue("game_over", game=game, person=first, now=at)
    OutboxEmail.objects.filter(kind="game_over").update(kind="game_started", about=7)
    delivery.drain(now=at)
    [mail] = to(smtp, first)
    assert "a deal?" not in plain_text(mail)
    delivery.drain(now=at + messages.EDITED_WITHIN)
    assert "a deal?" in plain_text(to(smtp, first)[1])


@pytest.mark.full
def test_a_private_message_has_an_email_of_its_own(smtp):
    """It is a thread of its own, also for replies."""
    game = open_table("Anna", "Boris", "Clara", press="private")
    first = seats_to_move(game)[0].user
    mine = seat_of(game, first.name).number
    other = (mine + 1) % game.size
    whisper(game, other, mine, text="Psst!")
    delivery.drain(now=MONDAY + DAY / 24)
    subjects = [mail["Subject"] for mail in to(smtp, first)]
    assert len(subjects) == 2
    assert sum("Psst!" in plain_text(mail) for mail in to(smtp, first)) == 1


@pytest.mark.full
def test_an_offer_is_told_once_where_the_turn_shows_it(smtp):
    game = bribing_table()
    other, owner, _third = in_order(game)
    reader = sitter(game, other)
    delivery.drain(now=MONDAY + HOUR)
    OutboxEmail.objects.all().delete()
    smtp.messages.clear()
    scholar = game.decoded().contenders[0]
    offers(game, owner, Promise(owner, other, PlaceIn(scholar, None, SIX), IfBribed(scholar, 4000)))
    version = game.seats.get(user=reader).deadline_version
    outbox.enqueue("your_turn", game=game, person=reader, now=MONDAY, deadline_version=version)
    delivery.drain(now=MONDAY + NEWS_WAITS)
    [mail] = to(smtp, reader)
    assert "Offers you can reply to:" in plain_text(mail)
    assert sorted(states(reader)) == [("offer", "dropped"), ("your_turn", "sent")]


# The digest


@pytest.fixture
def two_tables():
    """Two games of Anna's, who wants her turns and starts of games in a digest at six."""
    anna, games = person("Anna"), []
    for name, others, days in (("Slow", ("Boris", "Dora"), 7), ("Fast", ("Clara", "Emil"), 3)):
        settings = table_settings(name=name, size=3, move_time=days * DAY)
        games.append(sample_games.open_table(settings, anna, *map(person, others), now=MONDAY))
    for game in games:
        while seats_to_move(game)[0].user.name != "Anna":
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
            game.refresh_from_db()
    anna.digest_emails, anna.digest_hour = ["your_turn", "game_started"], 18
    anna.save()
    return games, anna


def test_seats_of_many_tables_that_need_a_substitute_are_one_email(two_tables, smtp):
    games, _anna = two_tables
    zoe = person("Zoe")
    OutboxEmail.objects.all().delete()
    for game in games:
        seat = game.seats.get(user__name="Anna")
        game.seats.filter(pk=seat.pk).update(absent_since=MONDAY)
        outbox.enqueue("substitute_wanted", game=game, person=zoe, now=MONDAY, about=seat.pk)
    assert delivery.drain(now=MONDAY) == 0
    assert delivery.drain(now=MONDAY + NEWS_WAITS) == 1
    [mail] = to(smtp, zoe)
    assert mail["Subject"] == "Substitutes are wanted at 2 tables"
    text = plain_text(mail)
    assert "The table “Fast” is looking for" in text
    assert "The table “Slow” is looking for" in text
    assert text.count("Hello Zoe,") == 1
    assert text.count("Stop emails about seats that need a substitute:") == 1
    assert "digest" not in text
    assert words_of_html(bodies(mail)[1]) == re.findall(r"\w+", bodies(mail)[0])
    assert states(zoe) == [("substitute_wanted", "sent")] * 2


def test_of_these_only_the_seats_that_are_still_free(two_tables, smtp):
    (slow, fast), _anna = two_tables
    zoe = person("Zoe")
    OutboxEmail.objects.all().delete()
    for game in (slow, fast):
        seat = game.seats.get(user__name="Anna")
        game.seats.filter(pk=seat.pk).update(absent_since=MONDAY)
        outbox.enqueue("substitute_wanted", game=game, person=zoe, now=MONDAY, about=seat.pk)
    slow.seats.update(absent_since=None)
    assert delivery.drain(now=MONDAY + NEWS_WAITS) == 1
    [mail] = to(smtp, zoe)
    assert mail["Subject"] == "A substitute is wanted · Fast"


@pytest.mark.full
def test_a_digest_tells_what_is_due_first_before_the_others(two_tables, smtp):
    (_slow, fast), anna = two_tables
    delivery.drain(now=MONDAY)
    assert to(smtp, anna) == []
    delivery.drain(now=EVENING - MINUTE)
    assert to(smtp, anna) == []
    delivery.drain(now=EVENING)
    [mail] = to(smtp, anna)
    due = fast.seats.get(user=anna).deadline_at
    by = f"{due:%a} {due.day} {due:%b, %H:%M}"
    assert mail["Subject"] == f"4 updates from your tables · first deadline {by}"
    text = plain_text(mail)
    assert text.index("at “Fast”") < text.index("at “Slow”")
    assert mail["References"] is None
    assert text.count("Hello Anna,") == 1
    assert text.count("Stop the digest:") == 1
    assert "Stop emails about this game" not in text
    assert {status for _kind, status in states(anna)} == {"sent"}
    html_words, text_words = words_of_html(bodies(mail)[1]), re.findall(r"\w+", bodies(mail)[0])
    assert html_words == text_words
    assert delivery.drain(now=EVENING + DAY) == 0


@pytest.mark.full
def test_a_digest_of_one_thing_is_its_email(two_tables, smtp):
    (slow, _fast), anna = two_tables
    OutboxEmail.objects.filter(person=anna).exclude(game=slow, kind="your_turn").delete()
    delivery.drain(now=MONDAY)
    delivery.drain(now=EVENING)
    [mail] = to(smtp, anna)
    assert mail["Subject"].startswith("Your move by ")
    assert mail["References"].startswith(f"<game-{short_id('game', slow.pk)}@")


@pytest.mark.full
def test_what_is_over_before_the_digest_is_not_in_it(two_tables, smtp):
    (slow, fast), anna = two_tables
    delivery.drain(now=MONDAY)
    for game in (slow, fast):
        submit_move(game, anna, MONDAY + HOUR)
    OutboxEmail.objects.filter(person=anna, created_at__gt=MONDAY).delete()
    delivery.drain(now=EVENING)
    [mail] = to(smtp, anna)
    assert "It's your turn" not in plain_text(mail)
    assert sorted(status for kind, status in states(anna) if kind == "your_turn") == ["dropped"] * 2


@pytest.mark.full
def test_a_muted_table_is_not_in_the_digest(two_tables, smtp):
    (slow, _fast), anna = two_tables
    MutedGame.objects.create(user=anna, game=slow)
    delivery.drain(now=MONDAY)
    delivery.drain(now=EVENING)
    [mail] = to(smtp, anna)
    assert "Fast" in plain_text(mail)
    assert "Slow" not in plain_text(mail)


@pytest.mark.full
def test_an_urgent_turn_does_not_wait_and_takes_along_what_waits_at_its_table(two_tables, smtp):
    (_slow, fast), anna = two_tables
    fast.seats.filter(user=anna).update(deadline_at=EVENING + HOUR)
    delivery.drain(now=MONDAY)
    [mail] = to(smtp, anna)
    assert mail["Subject"].startswith("Your move by ")
    assert "The game has started" in plain_text(mail)
    assert "Slow" not in plain_text(mail)


# Quiet hours


def test_what_came_in_quiet_hours_is_one_email_in_the_morning(table, smtp):
    _game, first = table
    first.quiet_from, first.quiet_until = 8, 18
    first.save()
    delivery.drain(now=MONDAY)
    assert to(smtp, first) == []
    assert {attempts for (attempts,) in first.emails.values_list("attempts")} == {0}
    delivery.drain(now=EVENING)
    [mail] = to(smtp, first)
    assert "It's your turn" in plain_text(mail)
    assert "The game has started" in plain_text(mail)


# When it does not work


@pytest.mark.full
def test_several_things_that_failed_are_one_email_again(table, settings):
    _game, first = table
    with choosy_server(settings) as inbox:
        inbox.to_recipient[first.email] = "451 4.2.1 Later"
        delivery.drain(now=MONDAY)
        assert set(states(first)) == {("game_started", "ready"), ("your_turn", "ready")}
        ids = set(first.emails.values_list("message_id", flat=True))
        inbox.to_recipient.clear()
        # News of the meantime is another email: it can't change what may have arrived.
        outbox.enqueue("vote", game=first.emails.first().game, person=first, now=MONDAY)
        delivery.drain(now=MONDAY + MINUTE)
        assert {status for kind, status in states(first) if kind != "vote"} == {"sent"}
        [mail] = [mail for mail in inbox.messages if mail["To"] == first.email]
        assert {mail["Message-ID"]} == ids


def test_several_things_whose_sender_died_are_one_email_again(table, smtp):
    _game, first = table
    delivery.drain(now=MONDAY)
    first.emails.update(status="sending", claimed_at=MONDAY)
    delivery.drain(now=MONDAY + 2 * MINUTE)
    once, again = to(smtp, first)
    assert once["Message-ID"] == again["Message-ID"]
    assert once["Subject"] == again["Subject"]
    assert set(states(first)) == {("game_started", "sent"), ("your_turn", "sent")}


def test_what_cannot_be_written_does_not_hold_up_the_rest(table, smtp, monkeypatch):
    _game, first = table
    template = engines["pages"].from_string("{{ url('nowhere') }}")
    found = engines["pages"].get_template
    monkeypatch.setattr(
        engines["pages"],
        "get_template",
        lambda name: template if "game_started" in name else found(name),
    )
    delivery.drain(now=MONDAY)
    [mail] = to(smtp, first)
    assert "It's your turn" in plain_text(mail)
    assert sorted(states(first)) == [("game_started", "failed"), ("your_turn", "sent")]


@pytest.mark.parametrize("broken", ["kind", "digest"])
def test_a_broken_row_fails_alone(broken, table, smtp):
    """A kind from another release, or a digest at an hour that no clock shows."""
    game, first = table
    other = game.seats.exclude(user=first).first().user
    other.emails.all().delete()
    if broken == "digest":
        other.digest_emails, other.digest_hour = ["game_started"], 99
        other.save()
    outbox.enqueue("game_started", person=other, now=MONDAY - MINUTE)
    if broken == "kind":
        other.emails.update(kind="pigeon")
    delivery.drain(now=MONDAY)
    assert len(to(smtp, first)) == 1
    [(_kind, status)] = states(other)
    assert status in {"failed", "dropped"}
    assert to(smtp, other) == []


@pytest.mark.full
def test_what_failed_is_not_tried_again_in_quiet_hours(table, settings):
    _game, first = table
    first.quiet_from, first.quiet_until = 22, 8
    first.save()
    at = MONDAY.replace(hour=21, minute=59, second=30)
    with choosy_server(settings) as inbox:
        inbox.to_recipient[first.email] = "451 4.2.1 Later"
        delivery.drain(now=at)
        inbox.to_recipient.clear()
        delivery.drain(now=at + 2 * MINUTE)
        assert set(states(first)) == {("game_started", "ready"), ("your_turn", "ready")}
        delivery.drain(now=at + HOUR * 10 + MINUTE)
        assert [mail["To"] for mail in inbox.messages].count(first.email) == 1
    assert set(states(first)) == {("game_started", "sent"), ("your_turn", "sent")}


@pytest.mark.full
def test_a_digest_whose_hour_passed_in_an_outage_is_still_one_email(two_tables, smtp):
    _games, anna = two_tables
    late = EVENING + HOUR
    delivery.drain(now=late)
    delivery.drain(now=late)
    [mail] = to(smtp, anna)
    assert mail["Subject"].startswith("4 updates from your tables")
