"""Email: a row first, sent at least once with a stable Message-ID, only while true and wanted."""

import logging
from datetime import timedelta

import pytest
from django.template import TemplateSyntaxError, engines

from games.models import EmailSender, Game, Invitation, MutedGame, OutboxEmail, Seat, User
from games.services import outbox
from games.services.email import bundles, delivery
from games.services.email.kinds import KIND_BY_KEY
from games.services.outbox import NEWS_WAITS
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def status(kind):
    return OutboxEmail.objects.get(kind=kind).status


def a_turn():
    """A game whose only email is that somebody is awaited, and that person."""
    game = open_table("Anna", "Boris", "Clara")
    OutboxEmail.objects.exclude(kind="your_turn").delete()
    return game, seats_to_move(game)[0].user


def write(kind, game, name, **about):
    OutboxEmail.objects.all().delete()
    outbox.enqueue(kind, game=game, person=User.objects.get(name=name), now=MONDAY, **about)


@pytest.fixture
def choosy(settings):
    with choosy_server(settings) as inbox:
        yield inbox


# Writing


def test_the_same_email_is_written_once():
    game, user = a_turn()
    for _ in range(2):
        outbox.enqueue("game_over", game=game, person=user, now=MONDAY + DAY)
    assert OutboxEmail.objects.filter(kind="game_over").count() == 1


def test_an_invitation_is_written_to_an_address_once_for_each_invitation():
    game, _ = a_turn()
    for about in (1, 1, 2):
        outbox.enqueue("invitation", game=game, address="dora@example.org", about=about, now=MONDAY)
    emails = OutboxEmail.objects.filter(kind="invitation")
    assert sorted(emails.values_list("address", "about")) == [
        ("dora@example.org", 1),
        ("dora@example.org", 2),
    ]


def test_nothing_is_written_to_nobody():
    game, _ = a_turn()
    outbox.enqueue("game_over", game=game, now=MONDAY)
    assert not OutboxEmail.objects.filter(kind="game_over").exists()


def test_an_email_waits_for_its_time(smtp):
    game, user = a_turn()
    OutboxEmail.objects.all().delete()
    Game.objects.update(parked_at=MONDAY, deadline_at=None)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    later = MONDAY + 60 * MINUTE
    outbox.enqueue("game_parked", game=game, person=user, now=MONDAY, not_before=later)
    assert delivery.drain(now=later - MINUTE) == 0
    assert delivery.drain(now=later) == 1


# Sending


def test_a_turn_is_sent_once(smtp):
    a_turn()
    assert delivery.drain(now=MONDAY) == 1
    assert delivery.drain(now=MONDAY) == 0
    mail = OutboxEmail.objects.get()
    assert (mail.status, mail.sent_at, mail.attempts, mail.error) == ("sent", MONDAY, 1, "")
    assert len(smtp.messages) == 1


def test_an_email_that_is_not_taken_is_tried_again_with_the_same_id(choosy):
    _, user = a_turn()
    choosy.to_recipient[user.email] = "451 Try again later"
    assert delivery.drain(now=MONDAY) == 0
    mail = OutboxEmail.objects.get()
    assert (mail.status, mail.attempts, mail.not_before) == ("ready", 1, MONDAY + MINUTE)
    assert mail.error == "451 Try again later"
    choosy.to_recipient.clear()
    assert delivery.drain(now=MONDAY) == 0
    assert delivery.drain(now=MONDAY + MINUTE) == 1
    [sent] = choosy.messages
    assert sent["Message-ID"] == mail.message_id


def test_no_message_id_comes_again_after_a_restore(smtp):
    """The numbers of rows do: those of the backup are given once more."""
    a_turn()
    row = OutboxEmail.objects.values().get()
    delivery.drain(now=MONDAY)
    OutboxEmail.objects.all().delete()
    OutboxEmail.objects.create(**row)
    delivery.drain(now=MONDAY)
    first, again = (mail["Message-ID"] for mail in smtp.messages)
    assert first != again


def test_a_message_id_fits_however_long_the_name_of_the_site_is(smtp, settings):
    settings.SITE_URL = f"https://{'.'.join(['intrigue' * 7] * 4)}.example.org"
    a_turn()
    assert delivery.drain(now=MONDAY) == 1
    assert OutboxEmail.objects.get().message_id.endswith(".example.org>")


def test_what_a_sender_has_claimed_is_its_own_as_long_as_it_lives(smtp):
    a_turn()
    sender = EmailSender.objects.create(worker="another", lives_until=MONDAY + MINUTE)
    OutboxEmail.objects.update(status="sending", claimed_by=sender.pk)
    assert delivery.drain(now=MONDAY + MINUTE) == 0
    assert delivery.drain(now=MONDAY + MINUTE + timedelta(seconds=1)) == 1


def over(game):
    """Make the game over and write the email of it to all."""
    OutboxEmail.objects.all().delete()
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxEmail.objects.exclude(kind="game_over").delete()


@pytest.mark.full
def test_several_emails_go_over_one_connection(choosy):
    over(open_table("Anna", "Boris", "Clara"))
    assert delivery.drain(now=MONDAY) == 3
    assert len(choosy.messages) == 3
    assert choosy.connections == 1


def test_the_failed_email_is_read_once_for_all_that_is_listed():
    """Once for each row took 19 seconds for a backlog of 10,000 emails."""
    a_turn()
    assert "hashed SubPlan" in OutboxEmail.objects.ready(MONDAY).fresh().explain()


@pytest.mark.full
def test_a_recipient_who_is_refused_for_good_is_given_up_at_once_and_harms_no_other(choosy):
    choosy.to_recipient["boris@example.org"] = "550 No such user"
    choosy.to_recipient["clara@example.org"] = "451 Try again later"
    over(open_table("Anna", "Boris", "Clara", "Dora"))
    assert delivery.drain(now=MONDAY) == 2
    text = dict(OutboxEmail.objects.values_list("person__name", "status"))
    assert text == {"Anna": "sent", "Boris": "failed", "Clara": "ready", "Dora": "sent"}
    refused = OutboxEmail.objects.get(person__name="Boris")
    assert refused.attempts == 1
    assert "No such user" in refused.error
    assert sorted(mail["To"] for mail in choosy.messages) == [
        "anna@example.org",
        "dora@example.org",
    ]


@pytest.mark.full
def test_an_address_that_no_mail_server_takes_is_given_up_at_once(smtp):
    over(open_table("Anna", "Boris", "Clara"))
    User.objects.filter(name="Anna").update(email="ännchen@example.org")
    assert delivery.drain(now=MONDAY) == 2
    assert OutboxEmail.objects.get(person__name="Anna").status == "failed"


@pytest.mark.full
def test_an_email_that_cannot_be_written_fails_alone_with_its_error(
    smtp, settings, tmp_path, caplog
):
    broken = tmp_path / "email" / "game_over.txt"
    broken.parent.mkdir()
    broken.write_text("{% if person.name == 'Boris' %}{{ no such thing }}{% endif %}")
    over(open_table("Anna", "Boris", "Clara"))
    turns, _ = open_table("Dora", "Emil", "Fanny"), caplog.set_level(logging.CRITICAL)
    pages, others = settings.TEMPLATES
    settings.TEMPLATES = [{**pages, "DIRS": [tmp_path, *pages["DIRS"]]}, others]
    assert engines["pages"].template_dirs[0] == tmp_path
    delivery.drain(now=MONDAY)
    failed = OutboxEmail.objects.filter(kind="game_over")
    assert set(failed.values_list("status", flat=True)) == {"failed"}
    assert all(TemplateSyntaxError.__name__ in mail.error for mail in failed)
    assert OutboxEmail.objects.get(game=turns, kind="your_turn").status == "sent"


# Only while true


def test_a_turn_that_was_answered_meanwhile_is_not_emailed(smtp):
    game, user = a_turn()
    submit_move(game, user, MONDAY)
    delivery.drain(now=MONDAY)
    turns = OutboxEmail.objects.filter(kind="your_turn").order_by("pk")
    assert list(turns.values_list("phase_no", "status")) == [(1, "dropped"), (2, "sent")]
    [mail] = smtp.messages
    assert "Choose how much to bribe" in mail.get_body(("plain",)).get_content()


@pytest.mark.parametrize("kind", ["reminder", "last_reminder"])
def test_a_reminder_of_an_older_deadline_is_dropped(kind, smtp):
    game, user = a_turn()
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    Seat.objects.filter(user=user).update(deadline_version=99)
    assert delivery.drain(now=MONDAY) == 0
    assert status(kind) == "dropped"


def close(game):
    game.seats.update(deadline_at=None)
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)


def park(game):
    Game.objects.update(parked_at=MONDAY, deadline_at=None)


def leave(game):
    game.seats.update(user=None)


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "what_happened"),
    [
        ("your_turn", close),
        ("your_turn", leave),
        ("reminder", park),
        ("last_reminder", park),
        ("game_started", close),
        ("default_played", leave),
        ("marked_absent", leave),
        ("marked_absent", lambda _: None),
        ("mention", lambda _: None),
        ("game_over", lambda _: None),
        ("table_closed", lambda _: None),
        ("game_parked", park),
        ("invitation", lambda _: None),
        ("substitute_wanted", lambda _: None),
    ],
)
def test_what_is_not_true_is_dropped(kind, what_happened, smtp):
    """Nobody is absent, has spoken or is a moderator here, and the game neither over nor closed."""
    game, user = a_turn()
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    what_happened(game)
    assert delivery.drain(now=MONDAY + NEWS_WAITS) == 0
    assert status(kind) == "dropped"
    assert smtp.messages == []


def test_an_invitation_that_was_answered_is_not_sent(smtp):
    game = open_table("Anna", size=3)
    invitation = Invitation.objects.create(
        game=game, email="dora@example.org", created_at=MONDAY, status=Invitation.Status.DECLINED
    )
    outbox.enqueue(
        "invitation", game=game, address=invitation.email, about=invitation.pk, now=MONDAY
    )
    assert delivery.drain(now=MONDAY) == 0
    assert status("invitation") == "dropped"


def test_a_substitute_is_not_looked_for_when_the_player_is_back(smtp):
    game, user = a_turn()
    dora = person("Dora")
    Seat.objects.filter(user=user).update(absent_since=MONDAY)
    write("substitute_wanted", game, dora.name, about=seat_of(game, user.name).pk)
    Seat.objects.filter(user=user).update(absent_since=None)
    assert delivery.drain(now=MONDAY + NEWS_WAITS) == 0
    assert status("substitute_wanted") == "dropped"


def test_a_closed_account_gets_no_email(smtp):
    _, user = a_turn()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert delivery.drain(now=MONDAY) == 0
    assert status("your_turn") == "dropped"


# Only while wanted


def test_an_unwanted_kind_is_not_sent(smtp):
    _, user = a_turn()
    User.objects.filter(pk=user.pk).update(unwanted_emails=["your_turn"])
    assert delivery.drain(now=MONDAY) == 0
    assert status("your_turn") == "dropped"


@pytest.mark.parametrize("kind", ["reminder", "last_reminder"])
def test_who_wants_no_reminders_gets_neither(kind, smtp):
    game, user = a_turn()
    User.objects.filter(pk=user.pk).update(unwanted_emails=["reminder"])
    write(kind, game, user.name, deadline_version=seat_of(game, user.name).deadline_version)
    assert delivery.drain(now=MONDAY) == 0
    assert status(kind) == "dropped"


def test_a_muted_game_sends_no_email_and_the_others_do(smtp):
    muted, user = a_turn()
    MutedGame.objects.create(user=user, game=muted)
    open_table("Dora", "Emil", "Fanny")
    delivery.drain(now=MONDAY)
    assert OutboxEmail.objects.get(game=muted).status == "dropped"
    assert smtp.messages
    assert user.email not in {mail["To"] for mail in smtp.messages}


def test_what_is_essential_comes_all_the_same(smtp):
    game, user = a_turn()
    MutedGame.objects.create(user=user, game=game)
    User.objects.filter(pk=user.pk).update(unwanted_emails=list(KIND_BY_KEY))
    Seat.objects.filter(user=user).update(absent_since=MONDAY)
    write("marked_absent", game, user.name)
    assert delivery.drain(now=MONDAY) == 1


# What changes while email is on its way


def after_claims(monkeypatch, change):
    """Do something once the first emails are claimed, before any is written."""
    claim, done = bundles._claim, []

    def claim_then_change(emails, now):
        claims = claim(emails, now)
        if claims and not done:
            done.append(True)
            change()
        return claims

    monkeypatch.setattr(bundles, "_claim", claim_then_change)


@pytest.mark.parametrize("fresh_for", [0.0, 600.0])
def test_who_moves_while_their_email_waits_for_others_is_not_asked(smtp, monkeypatch, fresh_for):
    """Whether it was read again, or only its game was."""
    monkeypatch.setattr(bundles, "FRESH_FOR", fresh_for)
    game, user = a_turn()
    row = OutboxEmail.objects.get(kind="your_turn")

    def move():
        submit_move(game, user, MONDAY)
        OutboxEmail.objects.exclude(pk=row.pk).delete()

    after_claims(monkeypatch, move)
    delivery.drain(now=MONDAY)
    assert [mail["Subject"] for mail in smtp.messages] == []
    row.refresh_from_db()
    assert row.status == "dropped"


def test_email_that_goes_with_its_account_while_it_is_sent_stops_nothing(choosy, monkeypatch):
    _game, user = a_turn()
    choosy.to_recipient[user.email] = "451 4.2.1 Later"
    after_claims(monkeypatch, lambda: OutboxEmail.objects.filter(person=user).delete())
    assert delivery.drain(now=MONDAY) == 0
    assert not OutboxEmail.objects.filter(person=user).exists()
