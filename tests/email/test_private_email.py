"""Email about private messages: all that is unread once, in its conversation, and as it stays."""

from datetime import timedelta

import pytest

from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import OutboxMail
from games.services import outbox
from games.services.chat.messages import BETWEEN_EMAILS, EDITED_WITHIN, LONGEST_WAIT, say
from games.services.email import delivery
from tests.support.promising import SIX, bribing_table, in_order, sitter
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY
from tests.support.whispering import offers_privately, whisper

pytestmark = pytest.mark.django_db
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
SIX_O_CLOCK = MONDAY.replace(hour=18)


@pytest.fixture
def game():
    """Where people may talk privately, without the email of its start."""
    game = bribing_table(press="private")
    OutboxMail.objects.all().delete()
    return game


def to(smtp, reader):
    return [mail for mail in smtp.messages if mail["To"] == reader.email]


def test_in_the_digest_of_one_table_a_private_message_is_no_part_of_a_public_email(
    game, smtp, settings
):
    """Whoever replied to that would tell everybody."""
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    reader.digest_mails, reader.digest_hour = ["private_message", "game_started"], 18
    reader.save()
    whisper(game, first, second, text="Between us")
    outbox.enqueue("game_started", game=game, person=reader, now=MONDAY)
    delivery.drain(now=MONDAY + HOUR)
    delivery.drain(now=SIX_O_CLOCK)
    [mail] = to(smtp, reader)
    text = plain_text(mail)
    assert "Between us" in text
    assert "has started" in text
    assert mail["Reply-To"] is None
    assert mail["Subject"] == "2 updates from your tables"


def test_a_private_message_alone_in_the_digest_is_answered_in_its_conversation(
    game, smtp, settings
):
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    reader.digest_mails, reader.digest_hour = ["private_message"], 18
    reader.save()
    said = whisper(game, first, second, text="Between us")
    delivery.drain(now=MONDAY + HOUR)
    outbox.enqueue("private_message", game=game, person=reader, now=MONDAY, about=said.pk + 1)
    delivery.drain(now=MONDAY + HOUR)
    delivery.drain(now=SIX_O_CLOCK)
    [mail] = to(smtp, reader)
    assert plain_text(mail).count("Between us") == 1
    assert mail["Reply-To"].endswith("@reply.example.org")
    assert set(reader.mails.values_list("status", flat=True)) == {"sent"}


def test_what_came_of_several_private_promises_is_one_email(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    said = whisper(game, first, second, text="Between us")
    for number in (1, 2):
        outbox.enqueue(
            "private_message", game=game, person=reader, now=MONDAY, about=said.pk + number
        )
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    [mail] = to(smtp, reader)
    assert plain_text(mail).count("Between us") == 1
    assert set(reader.mails.values_list("status", flat=True)) == {"sent"}


def test_what_an_email_has_told_is_not_told_again_by_one_that_was_late(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    said = whisper(game, first, second, text="Between us")
    late = {"game": game, "person": reader, "now": MONDAY, "about": said.pk + 1}
    outbox.enqueue("private_message", **late)
    reader.mails.filter(about=said.pk + 1).update(message_id="<late@example.org>", attempts=1)
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    delivery.drain(now=MONDAY + HOUR)
    assert len(to(smtp, reader)) == 1


def test_a_private_offer_waits_as_an_open_one_does(game, smtp):
    maker, reader, _third = in_order(game)
    scholar = game.decoded().contenders[0]
    promise = Promise(reader, maker, PlaceIn(scholar, None, SIX), IfBribed(scholar, 4000))
    offers_privately(game, reader, promise)
    [row] = OutboxMail.objects.filter(kind="private_message")
    assert row.not_before == MONDAY + outbox.NEWS_WAITS
    delivery.drain(now=row.not_before)
    assert len(to(smtp, sitter(game, maker))) == 1


def test_words_that_may_still_be_edited_are_not_quoted_and_come_with_the_next_email(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    whisper(game, first, second, text="Between us")
    late = LONGEST_WAIT + MINUTE
    reader.mails.update(not_before=MONDAY + late)
    whisper(game, first, second, text="A typso", now=MONDAY + late - SECOND)
    delivery.drain(now=MONDAY + late)
    [mail] = to(smtp, reader)
    assert "Between us" in plain_text(mail)
    assert "A typso" not in plain_text(mail)
    [row] = reader.mails.filter(status="ready")
    assert row.not_before == MONDAY + late + BETWEEN_EMAILS
    delivery.drain(now=row.not_before)
    assert "A typso" in plain_text(to(smtp, reader)[1])


def test_a_mention_that_may_still_be_edited_is_not_quoted(game, smtp):
    """Not even by an email about an earlier one, and it isn't forgotten."""
    first, second, _third = in_order(game)
    reader, speaker = sitter(game, second), sitter(game, first)
    said = {"game_id": game.pk, "user": speaker}
    say(**said, text=f"@{reader.name}, one", token="6a3a1c1e-0000-4000-8000-000000000001",
        now=MONDAY)  # fmt: skip
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    soon = MONDAY + HOUR / 2
    for number, at in ((2, soon), (3, soon + EDITED_WITHIN)):
        token = f"6a3a1c1e-0000-4000-8000-00000000000{number}"
        say(**said, text=f"@{reader.name}, number {number}", token=token, now=at)
    # It waits for its hour; an email about something else doesn't take it along unfinished.
    outbox.enqueue("game_started", game=game, person=reader, now=soon + EDITED_WITHIN)
    delivery.drain(now=soon + EDITED_WITHIN)
    assert "number" not in plain_text(to(smtp, reader)[1])
    delivery.drain(now=MONDAY + 2 * EDITED_WITHIN + BETWEEN_EMAILS)
    text = plain_text(to(smtp, reader)[2])
    assert "number 2" in text
    assert "number 3" in text
