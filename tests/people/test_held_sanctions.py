"""Mutes and suspensions outlive the account they were imposed on."""

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.signals import social_account_removed
from django.test import Client
from django.utils import timezone

from games.models import HeldSanction, Sanction, User
from games.services.accounts.account import arrive, delete_account
from games.services.operations import trim
from games.services.people import held_sanctions
from tests.support.client import as_shown, browser, forms_of, text_of, verified
from tests.support.moderators import marta_acts_on
from tests.support.sanctions import in_days
from tests.support.sent_emails import code_in
from tests.support.tables import DAY

pytestmark = pytest.mark.django_db(transaction=True)


def sign_up_again(smtp, address: str = "Rosa@Example.org") -> Client:
    client = Client()
    form = {"email": address, "password1": "a red scholar in Venice", "time_zone": "UTC"}
    client.post("/accounts/signup/", form | {"name": "Rosa"})
    client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    return client


def delete(rosa: User) -> None:
    client = browser(rosa)
    asked = client.post("/accounts/delete/", {"name": "Rosa"})["Location"]
    client.post(asked, {"password": "not so secret"})
    assert not User.objects.filter(name="Rosa").exists()


@pytest.mark.full
def test_who_comes_back_with_the_same_address_is_suspended_still_and_may_object(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "suspend", until=in_days(9))
    marta_acts_on(rosa, "mute", until=in_days(20))
    until, muted = rosa.suspended_until, rosa.muted_until
    assert "will also apply to any new account" in text_of(browser(rosa).get("/accounts/delete/"))
    delete(rosa)
    assert "rosa" not in str(HeldSanction.objects.values())
    client = sign_up_again(smtp)
    again = User.objects.get(name="Rosa")
    assert (again.suspended_until, again.muted_until) == (until, muted)
    assert client.post("/tables/new/", {"name": "Mine"}).status_code == 403
    page = text_of(client.get("/accounts/conduct/"))
    assert "suspended In force until" in page
    assert "Reason: You were rude." in page
    number = Sanction.objects.get(kind=Sanction.Kind.SUSPENSION).pk
    sent = {"sanction": number, "objection": "That was my brother."}
    assert client.post("/accounts/conduct/", sent).status_code == 302
    marta_acts_on(again, "lift-suspension")
    assert client.get("/tables/new/").status_code == 200
    assert not HeldSanction.objects.exists()


@pytest.mark.full
def test_it_does_not_go_away_by_deleting_twice_or_by_waiting_with_the_code(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "mute", until=in_days(40))
    until = rosa.muted_until
    delete_account(rosa, timezone.now())
    sign_up_again(smtp)
    delete_account(User.objects.get(name="Rosa"), timezone.now())
    Client().post(
        "/accounts/signup/",
        {"email": "rosa@example.org", "password1": "a red one", "name": "R", "time_zone": "UTC"},
    )
    trim.trim(now=timezone.now() + 10 * DAY)
    sign_up_again(smtp)
    assert User.objects.get(name="Rosa").muted_until == until


@pytest.mark.full
def test_what_is_over_or_lifted_or_was_a_warning_holds_no_more(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "warn")
    marta_acts_on(rosa, "suspend", until=in_days(9))
    marta_acts_on(rosa, "lift-suspension")
    marta_acts_on(rosa, "mute", until=in_days(2))
    delete_account(rosa, timezone.now())
    assert [held.kind for held in HeldSanction.objects.all()] == ["mute"]
    HeldSanction.objects.update(until=timezone.now())
    sign_up_again(smtp)
    again = User.objects.get(name="Rosa")
    assert (again.muted_until, again.suspended_until) == (None, None)
    assert not Sanction.objects.exists()


@pytest.mark.full
def test_it_is_kept_no_longer_than_it_holds_and_concerns_no_other_address(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "mute", until=in_days(2))
    delete_account(rosa, timezone.now())
    sign_up_again(smtp, "other@example.org")
    assert User.objects.get(name="Rosa").muted_until is None
    assert trim.trim(now=timezone.now() + DAY).held_sanctions == 0
    assert trim.trim(now=timezone.now() + 3 * DAY).held_sanctions == 1
    assert not HeldSanction.objects.exists()


def test_nothing_is_kept_of_whoever_leaves_in_peace():
    rosa = verified("Rosa")
    assert "will also apply to any new account" not in text_of(
        browser(rosa).get("/accounts/delete/")
    )
    delete_account(rosa, timezone.now())
    assert not HeldSanction.objects.exists()


def move_to(smtp, client: Client, address: str) -> None:
    """Change the address of an account, as its page does."""
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    asked = client.post("/accounts/email/", {"email": address, "action_add": ""})
    client.post(asked["Location"], {"code": code_in(smtp.messages[-1])})
    assert User.objects.filter(email=address).exists()


def nameless(name: str) -> User:
    """Somebody who has just signed up."""
    user = verified(name)
    User.objects.filter(pk=user.pk).update(name_key=None)
    user.refresh_from_db()
    return user


@pytest.mark.full
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ro.sa@gmail.com", "rosa@gmail.com"),
        ("rosa@gmail.com", "R.osa+games@googlemail.com"),
        ("rosa@bücher.example", "rosa@xn--bcher-kva.example"),
        ("rosa@xn--bcher-kva.example", "Rosa@BÜCHER.example"),
    ],
)
def test_one_mailbox_is_one_however_it_is_spelled(smtp, before, after):
    rosa = verified("Rosa")
    rosa.emailaddress_set.update(email=before)
    User.objects.filter(pk=rosa.pk).update(email=before)
    marta_acts_on(rosa, "mute", until=in_days(9))
    rosa.refresh_from_db()
    delete_account(rosa, timezone.now())
    sign_up_again(smtp, after)
    assert User.objects.get(name="Rosa").muted_until == rosa.muted_until
    assert not HeldSanction.objects.exists()


@pytest.mark.full
def test_another_mailbox_is_another_one(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "mute", until=in_days(9))
    delete_account(rosa, timezone.now())
    sign_up_again(smtp, "ro.sa@example.org")
    assert User.objects.get(name="Rosa").muted_until is None


@pytest.mark.full
def test_what_was_held_by_the_address_as_it_was_written_is_found(smtp):
    rosa = verified("Rosa")
    marta_acts_on(rosa, "mute", until=in_days(9))
    until = rosa.muted_until
    delete_account(rosa, timezone.now())
    HeldSanction.objects.update(address=held_sanctions._hashed("ro.sa@gmail.com"))
    sign_up_again(smtp, "Ro.sa@gmail.com")
    assert User.objects.get(name="Rosa").muted_until == until


@pytest.mark.full
class TestAnotherAddress:
    """Whoever changes their address takes it along, and leaves it behind as well."""

    def test_the_old_one_is_no_way_out(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "suspend", until=in_days(9))
        move_to(smtp, browser(rosa), "second@example.org")
        move_to(smtp, browser(rosa), "third@example.org")
        until = User.objects.get(name="Rosa").suspended_until
        delete_account(User.objects.get(name="Rosa"), timezone.now())
        for number, address in enumerate(("rosa@", "second@", "third@")):
            sign_up_again(smtp, f"{address}example.org")
            again = User.objects.get(email=f"{address}example.org")
            assert again.suspended_until == until, address
            User.objects.filter(pk=again.pk).update(name=f"R{number}", name_key=f"r{number}")
        assert not HeldSanction.objects.exists()

    def test_nor_is_it_while_the_account_exists(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "mute", until=in_days(9))
        move_to(smtp, browser(rosa), "second@example.org")
        User.objects.filter(name="Rosa").update(name="Rosalind", name_key="rosalind")
        sign_up_again(smtp)
        assert User.objects.get(email="rosa@example.org").muted_until is not None

    def test_nor_is_an_address_to_which_an_account_moves(self, smtp):
        rosa, other = verified("Rosa"), verified("Other")
        marta_acts_on(rosa, "mute", until=in_days(9))
        until = rosa.muted_until
        delete_account(rosa, timezone.now())
        move_to(smtp, browser(other), "rosa@example.org")
        other.refresh_from_db()
        assert other.muted_until == until

    def test_nor_are_a_guests_game_and_an_account_at_a_provider(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "mute", until=in_days(9))
        until = rosa.muted_until
        SocialAccount.objects.create(user=rosa, provider="guild", uid="r-1")
        delete_account(rosa, timezone.now())
        back = nameless("Back")
        SocialAccount.objects.create(user=back, provider="guild", uid="r-1")
        arrive(back, timezone.now())
        assert User.objects.get(name="Back").muted_until == until
        guest = Client()
        guest.post("/first-game/")
        shown = as_shown(forms_of(guest.get("/keep/").content.decode())[""])
        given = {"email": "rosa@example.org", "name": "Nina", "time_zone": "UTC"}
        guest.post("/keep/", shown | given)
        guest.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
        assert User.objects.get(name="Nina").muted_until == until

    def test_nor_is_a_provider_that_was_disconnected(self):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "mute", until=in_days(9))
        account = SocialAccount.objects.create(user=rosa, provider="guild", uid="r-1")
        account.delete()
        social_account_removed.send(SocialAccount, request=None, socialaccount=account)
        back = nameless("Back")
        SocialAccount.objects.create(user=back, provider="guild", uid="r-1")
        arrive(back, timezone.now())
        assert User.objects.get(name="Back").muted_until == rosa.muted_until

    def test_it_ends_and_changes_there_too(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "suspend", until=in_days(9))
        move_to(smtp, browser(rosa), "second@example.org")
        rosa.refresh_from_db()
        marta_acts_on(rosa, "suspend", until=in_days(20))
        assert [held.until for held in HeldSanction.objects.all()] == [rosa.suspended_until]
        marta_acts_on(rosa, "lift-suspension")
        assert not HeldSanction.objects.exists()

    def test_an_address_that_was_never_theirs_holds_nothing(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "mute", until=in_days(9))
        client = browser(rosa)
        client.post("/accounts/reauthenticate/", {"password": "not so secret"})
        client.post("/accounts/email/", {"email": "victim@example.org", "action_add": ""})
        delete_account(rosa, timezone.now())
        sign_up_again(smtp, "victim@example.org")
        assert User.objects.get(email="victim@example.org").muted_until is None
