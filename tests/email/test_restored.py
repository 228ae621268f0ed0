"""A restored site sends no old email and no old notifications, and still says whose turn it is."""

from datetime import timedelta

import pytest
from django.db import connection

from games.models import OutboxEmail, OutboxPush, PushSubscription
from games.services import outbox
from games.services.email import delivery, restored
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

TUESDAY = MONDAY + DAY
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game(settings):
    """Anna has a browser, and all email about the game waits when the backup is made."""
    settings.PUSH_KEY = "a key"
    game = open_table("Anna", "Boris", "Clara")
    for seat in game.seats.select_related("user"):
        PushSubscription.objects.create(
            user=seat.user, endpoint=f"https://push.example/{seat.pk}", p256dh="p", auth="a",
            session_key="s", created_at=MONDAY,
        )  # fmt: skip
    for seat in game.seats.select_related("user"):
        outbox.enqueue("table_news", game=game, person=seat.user, now=MONDAY, about=1)
    return game


def statuses():
    rows = OutboxEmail.objects.order_by("kind").values_list("kind", "status").distinct()
    return [f"{kind} {status}" for kind, status in rows]


def test_news_is_dropped_and_a_turn_that_still_is_one_is_told(game, smtp):
    assert OutboxPush.objects.count() > 1
    restored.drop_what_waited(TUESDAY)
    assert not OutboxPush.objects.exists()
    assert delivery.drain(now=TUESDAY) == 1
    [mail] = smtp.messages
    assert mail["To"] == seats_to_move(game)[0].user.email
    assert mail["Subject"].startswith("Your move by ")
    assert statuses() == ["game_started dropped", "table_news dropped", "your_turn sent"]


def test_a_turn_that_is_over_is_not_told(game, smtp):
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    restored.drop_what_waited(TUESDAY)
    delivery.drain(now=TUESDAY)
    assert {mail["To"] for mail in smtp.messages} == {
        seat.user.email for seat in seats_to_move(game)
    }


def test_what_was_being_sent_is_dropped_too_and_what_is_not_due_yet_waits(game):
    OutboxEmail.objects.filter(kind="game_started").update(status="sending", claimed_at=MONDAY)
    OutboxEmail.objects.filter(kind="table_news").update(not_before=TUESDAY + MINUTE)
    OutboxEmail.objects.filter(kind="your_turn").delete()
    restored.drop_what_waited(TUESDAY)
    assert statuses() == ["game_started dropped", "table_news ready"]
    assert set(OutboxEmail.objects.filter(status="dropped").values_list("error", flat=True)) == {
        restored.WHY
    }


def test_what_was_sent_failed_or_dropped_stays_as_it_was(game):
    for row, status in zip(
        OutboxEmail.objects.order_by("pk"), ("sent", "failed", "dropped"), strict=False
    ):
        OutboxEmail.objects.filter(pk=row.pk).update(status=status, error="Why.")
    OutboxEmail.objects.exclude(error="Why.").delete()
    assert restored.drop_what_waited(TUESDAY) == 0
    assert list(OutboxEmail.objects.order_by("pk").values_list("status", "error")) == [
        ("sent", "Why."), ("failed", "Why."), ("dropped", "Why."),
    ]  # fmt: skip


def test_a_backup_from_before_there_were_notifications_is_no_trouble(game):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_outboxpush RENAME TO not_yet")
    assert restored.drop_what_waited(TUESDAY) > 0
