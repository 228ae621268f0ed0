"""What administrators do to accounts on request, and to roles."""

import json
import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.utils import timezone

from games.features.export import requests as exports
from games.models import AuditLine, FactorReset, User
from games.services.email import delivery
from games.services.operations import trim
from games.services.roles import may_moderate
from tests.accounts.test_second_factor import set_up, shown_by_app, sign_in
from tests.support.client import browser, verified
from tests.support.moderators import (
    act_on,
    administrator,
    audited_actions,
    marta_acts_on,
    moderator,
    person_act_url,
)
from tests.support.sent_emails import plain_text
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

SLUGS = (
    "address", "reset-factor", "forget-factor", "stop-reset", "export", "appoint", "dismiss",
    "delete",
)  # fmt: skip


def done(client: Client, user: User, slug: str, **filled: object) -> str:
    """Do it, after the preview; the page it leads to, as text."""
    answer = act_on(client, user, slug, **filled)
    assert answer.status_code == 302, plain(answer)
    return plain(client.get(answer["Location"]))


def plain(answer) -> str:
    text = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(text.replace("&#x27;", "'").split())


def mails(smtp, at=None) -> dict[str, list]:
    """What has arrived so far, by address."""
    delivery.drain(now=at or timezone.now())
    got: dict[str, list] = {}
    for mail in smtp.messages:
        got.setdefault(mail["To"], []).append(mail)
    return got


def with_factor(name: str) -> User:
    user = verified(name)
    TOTP.activate(user, generate_totp_secret())
    return user


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize("slug", SLUGS)
def test_moderators_find_none_of_it_and_can_do_none_of_it(slug):
    rosa = with_factor("Rosa")
    marta = browser(moderator("Marta"))
    assert f"/act/{slug}/" not in marta.get(f"/admin/games/user/{rosa.pk}/change/").content.decode()
    page = marta.get(person_act_url(rosa, slug))
    assert "Only administrators can do this." in plain(page)
    form = {"seen": 0, "reason": "So.", "address": "a@b.example", "role": "moderator"}
    marta.post(person_act_url(rosa, slug), form | {"name": "Rosa", "previewed": "x"})
    assert not AuditLine.objects.exists()
    assert User.objects.get(name="Rosa").email == "rosa@example.org"


@pytest.mark.full
def test_an_address_is_changed_after_a_preview_and_both_addresses_are_told(smtp):
    rosa, nadja = verified("Rosa"), browser(administrator())
    url = person_act_url(rosa, "address")
    form = {"seen": 0, "address": "Rosa@new.example", "why": "", "reason": "As you wrote."}
    preview = plain(nadja.post(url, form))
    assert "so check every letter of the address." in preview
    assert "Both addresses, rosa@example.org and rosa@new.example" in preview
    rosa.refresh_from_db()
    assert rosa.email == "rosa@example.org"
    text = done(nadja, rosa, "address", address="rosa@new.example")
    assert "Rosa" in text
    assert set(mails(smtp)) == {"rosa@example.org", "rosa@new.example"}
    assert audited_actions(person=rosa) == [("Nadja", "person.address")]


def test_an_address_of_somebody_else_is_refused_in_the_form():
    rosa, nadja = verified("Rosa"), browser(administrator())
    verified("Boris")
    answer = act_on(nadja, rosa, "address", address="boris@example.org")
    assert answer.status_code == 422
    assert "Another account has this address." in plain(answer)


@pytest.mark.full
def test_a_lost_second_factor_is_removed_after_a_day(smtp):
    rosa, nadja = with_factor("Rosa"), browser(administrator())
    text = done(nadja, rosa, "reset-factor")
    assert "Two-factor authentication will be reset by" in text
    assert "at the request of Nadja." in text
    [mail] = mails(smtp)["rosa@example.org"]
    assert mail["Subject"] == "Your two-factor authentication is going to be reset"
    assert "Stop the reset: http://localhost:8000/accounts/reset/" in plain_text(mail)
    now = timezone.now()
    trim.trim(now=now + timedelta(hours=23))
    assert Authenticator.objects.filter(user=rosa).exists()
    trim.trim(now=now + timedelta(hours=25))
    assert not Authenticator.objects.filter(user=rosa).exists()
    assert not FactorReset.objects.exists()
    subjects = [one["Subject"] for one in mails(smtp, now + timedelta(hours=25))[rosa.email]]
    assert subjects[1:] == ["Your two-factor authentication has been reset"]
    assert audited_actions(person=rosa) == [
        ("Nadja", "person.reset-factor"),
        ("the clock", "person.forget-factor"),
    ]


@pytest.mark.full
def test_another_administrator_confirms_it_at_once_and_the_first_one_cannot():
    rosa, nadja = with_factor("Rosa"), browser(administrator())
    done(nadja, rosa, "reset-factor")
    refused = plain(nadja.get(person_act_url(rosa, "forget-factor")))
    assert "You asked for this reset, so another administrator has to confirm it." in refused
    done(browser(administrator("Olga")), rosa, "forget-factor")
    assert not Authenticator.objects.exists()
    assert not FactorReset.objects.exists()


@pytest.mark.full
def test_rosa_stops_it_by_the_link_without_signing_in(smtp):
    rosa, nadja = with_factor("Rosa"), browser(administrator())
    done(nadja, rosa, "reset-factor")
    link = re.search(r"localhost:8000(/accounts/reset/\S+)", plain_text(smtp_first(smtp)))[1]
    stranger = Client()
    assert "Stop the reset if you didn't ask for it" in plain(stranger.get(link))
    assert FactorReset.objects.exists()  # A link alone never acts.
    assert "still work" in plain(stranger.post(link))
    assert "There's nothing to stop" in plain(stranger.post(link))
    trim.trim(now=timezone.now() + timedelta(hours=25))
    assert Authenticator.objects.filter(user=rosa).exists()
    assert audited_actions(person=rosa)[1:] == [("Rosa", "person.stop-reset")]
    assert "There's nothing to stop" in plain(stranger.get("/accounts/reset/forged:link/"))


def smtp_first(smtp):
    [mail] = mails(smtp)["rosa@example.org"]
    return mail


@pytest.mark.full
def test_an_old_link_doesnt_stop_a_later_reset(smtp):
    rosa, nadja = with_factor("Rosa"), browser(administrator())
    done(nadja, rosa, "reset-factor")
    link = re.search(r"localhost:8000(/accounts/reset/\S+)", plain_text(smtp_first(smtp)))[1]
    done(nadja, rosa, "stop-reset")
    done(nadja, rosa, "reset-factor")
    Client().post(link)
    assert FactorReset.objects.exists()


@pytest.mark.full
def test_a_second_factor_that_is_used_meanwhile_isnt_lost():
    rosa, nadja = with_factor("Rosa"), browser(administrator())
    done(nadja, rosa, "reset-factor")
    Authenticator.objects.filter(user=rosa).update(last_used_at=timezone.now() + timedelta(hours=1))
    trim.trim(now=timezone.now() + timedelta(hours=25))
    assert Authenticator.objects.filter(user=rosa).exists()
    assert audited_actions(person=rosa)[1:] == [("the clock", "person.stop-reset")]


@pytest.mark.full
def test_a_banned_person_gets_all_their_data_by_a_link_and_nobody_else_does(smtp):
    open_table("Rosa", "Boris", "Clara")
    rosa, nadja = User.objects.get(name="Rosa"), browser(administrator())
    assert "unless they're banned" in plain(nadja.get(person_act_url(rosa, "export")))
    marta_acts_on(rosa, "ban")
    done(nadja, rosa, "export")
    while exports.make_next(now=timezone.now()):
        pass
    mail = mails(smtp)["rosa@example.org"][-1]
    assert "You can't sign in, so the link leads straight to the file." in plain_text(mail)
    link = re.search(r"localhost:8000(/accounts/export/\S+)", plain_text(mail))[1]
    answer = Client().get(link)
    assert json.loads(answer.content)["account"]["email"] == "rosa@example.org"
    assert Client().get("/accounts/export/forged:link/").status_code == 404
    marta_acts_on(rosa, "lift-ban")
    assert Client().get(link).status_code == 404  # She can sign in again.


@pytest.mark.full
def test_an_account_is_deleted_once_its_name_is_typed_and_the_games_were_shown(smtp):
    open_table("Rosa", "Boris", "Clara")
    rosa, nadja = User.objects.get(name="Rosa"), browser(administrator())
    number = rosa.pk
    assert act_on(nadja, rosa, "delete", name="Boris").status_code == 422
    form = {"seen": 0, "name": "Rosa", "reason": "As you wrote."}
    preview = plain(nadja.post(person_act_url(rosa, "delete"), form))
    assert "Rosa leaves the running game “The Venice table”." in preview
    assert User.objects.filter(name="Rosa").exists()
    text = done(nadja, rosa, "delete", name="Rosa")
    assert "People" in text
    assert not User.objects.filter(name="Rosa").exists()
    assert mails(smtp)["rosa@example.org"][-1]["Subject"] == "Your account has been deleted"
    assert [(line.who, line.action) for line in AuditLine.objects.filter(person=number)] == [
        ("Nadja", "person.delete")
    ]


def test_a_moderator_isnt_deleted_but_dismissed_first():
    marta, nadja = moderator("Marta"), browser(administrator())
    assert "dismiss them first" in plain(nadja.get(person_act_url(marta, "delete")))


@pytest.mark.full
def test_rosa_becomes_a_moderator_and_a_player_again(smtp):
    rosa, nadja = verified("Rosa"), browser(administrator())
    assert act_on(nadja, rosa, "appoint", role="").status_code == 422  # Nothing is chosen at first.
    done(nadja, rosa, "appoint", role="moderator")
    assert may_moderate(User.objects.get(pk=rosa.pk))
    assert not User.objects.get(pk=rosa.pk).has_perm("games.administer_site")
    done(nadja, rosa, "dismiss")
    assert not may_moderate(User.objects.get(pk=rosa.pk))
    subjects = [mail["Subject"] for mail in mails(smtp)["rosa@example.org"]]
    assert subjects == ["You're a moderator now", "You're no longer a moderator"]


def test_an_administrator_cannot_dismiss_themselves():
    nadja = administrator()
    answer = browser(nadja).get(person_act_url(nadja, "dismiss"))
    assert answer.status_code == 403
    assert may_moderate(User.objects.get(pk=nadja.pk))


@pytest.mark.full
def test_a_second_factor_of_an_hour_ago_has_to_be_shown_again(settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    rosa = verified("Rosa")
    nadja = administrator()
    EmailAddress.objects.create(user=nadja, email=nadja.email, primary=True, verified=True)
    client, _ = sign_in("Nadja")
    secret, _codes = set_up(client)
    assert client.get(person_act_url(rosa, "address")).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        assert client.get(person_act_url(rosa, "warn")).status_code == 200
        asked = client.get(person_act_url(rosa, "address"))
        assert asked["Location"].startswith("/accounts/2fa/reauthenticate/?next=")
        client.post(asked["Location"], {"code": shown_by_app(secret)})
        assert client.get(person_act_url(rosa, "address")).status_code == 200
