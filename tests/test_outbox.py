"""Mail: a row first, sent at least once with a stable Message-ID, only while true and wanted."""

import logging
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from django.template import TemplateSyntaxError, engines

from games.models import Game, Invitation, MutedGame, OutboxMail, Seat, User
from games.services import outbox
from tests.servers import Inbox, free_port
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table, seat_of
from tests.web import person

pytestmark = pytest.mark.django_db
Kind = OutboxMail.Kind
MINUTE = timedelta(minutes=1)


def status(kind):
    return OutboxMail.objects.get(kind=kind).status


def a_turn():
    """A game whose only mail is that somebody is awaited, and that person."""
    game = open_table("Anna", "Boris", "Clara")
    OutboxMail.objects.exclude(kind=Kind.YOUR_TURN).delete()
    return game, awaited_seats(game)[0].user


def write(kind, game, name, **about):
    OutboxMail.objects.all().delete()
    outbox.enqueue(kind, game=game, person=User.objects.get(name=name), now=MONDAY, **about)


def nowhere(mailers):
    """The same mailers, with an address at which nobody listens."""
    default = mailers["default"]
    return {"default": {**default, "OPTIONS": {**default["OPTIONS"], "port": 1}}}


class Choosy(Inbox):
    """A mail server that refuses some recipients, and counts who connects to it."""

    def __init__(self, refused):
        super().__init__()
        self.refused = refused
        self.connections = 0

    async def handle_EHLO(self, _server, session, _envelope, hostname, responses):  # noqa: N802
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.fixture
def choosy(settings):
    """Makes the mail server refuse these recipients with these answers."""
    running = []

    def start(**refused):
        inbox = Choosy({f"{name.lower()}@example.org": said for name, said in refused.items()})
        server = Controller(inbox, hostname="127.0.0.1", port=free_port())
        server.start()
        running.append(server)
        backend = "django.core.mail.backends.smtp.EmailBackend"
        options = {"host": server.hostname, "port": server.port, "timeout": 20}
        settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
        return inbox

    yield start
    for server in running:
        server.stop()


# Writing


def test_the_same_mail_is_written_once():
    game, user = a_turn()
    for _ in range(2):
        outbox.enqueue(Kind.GAME_OVER, game=game, person=user, now=MONDAY + DAY)
    assert OutboxMail.objects.filter(kind=Kind.GAME_OVER).count() == 1


def test_an_invitation_is_written_to_an_address_once_for_each_invitation():
    game, _ = a_turn()
    for about in (1, 1, 2):
        outbox.enqueue(
            Kind.INVITATION, game=game, address="dora@example.org", about=about, now=MONDAY
        )
    mails = OutboxMail.objects.filter(kind=Kind.INVITATION)
    assert sorted(mails.values_list("address", "about")) == [
        ("dora@example.org", 1),
        ("dora@example.org", 2),
    ]


def test_nothing_is_written_to_nobody_and_to_closed_accounts():
    game, user = a_turn()
    user.is_active = False
    outbox.enqueue(Kind.GAME_OVER, game=game, person=user, now=MONDAY)
    outbox.enqueue(Kind.GAME_OVER, game=game, now=MONDAY)
    assert not OutboxMail.objects.filter(kind=Kind.GAME_OVER).exists()


def test_a_mail_waits_for_its_time(smtp):
    game, user = a_turn()
    OutboxMail.objects.all().delete()
    Game.objects.update(parked_at=MONDAY, deadline_at=None)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    later = MONDAY + 60 * MINUTE
    outbox.enqueue(Kind.GAME_PARKED, game=game, person=user, now=MONDAY, not_before=later)
    assert outbox.drain(now=later - MINUTE) == 0
    assert outbox.drain(now=later) == 1


# Sending


def test_a_turn_is_sent_once(smtp):
    a_turn()
    assert outbox.drain(now=MONDAY) == 1
    assert outbox.drain(now=MONDAY) == 0
    mail = OutboxMail.objects.get()
    assert (mail.status, mail.sent_at, mail.attempts, mail.error) == ("sent", MONDAY, 1, "")
    assert len(smtp.messages) == 1


def test_a_mail_that_cannot_be_sent_is_tried_again_with_the_same_id(smtp, settings):
    a_turn()
    good = settings.MAILERS
    settings.MAILERS = nowhere(good)
    assert outbox.drain(now=MONDAY) == 0
    mail = OutboxMail.objects.get()
    assert (mail.status, mail.attempts, mail.not_before) == ("ready", 1, MONDAY + MINUTE)
    assert "refused" in mail.error
    settings.MAILERS = good
    assert outbox.drain(now=MONDAY) == 0
    assert outbox.drain(now=MONDAY + MINUTE) == 1
    [sent] = smtp.messages
    assert sent["Message-ID"] == mail.message_id


def test_a_mail_is_given_up_after_a_day_of_attempts(smtp, settings):
    a_turn()
    settings.MAILERS = nowhere(settings.MAILERS)
    now = MONDAY
    for _ in range(20):
        outbox.drain(now=now)
        now += timedelta(hours=13)
    mail = OutboxMail.objects.get()
    assert mail.status == "failed"
    assert mail.attempts == 8


def test_what_a_dead_sender_had_claimed_is_sent_after_ten_minutes(smtp):
    a_turn()
    OutboxMail.objects.update(status="sending", claimed_at=MONDAY)
    assert outbox.drain(now=MONDAY + 10 * MINUTE) == 0
    assert outbox.drain(now=MONDAY + 11 * MINUTE) == 1


def over(game):
    """Make the game over and write the mail of it to all."""
    OutboxMail.objects.all().delete()
    while game.status == Game.Status.RUNNING:
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxMail.objects.exclude(kind=Kind.GAME_OVER).delete()


def test_several_mails_go_over_one_connection(choosy):
    inbox = choosy()
    over(open_table("Anna", "Boris", "Clara"))
    assert outbox.drain(now=MONDAY) == 3
    assert len(inbox.messages) == 3
    assert inbox.connections == 1


def test_a_recipient_who_is_refused_for_good_is_given_up_at_once_and_harms_no_other(choosy):
    inbox = choosy(boris="550 No such user", clara="451 Try again later")
    over(open_table("Anna", "Boris", "Clara", "Dora"))
    assert outbox.drain(now=MONDAY) == 2
    told = dict(OutboxMail.objects.values_list("person__name", "status"))
    assert told == {"Anna": "sent", "Boris": "failed", "Clara": "ready", "Dora": "sent"}
    refused = OutboxMail.objects.get(person__name="Boris")
    assert refused.attempts == 1
    assert "No such user" in refused.error
    assert sorted(mail["To"] for mail in inbox.messages) == ["anna@example.org", "dora@example.org"]


def test_an_address_that_no_mail_server_takes_is_given_up_at_once(smtp):
    over(open_table("Anna", "Boris", "Clara"))
    User.objects.filter(name="Anna").update(email="ännchen@example.org")
    assert outbox.drain(now=MONDAY) == 2
    assert OutboxMail.objects.get(person__name="Anna").status == "failed"


def test_a_mail_that_cannot_be_written_fails_alone_with_its_error(smtp, settings, tmp_path, caplog):
    broken = tmp_path / "mail" / "game_over.txt"
    broken.parent.mkdir()
    broken.write_text("{% if person.name == 'Boris' %}{{ no such thing }}{% endif %}")
    over(open_table("Anna", "Boris", "Clara"))
    turns, _ = open_table("Dora", "Emil", "Fanny"), caplog.set_level(logging.CRITICAL)
    settings.TEMPLATES = [
        {**settings.TEMPLATES[0], "DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}
    ]
    assert engines["django"].engine.dirs[0] == tmp_path
    outbox.drain(now=MONDAY)
    failed = OutboxMail.objects.filter(kind=Kind.GAME_OVER)
    assert set(failed.values_list("status", flat=True)) == {"failed"}
    assert all(TemplateSyntaxError.__name__ in mail.error for mail in failed)
    assert OutboxMail.objects.get(game=turns, kind=Kind.YOUR_TURN).status == "sent"


# Only while true


def test_a_turn_that_was_answered_meanwhile_is_not_mailed(smtp):
    game, user = a_turn()
    answer(game, user, MONDAY)
    outbox.drain(now=MONDAY)
    turns = OutboxMail.objects.filter(kind=Kind.YOUR_TURN).order_by("pk")
    assert list(turns.values_list("phase_no", "status")) == [(1, "dropped"), (2, "sent")]
    [mail] = smtp.messages
    assert "asks for your bribe" in mail.get_body(("plain",)).get_content()


@pytest.mark.parametrize("kind", [Kind.YOUR_TURN, Kind.REMINDER, Kind.LAST_REMINDER])
def test_what_speaks_of_an_older_deadline_is_dropped(kind, smtp):
    game, user = a_turn()
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    Seat.objects.filter(user=user).update(deadline_version=99)
    assert outbox.drain(now=MONDAY) == 0
    assert status(kind) == "dropped"


def close(game):
    game.seats.update(deadline_at=None)
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)


def park(game):
    Game.objects.update(parked_at=MONDAY, deadline_at=None)


def leave(game):
    game.seats.update(user=None)


@pytest.mark.parametrize(
    ("kind", "what_happened"),
    [
        (Kind.YOUR_TURN, park),
        (Kind.REMINDER, park),
        (Kind.LAST_REMINDER, park),
        (Kind.GAME_STARTED, close),
        (Kind.DEFAULT_PLAYED, leave),
        (Kind.MARKED_ABSENT, leave),
        (Kind.MARKED_ABSENT, lambda _: None),
        (Kind.MENTION, lambda _: None),
        (Kind.GAME_OVER, lambda _: None),
        (Kind.TABLE_CLOSED, lambda _: None),
        (Kind.GAME_PARKED, park),
        (Kind.INVITATION, lambda _: None),
        (Kind.SUBSTITUTE_WANTED, lambda _: None),
    ],
)
def test_what_is_not_true_is_dropped(kind, what_happened, smtp):
    """Nobody is absent, has spoken or is a moderator here, and the game neither over nor closed."""
    game, user = a_turn()
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    what_happened(game)
    assert outbox.drain(now=MONDAY) == 0
    assert status(kind) == "dropped"
    assert smtp.messages == []


def test_an_invitation_that_was_answered_is_not_sent(smtp):
    game = open_table("Anna", size=3)
    invitation = Invitation.objects.create(
        game=game, email="dora@example.org", created_at=MONDAY, status=Invitation.Status.DECLINED
    )
    outbox.enqueue(
        Kind.INVITATION, game=game, address=invitation.email, about=invitation.pk, now=MONDAY
    )
    assert outbox.drain(now=MONDAY) == 0
    assert status(Kind.INVITATION) == "dropped"


def test_a_substitute_is_not_looked_for_when_the_player_is_back(smtp):
    game, user = a_turn()
    dora = person("Dora")
    Seat.objects.filter(user=user).update(absent_since=MONDAY)
    write(Kind.SUBSTITUTE_WANTED, game, dora.name, about=seat_of(game, user.name).pk)
    Seat.objects.filter(user=user).update(absent_since=None)
    assert outbox.drain(now=MONDAY) == 0
    assert status(Kind.SUBSTITUTE_WANTED) == "dropped"


def test_a_closed_account_gets_no_mail(smtp):
    _, user = a_turn()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert outbox.drain(now=MONDAY) == 0
    assert status(Kind.YOUR_TURN) == "dropped"


# Only while wanted


def test_an_unwanted_kind_is_not_sent(smtp):
    _, user = a_turn()
    User.objects.filter(pk=user.pk).update(unwanted_mails=["your_turn"])
    assert outbox.drain(now=MONDAY) == 0
    assert status(Kind.YOUR_TURN) == "dropped"


@pytest.mark.parametrize("kind", [Kind.REMINDER, Kind.LAST_REMINDER])
def test_who_wants_no_reminders_gets_neither(kind, smtp):
    game, user = a_turn()
    User.objects.filter(pk=user.pk).update(unwanted_mails=["reminder"])
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    assert outbox.drain(now=MONDAY) == 0
    assert status(kind) == "dropped"


def test_a_muted_game_sends_no_mail_and_the_others_do(smtp):
    muted, user = a_turn()
    MutedGame.objects.create(user=user, game=muted)
    open_table("Dora", "Emil", "Fanny")
    outbox.drain(now=MONDAY)
    assert OutboxMail.objects.get(game=muted).status == "dropped"
    assert smtp.messages
    assert user.email not in {mail["To"] for mail in smtp.messages}


def test_what_is_essential_comes_all_the_same(smtp):
    game, user = a_turn()
    MutedGame.objects.create(user=user, game=game)
    User.objects.filter(pk=user.pk).update(unwanted_mails=[kind.value for kind in Kind])
    Seat.objects.filter(user=user).update(absent_since=MONDAY)
    write(Kind.MARKED_ABSENT, game, user.name)
    assert outbox.drain(now=MONDAY) == 1
