"""People whose address bounces: no more email goes there, and everybody concerned can see it."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games.models import OutboxEmail, User
from games.services import outbox
from games.services.email import delivery
from tests.support.client import browser, person, text_of, verified
from tests.support.mail_servers import choosy_server
from tests.support.moderators import moderator
from tests.support.sent_emails import code_in
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SAID = "550 5.1.1 No such mailbox"
BANNER = "We can't reach you by email"


@pytest.fixture
def inbox(settings):
    with choosy_server(settings) as inbox:
        yield inbox


@pytest.fixture
def boris(inbox):
    """Whose address was refused when the first email of his game was sent."""
    game = open_table("Anna", "Boris", "Clara")
    boris = User.objects.get(name="Boris")
    EmailAddress.objects.create(user=boris, email=boris.email, verified=True, primary=True)
    inbox.to_recipient[boris.email] = SAID
    delivery.drain(now=MONDAY)
    inbox.game = game
    boris.refresh_from_db()
    return boris


def mail_of(person):
    return list(OutboxEmail.objects.filter(person=person).order_by("pk"))


@pytest.mark.full
def test_no_more_email_goes_to_an_address_that_bounced(boris, inbox):
    emails = mail_of(boris)
    # What is told at the same time, such as that it is his turn, was in the same email.
    refused = [mail for mail in emails if mail.message_id == emails[0].message_id]
    assert {(mail.status, mail.error, mail.attempts) for mail in refused} == {("failed", SAID, 1)}
    others = [mail for mail in emails if mail not in refused]
    assert {mail.status for mail in others} <= {"suspended", "dropped"}
    assert (boris.is_unreachable, boris.refused_email_at) == (True, MONDAY)
    inbox.to_recipient.clear()
    outbox.enqueue("vote", game=inbox.game, person=boris, now=MONDAY)
    inbox.messages.clear()
    delivery.drain(now=MONDAY + outbox.NEWS_WAITS)
    assert mail_of(boris)[-1].status == "suspended"
    assert inbox.messages == []


@pytest.mark.full
def test_the_owner_sees_it_on_every_page_and_says_that_the_address_works_again(boris, inbox):
    page = browser(boris)
    for address in ("/", "/rules/", "/tables/", "/accounts/profile/", "/status/"):
        text = text_of(page.get(address))
        assert BANNER in text
        assert SAID in text
    assert BANNER not in text_of(browser(User.objects.get(name="Anna")).get("/"))
    assert BANNER not in text_of(Client().get("/rules/"))

    assert page.get("/accounts/email/again/").status_code == 405
    answer = page.post("/accounts/email/again/", follow=True)
    assert "We'll send emails to your address again." in text_of(answer)
    assert BANNER not in text_of(answer)
    inbox.to_recipient.clear()
    outbox.enqueue("conduct", person=boris, now=MONDAY)
    boris.refresh_from_db()
    assert not boris.is_unreachable


def test_nobody_else_can_say_so(boris):
    assert Client().post("/accounts/email/again/").status_code == 302
    browser(User.objects.get(name="Anna")).post("/accounts/email/again/")
    boris.refresh_from_db()
    assert boris.is_unreachable


@pytest.mark.full
def test_with_another_address_email_goes_there(boris, inbox):
    page = browser(boris)
    page.post("/accounts/reauthenticate/", {"password": "not so secret"})
    page.post("/accounts/email/", {"email": "boris@example.net", "action_add": "1"})
    page.post("/accounts/confirm-email/", {"code": code_in(inbox.messages[-1])})
    boris.refresh_from_db()
    assert boris.email == "boris@example.net"
    assert not boris.is_unreachable
    assert BANNER not in text_of(page.get("/"))


@pytest.mark.full
def test_the_table_sees_it_at_the_seat_and_nobody_sees_why(boris, inbox):
    for reader in (browser(User.objects.get(name="Anna")), browser(person("Dora"))):
        text = text_of(reader.get(inbox.game.get_absolute_url()))
        assert text.count("unreachable by email") == 1
        assert SAID not in text
        assert boris.email not in text
    User.objects.filter(pk=boris.pk).update(refused_email="")
    text = text_of(browser(User.objects.get(name="Anna")).get(inbox.game.get_absolute_url()))
    assert "unreachable by email" not in text


@pytest.mark.full
def test_moderators_see_it_at_the_desk_and_on_the_page_of_the_person(boris):
    marta = browser(moderator("Marta"))
    desk = text_of(marta.get("/admin/"))
    assert "Rejected email addresses" in desk
    assert f"Boris : email to {boris.email} has been rejected since" in desk
    about = text_of(marta.get(f"/admin/games/user/{boris.pk}/change/"))
    assert f"email to {boris.email} is being rejected ({SAID})" in about


@pytest.mark.full
def test_a_code_is_tried_all_the_same_and_email_is_sent_again_once_it_is_entered(boris, inbox):
    """Anybody can ask for one; and who has complained of us as spam still takes email."""
    ask = {"email": boris.email}
    refused = Client().post("/accounts/login/code/", ask)
    assert refused.status_code == 400
    assert "This address doesn't exist" in text_of(refused)
    inbox.to_recipient[boris.email] = "451 4.7.1 Later"
    assert Client().post("/accounts/login/code/", ask).status_code == 503
    boris.refresh_from_db()
    assert boris.is_unreachable
    inbox.to_recipient.clear()
    browser = Client()
    assert browser.post("/accounts/login/code/", ask).status_code == 302
    boris.refresh_from_db()
    assert boris.is_unreachable
    browser.post("/accounts/login/code/confirm/", {"code": "wrong"})
    boris.refresh_from_db()
    assert boris.is_unreachable
    browser.post("/accounts/login/code/confirm/", {"code": code_in(inbox.messages[-1])})
    boris.refresh_from_db()
    assert not boris.is_unreachable


@pytest.mark.parametrize("name", ["Anna", None])
def test_a_refused_code_says_the_same_with_and_without_an_account(name, inbox):
    """And whoever has one with this address gets no more email."""
    if name is not None:
        verified(name)
    inbox.to_recipient["anna@example.org"] = SAID
    page = Client().post("/accounts/login/code/", {"email": "Anna@example.org"})
    assert page.status_code == 400
    assert "Please check the address for typos." in text_of(page)
    for anna in User.objects.all():
        assert anna.is_unreachable
        assert timezone.now() - anna.refused_email_at < 5 * MINUTE
