"""Attacks by email on threads with the moderators: nothing gets in, and strangers hear nothing."""

from datetime import timedelta
from email.utils import format_datetime
from functools import partial
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.features.inbound import addresses, arriving, inbox
from games.features.inbound.acting import handling
from games.features.inbound.inbox import Outcome
from games.features.questions import asking
from games.features.questions.models import Letter, Question
from games.models import InboundEmail, OutboxEmail, User
from games.services.accounts.account import delete_account
from tests.features.inbound.replying import (
    DOMAIN,
    confirmed,
    deliver,
    lmtp_server,
    plain,
    send,
    turn_on,
    vouched,
    written,
)
from tests.features.questions.replying_to_answers import (
    VERA,
    answer_to,
    answered,
    fetch,
    from_vera,
    html_only,
    reply,
    responded,
    said,
)
from tests.support.client import browser, person
from tests.support.moderators import act_on
from tests.support.races import at_once as all_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def takes_replies(settings):
    turn_on(settings)


@pytest.fixture
def anna(anna) -> User:
    """Anna, who needs not confirm what she sends."""
    return confirmed(anna, replies_at_once=True)


@pytest.fixture
def email(anna, marta, smtp):
    """What the moderators have answered Anna."""
    return answer_to(smtp, marta, anna)


@pytest.fixture
def to_vera(marta, smtp):
    """What they have answered Vera, who has no account."""
    return answered(smtp, marta, from_vera())


FORGED = {
    "no result": {"results": ""},
    "another server": {"results": vouched(server="mx.attacker.example")},
    "another domain": {"results": vouched("attacker.example")},
    "another person": {"sender": "boris@example.org"},
    "nobody": {"sender": "anna@attacker.example"},
    "two senders": {"sender": "anna@example.org, boris@example.org"},
    "a name like an address": {"sender": '"anna@example.org" <boris@example.org>'},
    "a plus": {"sender": "anna+1@example.org"},
}


@pytest.mark.full
class TestForgedSenders:
    @pytest.mark.long(every=3)
    @pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
    def test_nothing_is_passed_on_and_only_anna_is_told(self, email, smtp, forged):
        for _ in range(3):
            assert reply(email, "Give my seat to Boris.", **forged) is Outcome.FORGED
        assert said() == []
        [told] = fetch(smtp)
        assert told["To"] == "anna@example.org"
        assert told["Subject"] == "Your reply wasn't read · Question to the moderators"
        assert "at one of your secret reply addresses" in plain(told)
        assert "get new reply addresses" in plain(told)
        assert "Give my seat" not in plain(told)
        assert told["Reply-To"] is None

    @pytest.mark.long(every=3)
    @pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
    def test_nor_without_an_account(self, to_vera, smtp, forged):
        given = {"sender": VERA, **forged}
        given["sender"] = given["sender"].replace("anna", "vera")
        for _ in range(3):
            assert reply(to_vera, "Let me in.", **given) is Outcome.FORGED
        assert said() == []
        [told] = fetch(smtp)
        assert told["To"] == VERA
        assert "/questions/by-email/" in plain(told)
        assert "You don't have to do anything" in plain(told)
        assert "Let me in." not in plain(told)

    def test_what_was_never_confirmed_is_nobodys(self, email):
        EmailAddress.objects.update(verified=False)
        assert reply(email, "I see.") is Outcome.FORGED

    def test_a_second_email_a_day_later_and_none_in_quiet_hours(self, to_vera, smtp):
        vera = person("Vera", quiet_from=0, quiet_until=23, time_zone="UTC")
        assert vera.email == VERA
        reply(to_vera, "Let me in.", results="")
        row = InboundEmail.objects.get()
        assert row.response == {"why": 2}
        assert (bytes(row.raw), row.state) == (b"", "done")
        told = OutboxEmail.objects.get(kind="not_read")
        assert told.not_before.hour == 23 or told.created_at.hour == 23
        InboundEmail.objects.update(received_at=timezone.now() - timedelta(days=1, minutes=1))
        reply(to_vera, "Let me in.", results="")
        assert OutboxEmail.objects.filter(kind="not_read").count() == 2

    def test_what_is_forged_keeps_no_message_id_from_its_owner(self, email):
        assert reply(email, "No.", results="", Message_ID="<1@example.org>") is Outcome.FORGED
        assert reply(email, "I see.", Message_ID="<1@example.org>") is Outcome.STORED
        assert said() == ["I see."]

    def test_it_may_come_from_the_same_mailbox_in_other_letters(self, email):
        assert reply(email, "I see.", sender="Anna <ANNA@Example.ORG>") is Outcome.STORED
        assert said() == ["I see."]


class TestAddresses:
    @pytest.mark.full
    def test_another_persons_thread(self, email, marta, smtp):
        boris = confirmed(person("Boris"), replies_at_once=True)
        own = answer_to(smtp, marta, boris)
        local, boris_local = (one["Reply-To"].partition("@")[0] for one in (email, own))
        swapped = f"{local.rpartition('-')[0]}-{boris_local.rpartition('-')[2]}@{DOMAIN}"
        assert send(written(boris.email, swapped, "Mine?")) is Outcome.NOT_OURS
        assert reply(email, "Mine?", sender=boris.email) is Outcome.FORGED
        assert said() == []

    @pytest.mark.full
    def test_a_thread_without_an_account_takes_nobody_elses(self, to_vera, email):
        assert reply(to_vera, "Mine?", sender="anna@example.org") is Outcome.FORGED
        assert reply(email, "Mine?", sender=VERA) is Outcome.FORGED
        assert said() == []

    @pytest.mark.full
    def test_of_two_threads_without_an_account_neither_is_the_others(self, to_vera, marta, smtp):
        other = answered(smtp, marta, from_vera())
        first, second = (one["Reply-To"].partition("@")[0] for one in (to_vera, other))
        swapped = f"{first.rpartition('-')[0]}-{second.rpartition('-')[2]}@{DOMAIN}"
        assert addresses.conversation_at(swapped) is None

    @pytest.mark.full
    def test_one_that_was_changed(self, email):
        own = email["Reply-To"]
        local, _at, domain = own.partition("@")
        for other in (
            f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}",
            f"c-{'b' if local[2] != 'b' else 'a'}{local[3:]}@{domain}",
            f"{local}@elsewhere.example",
            f"x{own}",
            f"g{own[1:]}",
            f"c-{'7' * 26}-{'a' * 24}@{domain}",
        ):
            assert addresses.conversation_at(other) is None
            assert not arriving.is_ours(other)
        assert addresses.conversation_at(own.upper()).person.name == "Anna"

    def test_one_that_was_renewed(self, email, anna):
        addresses.renew(anna)
        assert reply(email, "I see.") is Outcome.NOT_OURS
        assert said() == []

    @pytest.mark.full
    def test_one_of_a_thread_that_is_gone(self, email, to_vera):
        Question.objects.all().delete()
        for one in (email, to_vera):
            assert reply(one, "I see.") is Outcome.NOT_OURS

    @pytest.mark.full
    def test_one_of_an_earlier_thread_with_the_same_number(self, email):
        """Numbers come again after a restore of the database."""
        Question.objects.update(token=uuid4())
        assert reply(email, "I see.") is Outcome.NOT_OURS

    def test_none_before_the_code_has_come_back(self, to_vera):
        Question.objects.update(state=Question.State.UNCONFIRMED)
        assert reply(to_vera, "I see.") is Outcome.NOT_OURS

    @pytest.mark.full
    def test_of_who_was_banned(self, email, anna, marta):
        act_on(browser(marta), anna, "ban")
        assert reply(email, "Why?") is Outcome.NOT_OURS

    @pytest.mark.full
    def test_of_who_has_left(self, email, anna):
        delete_account(anna, timezone.now())
        assert reply(email, "Why?", sender="anna@example.org") is Outcome.NOT_OURS

    def test_none_where_the_site_takes_no_replies(self, email, settings):
        settings.MAIL_REPLIES_DOMAIN = ""
        assert reply(email, "I see.") is Outcome.NOT_OURS


class TestTooMuch:
    @pytest.mark.full
    def test_a_message_as_long_as_on_the_page(self, email):
        longest = "x" * asking.LONGEST
        reply(email, longest)
        assert said() == [longest]

    @pytest.mark.full
    @pytest.mark.parametrize("is_at_once", [True, False])
    def test_a_longer_one(self, email, anna, is_at_once):
        User.objects.update(replies_at_once=is_at_once)
        reply(email, "x" * (asking.LONGEST + 1))
        title, lines = responded()
        assert title == "refused"
        assert "That's too long: the limit is 2,000 characters" in lines
        assert said() == []

    def test_an_email_that_is_larger_than_any(self, email):
        large = written("anna@example.org", email["Reply-To"], "x" * inbox.LARGEST)
        with lmtp_server() as server:
            assert deliver(server, large)[0] == 552
        assert not InboundEmail.objects.exists()

    @pytest.mark.full
    def test_more_than_ten_a_day(self, email):
        for number in range(asking.MOST_A_DAY):
            reply(email, f"And {number}?")
        assert len(said()) == asking.MOST_A_DAY - 1  # with the question
        title, lines = responded()
        assert title == "refused"
        assert "You can write to the moderators 10 times in 24 hours." in lines

    @pytest.mark.full
    def test_what_waits_counts_once_it_is_sent(self, to_vera, smtp):
        for number in range(asking.MOST_A_DAY):
            reply(to_vera, f"And {number}?")
        for asks in fetch(smtp):
            reply(asks, "confirm")
        assert len(said()) == asking.MOST_A_DAY - 1
        assert "10 times in 24 hours" in responded()[1]

    @pytest.mark.full
    @pytest.mark.parametrize("who", ["email", "to_vera"])
    def test_emails_in_an_hour(self, who, request, monkeypatch):
        monkeypatch.setattr(inbox, "MOST_AN_HOUR", 2)
        to = request.getfixturevalue(who)
        outcomes = [reply(to, f"{number}?") for number in range(5)]
        assert outcomes == [Outcome.STORED] * 3 + [Outcome.TOO_MANY] * 2
        assert "You've sent too many emails" in responded()[1]

    @pytest.mark.full
    def test_nothing(self, email):
        for text in ("", "\n> All that was quoted\n", "say:", "\u200b"):
            reply(email, text)
            assert responded()[0] == "refused"
        assert said() == []


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_the_same_email_at_many_doors_is_one_message(marta, smtp):
    to_vera = answered(smtp, marta, from_vera())
    message = written(VERA, to_vera["Reply-To"], "I see.")
    take = partial(
        inbox.take,
        address=message["To"],
        return_path="a@b.c",
        raw=message.as_bytes(),
        now=timezone.now(),
    )
    outcomes = all_at_once(*[take] * 4)
    assert sorted(outcomes) == ["repeated"] * 3 + ["stored"]
    handling.drain(timezone.now())
    assert InboundEmail.objects.get().response["title"] == "confirm"


@pytest.mark.full
class TestKindsOfEmail:
    def test_html_alone_is_read_as_text_and_runs_nothing(self, email):
        html = (
            "<p>I <b>see</b>.<br>Thanks!</p><script>alert(1)</script>"
            "<blockquote type=cite>quoted</blockquote>"
        )
        send(html_only(written("anna@example.org", email["Reply-To"], ""), html))
        assert said() == ["I see.\nThanks!"]

    def test_signs_of_html_are_text_for_moderators(self, email, marta):
        reply(email, "<script>alert(1)</script>")
        assert said() == ["<script>alert(1)</script>"]
        page = f"/admin/questions/{Question.objects.get().pk}/"
        assert "<script>alert" not in browser(marta).get(page).content.decode()

    @pytest.mark.parametrize("who", ["email", "to_vera"])
    @pytest.mark.parametrize(
        "headers",
        [
            {"Auto_Submitted": "auto-replied"},
            {"Precedence": "auto_reply"},
            {"X_Autoreply": "yes"},
        ],
    )
    def test_what_programs_write(self, who, headers, request, smtp):
        to = request.getfixturevalue(who)
        assert reply(to, "I'm away.", **headers) is Outcome.AUTOMATIC
        assert (said(), fetch(smtp)) == ([], [])

    def test_what_comes_back(self, email, smtp):
        bounce = written("anna@example.org", email["Reply-To"], "Undelivered")
        assert send(bounce, return_path="") is Outcome.AUTOMATIC
        assert (said(), fetch(smtp)) == ([], [])

    @pytest.mark.parametrize("subject", ["Out of office: Re: answer", "Automatische Antwort: x"])
    def test_what_only_its_subject_says_is_from_a_program(self, email, to_vera, smtp, subject):
        for one in (email, to_vera):
            assert reply(one, "I'm away.", Subject=subject) is Outcome.STORED
        assert (said(), fetch(smtp)) == ([], [])
        assert not InboundEmail.objects.filter(state="waiting").exists()

    def test_what_is_forwarded_or_quotes_us_without_a_sign(self, email, to_vera):
        reply(email, "I see.", Subject="Fwd: an answer")
        assert "looks like a forwarded email" in responded()[1]
        for one in (email, to_vera):
            body = one.get_body(("plain",)).get_content().replace("\r\n", "\n")
            reply(one, f"I see.\n\n{body.partition('You had written')[2]}")
            assert "quotes one of ours" in responded()[1]
        assert said() == []

    @pytest.mark.parametrize("age", [timedelta(days=7), -timedelta(days=2)])
    def test_what_is_old_or_from_the_future(self, email, smtp, age):
        date = format_datetime(timezone.now() - age)
        assert reply(email, "I see.", Date=date) is Outcome.OLD
        assert said() == []
        assert "check your device's clock" in plain(fetch(smtp)[0])


@pytest.mark.full
class TestMeanwhile:
    def come_in(self, to, text):
        """An email has arrived, and nobody has read it yet."""
        message = written(to["To"], to["Reply-To"], text)
        inbox.take(
            address=to["Reply-To"], return_path="a@b.c", raw=message.as_bytes(), now=timezone.now()
        )
        return InboundEmail.objects.latest("pk")

    def read(self, row):
        OutboxEmail.objects.all().delete()
        handling.drain(timezone.now())
        row.refresh_from_db()
        assert (row.state, bytes(row.raw)) == ("done", b"")
        return row.response

    def test_the_thread_is_deleted(self, email):
        row = self.come_in(email, "I see.")
        Question.objects.all().delete()
        assert self.read(row) == {}
        assert not OutboxEmail.objects.exists()

    def test_the_person_is_banned(self, email, anna):
        row = self.come_in(email, "I see.")
        User.objects.filter(pk=anna.pk).update(is_active=False)
        assert self.read(row) == {}
        assert said() == []

    def test_the_reader_dies(self, email, monkeypatch):
        class ReaderDies(BaseException):
            pass

        def dies(*_arguments, **_more):
            raise ReaderDies

        row = self.come_in(email, "I see.")
        with monkeypatch.context() as patch:
            patch.setattr(inbox, "settle", dies)
            with pytest.raises(ReaderDies):
                handling.drain(timezone.now())
        assert said() == ["I see."]
        InboundEmail.objects.update(claimed_at=None)
        assert self.read(row)["lines"] == ["Your message is with the moderators."]
        assert said() == ["I see."]
        assert Letter.objects.get(text="I see.").token == row.token
