"""Roles: who keeps order, and the command that appoints them."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import User
from games.services.roles import may_moderate
from tests.support.client import browser, person
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db


def appoint(address, role):
    call_command("appoint", address, role)


@pytest.mark.full
def test_a_moderator_and_a_player_again(capsys):
    person("Anna", is_superuser=True)
    appoint("Anna@example.org", "moderator")
    anna = User.objects.get(name="Anna")
    assert may_moderate(anna)
    assert not anna.is_superuser
    assert not anna.has_perm("games.administer_site")
    assert browser(anna).get("/admin/").status_code == 200
    appoint("anna@example.org", "player")
    anna = User.objects.get(name="Anna")
    assert not may_moderate(anna)
    assert browser(anna).get("/admin/").status_code == 302
    assert capsys.readouterr().out == "Anna: moderator\nAnna: player\n"


def test_an_administrator_is_a_moderator_and_no_superuser():
    person("Anna")
    appoint("anna@example.org", "administrator")
    anna = User.objects.get(name="Anna")
    assert may_moderate(anna)
    assert anna.has_perm("games.administer_site")
    assert not anna.is_superuser


def test_nobody_has_this_address():
    with pytest.raises(CommandError, match="no account"):
        appoint("nobody@example.org", "moderator")


def test_the_first_account_of_a_site_for_people_who_were_invited(settings, smtp, capsys):
    settings.SIGN_UP = "invited"
    call_command("appoint", "anna@Example.org", "administrator", "--create")
    code = f"{settings.SITE_URL}/accounts/login/code/"
    assert capsys.readouterr().out == (
        "anna: administrator\n"
        f"The account is new and has no password. Sign in at {code} with a code, which is emailed "
        "to anna@example.org.\n"
    )
    anna = User.objects.get()
    assert (anna.email, anna.name_key, anna.has_usable_password()) == (
        "anna@example.org", "anna", False,
    )  # fmt: skip
    client = Client()
    client.post("/accounts/login/code/", {"email": "anna@example.org"})
    [email] = smtp.messages
    client.post("/accounts/login/code/confirm/", {"action": "verify", "code": code_in(email)})
    assert client.session["_auth_user_id"] == str(anna.pk)
    assert may_moderate(anna)


def test_an_account_that_is_there_is_appointed_and_not_made_anew(capsys):
    person("Anna")
    call_command("appoint", "anna@example.org", "moderator", "--create", "--name", "Anna II")
    assert capsys.readouterr().out == "Anna: moderator\n"
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("address", "name", "why"),
    [
        ("anna", "Anna", "This isn't an email address."),
        ("anna@example.org", "Boris", "already taken"),
        ("anna@example.org", "Admin", "reserved for the site itself"),
        ("anna@example.org", "Anna@home", "A name can't contain"),
    ],
)
def test_an_account_that_nobody_can_have_is_not_made(address, name, why):
    person("Boris")
    with pytest.raises(CommandError, match=why):
        call_command("appoint", address, "moderator", "--create", "--name", name)
    assert User.objects.count() == 1
