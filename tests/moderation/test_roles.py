"""Roles: who keeps order, and the command that appoints them."""

import pytest
from django.core.management import CommandError, call_command

from games.models import User
from games.services.roles import may_moderate
from tests.support.client import browser, person

pytestmark = pytest.mark.django_db


def appoint(address, role):
    call_command("appoint", address, role)


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
