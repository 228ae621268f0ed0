"""Every kind of mail, as it comes over the wire."""

import re
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as site_settings

from games.models import AuditLine, Game, Invitation, Move, OutboxMail, Report, Seat, User, Vote
from games.services import game_letters, outbox, reports, talk, votes
from games.services.moderation import person_acts, report_acts
from games.services.moderation import time_acts as moderation
from games.services.moderation import word_acts as words
from games.services.moderation.acting import Decision
from games.services.moderation.person_ground import PersonAsk
from games.services.reports import Complaint
from tests.moderators import asked_by_nora, moderator
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table, seat_of
from tests.web import person

Kind = OutboxMail.Kind
ESSENTIAL = {
    Kind.INVITATION,
    Kind.MARKED_ABSENT,
    Kind.TABLE_CLOSED,
    Kind.TABLE_NEWS,
    Kind.REFEREE,
    Kind.VOTE,
    Kind.GAME_PARKED,
    Kind.REPORT,
    Kind.APPEAL,
    Kind.REPORT_DECIDED,
    Kind.APPEAL_DECIDED,
    Kind.CONDUCT,
}
ABOUT_TABLES = tuple(game_letters.CONTEXTS)
MAILS = Path(site_settings.BASE_DIR) / "templates" / "mail"
HOUR = timedelta(hours=1)


class _Words(HTMLParser):
    """What an HTML mail says, each link followed by its address as in the text."""

    def __init__(self):
        super().__init__()
        self.parts = []
        self.inside = []

    def handle_starttag(self, tag, attrs):
        self.inside.append((tag, dict(attrs).get("href", "")))

    def handle_endtag(self, tag):
        while self.inside:
            opened, address = self.inside.pop()
            if opened == tag:
                self.parts.append(address)
                return

    def handle_data(self, data):
        if not {"title", "style"} & {tag for tag, _ in self.inside}:
            self.parts.append(data)


def words_of_html(html):
    reader = _Words()
    reader.feed(html)
    return re.findall(r"\w+", " ".join(reader.parts))


def parts(mail):
    """The text and the HTML, with the line ends of this machine."""
    bodies = [mail.get_body((kind,)).get_content() for kind in ("plain", "html")]
    return [body.replace("\r\n", "\n") for body in bodies]


def text_of(mail):
    """The text on one line, so that no line break matters."""
    return " ".join(parts(mail)[0].split())


def a_game(*names, **more):
    """A game at <Venice> & Co, whose name would break a careless page; its mails are gone."""
    game = open_table(*(names or ("Anna", "Boris", "Clara")), name="<Venice> & Co", **more)
    OutboxMail.objects.all().delete()
    return game


def finish(game):
    while game.status == Game.Status.RUNNING:
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxMail.objects.all().delete()


def make_invitation():
    game = a_game("Anna", size=3, note="No <b>tricks</b>.")
    invitation = Invitation.objects.create(
        game=game, email="dora@example.org", invited_by=game.host, created_at=MONDAY
    )
    return game, None, {"address": invitation.email, "about": invitation.pk}


def make_game_started():
    game = a_game(no_play_days=(5, 6), fixed_hour=20, time_zone="Europe/Vienna")
    return game, "Anna", {}


def make_turn():
    game = a_game()
    for _ in range(4):
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxMail.objects.all().delete()
    [seat] = awaited_seats(game)
    return game, seat.user.name, {"deadline_version": seat.deadline_version}


def make_default_played():
    game = a_game()
    [seat] = awaited_seats(game)
    phase = game.phase_no
    answer(game, seat.user, MONDAY)
    OutboxMail.objects.all().delete()
    Move.objects.update(cause="clock")
    game.refresh_from_db()
    game.phase_no = phase
    return game, seat.user.name, {}


def make_marked_absent():
    game = a_game(absent_player="random")
    Seat.objects.filter(user__name="Anna").update(absent_since=MONDAY)
    return game, "Anna", {}


def make_substitute_wanted():
    game = a_game()
    Seat.objects.filter(user__name="Anna").update(absent_since=MONDAY)
    person("Dora")
    return game, "Dora", {"about": seat_of(game, "Anna").pk}


def make_mention():
    game = a_game()
    text = "@Anna, <i>promise</i>?\nSee https://example.org/?a=1&b=2"
    boris = User.objects.get(name="Boris")
    said = talk.say(game_id=game.pk, user=boris, text=text, token=uuid4(), now=MONDAY)
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": said.pk}


def make_game_over():
    game = a_game()
    finish(game)
    return game, "Anna", {}


def make_table_closed():
    game = a_game("Anna", "Boris", size=3)
    Game.objects.update(status=Game.Status.CANCELLED)
    game.refresh_from_db()
    return game, "Boris", {}


def make_game_parked():
    game = a_game()
    Game.objects.update(parked_at=MONDAY, deadline_at=None, error="clock.py:7\nValueError")
    game.refresh_from_db()
    person("Marta", is_staff=True)
    return game, "Marta", {}


def make_table_news():
    game = a_game()
    moderation.extend(asked_by_nora(game), time=DAY)
    mail = OutboxMail.objects.get(kind=Kind.TABLE_NEWS)
    OutboxMail.objects.all().delete()
    return game, mail.person.name, {"about": mail.about}


def make_referee():
    game = a_game()
    words.write_as_referee(asked_by_nora(game), text="Be <i>kind</i>.", token=uuid4())
    mail = OutboxMail.objects.filter(kind=Kind.REFEREE, person__name="Anna").get()
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": mail.about}


def make_vote():
    game = a_game()
    proposal = votes.Proposal(Vote.Kind.PAUSE, amount=7)
    votes.call_vote(
        game_id=game.pk, user=User.objects.get(name="Boris"), proposal=proposal, now=MONDAY
    )
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": Vote.objects.get().pk}


def make_report():
    """Boris has said something at the table, and Anna has reported it; Nora is a moderator."""
    _, name, about = make_mention()
    nora, anna = moderator("Nora"), User.objects.get(name=name)
    complaint = Complaint(anna, "He <b>insults</b> me.", uuid4(), MONDAY)
    reports.report_message(complaint, message_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, nora.name, {"about": Report.objects.get().pk}


def make_report_decided():
    _, name, about = make_report()
    decision = Decision(User.objects.get(name=name), "Nobody is <i>insulted</i> here.", MONDAY)
    report_acts.take(decision, report_id=about["about"])
    report_acts.uphold(decision, report_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, "Boris", about


def make_appeal():
    _, name, about = make_report_decided()
    boris = User.objects.get(name=name)
    reports.appeal(report_id=about["about"], user=boris, text="A <i>joke</i>.", now=MONDAY)
    OutboxMail.objects.all().delete()
    return None, "Nora", about


def make_appeal_decided():
    _, _name, about = make_appeal()
    decision = Decision(moderator("Otto"), "It was a <i>joke</i>.", MONDAY)
    report_acts.grant_appeal(decision, report_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, "Anna", about


def make_conduct():
    """Anna is suspended for a week."""
    anna = person("Anna")
    ask = PersonAsk(anna.pk, moderator("Nora"), "You <b>shout</b>.", 0, MONDAY)
    person_acts.suspend(ask, until=MONDAY + 7 * DAY)
    OutboxMail.objects.all().delete()
    return None, anna.name, {"about": AuditLine.objects.get().pk}


MAKE = {
    Kind.INVITATION: make_invitation,
    Kind.GAME_STARTED: make_game_started,
    Kind.YOUR_TURN: make_turn,
    Kind.REMINDER: make_turn,
    Kind.LAST_REMINDER: make_turn,
    Kind.DEFAULT_PLAYED: make_default_played,
    Kind.MARKED_ABSENT: make_marked_absent,
    Kind.SUBSTITUTE_WANTED: make_substitute_wanted,
    Kind.MENTION: make_mention,
    Kind.GAME_OVER: make_game_over,
    Kind.TABLE_CLOSED: make_table_closed,
    Kind.TABLE_NEWS: make_table_news,
    Kind.REFEREE: make_referee,
    Kind.VOTE: make_vote,
    Kind.GAME_PARKED: make_game_parked,
    Kind.REPORT: make_report,
    Kind.APPEAL: make_appeal,
    Kind.REPORT_DECIDED: make_report_decided,
    Kind.APPEAL_DECIDED: make_appeal_decided,
    Kind.CONDUCT: make_conduct,
}


def mailed(kind, smtp, make=None, now=MONDAY):
    """The one mail of this kind that arrives."""
    game, name, about = (make or MAKE[kind])()
    to = User.objects.get(name=name) if name else None
    if to is not None:
        to.time_zone = "Europe/Vienna"
        to.save()
    outbox.enqueue(kind, game=game, person=to, now=now, **about)
    assert outbox.drain(now=now) == 1, OutboxMail.objects.get().error
    [mail] = smtp.messages
    return game, mail


def test_every_kind_has_its_three_templates_and_no_template_is_left_over():
    endings = (".subject.txt", ".txt", ".html")
    expected = {f"{kind.value}{ending}" for kind in Kind for ending in endings}
    found = {file.name for file in MAILS.iterdir()}
    assert (
        found - {"base.txt", "base.html"} - {name for name in found if name.startswith("_")}
        == expected
    )


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Kind)
def test_text_and_html_of_every_kind_say_the_same(kind, smtp):
    game, mail = mailed(kind, smtp)
    text, html = parts(mail)
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert len(re.findall(r"\w+", text)) > 20
    assert not re.search(r"\n{3}", text)
    if game is None:
        return
    assert game.name in text
    assert "<Venice>" not in html
    assert "&lt;Venice&gt; &amp; Co" in html


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ABOUT_TABLES)
def test_every_kind_is_in_the_thread_of_its_game(kind, smtp):
    game, mail = mailed(kind, smtp)
    assert mail["Message-ID"] == OutboxMail.objects.get().message_id
    assert mail["References"] == mail["In-Reply-To"]
    assert mail["References"].startswith(f"<game-{game.pk}@")
    assert f"<game-{game.pk}." in mail["List-Id"]
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["From"] == site_settings.DEFAULT_FROM_EMAIL
    assert game.name in mail["Subject"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", sorted(set(Kind) - set(ABOUT_TABLES)))
def test_mail_about_people_is_in_no_thread_and_brings_their_words_escaped(kind, smtp):
    _, mail = mailed(kind, smtp)
    assert mail["References"] is None
    assert mail["List-Id"] is None
    _text, html = parts(mail)
    assert not re.search(r"<i>|<b>", html)


def test_all_mails_of_a_players_game_have_one_subject():
    others = {Kind.INVITATION, Kind.SUBSTITUTE_WANTED, Kind.GAME_PARKED}
    subjects = {
        (MAILS / f"{kind.value}.subject.txt").read_text() for kind in set(ABOUT_TABLES) - others
    }
    assert len(subjects) == 1


@pytest.mark.django_db
def test_an_invitation_says_who_asks_and_leads_to_its_answer(smtp):
    _, mail = mailed(Kind.INVITATION, smtp)
    invitation = Invitation.objects.get()
    told = text_of(mail)
    assert mail["To"] == "dora@example.org"
    assert "Anna invites you to the table “<Venice> & Co”" in told
    assert "24 hours for an answer." in told
    assert "No <b>tricks</b>." in told
    assert f"Say yes or no: http://localhost:8000/invitations/{invitation.token}/" in told


@pytest.mark.django_db
def test_the_start_says_who_sits_where_who_begins_and_the_pace(smtp):
    game, mail = mailed(Kind.GAME_STARTED, smtp)
    told = text_of(mail)
    for seat in game.seats.select_related("user"):
        assert f"- {seat.user.name} ({seat.colour})" in told
    first = game.decoded().table.first
    assert f"{game.seats.get(number=first).user.name} begins." in told
    assert "24 hours for an answer, not on Saturday and Sunday, deadlines at 20:00" in told


@pytest.mark.django_db
def test_a_turn_tells_what_happened_since_the_readers_last_move(smtp):
    game, mail = mailed(Kind.YOUR_TURN, smtp)
    told = text_of(mail)
    [seat] = awaited_seats(game)
    before, since = told.split("Since your last move:")
    assert "Tue 3 Mar, 10:00 (Europe/Vienna), that is Tue 3 Mar, 09:00 (UTC)" in before
    assert "If you do nothing by then, this is played:" in before
    last = game.moves.filter(seat=seat).last()
    if last is None:
        assert "The game begins." in since
    else:
        assert "The game begins." not in since
    assert "'s turn." in since


@pytest.mark.django_db
def test_a_turn_after_the_readers_own_move_begins_with_that_move(smtp):
    def make():
        game = a_game()
        first = awaited_seats(game)[0].user
        while True:
            answer(game, awaited_seats(game)[0].user, MONDAY + HOUR)
            game.refresh_from_db()
            [seat] = awaited_seats(game)
            if seat.user == first:
                break
        OutboxMail.objects.all().delete()
        return game, first.name, {"deadline_version": seat.deadline_version}

    _, mail = mailed(Kind.YOUR_TURN, smtp, make, now=MONDAY + HOUR)
    lines = [line for line in parts(mail)[0].splitlines() if line.startswith("- ")]
    told = [line for line in lines if "sends the" in line]
    assert told[0].startswith(f"- {User.objects.get(email=mail['To']).name} sends the")
    assert "The game begins" not in text_of(mail)


@pytest.mark.django_db
def test_a_long_story_is_cut_to_its_latest_lines(smtp):
    def make():
        game = a_game()
        for _ in range(30):
            answer(game, awaited_seats(game)[0].user, MONDAY)
            game.refresh_from_db()
        OutboxMail.objects.all().delete()
        Move.objects.all().delete()
        [seat] = awaited_seats(game)
        return game, seat.user.name, {"deadline_version": seat.deadline_version}

    _, mail = mailed(Kind.YOUR_TURN, smtp, make)
    story = parts(mail)[0].split("Since your last move:")[1]
    assert story.count("\n- ") == 25
    assert re.search(r"\(and \d+ more before these, in the log\)", story)


@pytest.mark.django_db
def test_a_turn_tells_the_readers_own_money_and_no_other(smtp):
    game, mail = mailed(Kind.YOUR_TURN, smtp)
    [seat] = awaited_seats(game)
    own = game.decoded().cash[seat.number]
    text, html = parts(mail)
    for content in (text, html):
        assert re.findall(r"You hold ([\d,]+)", content) == [f"{own:,}"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Kind.REMINDER, "still waits for you, and most of the time has passed."),
        (Kind.LAST_REMINDER, "is nearly over. This is the last reminder."),
    ],
)
def test_reminders_say_what_will_be_played_and_until_when(kind, words, smtp):
    _, mail = mailed(kind, smtp)
    told = text_of(mail)
    assert words in told
    assert "Answer until Tue 3 Mar, 10:00 (Europe/Vienna), that is Tue 3 Mar, 09:00 (UTC)." in told
    assert "If you do nothing by then, this is played: " in told


@pytest.mark.django_db
def test_whoever_lives_in_utc_is_told_the_time_once(smtp):
    game, name, about = make_turn()
    outbox.enqueue(
        Kind.REMINDER, game=game, person=User.objects.get(name=name), now=MONDAY, **about
    )
    outbox.drain(now=MONDAY)
    assert "Answer until Tue 3 Mar, 09:00 (UTC)." in text_of(smtp.messages[0])


@pytest.mark.django_db
def test_a_default_is_told_with_what_was_played(smtp):
    _, mail = mailed(Kind.DEFAULT_PLAYED, smtp)
    assert re.search(
        r"the clock played for you: the .* goes to \w+ and the .* goes to", text_of(mail)
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("absent_player", "words"),
    [("random", "the house player “random” plays for it"), ("default", "plays the default for it")],
)
def test_an_absent_player_is_told_what_that_means_and_how_to_return(absent_player, words, smtp):
    def make():
        made = make_marked_absent()
        Game.objects.update(absent_player=absent_player)
        made[0].refresh_from_db()
        return made

    game, mail = mailed(Kind.MARKED_ABSENT, smtp, make)
    told = text_of(mail)
    assert "nobody waits for you any more" in told
    assert words in told
    assert "you can return with one click" in told
    assert f"Return to the table: http://localhost:8000{game.get_absolute_url()}" in told


@pytest.mark.django_db
def test_a_call_for_a_substitute_names_the_seat_and_no_secret(smtp):
    game, mail = mailed(Kind.SUBSTITUTE_WANTED, smtp)
    told = text_of(mail)
    assert f"the seat is {seat_of(game, 'Anna').colour}, in round 1 of" in told
    assert "Anna" not in told
    assert "32,000" not in told


@pytest.mark.django_db
def test_a_mention_brings_what_was_said_escaped(smtp):
    _, mail = mailed(Kind.MENTION, smtp)
    text, html = parts(mail)
    assert "@Anna, <i>promise</i>?\nSee https://example.org/?a=1&b=2" in text
    assert "<i>promise" not in html
    assert re.search(r"Boris, round 1, \w+'s turn, Mon 2 Mar, 10:00 \(Europe/Vienna\):", text)


@pytest.mark.django_db
def test_the_end_brings_the_final_table_richest_first(smtp):
    game, mail = mailed(Kind.GAME_OVER, smtp)
    cash = sorted(game.decoded().cash, reverse=True)
    assert [
        int(amount.replace(",", ""))
        for amount in re.findall(r"^\w+: (-?[\d,]+)$", parts(mail)[0], re.MULTILINE)
    ] == cash


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("days", "words"),
    [(1, "the host did not want to wait"), (14, "it waited 14 days for its players")],
)
def test_a_closed_table_says_why(days, words, smtp):
    _, mail = mailed(Kind.TABLE_CLOSED, smtp, now=MONDAY + days * DAY)
    assert words in text_of(mail)


@pytest.mark.django_db
def test_a_parked_game_tells_moderators_the_place_of_the_error(smtp):
    _, mail = mailed(Kind.GAME_PARKED, smtp)
    assert "clock.py:7 ValueError" in text_of(mail)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Kind)
def test_what_can_be_stopped_says_how_in_header_and_footer(kind, smtp):
    _, mail = mailed(kind, smtp)
    raw = {name.lower(): " ".join(value.split()) for name, value in mail.raw_items()}
    links = re.findall(r"http://\S+/unsubscribe/\S+/", parts(mail)[0])
    if kind in ESSENTIAL:
        assert links == []
        assert "list-unsubscribe" not in raw
        return
    assert raw["list-unsubscribe"] == f"<{links[0]}>"
    assert raw["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert len(links) == (2 if kind in {Kind.REMINDER, Kind.LAST_REMINDER} else 1)


@pytest.mark.django_db
def test_no_address_in_a_header_is_broken_up_however_long_the_host_and_strange_the_name(
    smtp, settings
):
    settings.SITE_URL = "https://" + ".".join(["intrigue"] * 6) + ".example"

    def make():
        game, name, about = make_turn()
        Game.objects.update(name="Кремль, 1612: «Интрига» " + "ы" * 30)
        game.refresh_from_db()
        return game, name, about

    game, mail = mailed(Kind.REMINDER, smtp, make)
    raw = dict(mail.raw_items())
    host = settings.SITE_URL.removeprefix("https://")
    assert raw["References"] == raw["In-Reply-To"] == f"<game-{game.pk}@{host}>"
    assert raw["Message-ID"].strip() == OutboxMail.objects.get().message_id
    assert raw["List-Unsubscribe"].startswith(f"<{settings.SITE_URL}/unsubscribe/")
    assert f"<game-{game.pk}.{host}>" in raw["List-Id"]
    assert game.name in mail["Subject"]
