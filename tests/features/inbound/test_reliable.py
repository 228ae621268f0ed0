"""What is late, comes again, or loses its reader does what was meant once, or nothing."""

from datetime import timedelta
from email.utils import format_datetime

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from games.engine.ledger import Status
from games.features.inbound import inbox
from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.features.inbound.inbox import Outcome
from games.models import InboundEmail, OutboxEmail, User
from games.services.accounts import terms
from games.services.chat import messages
from tests.features.inbound.replying import confirmed, lines, reply, written
from tests.support import promising, whispering
from tests.support.legal import texts_in, write
from tests.support.tables import MONDAY, seats_to_move

pytestmark = [pytest.mark.counts, pytest.mark.django_db]

BRIBE = "bribe clerk 4000, doctor 1000"


@pytest.fixture
def game():
    """The first player has sent a doctor and a clerk to the second and is to bribe."""
    game = promising.bribing_table(press="private")
    for seat in game.seats.select_related("user"):
        confirmed(seat.user, replies_at_once=True)
    return game


def name_of(game, place):
    return promising.sitter(game, promising.in_order(game)[place]).name


def asking_first(name):
    User.objects.filter(name=name).update(replies_at_once=False)


def come_in(game, name, text, **headers):
    """An email has arrived, and nobody has read it yet."""
    user = User.objects.get(name=name)
    email = written(user.email, address_of(user, game.pk), text, **headers)
    taken = inbox.take(
        address=email["To"], return_path="a@b.c", raw=email.as_bytes(), now=timezone.now()
    )
    return taken, InboundEmail.objects.order_by("pk").last()


def read_all(*rows):
    handling.drain(timezone.now())
    for row in rows:
        row.refresh_from_db()


class ReaderDies(BaseException):
    """A worker that is killed."""


def killed(*_arguments, **_more):
    raise ReaderDies


def dies(monkeypatch, name):
    """The reader is killed where it would do this."""
    with monkeypatch.context() as patch:
        patch.setattr(inbox, name, killed)
        with pytest.raises(ReaderDies):
            handling.drain(timezone.now())
    InboundEmail.objects.filter(state="waiting").update(claimed_at=None)


class TestPhases:
    def test_what_was_written_for_an_earlier_phase_is_not_played_in_a_later_one(self, game):
        _taken, row = come_in(game, name_of(game, 1), "default")
        promising.moves(game, None)
        assert seats_to_move(game)[0].user == row.person
        played = game.moves.count()
        read_all(row)
        assert "The game has moved on since you wrote that" in lines(row)
        assert game.moves.count() == played

    @pytest.mark.full
    def test_a_message_may_be_read_a_phase_later(self, game):
        _taken, row = come_in(game, name_of(game, 2), "Hello!")
        promising.moves(game, None)
        read_all(row)
        assert game.messages.get().text == "Hello!"

    def test_a_message_is_sent_though_somebody_moves_while_it_is_read(self, game, monkeypatch):
        _taken, row = come_in(game, name_of(game, 2), "Hello!")
        planned = inbox.plan

        def others_move(*arguments):
            planned(*arguments)
            promising.moves(game, None)

        monkeypatch.setattr(inbox, "plan", others_move)
        read_all(row)
        assert row.response["lines"] == ["Your message was sent:", "Hello!"]

    def test_a_message_is_sent_though_its_reader_dies_and_somebody_moves(self, game, monkeypatch):
        _taken, row = come_in(game, name_of(game, 2), "Hello!")
        with monkeypatch.context() as patch:
            patch.setattr(messages, "say", killed)
            with pytest.raises(ReaderDies):
                handling.drain(timezone.now())
        InboundEmail.objects.update(claimed_at=None)
        promising.moves(game, None)
        read_all(row)
        assert game.messages.get().text == "Hello!"

    @pytest.mark.full
    def test_a_reply_to_an_earlier_decision_has_to_be_confirmed(self, game):
        name = name_of(game, 0)
        questions = OutboxEmail.objects.filter(person__name=name, kind="your_turn")
        for question in questions:
            question.message_id = f"<{question.phase_no}@x.org>"
            question.save()
        earlier, now = questions.order_by("phase_no").values_list("phase_no", flat=True)
        row = reply(game, name, BRIBE, In_Reply_To=f"<{earlier}@x.org>")
        assert row.response["title"] == "confirm"
        assert game.phase_no == now
        assert reply(game, name, "Hello!", In_Reply_To=f"<{earlier}@x.org>").response["title"] == (
            "done"
        )
        assert reply(game, name, BRIBE, In_Reply_To=f"<{now}@x.org>").response["title"] == "done"
        assert game.phase_no > now


OFFER = "offer {0}: if you bribe 6000, I place your clerk at 10000"


class TestReadersThatDie:
    @pytest.mark.full
    @pytest.mark.parametrize("then", ["answered", "moved on", "rewritten"])
    def test_an_offer_is_made_and_confirmed_once_whatever_becomes_of_it(
        self, game, monkeypatch, then
    ):
        first, owner, _third = promising.in_order(game)
        offer = OFFER.format(game.decoded().table.players[first])
        _taken, row = come_in(game, name_of(game, 1), offer)
        dies(monkeypatch, "settle")
        game.refresh_from_db()
        [entry] = game.ledger
        if then == "answered":
            promising.replies(game, first, entry["made"], Status.DECLINED)
        elif then == "moved on":
            promising.moves(game, None)
        else:
            promising.replies(game, owner, entry["made"], Status.WITHDRAWN)
        read_all(row)
        assert row.response["lines"] == ["You have made the offer."]
        game.refresh_from_db()
        assert len(game.ledger) == 1

    @pytest.mark.full
    def test_an_offer_that_was_confirmed_is_made_once(self, game, monkeypatch):
        name = name_of(game, 1)
        asking_first(name)
        first = promising.in_order(game)[0]
        reply(game, name, OFFER.format(game.decoded().table.players[first]))
        _taken, row = come_in(game, name, "confirm")
        dies(monkeypatch, "settle")
        game.refresh_from_db()
        promising.replies(game, first, game.ledger[0]["made"])
        read_all(row)
        assert row.response["lines"] == ["You have made the offer."]
        game.refresh_from_db()
        assert len(game.ledger) == 1

    @pytest.mark.full
    def test_what_was_confirmed_is_done_once_and_the_response_says_so(self, game, monkeypatch):
        name = name_of(game, 0)
        asking_first(name)
        reply(game, name, BRIBE)
        _taken, row = come_in(game, name, "confirm")
        dies(monkeypatch, "settle")
        read_all(row)
        assert row.response["lines"] == ["Your move had already been submitted, and it counts."]
        assert "nothing to confirm" in lines(reply(game, name, "confirm"))

    @pytest.mark.full
    def test_an_offer_is_accepted_once_and_the_response_says_so(self, game, monkeypatch):
        colour = game.decoded().table.players[promising.in_order(game)[0]]
        offer = f"offer {colour}: if you bribe 6000, I place your clerk at 10000"
        reply(game, name_of(game, 1), offer)
        _taken, row = come_in(game, name_of(game, 0), "accept")
        dies(monkeypatch, "settle")
        read_all(row)
        assert row.response["lines"] == ["You have accepted the offer."]
        game.refresh_from_db()
        [entry] = promising.stored_offers(game, game.decoded().table).ledger
        assert entry.status is Status.ACCEPTED

    @pytest.mark.full
    def test_a_message_is_sent_once_and_the_response_says_so_a_phase_later_too(
        self, game, monkeypatch
    ):
        _taken, row = come_in(game, name_of(game, 2), "Hello!")
        dies(monkeypatch, "settle")
        promising.moves(game, None)
        read_all(row)
        assert row.response["lines"] == ["Your message was sent:", "Hello!"]
        assert game.messages.count() == 1

    def test_what_takes_too_long_is_left_to_the_next_reader_and_then_given_up(
        self, game, monkeypatch
    ):
        def endless(*_arguments):
            raise SoftTimeLimitExceeded

        monkeypatch.setattr(handling, "meaning", endless)
        _taken, row = come_in(game, name_of(game, 0), BRIBE)
        for _ in range(inbox.MOST_ATTEMPTS):
            with pytest.raises(SoftTimeLimitExceeded):
                handling.drain(timezone.now())
            row.refresh_from_db()
            InboundEmail.objects.update(claimed_at=None)
        assert row.state == "done"
        assert "Something went wrong" in lines(row)


class TestOrder:
    @pytest.mark.full
    def test_what_one_person_wrote_is_read_in_order(self, game):
        asking_first(name_of(game, 0))
        _taken, first = come_in(game, name_of(game, 0), BRIBE)
        _taken, second = come_in(game, name_of(game, 0), "confirm")
        _taken, other = come_in(game, name_of(game, 1), "status")
        now = timezone.now()
        InboundEmail.objects.filter(pk=first.pk).update(claimed_at=now)  # by another reader
        handling.drain(now)
        assert set(InboundEmail.objects.filter(state="done")) == {other}
        InboundEmail.objects.filter(pk=first.pk).update(claimed_at=None)
        read_all(first, second)
        assert (first.response["title"], second.response["title"]) == ("confirm", "done")

    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("age", "taken"),
        [
            (timedelta(0), Outcome.STORED),
            (timedelta(days=5, hours=23), Outcome.STORED),
            (timedelta(days=6, hours=1), Outcome.OLD),
            (-timedelta(hours=23), Outcome.STORED),
            (-timedelta(hours=25), Outcome.OLD),
        ],
    )
    def test_only_what_was_written_lately_is_taken(self, game, age, taken):
        date = format_datetime(timezone.now() - age)
        assert come_in(game, name_of(game, 0), "status", Date=date)[0] is taken

    @pytest.mark.parametrize("date", ["", "yesterday", "Mon, 99 Foo 2026 10:00:00 +0000"])
    def test_a_message_without_a_date_is_not_taken(self, game, date):
        assert come_in(game, name_of(game, 0), "status", Date=date)[0] is Outcome.OLD

    def test_a_second_date_above_the_first_one_helps_nobody(self, game):
        user = User.objects.get(name=name_of(game, 0))
        long_ago = format_datetime(timezone.now() - timedelta(days=30))
        email = written(user.email, address_of(user, game.pk), "status", Date=long_ago)
        raw = email.as_bytes().replace(
            b"Date: ", f"Date: {format_datetime(timezone.now())}\nDate: ".encode()
        )
        now = timezone.now()
        assert inbox.take(address=email["To"], return_path="a@b.c", raw=raw, now=now) is Outcome.OLD


class TestWhoMayNot:
    def test_a_person_banned_after_writing_does_nothing_and_gets_no_response(self, game):
        name, phase = name_of(game, 0), game.phase_no
        _taken, row = come_in(game, name, BRIBE)
        User.objects.filter(name=name).update(is_active=False)
        OutboxEmail.objects.all().delete()
        read_all(row)
        game.refresh_from_db()
        assert (row.state, row.response, game.phase_no) == ("done", {}, phase)
        assert bytes(row.raw) == b""
        assert not OutboxEmail.objects.exists()

    @pytest.mark.full
    def test_a_person_who_owes_the_terms_learns_where_to_accept_them(
        self, game, settings, tmp_path
    ):
        name, phase = name_of(game, 0), game.phase_no
        with texts_in(settings, tmp_path) as folder:
            write(folder, terms="Be kind.")
            row = reply(game, name, BRIBE)
            assert row.response["title"] == "refused"
            assert f"{settings.SITE_URL}/accounts/terms/" in lines(row)
            assert game.phase_no == phase
            terms.accept(User.objects.get(name=name), MONDAY)
            assert reply(game, name, BRIBE).response["title"] == "done"

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("owed", "page"),
        [({"name_key": None}, "/accounts/profile/"), ({"needs_second_factor": True}, "/")],
    )
    def test_a_person_who_has_to_settle_something_first_learns_where(
        self, owed, page, game, settings
    ):
        """A second factor can't be shown in an email."""
        name, phase = name_of(game, 0), game.phase_no
        person = User.objects.get(name=name)
        User.objects.filter(pk=person.pk).update(**owed)
        row = reply(game, name, BRIBE)
        assert row.response["title"] == "refused"
        assert lines(row).endswith(f": {settings.SITE_URL}{page}")
        game.refresh_from_db()
        assert game.phase_no == phase
        person.save()
        assert reply(game, name, BRIBE).response["title"] == "done"


def test_an_offer_in_a_private_conversation_is_not_made_to_a_substitute(game):
    first, second, _third = promising.in_order(game)
    thread = whispering.thread_of(game, first, second)
    someone = User.objects.create_user("dora@example.org", "Dora")
    game.seats.filter(number=first).update(user=someone)
    colour = game.decoded().table.players[first]
    offer = f"offer {colour}: if you bribe 6000, I place your clerk at 10000"
    row = reply(game, name_of(game, 1), offer, thread=thread.token)
    assert row.response["title"] == "refused"
    assert game.threads.count() == 1
    assert not promising.stored_offers(thread, game.decoded().table).ledger
