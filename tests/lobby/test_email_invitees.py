"""Mail to addresses without an account: little of it, in the site's own words, and stoppable."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.signing import Signer
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from games.models import Invitation, NoMoreInvitations, OutboxEmail, User
from games.services.email import delivery
from games.services.lobby import email_invitees, invitations, tables
from intrigue_site import settings as product
from tests.support.client import browser, person, text_of
from tests.support.races import at_once
from tests.support.sent_emails import bodies, words_of_html
from tests.support.tables import DAY, MONDAY, open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db
VICTIM = "outsider@victim.test"


def ask(user, address=VICTIM, now=MONDAY, **more):
    """A table of somebody's, to which they invite an address and which they then close."""
    game = tables.open_table(host=user, settings=table_settings(**more), now=now)
    invitations.invite(game_id=game.pk, user=user, addresses=[address], now=now)
    return game


def emails(address=VICTIM):
    to_them = Q(address=address) | Q(person__email=address)
    return OutboxEmail.objects.filter(to_them, kind="invitation")


class TestHowOften:
    @pytest.mark.full
    def test_one_person_emails_an_address_once_in_thirty_days_whatever_tables_they_close(self):
        anna = person("Anna")
        for _ in range(6):
            game = ask(anna)
            tables.cancel(game_id=game.pk, user=anna, now=MONDAY)
        assert emails().count() == 1
        ask(anna, now=MONDAY + 30 * DAY - timedelta(seconds=1))
        assert emails().count() == 1
        ask(anna, now=MONDAY + 30 * DAY)  # the sixth of MONDAY is still within 30 days
        assert emails().count() == 1
        User.objects.get(name="Anna").seats.all().delete()
        ask(anna, now=MONDAY + 61 * DAY)
        assert emails().count() == 2

    @pytest.mark.full
    def test_all_people_together_mail_an_address_twice_a_day(self):
        for number in range(5):
            ask(person(f"Sender {number}"))
        assert emails().count() == 2
        ask(person("Sender of tomorrow"), now=MONDAY + DAY)
        assert emails().count() == 3

    @pytest.mark.full
    def test_whoever_invites_reads_the_same_as_ever(self):
        for number in range(3):
            sender = person(f"Sender {number}")
            game = tables.open_table(host=sender, settings=table_settings(), now=timezone.now())
            typed = {"addresses": VICTIM}
            url = game.get_absolute_url()
            page = text_of(browser(sender).post(f"{url}invite/", typed, follow=True))
            assert "The invitation is on its way." in page
            assert f"{VICTIM}: not answered" in page
        assert emails().count() == 2

    def test_who_has_an_account_is_invited_as_often_as_friends_like(self):
        boris = person("Boris")
        for number in range(4):
            ask(person(f"Sender {number}"), boris.email)
        assert emails(boris.email).count() == 4

    @pytest.mark.full
    @pytest.mark.counts
    @pytest.mark.django_db(transaction=True)
    def test_eight_who_invite_at_once_do_not_count_past_each_other(self):
        senders = [person(f"Sender {number}") for number in range(8)]
        at_once(*[lambda sender=sender: ask(sender) for sender in senders])
        assert Invitation.objects.count() == 8
        assert emails().count() == 2


class TestWhatTheyRead:
    def mail_to(self, smtp, address, **more):
        ask(person("Anna"), address, **more)
        delivery.drain(now=MONDAY)
        return smtp.messages[-1]

    def test_no_words_of_others_but_a_name(self, smtp):
        spam = {"name": "Buy at evil.test now", "description": "https://evil.test/?x=1"}
        mail = self.mail_to(smtp, VICTIM, **spam)
        assert mail["Subject"] == "An invitation to a game of Intrigue"
        for text in [*bodies(mail), *mail.values()]:
            assert "evil" not in text
            assert "Buy" not in text
        plain, html = bodies(mail)
        assert "Anna has invited you to play Intrigue." in plain
        assert re.findall(r"\w+", plain) == words_of_html(html)

    def test_nor_a_name_like_a_link(self, smtp):
        User.objects.create_user(email="e@example.org", name="Win at evil.test", password="x")
        ask(User.objects.get(name="Win at evil.test"))
        delivery.drain(now=MONDAY)
        for text in bodies(smtp.messages[-1]):
            assert "evil" not in text
            said = re.sub(r"</?bdi[^>]*>", "", text)
            assert "Someone has invited you to play Intrigue." in said

    def test_friends_with_an_account_read_the_tables_name_and_note(self, smtp):
        person("Boris")
        mail = self.mail_to(smtp, "boris@example.org", name="Rialto", description="Slow.")
        assert mail["Subject"] == "Anna invites you to a game of Intrigue · Rialto"
        assert "Slow." in bodies(mail)[0]


@pytest.mark.full
class TestReminder:
    @pytest.mark.parametrize("address", [VICTIM, "boris@example.org"])
    def test_one_after_three_days(self, address, smtp):
        person("Boris")
        ask(person("Anna"), address)
        delivery.drain(now=MONDAY)
        delivery.drain(now=MONDAY + 3 * DAY - timedelta(seconds=1))
        assert len(smtp.messages) == 1
        delivery.drain(now=MONDAY + 3 * DAY)
        first, reminder = smtp.messages
        assert reminder["To"] == address
        assert "This is the only reminder." in bodies(reminder)[0]
        assert first["List-Unsubscribe"] == reminder["List-Unsubscribe"]
        assert "/never/" in reminder["List-Unsubscribe"] or address != VICTIM
        delivery.drain(now=MONDAY + 13 * DAY)
        assert len(smtp.messages) == 2

    def test_none_to_who_has_answered_or_wants_no_more(self, smtp):
        ask(person("Anna"), "one@example.org")
        ask(person("Boris"), "two@example.org")
        delivery.drain(now=MONDAY)
        first, second = Invitation.objects.order_by("pk")
        invitations.decline(invitation_id=first.pk)
        email_invitees.stop(second.email, MONDAY)
        assert delivery.drain(now=MONDAY + 3 * DAY) == 0
        reminders = OutboxEmail.objects.filter(kind="invitation_reminder")
        assert {one.status for one in reminders} == {"dropped"}


class TestNeverAgain:
    @pytest.fixture
    def link(self, smtp):
        """The link by which the mail program stops such mail with one click."""
        ask(person("Anna"))
        delivery.drain(now=MONDAY)
        mail = smtp.messages[-1]
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        link = mail["List-Unsubscribe"].strip("<>")
        for text in bodies(mail):
            assert link in text
        return link[link.index("/invitations/") :]

    @pytest.mark.full
    def test_a_look_stops_nothing_one_click_does_for_all_tables_and_it_can_be_undone(self, link):
        client = Client(enforce_csrf_checks=True)
        page = client.get(link)
        assert "Stop all invitations" in text_of(page)
        assert VICTIM not in page.content.decode()
        assert not NoMoreInvitations.objects.exists()
        for _ in range(2):
            page = client.post(link, {"List-Unsubscribe": "One-Click"})
        assert "You won't get any more invitations at this address." in text_of(page)
        ask(person("Boris"))
        assert emails().count() == 1
        assert 'name="undo"' in page.content.decode()
        assert "Stop all invitations" in text_of(client.post(link, {"undo": "yes"}))
        ask(person("Clara"), now=MONDAY + DAY)
        assert emails().count() == 2

    @pytest.mark.full
    def test_what_was_written_already_is_not_sent_any_more(self, link, smtp):
        ask(person("Boris"))
        Client().post(link)
        sent = len(smtp.messages)
        delivery.drain(now=MONDAY)
        assert len(smtp.messages) == sent
        assert list(emails().order_by("pk").values_list("status", flat=True)) == ["sent", "dropped"]

    def test_the_address_is_not_kept_and_an_account_is_invited_again(self, link):
        Client().post(link)
        [row] = NoMoreInvitations.objects.all()
        assert len(row.key) == 64
        User.objects.create_user(email=VICTIM, name="Otto", password="x")
        ask(person("Boris"))
        assert emails().count() == 2

    def test_a_secret_key_that_was_changed_is_remembered(self, link, settings):
        Client().post(link)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another secret key, as long as such keys should be, and longer"
        ask(person("Boris"))
        assert emails().count() == 1

    def test_a_link_that_was_made_up_is_not_found(self):
        for token in ("made-up", "%00", Signer().sign("x").replace(":", "-")):
            assert Client().get(f"/invitations/{token}/never/").status_code == 404
            assert Client().post(f"/invitations/{token}/never/").status_code == 404


class TestNobodyLearnsWhoInvitedWhom:
    """Boris guesses what Anna has invited: the page is the same for a right and a wrong guess."""

    def answers(self, game, address) -> str:
        boris = browser(seat_of(game, "Boris").user)
        url = f"{game.get_absolute_url()}invite/"
        page = text_of(boris.post(url, {"addresses": address}, follow=True))
        return page.replace(address, "ADDRESS").replace(game.token, "TOKEN")

    @pytest.mark.full
    def test_at_a_table(self):
        pages = []
        for invited in ("private@example.org", "other@example.org"):
            User.objects.all().delete()
            game = open_table("Anna", "Boris", size=4, now=timezone.now())
            invitations.invite(
                game_id=game.pk, user=game.host, addresses=[invited], now=timezone.now()
            )
            page = self.answers(game, "private@example.org")
            pages.append(page[: page.index("Names or email addresses")])
            assert "ADDRESS: not answered" in page
            assert "Other players have sent 1 invitation that hasn't been answered yet." in page
        assert pages[0] == pages[1]
        # Asked by both at one table, then once more at another: two in a day are enough.
        assert emails("private@example.org").count() == 1

    @pytest.mark.full
    def test_at_the_same_again_no_address_leads_to_a_name(self):
        old = open_table("Anna", "Boris", "Clara", options={"rounds": 1})
        assert old.status == "finished"
        game = invitations.again(game_id=old.pk, user=old.host, now=timezone.now())
        tables.join(game_id=game.pk, user=seat_of(old, "Boris").user, now=timezone.now())
        page = self.answers(game, "clara@example.org")
        assert "ADDRESS: not answered" in page
        anna = browser(old.host)
        url = f"{game.get_absolute_url()}invite/"
        page = text_of(anna.post(url, {"addresses": "clara@example.org"}, follow=True))
        assert "clara@example.org: not answered" in page
        assert "The invitation is on its way." in page
        assert page.count("Clara: not answered") == 1
        assert emails("clara@example.org").count() == 1

    def test_an_answer_is_read_by_all_who_invited(self):
        game = open_table("Anna", "Boris", size=4)
        for name in ("Anna", "Boris"):
            user = seat_of(game, name).user
            invitations.invite(game_id=game.pk, user=user, addresses=["c@example.org"], now=MONDAY)
        invitations.decline(invitation_id=game.invitations.first().pk)
        assert set(game.invitations.values_list("status", flat=True)) == {"declined"}


class TestCodes:
    @pytest.mark.full
    def test_one_address_is_emailed_twenty_codes_a_day_by_whatever_page(self, smtp, settings):
        """Each from an internet address of its own, minutes apart; the page says the same."""
        settings.ACCOUNT_RATE_LIMITS = product.ACCOUNT_RATE_LIMITS
        boris = person("Boris")
        pages = []
        with time_machine.travel(MONDAY, tick=False) as clock:
            for number in range(26):
                address = "/accounts/password/reset/" if number % 2 else "/accounts/login/code/"
                client = Client(REMOTE_ADDR=f"10.0.0.{number}")
                answer = client.post(address, {"email": boris.email})
                pages.append((address, answer.status_code, answer["Location"]))
                clock.shift(timedelta(minutes=5))
            assert len(smtp.messages) == 20
            assert len(set(pages)) == 2
            clock.shift(DAY)
            Client().post("/accounts/login/code/", {"email": boris.email})
            assert len(smtp.messages) == 21
