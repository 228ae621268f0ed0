"""Every kind of email, as it comes over the wire."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.conf import settings as site_settings

from games.models import Game, Invitation, Move, OutboxEmail, User
from games.services import outbox
from games.services.email import delivery
from games.services.email.kinds import KIND_BY_KEY
from games.services.public_ids import short_id
from tests.support.every_email import MAKE, a_game, arrived
from tests.support.sent_emails import bodies, plain_text, words_of_html
from tests.support.tables import DAY, MONDAY, seat_of, seats_to_move, submit_move

SUBJECTS = {
    "your_turn": r"Your move by Tue 10:00: bribe \w+ for your scientist · TABLE",
    "reminder": r"Reminder \(move by Tue 10:00\): bribe \w+ for your scientist · TABLE",
    "last_reminder": r"Last reminder \(move by Tue 10:00\): bribe \w+ for your scientist · TABLE",
    "talk_reminder": r"Negotiations end Mon 22:00 · TABLE",
    "default_played": "A default move was played for you · TABLE",
    "game_started": "The game has started · TABLE",
    "game_over": r"The game is over: (You won|You share the victory|You finished \w+ of 3) · TABLE",
    "mention": r"(Boris|Clara) mentioned you in the chat · TABLE",
    "private_message": r"A message from (Anna|Boris|Clara) · TABLE",
    "offer": r"(Anna|Boris|Clara) has made you an offer · TABLE",
    "offer_reply": r"(Anna|Boris|Clara) (accepts|declines) your offer · TABLE",
    "promise_broken": r"(Anna|Boris|Clara) broke a promise to you · TABLE",
    "substitute_wanted": "A substitute is wanted · TABLE",
    "invitation": "Anna invites you to a game of Intrigue · TABLE",
    "invitation_reminder": "Anna still has a seat for you · TABLE",
    "marked_absent": "You've been marked absent · TABLE",
    "table_closed": "The table was closed · TABLE",
    "settings_changed": r"Stay or leave\? The settings have changed · TABLE",
    "table_news": (
        r"(Your move by .+ \(something has changed\): .+|(\w+'s|Your) deadline is now .+) · TABLE"
    ),
    "vote": r"Vote by \w{3} \d\d:\d\d: Pause the game.* · TABLE",
    "referee": "A message from the referee · TABLE",
    "game_rests": r"The game is dormant: return by \w{3} \d+ \w+, \d\d:\d\d · TABLE",
    "understood": "Done · TABLE",
    "not_understood": "We couldn't process your email · TABLE",
    "not_read": "Your reply wasn't read · TABLE",
    "game_parked": r"Parked: TABLE \(#\d+\)",
}
"""What each kind of email about a game is called; TABLE is the name of the game."""

PREHEADERS = {
    "your_turn": r"If you do nothing: 1,000 for your scientist\.( Paid so far: [^.]+\.)?$",
    "reminder": r"If you do nothing: 1,000 for your scientist\.( Paid so far: [^.]+\.)?$",
    "last_reminder": r"If you do nothing: 1,000 for your scientist\.( Paid so far: [^.]+\.)?$",
    "talk_reminder": "Bribing begins earlier if everyone involved is ready",
    "mention": "(Boris|Clara): @Anna, <i>promise</i>",
    "private_message": r"(Anna|Boris|Clara): <i>Psst!</i>",
    "offer": r"(Anna|Boris|Clara) ",
    "offer_reply": r"(Anna|Boris|Clara) ",
    "promise_broken": (
        r"(Anna|Boris|Clara) promised to hire your \w+ at a salary of at least 6,000\. "
        r"The salary was "
    ),
    "vote": "Pause the game",
    "table_news": r"((Boris|Clara)'s|Your) deadline is now",
    "referee": "Be <i>kind</i>",
    "invitation": "A game of bribes and broken promises",
    "invitation_reminder": "A game of bribes and broken promises",
    "substitute_wanted": "The other players are (Boris and Clara|Clara and Boris)",
    "game_started": r"((Anna|Boris|Clara) goes first\. We'll let you know|You go first\.$)",
    "game_over": r"(You won!|.* won\.|You share the victory with .*\.)$",
    "default_played": "[A-Z]",
    "marked_absent": "You can return with one click",
    "table_closed": "You can open another table",
    "settings_changed": r"Pace: 2 days per move \(previously: 24 hours per move\)\.$",
    "game_rests": r"The game ends without a winner unless it resumes in time\.$",
    "game_parked": "An error stopped the game: clock.py:7$",
    "understood": "4,000",
    "not_understood": "32,000",
    "not_read": "The email wasn't sent from",
    "report": "Reason for the report: He <b>insults</b> me",
    "appeal": "The appeal: A <i>joke</i>",
    "report_decided": "The moderators wrote: Nobody is <i>insulted</i> here",
    "report_reopened": "We'll look at your report again",
    "appeal_decided": r"The moderators have reversed their decision\. .* It was a <i>joke</i>",
    "conduct": "You",
    "seats_taken": "You can have a seat back until someone else takes it",
    "account_changed": "An administrator of this site has changed the email address",
    "question": "@Anna, <i>promise</i>?",
    "question_code": "Enter this code to send your question",
    "moderators_wrote": "Be <i>kind</i>",
    "export_ready": "Sign in to download the file",
    "not_told": "Turn on notifications again, or choose to get email",
    "talk_ends": "To keep your messages, download all your data",
    "address_test": "What we couldn't send you in the meantime comes next",
}
"""How what mail programs show after the subject begins."""

WITH_BOARD = {
    "your_turn", "reminder", "last_reminder", "talk_reminder", "default_played", "game_started",
    "game_over", "vote", "offer", "offer_reply", "promise_broken", "substitute_wanted",
}  # fmt: skip
"""What shows the table as it stands; `table_news` does, too, for who is asked."""

HOUR = timedelta(hours=1)


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize("kind", KIND_BY_KEY)
def test_every_kind(kind, smtp):
    game, mail = arrived(kind, smtp)
    assert_text_and_html_say_the_same(game, mail)
    assert_it_is_in_the_thread_of_its_game(game, kind, mail)
    assert_it_has_a_preheader_a_button_twice_and_the_table_where_it_helps(kind, mail)
    assert_it_says_how_it_can_be_stopped(kind, mail)


def assert_text_and_html_say_the_same(game, mail):
    text, html = bodies(mail)
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert len(re.findall(r"\w+", text)) > 20
    assert not re.search(r"\n{3}", text)
    assert "Also, in brief:" not in text  # but in a digest
    assert not re.search(r"<(li|h2|p)\b[^>]*>\s*(<a\b[^>]*>\s*</a>)?\s*</\1>", html)
    if game is None:
        return
    assert game.name in text
    assert "<Venice>" not in html
    assert "&lt;Venice&gt; &amp; Co" in html


def assert_it_is_in_the_thread_of_its_game(game, kind, mail):
    """What is about no game is in none."""
    assert mail["Message-ID"] == OutboxEmail.objects.get().message_id
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["From"] == site_settings.DEFAULT_FROM_EMAIL
    assert mail["References"] == mail["In-Reply-To"]
    if game is None:
        assert mail["References"] is None
        assert mail["List-Id"] is None
        assert not re.search(r"<i>|<b>", bodies(mail)[1])
        return
    assert mail["References"].startswith(f"<game-{short_id('game', game.pk)}@")
    assert f"<game-{short_id('game', game.pk)}." in mail["List-Id"]
    assert game.name in mail["Subject"]
    subject = SUBJECTS[kind].replace("TABLE", re.escape(game.name))
    assert re.fullmatch(subject, mail["Subject"]), mail["Subject"]


SAY_NO_MORE = {"default_played", "table_closed", "promise_broken", "offer_reply", "talk_reminder"}
"""Whose first sentence is all they say: what follows it needs no second button."""

AT_THE_END = {"report_decided"}
"""Whose button waits until everything has been said: nobody appeals before reading a decision."""


def assert_it_has_a_preheader_a_button_twice_and_the_table_where_it_helps(kind, mail):
    html = bodies(mail)[1]
    [preheader] = re.findall(r'<div class="preheader"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert re.match(PREHEADERS[kind], unescape(preheader)), preheader
    first, *again = re.findall(r'<a class="button" href="([^"]+)"[^>]*>([^<]+)</a>', html)
    assert again == ([] if kind in SAY_NO_MORE | AT_THE_END else [first])
    lead = html.index('<p class="again"' if again else '<p class="" ')
    greeting = html.index("</p>")
    said = html.count("</p>", greeting + 4, lead)
    assert said > 2 if kind in AT_THE_END else 0 < said <= 2
    assert html.index('<p class="" ') < html.rindex('<p class="soft"')
    shown = html.count('<table class="board"')
    assert shown == (kind in WITH_BOARD) or kind == "table_news"


def assert_it_says_how_it_can_be_stopped(kind, mail):
    """In header and footer."""
    raw = {name.lower(): " ".join(value.split()) for name, value in mail.raw_items()}
    links = re.findall(r"http://\S+/unsubscribe/\S+/", bodies(mail)[0])
    if KIND_BY_KEY[kind].switch is None:
        assert links == []
        assert "list-unsubscribe" not in raw
        return
    assert raw["list-unsubscribe"] == f"<{links[0]}>"
    assert raw["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert len(links) == (2 if kind in {"reminder", "last_reminder", "talk_reminder"} else 1)


@pytest.mark.django_db
def test_the_decision_comes_before_the_button_to_appeal(smtp):
    _, mail = arrived("report_decided", smtp)
    html = bodies(mail)[1]
    assert html.count(">Appeal</a>") == 1
    assert html.rindex("insulted") < html.index("you can appeal by") < html.index(">Appeal</a>")


@pytest.mark.django_db
def test_the_board_of_a_turn_has_a_column_for_each_palace_with_its_letter(smtp):
    game, mail = arrived("your_turn", smtp)
    [board] = re.findall(r'<table class="board".*?</table>', bodies(mail)[1], re.DOTALL)
    letters = [re.findall(r">([A-Z])</span>", column)[0] for column in board.split("<td ")[1:]]
    assert letters == [colour[0].upper() for colour in game.decoded().table.players]
    assert board.count('class="active"') == 1
    assert board.count("repeating-linear-gradient") + board.count("radial-gradient") >= 3


@pytest.mark.django_db
def test_an_invitation_says_who_asks_and_leads_to_its_answer(smtp):
    _, mail = arrived("invitation", smtp)
    invitation = Invitation.objects.get()
    text = plain_text(mail)
    assert mail["To"] == "dora@example.org"
    assert "Anna has invited you to join the table “<Venice> & Co”" in text
    assert "24 hours per move." in text
    assert "No <b>tricks</b>." in text
    assert f"Accept or decline: http://localhost:8000/invitations/{invitation.token}/" in text


@pytest.mark.django_db
def test_the_start_says_who_sits_where_who_begins_and_the_pace(smtp):
    game, mail = arrived("game_started", smtp)
    text = plain_text(mail)
    for seat in game.seats.select_related("user"):
        assert f"- {seat.user.name} ({seat.colour})" in text
    first = game.seats.get(number=game.decoded().table.first).user
    is_reader = first.email == mail["To"]
    assert ("You go first." if is_reader else f"{first.name} goes first. We'll let you") in text
    assert "24 hours per move, not counting Saturday and Sunday, with deadlines at 20:00" in text


@pytest.mark.django_db
def test_a_turn_tells_what_happened_since_the_readers_last_move(smtp):
    game, mail = arrived("your_turn", smtp)
    text = plain_text(mail)
    [seat] = seats_to_move(game)
    before, since = text.split("Since your last move:")
    assert "It's your turn at “<Venice> & Co”. Please move by Tue 3 Mar, 10:00 (Europe" in before
    assert "If you don't, the default move will be played: 1,000 for your scientist." in before
    assert before.index("Please move by") < before.index("Choose how much")
    last = game.moves.filter(seat=seat).last()
    if last is None:
        assert "Seated clockwise: " in since
    else:
        assert "Seated clockwise: " not in since
    assert "'s turn." not in since


@pytest.mark.django_db
@pytest.mark.parametrize("by_order", [False, True])
def test_a_turn_after_the_readers_own_move_tells_it_only_if_an_order_made_it(by_order, smtp):
    def make():
        game = a_game()
        first = seats_to_move(game)[0].user
        while True:
            submit_move(game, seats_to_move(game)[0].user, MONDAY + HOUR)
            game.refresh_from_db()
            [seat] = seats_to_move(game)
            if seat.user == first:
                break
        OutboxEmail.objects.all().delete()
        game.moves.filter(pk=game.moves.filter(seat=seat).latest("pk").pk).update(by_order=by_order)
        return game, first.name, {"deadline_version": seat.deadline_version}

    _, mail = arrived("your_turn", smtp, make, now=MONDAY + HOUR)
    lines = [line for line in bodies(mail)[0].splitlines() if line.startswith("- ")]
    told = [line for line in lines if line.startswith("- You send ")]
    assert len(told) == (1 if by_order else 0)
    assert len(lines) > len(told)
    assert "Seated clockwise: " not in plain_text(mail)


@pytest.mark.full
@pytest.mark.django_db
def test_a_long_story_is_cut_to_its_latest_lines(smtp):
    def make():
        game = a_game()
        for _ in range(30):
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
            game.refresh_from_db()
        OutboxEmail.objects.all().delete()
        Move.objects.all().delete()
        [seat] = seats_to_move(game)
        return game, seat.user.name, {"deadline_version": seat.deadline_version}

    _, mail = arrived("your_turn", smtp, make)
    story = bodies(mail)[0].split("Since your last move:")[1]
    assert story.count("\n- ") == 25
    assert re.search(r"\(\d+ earlier entries are in the game log only\)", story)


@pytest.mark.django_db
def test_a_turn_tells_the_readers_own_money_and_no_other(smtp):
    game, mail = arrived("your_turn", smtp)
    [seat] = seats_to_move(game)
    own = game.decoded().cash[seat.number]
    text, html = bodies(mail)
    for content in (text, html):
        assert set(re.findall(r"You have ([\d,]+)", content)) == {f"{own:,}"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (
            "reminder",
            "It's still your turn at “<Venice> & Co”: 23 hours 57 minutes left.",
        ),
        ("last_reminder", "hours 57 minutes left. This is the last reminder."),
    ],
)
def test_reminders_say_what_will_be_played_and_until_when(kind, words, smtp):
    _, mail = arrived(kind, smtp)
    text = plain_text(mail)
    assert words in text
    assert "Please move by Tue 3 Mar, 10:00 (Europe/Vienna)." in text
    assert "UTC" not in text
    assert "If you don't, the default move will be played: 1,000 for your scientist." in text


@pytest.mark.django_db
def test_a_deadline_is_given_on_the_readers_own_clock(smtp):
    game, name, about = MAKE["your_turn"]()
    outbox.enqueue("reminder", game=game, person=User.objects.get(name=name), now=MONDAY, **about)
    delivery.drain(now=MONDAY)
    assert "Please move by Tue 3 Mar, 09:00 (UTC)." in plain_text(smtp.messages[0])


@pytest.mark.django_db
def test_a_default_is_told_with_what_was_played(smtp):
    _, mail = arrived("default_played", smtp)
    assert re.search(
        r"the default move was played for you: your scientist goes to \w+, and the other one to",
        plain_text(mail),
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("absent_player", "words"),
    [
        ("random", "the computer player “random” plays for you right away"),
        ("default", "the default move is played right away"),
    ],
)
def test_an_absent_player_is_told_what_that_means_and_how_to_return(absent_player, words, smtp):
    def make():
        made = MAKE["marked_absent"]()
        Game.objects.update(absent_player=absent_player)
        made[0].refresh_from_db()
        return made

    game, mail = arrived("marked_absent", smtp, make)
    text = plain_text(mail)
    assert "the game no longer waits for you" in text
    assert words in text
    assert "you can return with one click" in text
    assert f"Return to the table: http://localhost:8000{game.get_absolute_url()}" in text


@pytest.mark.django_db
def test_a_call_for_a_substitute_names_the_seat_and_no_secret(smtp):
    game, mail = arrived("substitute_wanted", smtp)
    text = plain_text(mail)
    assert f"the {seat_of(game, 'Anna').colour} seat. The game is in round 1 of" in text
    assert "Anna" not in text
    assert "32,000" not in text


@pytest.mark.django_db
def test_a_mention_brings_what_was_said_escaped(smtp):
    _, mail = arrived("mention", smtp)
    text, html = bodies(mail)
    assert "@Anna, <i>promise</i>?\nSee https://example.org/?a=1&b=2" in text
    assert "<i>promise" not in html
    assert re.search(r"Boris, round 1, \w+'s turn, Mon 2 Mar, 10:00 \(Europe/Vienna\):", text)


@pytest.mark.full
@pytest.mark.django_db
def test_the_end_brings_the_final_table_richest_first(smtp):
    game, mail = arrived("game_over", smtp)
    cash = sorted(game.decoded().cash, reverse=True)
    assert [
        int(amount.replace(",", ""))
        for amount in re.findall(r"^\w+: (-?[\d,]+) ducats$", bodies(mail)[0], re.MULTILINE)
    ] == cash


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("days", "words"),
    [(1, "The host closed the table"), (14, "after waiting 14 days for players")],
)
def test_a_closed_table_says_why(days, words, smtp):
    _, mail = arrived("table_closed", smtp, now=MONDAY + days * DAY)
    assert words in plain_text(mail)


@pytest.mark.django_db
def test_a_parked_game_tells_moderators_the_place_of_the_error(smtp):
    _, mail = arrived("game_parked", smtp)
    assert "clock.py:7 ValueError" in plain_text(mail)


@pytest.mark.django_db
def test_no_address_in_a_header_is_broken_up_however_long_the_host_and_strange_the_name(
    smtp, settings
):
    settings.SITE_URL = "https://" + ".".join(["intrigue"] * 6) + ".example"

    def make():
        game, name, about = MAKE["your_turn"]()
        Game.objects.update(name="Кремль, 1612: «Интрига» " + "ы" * 30)
        game.refresh_from_db()
        return game, name, about

    game, mail = arrived("reminder", smtp, make)
    raw = dict(mail.raw_items())
    host = settings.SITE_URL.removeprefix("https://")
    assert raw["References"] == raw["In-Reply-To"] == f"<game-{short_id('game', game.pk)}@{host}>"
    assert raw["Message-ID"].strip() == OutboxEmail.objects.get().message_id
    assert raw["List-Unsubscribe"].startswith(f"<{settings.SITE_URL}/unsubscribe/")
    assert f"<game-{short_id('game', game.pk)}.{host}>" in raw["List-Id"]
    assert game.name in mail["Subject"]
