"""Invitations: members get them as members, others as little as they are promised."""

from datetime import timedelta

import pytest

from games.models import Invitation, OutboxEmail, User
from games.services.email import bounces, delivery, reachability
from games.services.email.subscriptions import person_who_chooses
from games.services.lobby import email_invitees, invitations
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.reports_of_bounces import parsed, report
from tests.support.sent_emails import bodies, plain_text
from tests.support.tables import DAY, MONDAY, open_table

pytestmark = pytest.mark.django_db
STRANGER = "outsider@victim.test"
MINUTE = timedelta(minutes=1)
GAVE = "gave us your address"


def invited(address=STRANGER, names=()):
    """A table of Anna's, to which she has invited somebody."""
    game = open_table("Anna", size=3)
    addresses = [address] if address else []
    invitations.invite(
        game_id=game.pk, user=game.host, addresses=addresses, names=names, now=MONDAY
    )
    return game


def sent_to(smtp, address):
    return [mail for mail in smtp.messages if mail["To"] == address]


class TestMembers:
    @pytest.mark.parametrize("by_name", [True, False])
    def test_are_greeted_in_their_language_and_may_change_what_they_get(self, by_name, smtp):
        boris = person("Boris", language="de")
        invited("" if by_name else boris.email, ["Boris"] if by_name else ())
        delivery.drain(now=MONDAY)
        [mail] = sent_to(smtp, boris.email)
        text = plain_text(mail)
        assert text.startswith("Hallo Boris!")
        token = text.partition("/choices/")[2].partition("/")[0]
        assert person_who_chooses(token) == boris
        assert "/unsubscribe/" in mail["List-Unsubscribe"]

    def test_are_not_told_that_somebody_gave_us_their_address(self, smtp):
        boris = person("Boris")
        invited("", ["Boris"])
        for now in (MONDAY, MONDAY + invitations.REMIND_AFTER):
            delivery.drain(now=now)
        for mail in sent_to(smtp, boris.email):
            assert all(GAVE not in " ".join(body.split()) for body in bodies(mail))
            assert "because Anna invited you" in plain_text(mail)
        assert len(sent_to(smtp, boris.email)) == 2

    def test_are_left_alone_in_their_quiet_hours(self, smtp):
        boris = person("Boris", quiet_from=8, quiet_until=18)
        invited(boris.email)
        delivery.drain(now=MONDAY)
        assert sent_to(smtp, boris.email) == []
        delivery.drain(now=MONDAY.replace(hour=18))
        assert len(sent_to(smtp, boris.email)) == 1

    def test_can_have_them_never_or_in_the_digest(self, smtp):
        boris, clara = person("Boris"), person("Clara", digest_emails=["invitation"])
        boris.unwanted_emails = ["invitation"]
        boris.save()
        invited("", ["Boris", "Clara"])
        delivery.drain(now=MONDAY)
        assert sent_to(smtp, boris.email) == []
        assert sent_to(smtp, clara.email) == []
        delivery.drain(now=MONDAY + DAY)
        assert len(sent_to(smtp, clara.email)) == 1

    def test_get_none_at_an_address_that_bounces_and_none_once_they_are_banned(self, smtp):
        boris, clara = person("Boris"), person("Clara")
        reachability.record_refused(boris, "550 5.1.1", MONDAY)
        invited("", ["Boris", "Clara"])
        delivery.drain(now=MONDAY)
        User.objects.filter(pk=clara.pk).update(is_active=False)
        delivery.drain(now=MONDAY + invitations.REMIND_AFTER)
        assert [mail["To"] for mail in smtp.messages] == [clara.email]
        assert set(boris.emails.values_list("status", flat=True)) == {"suspended"}

    def test_whoever_has_an_account_by_now_is_reminded_as_a_member(self, smtp):
        invited()
        delivery.drain(now=MONDAY)
        olga = User.objects.create_user(email=STRANGER, name="Olga")
        delivery.drain(now=MONDAY + invitations.REMIND_AFTER)
        first, reminder = sent_to(smtp, STRANGER)
        assert plain_text(first).startswith("Hello, ")
        assert plain_text(reminder).startswith("Hello Olga, ")
        assert OutboxEmail.objects.get(kind="invitation_reminder").person == olga


class TestStrangers:
    def reminded(self, smtp):
        """Whether the address is reminded in the end."""
        delivery.drain(now=MONDAY + invitations.REMIND_AFTER)
        return OutboxEmail.objects.get(kind="invitation_reminder").status == "sent"

    @pytest.mark.full
    def test_are_told_who_gave_their_address(self, smtp):
        invited()
        delivery.drain(now=MONDAY)
        assert GAVE in plain_text(smtp.messages[0])
        assert self.reminded(smtp)

    def test_who_complain_get_no_reminder(self, smtp):
        invited()
        delivery.drain(now=MONDAY)
        assert reachability.record_bounce("Outsider@victim.test", "complained", MONDAY)
        assert not self.reminded(smtp)
        assert email_invitees.has_stopped(STRANGER)

    def test_whose_address_comes_back_get_no_reminder(self, smtp):
        invited()
        delivery.drain(now=MONDAY)
        mail = OutboxEmail.objects.get(kind="invitation")
        returned = report(original_id=mail.message_id)
        returned = returned.replace("anna@example.org", STRANGER)
        assert bounces.record_returned(parsed(returned), MONDAY + MINUTE)
        assert not self.reminded(smtp)

    def test_whose_address_is_refused_get_no_reminder(self, settings):
        with choosy_server(settings) as inbox:
            inbox.to_recipient[STRANGER] = "550 5.1.1 No such mailbox"
            invited()
            delivery.drain(now=MONDAY)
            inbox.to_recipient.clear()
            assert not self.reminded(inbox)

    def test_who_were_never_invited_are_nobody(self, db):
        assert not reachability.record_bounce(STRANGER, "complained", MONDAY)
        assert not email_invitees.has_stopped(STRANGER)
        assert not Invitation.objects.exists()
