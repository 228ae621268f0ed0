"""Mail: a row first, sent at least once with a stable Message-ID, dropped when no longer true."""

from datetime import timedelta

import pytest

from games.models import OutboxMail
from games.services import outbox
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_a_turn_is_mailed_over_the_wire_in_text_and_html(smtp):
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    seat.user.time_zone = "Europe/Vienna"
    seat.user.save()
    assert outbox.drain(now=MONDAY) == 1
    [mail] = smtp.messages
    text = mail.get_body(("plain",)).get_content()
    html = mail.get_body(("html",)).get_content()
    assert mail["Subject"] == "[Intrigue] The Venice table"
    assert mail["Message-ID"].startswith(f"<mail-{OutboxMail.objects.get().pk}.game-{game.pk}@")
    assert mail["References"] == mail["In-Reply-To"]
    assert mail["Auto-Submitted"] == "auto-generated"
    for words in (
        "Send your scholars to other palaces.",
        "Tue 3 Mar, 10:00 (Europe/Vienna)",
        "Tue 3 Mar, 09:00 (UTC)",
        "If you do nothing until then, this is played:",
        game.token,
    ):
        assert words in text
        assert words in html


def test_a_turn_that_was_answered_meanwhile_is_not_mailed(smtp):
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    answer(game, seat.user, MONDAY)
    outbox.drain(now=MONDAY)
    assert list(OutboxMail.objects.order_by("pk").values_list("phase_no", "status")) == [
        (1, "dropped"),
        (2, "sent"),
    ]
    [mail] = smtp.messages
    assert "asks for your bribe" in mail.get_body(("plain",)).get_content()


def test_a_mail_that_cannot_be_sent_is_tried_again_with_the_same_id(smtp, settings):
    open_table("Anna", "Boris", "Clara")
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
    open_table("Anna", "Boris", "Clara")
    settings.MAILERS = nowhere(settings.MAILERS)
    now = MONDAY
    for _ in range(20):
        outbox.drain(now=now)
        now += timedelta(hours=13)
    mail = OutboxMail.objects.get()
    assert mail.status == "failed"
    assert mail.attempts == 8


def test_what_a_dead_sender_had_claimed_is_sent_after_ten_minutes(smtp):
    open_table("Anna", "Boris", "Clara")
    OutboxMail.objects.update(status="sending", claimed_at=MONDAY)
    assert outbox.drain(now=MONDAY + 10 * MINUTE) == 0
    assert outbox.drain(now=MONDAY + 11 * MINUTE) == 1


def test_the_same_mail_is_written_once():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    for _ in range(2):
        outbox.enqueue(OutboxMail.Kind.GAME_OVER, game=game, person=seat.user, now=MONDAY + DAY)
    assert OutboxMail.objects.filter(kind="game_over").count() == 1


def nowhere(mailers):
    """The same mailers, with an address at which nobody listens."""
    default = mailers["default"]
    return {"default": {**default, "OPTIONS": {**default["OPTIONS"], "port": 1}}}
