"""Email about private messages: all that is unread once, in its conversation, and as it stays."""

from datetime import timedelta

import pytest

from games.engine.promises import IfBribed, PlaceIn, Promise, SendNobody
from games.models import OutboxEmail
from games.services import outbox
from games.services.chat import threads
from games.services.chat.messages import BETWEEN_EMAILS, EDITED_WITHIN, LONGEST_WAIT, say
from games.services.email import delivery
from tests.support.promising import SIX, bribing_table, in_order, offers, sitter
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
    OutboxEmail.objects.all().delete()
    return game


def to(smtp, reader):
    return [mail for mail in smtp.messages if mail["To"] == reader.email]


@pytest.mark.full
def test_in_the_digest_of_one_table_a_private_message_is_no_part_of_a_public_email(
    game, smtp, settings
):
    """Whoever replied to that would tell everybody."""
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    reader.digest_emails, reader.digest_hour = ["private_message", "game_started"], 18
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


@pytest.mark.full
def test_a_private_message_alone_in_the_digest_is_answered_in_its_conversation(
    game, smtp, settings
):
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    reader.digest_emails, reader.digest_hour = ["private_message"], 18
    reader.save()
    whisper(game, first, second, text="Between us")
    delivery.drain(now=MONDAY + HOUR)
    again = whisper(game, first, second, text="Once more")
    outbox.enqueue("private_message", game=game, person=reader, now=MONDAY, about=again.pk)
    delivery.drain(now=MONDAY + HOUR)
    delivery.drain(now=SIX_O_CLOCK)
    [mail] = to(smtp, reader)
    assert plain_text(mail).count("Between us") == 1
    assert mail["Reply-To"].endswith("@reply.example.org")
    assert set(reader.emails.values_list("status", flat=True)) == {"sent"}


@pytest.mark.full
def test_what_came_of_several_private_promises_is_one_email(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    for text in ("Between us", "Once more", "And again"):
        said = whisper(game, first, second, text=text)
        outbox.enqueue("private_message", game=game, person=reader, now=MONDAY, about=said.pk)
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    [mail] = to(smtp, reader)
    assert plain_text(mail).count("Between us") == 1
    assert set(reader.emails.values_list("status", flat=True)) == {"sent"}


@pytest.mark.full
def test_what_an_email_has_told_is_not_told_again_by_one_that_was_late(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    whisper(game, first, second, text="Between us")
    late = whisper(game, first, second, text="Once more").pk
    outbox.enqueue("private_message", game=game, person=reader, now=MONDAY, about=late)
    reader.emails.filter(about=late).update(message_id="<late@example.org>", attempts=1)
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    delivery.drain(now=MONDAY + HOUR)
    assert len(to(smtp, reader)) == 1


def test_a_private_offer_waits_as_an_open_one_does(game, smtp):
    maker, reader, _third = in_order(game)
    scholar = game.decoded().contenders[0]
    promise = Promise(reader, maker, PlaceIn(scholar, None, SIX), IfBribed(scholar, 4000))
    offers_privately(game, reader, promise)
    [row] = OutboxEmail.objects.filter(kind="private_message")
    assert row.not_before == MONDAY + outbox.NEWS_WAITS
    delivery.drain(now=row.not_before)
    assert len(to(smtp, sitter(game, maker))) == 1


@pytest.mark.full
def test_words_that_may_still_be_edited_are_not_quoted_and_come_with_the_next_email(game, smtp):
    first, second, _third = in_order(game)
    reader = sitter(game, second)
    whisper(game, first, second, text="Between us")
    late = LONGEST_WAIT + MINUTE
    reader.emails.update(not_before=MONDAY + late)
    whisper(game, first, second, text="A typso", now=MONDAY + late - SECOND)
    delivery.drain(now=MONDAY + late)
    [mail] = to(smtp, reader)
    assert "Between us" in plain_text(mail)
    assert "A typso" not in plain_text(mail)
    [row] = reader.emails.filter(status="ready")
    assert row.not_before == MONDAY + late + BETWEEN_EMAILS
    delivery.drain(now=row.not_before)
    assert "A typso" in plain_text(to(smtp, reader)[1])


@pytest.mark.full
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


@pytest.mark.full
def test_each_conversation_is_an_email_of_its_own_and_what_was_read_is_in_none(game, smtp):
    """They are ready at the same time; one is opened on the site before they leave."""
    first, second, third = in_order(game)
    reader = sitter(game, second)
    early = whisper(game, first, second, text="Between us")
    late = whisper(game, third, second, text="Not a word")
    offered = Promise(third, second, SendNobody(None, 3))
    offers(game, first, Promise(first, second, SendNobody(None, 3)))
    offers_privately(game, third, offered, among=late.thread.token)
    delivery.drain(now=MONDAY + EDITED_WITHIN)
    one, other = [plain_text(mail) for mail in to(smtp, reader) if "A message" in mail["Subject"]]
    assert ("Between us" in one, "Not a word" in one) == (True, False)
    assert ("Between us" in other, "Not a word" in other) == (False, True)
    assert ("Offers you can reply to:" in one, "Offers you can reply to:" in other) == (False, True)
    assert f"?talk={late.thread.token}#chat" in other
    [news] = [plain_text(mail) for mail in to(smtp, reader) if "A message" not in mail["Subject"]]
    assert news.count("sends no one") == 1
    for text in ("Once", "Never"):
        whisper(game, first if text == "Once" else third, second, text=text, now=MONDAY + HOUR)
    threads.read_up_to(early.thread_id, reader, 99)
    smtp.messages.clear()
    delivery.drain(now=MONDAY + 2 * HOUR)
    [mail] = to(smtp, reader)
    assert "Never" in plain_text(mail)
    assert "Once" not in plain_text(mail)
