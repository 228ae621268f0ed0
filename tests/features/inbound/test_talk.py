"""Messages, offers and replies by email: in the conversation they came from, as on the page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine.ledger import Status
from games.engine.promises import Promise, SendNobody
from games.models import Message, OutboxEmail, PrivateMessage, User
from games.services.chat.messages import MOST_AT_ONCE
from games.services.email import delivery
from games.services.email.kinds import KIND_BY_KEY
from games.services.public_ids import short_id
from tests.features.inbound.replying import confirmed, lines, reply
from tests.support import promising, whispering
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db


def prepared(game, **more):
    for seat in game.seats.select_related("user"):
        confirmed(seat.user, **more)
    return game


@pytest.fixture
def game():
    """The first player is to bribe the second; all play at once what they send."""
    return prepared(promising.bribing_table(press="private"), replies_at_once=True)


def name_of(game, place):
    return promising.sitter(game, promising.in_order(game)[place]).name


def colour_of(game, place):
    return game.decoded().table.players[promising.in_order(game)[place]]


def test_a_message_goes_to_the_table(game):
    row = reply(game, name_of(game, 2), "Hello all!\n\nWho wants to talk?")
    message = game.messages.get()
    assert message.text == "Hello all!\n\nWho wants to talk?"
    assert message.author.name == name_of(game, 2)
    assert message.token == row.token
    assert lines(row) == "Your message was sent:\nHello all!\n\nWho wants to talk?"


@pytest.mark.parametrize("unseen", ["\u200b", "\u2800 \u3164", "\ufe0f\u200d"])
def test_what_nobody_can_see_is_no_message(game, unseen):
    row = reply(game, name_of(game, 2), unseen)
    assert "Your message was sent" not in lines(row)
    assert not game.messages.exists()


@pytest.mark.full
def test_a_message_is_confirmed_first_by_people_who_want_that(game):
    User.objects.update(replies_at_once=False)
    row = reply(game, name_of(game, 2), "Hello all!")
    assert row.response["title"] == "confirm"
    assert lines(row).startswith(
        "Your message to everyone at the table:\nHello all!\nReply “confirm”"
    )
    assert not game.messages.exists()
    reply(game, name_of(game, 2), "confirm")
    assert game.messages.get().text == "Hello all!"


@pytest.mark.full
def test_a_message_whose_phase_is_over_is_not_sent(game):
    User.objects.update(replies_at_once=False)
    reply(game, name_of(game, 2), "Hello all!")
    promising.moves(game, None)
    assert "The game has moved on" in lines(reply(game, name_of(game, 2), "confirm"))
    assert not game.messages.exists()


@pytest.mark.full
@pytest.mark.parametrize(
    "text",
    [
        "bribe me and I'll consider it",
        "Accept my apologies, Boris",
        "Help!!! Me!!!",
        "> bribe clerk 4000",
        "-- \nAnna",
        "FYI\n---------- Forwarded message ---------\nFrom: Intrigue\nSubject: Your move\n\nhello",
    ],
)
def test_what_is_neither_a_command_nor_a_message_changes_nothing(game, text):
    phase = game.phase_no
    row = reply(game, name_of(game, 0), text)
    assert row.response["title"] == "refused"
    assert game.phase_no == phase
    assert not game.messages.exists()


@pytest.mark.full
def test_a_signature_and_a_quoted_help_text_are_not_sent_on(game):
    helped = lines(reply(game, name_of(game, 0), "help"))
    quoted = "\n".join(f"> {line}" for line in helped.split("\n"))
    text = f"Hello Boris!\n\n-- \nAnna\n\nOn Mon, 2 Mar 2026 at 10:00, I <i@x.org> wrote:\n{quoted}"
    reply(game, name_of(game, 0), text)
    assert game.messages.get().text == "Hello Boris!"


@pytest.mark.full
def test_a_reply_to_a_private_message_is_private(game):
    first, second, _third = promising.in_order(game)
    message = whispering.whisper(game, first, second, text="Psst!")
    name = name_of(game, 1)
    reply(game, name, "Yes?", thread=message.thread.token)
    assert not game.messages.exists()
    latest = PrivateMessage.objects.latest("pk")
    assert (latest.text, latest.thread) == ("Yes?", message.thread)
    assert f"message to {name_of(game, 0)}" in lines(
        reply(game, name, "help", thread=message.thread.token)
    )


@pytest.mark.full
def test_each_conversation_has_an_address_of_its_own(game, smtp):
    first, second, third = promising.in_order(game)
    whispering.whisper(game, first, second, text="Psst!")
    whispering.whisper(game, third, second, text="Boo!")
    emails = OutboxEmail.objects.filter(person__name=name_of(game, 1))
    assert emails.filter(kind="private_message").count() == 2
    reply(game, name_of(game, 0), f"@{name_of(game, 1)}, hello!")
    delivery.drain(now=MONDAY.replace(year=2200))
    sent = [one for one in smtp.messages if one["To"].startswith(name_of(game, 1).lower())]
    private = [one for one in sent if "A message" in one["Subject"]]
    others = {one["Reply-To"] for one in sent if one not in private}
    assert len(others) == 1
    assert len({one["Reply-To"] for one in private} - others) == 2
    for place, words in ((0, "Psst!"), (2, "Boo!")):
        [about] = [one for one in private if words in plain_text(one)]
        assert f"a message to {name_of(game, place)}, or with your move" in plain_text(about)
        reply(game, name_of(game, 1), "Yes?", to=about)
        latest = PrivateMessage.objects.latest("pk").thread
        assert name_of(game, place) in {one.user.name for one in latest.members.all()}
    assert "with your move, or with a message to everyone at the table" in plain_text(
        next(one for one in sent if one not in private)
    )


def test_others_have_no_address_for_a_conversation(game):
    first, second, _third = promising.in_order(game)
    thread = whispering.thread_of(game, first, second)
    with pytest.raises(AssertionError):
        reply(game, name_of(game, 2), "Hello!", thread=thread.token)


@pytest.mark.full
def test_messages_by_email_keep_the_rules_of_the_chat(game):
    name = name_of(game, 2)
    User.objects.filter(name=name).update(muted_until="2100-01-01T00:00Z")
    assert "muted" in lines(reply(game, name, "Hello!")).lower()
    User.objects.filter(name=name).update(muted_until=None)
    assert "can have up to 2,000 characters" in lines(reply(game, name, "Hello! " * 400))
    for number in range(MOST_AT_ONCE):
        reply(game, name, f"Hello {number}")
    assert "You can send up to" not in lines(reply(game, name, "status"))
    assert "up to 20 messages in 5 minutes" in lines(reply(game, name, "One more"))
    assert Message.objects.count() == MOST_AT_ONCE


def test_nobody_writes_at_a_silent_table():
    game = prepared(promising.bribing_table(press="none"), replies_at_once=True)
    row = reply(game, name_of(game, 0), "Hello!")
    assert "Players can't write messages at this table while the game is running." in lines(row)
    assert "Anything else you write is sent as a message" not in lines(row)


@pytest.mark.full
def test_an_offer_is_made_and_accepted(game):
    offer = f"offer {colour_of(game, 0)}: if you bribe 6000, I place your clerk at 10000"
    row = reply(game, name_of(game, 1), offer)
    assert row.response["lines"] == ["You have made the offer."]
    [entry] = promising.stored_offers(game, game.decoded().table).ledger
    assert (entry.promise.deed.area, entry.promise.condition.least) == (10000, 6000)
    helped = lines(reply(game, name_of(game, 0), "help"))
    assert "accept / decline — " in helped
    assert "Offers you can reply to:" in lines(reply(game, name_of(game, 0), "status"))
    row = reply(game, name_of(game, 0), "accept")
    assert row.response["lines"] == ["You have accepted the offer."]
    game.refresh_from_db()
    [entry] = promising.stored_offers(game, game.decoded().table).ledger
    assert entry.status is Status.ACCEPTED


OFFERS = {
    "hire your clerk": "the only applicant can't be turned away",
    "hire your clerk at 6000": ": you hire the {0} clerk at a salary of 6,000 if ",
    "place your clerk at least at 3000": "at a salary of at least 3,000 if ",
    "let your doctor win": "That promise can't be made.",
    "place your soldier at 3000": "wasn't understood",
}


@pytest.mark.full
@pytest.mark.parametrize(("deed", "message"), OFFERS.items())
def test_an_offer_is_described_before_it_is_made(game, deed, message):
    User.objects.update(replies_at_once=False)
    colour = colour_of(game, 0)
    row = reply(game, name_of(game, 1), f"offer {name_of(game, 0)}: I {deed} if you pay 4000")
    assert message.format(colour) in lines(row)
    confirmation = reply(game, name_of(game, 1), "confirm")
    is_made = row.response["title"] == "confirm"
    assert (confirmation.response["title"] == "done") == is_made
    assert len(promising.stored_offers(game, game.decoded().table).ledger) == is_made


def test_an_offer_is_for_a_bribe_for_the_scholar_that_it_promises_something_about(game):
    offer = (
        f"offer {colour_of(game, 0)}: if you pay 6000 for your doctor, I place your clerk at 3000"
    )
    row = reply(game, name_of(game, 1), offer)
    assert "The bribe must be for the same scholar as your promise." in lines(row)
    assert not promising.stored_offers(game, game.decoded().table).ledger


def test_a_bribe_is_offered(game):
    row = reply(game, name_of(game, 0), f"offer {colour_of(game, 1)}: I pay 4000 for my clerk")
    assert row.response["lines"] == ["You have made the offer."], lines(row)


@pytest.mark.full
def test_an_offer_in_a_private_conversation_stays_there(game):
    first, second, _third = promising.in_order(game)
    thread = whispering.thread_of(game, first, second)
    offer = f"offer {colour_of(game, 0)}: if you bribe 6000, I place your clerk at 10000"
    reply(game, name_of(game, 1), offer, thread=thread.token)
    assert not promising.stored_offers(game, game.decoded().table).ledger
    thread.refresh_from_db()
    assert len(promising.stored_offers(thread, game.decoded().table).ledger) == 1
    assert "There's no open offer" in lines(reply(game, name_of(game, 0), "accept"))
    row = reply(game, name_of(game, 0), "accept", thread=thread.token)
    assert row.response["lines"] == ["You have accepted the offer."]
    other = f"offer {colour_of(game, 2)}: if you bribe 6000, I place your clerk at 10000"
    row = reply(game, name_of(game, 1), other, thread=thread.token)
    assert "Please choose someone who is in this conversation." in lines(row)


def emailed(smtp, name):
    """The latest response to somebody's email; by now, all have left."""
    delivery.drain(now=MONDAY.replace(year=2200))
    address = User.objects.get(name=name).email
    responses = [one for one in smtp.messages if one["Auto-Submitted"] == "auto-replied"]
    return [one for one in responses if one["To"] == address][-1]


@pytest.mark.full
def test_of_several_offers_one_is_named_by_its_number(game, smtp):
    for place, amount in ((1, 6000), (1, 4000)):
        offer = f"offer {colour_of(game, 0)}: if you bribe {amount}, I place your clerk at 6000"
        reply(game, name_of(game, place), offer)
    assert "Please give the number of the offer you mean: 1. " in lines(
        reply(game, name_of(game, 0), "accept")
    )
    assert "Please give the number of the offer" in lines(reply(game, name_of(game, 0), "accept 3"))
    reply(game, name_of(game, 0), "decline 2", to=emailed(smtp, name_of(game, 0)))
    ledger = promising.stored_offers(game, game.decoded().table).ledger
    assert [one.status for one in ledger] == [Status.OPEN, Status.DECLINED]


@pytest.mark.full
class TestOffersThatAreSwapped:
    """While somebody replies to an offer, its promiser withdraws it and makes another one."""

    @pytest.fixture
    def now(self):
        return timezone.now()

    @pytest.fixture
    def offer_email(self, game, smtp, now):
        """The email of the first offer; by now it is withdrawn, and another one is open."""
        OutboxEmail.objects.all().delete()
        maker, reader = promising.in_order(game)[:2]
        good = promising.offers(game, maker, Promise(maker, reader, SendNobody(None, 3)), now=now)
        delivery.drain(now=now + timedelta(minutes=2))
        [email] = smtp.messages
        promising.replies(game, maker, good, Status.WITHDRAWN, now=now)
        later = now + timedelta(minutes=3)
        promising.offers(game, maker, Promise(reader, maker, SendNobody(None, 5)), now=later)
        return email

    def statuses(self, game):
        game.refresh_from_db()
        ledger = promising.stored_offers(game, game.decoded().table).ledger
        return [one.status for one in ledger]

    def test_only_the_one_in_the_email_is_accepted(self, game, offer_email):
        row = reply(game, name_of(game, 1), "accept", to=offer_email)
        assert "doesn't mention any offer that's still open" in lines(row)
        assert self.statuses(game) == [Status.WITHDRAWN, Status.OPEN]

    def test_without_a_sign_of_the_email_it_has_to_be_confirmed(self, game, offer_email):
        assert offer_email is not None
        row = reply(game, name_of(game, 1), "accept")
        assert row.response["title"] == "confirm"
        assert self.statuses(game) == [Status.WITHDRAWN, Status.OPEN]

    def test_a_number_is_that_of_the_response_that_is_replied_to(
        self, game, smtp, offer_email, now
    ):
        assert offer_email is not None
        maker, reader = promising.in_order(game)[:2]
        third = promising.offers(game, maker, Promise(maker, reader, SendNobody(None, 1)), now=now)
        reply(game, name_of(game, 1), "status")
        response = emailed(smtp, name_of(game, 1))
        second = promising.stored_offers(game, game.decoded().table).made[1]
        promising.replies(game, maker, second, Status.WITHDRAWN, now=now)
        row = reply(game, name_of(game, 1), "accept 1", to=response)
        assert "doesn't mention any offer that's still open" in lines(row)
        reply(game, name_of(game, 1), "accept 2", to=response)
        assert promising.entry_of(game, third).status is Status.ACCEPTED
        assert self.statuses(game)[:2] == [Status.WITHDRAWN] * 2

    def test_so_it_is_in_a_private_conversation(self, game, smtp, now):
        OutboxEmail.objects.all().delete()
        maker, reader = promising.in_order(game)[:2]
        promise = Promise(maker, reader, SendNobody(None, 3))
        good = whispering.offers_privately(game, maker, promise, now=now)
        delivery.drain(now=now + timedelta(minutes=2))
        [email] = smtp.messages
        whispering.replies_privately(game, maker, good, Status.WITHDRAWN, now=now)
        other = Promise(reader, maker, SendNobody(None, 5))
        later = now + timedelta(minutes=3)
        bad = whispering.offers_privately(game, maker, other, among=good.thread.token, now=later)
        row = reply(game, name_of(game, 1), "accept", to=email)
        assert "doesn't mention any offer that's still open" in lines(row)
        assert whispering.entry_of(bad).status is Status.OPEN


@pytest.mark.full
def test_emails_about_a_game_can_be_replied_to_and_others_not(smtp, settings):
    game = prepared(open_table("Anna", "Boris", "Clara"))
    delivery.drain(now=MONDAY)
    assert {one["Reply-To"].partition("@")[2] for one in smtp.messages} == {"reply.example.org"}
    assert len({one["Reply-To"] for one in smtp.messages}) == 3
    settings.MAIL_REPLIES_DOMAIN = ""
    OutboxEmail.objects.update(status="ready", message_id="")
    del smtp.messages[:]
    delivery.drain(now=MONDAY)
    assert {one["Reply-To"] for one in smtp.messages} == {None}
    assert not any("You can reply" in plain_text(one) for one in smtp.messages)
    assert game.phase_no


@pytest.mark.full
def test_a_response_is_in_the_thread_of_the_email_it_is_for(game, smtp):
    row = reply(game, name_of(game, 2), "status", Message_ID="<theirs@example.org>")
    delivery.drain(now=MONDAY.replace(year=2200))
    [email] = [one for one in smtp.messages if one["In-Reply-To"] == "<theirs@example.org>"]
    first, last = email["References"].split()
    assert first.startswith(f"<game-{short_id('game', game.pk)}@")
    assert last == "<theirs@example.org>"
    assert email["Auto-Submitted"] == "auto-replied"
    assert email["Subject"] == f"How things stand · {game.name}"
    assert row.response["lines"][0] in plain_text(email)


def test_browsers_are_not_notified_of_responses(game):
    assert KIND_BY_KEY["understood"].by_email_only
    assert KIND_BY_KEY["not_understood"].by_email_only
    assert not KIND_BY_KEY["your_turn"].by_email_only
