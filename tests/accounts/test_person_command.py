"""`manage.py person`: what the owner of the site does for people who can't do it themselves."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import AuditLine, HeldSanction, OutboxEmail, User
from games.services.email import delivery
from tests.accounts.test_second_factor import set_up, sign_in
from tests.support.client import browser, person, verified
from tests.support.moderators import marta_acts_on, moderator
from tests.support.sanctions import in_days
from tests.support.sent_emails import code_in, plain_text
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

ROSA = "rosa@example.org"


def run(*arguments):
    call_command("person", *map(str, arguments))


def emails(smtp):
    """Who got which email, by address, once all has been sent."""
    delivery.drain(now=OutboxEmail.objects.latest("created_at").created_at)
    return {mail["To"]: mail for mail in smtp.messages}


@pytest.mark.full
def test_rosa_signs_in_with_another_address_and_both_are_told(smtp, capsys):
    rosa = verified("Rosa")
    signed_in = browser(rosa)
    run(ROSA, "--reason", "Her provider has closed.", "address", "Rosa@NEW.example")
    assert capsys.readouterr().out == "Rosa: rosa@new.example. Both addresses get an email.\n"
    got = emails(smtp)
    assert set(got) == {ROSA, "rosa@new.example"}
    for mail in got.values():
        assert mail["Subject"] == "Your email address has been changed"
        text = plain_text(mail)
        assert "Reason: Her provider has closed." in text
        assert "If you didn't ask for this, contact this site's administrators right away." in text
    assert "Hello Rosa," in plain_text(got["rosa@new.example"])
    assert "new.example" not in plain_text(got[ROSA])  # Somebody else may read the old mailbox.
    assert signed_in.get("/accounts/profile/").status_code == 302
    client = Client()
    client.post("/accounts/login/code/", {"email": "rosa@new.example"})
    client.post("/accounts/login/code/confirm/", {"code": code_in(smtp.messages[-1])})
    assert client.session["_auth_user_id"] == str(rosa.pk)
    assert User.objects.get().has_usable_password()
    [line] = AuditLine.objects.filter(person=rosa)
    assert (line.who, line.action) == ("the owner", "person.address")
    assert "example" not in json.dumps([line.before, line.after])


def test_a_code_on_its_way_to_the_old_address_lets_nobody_in(smtp):
    verified("Rosa")
    client = Client()
    client.post("/accounts/login/code/", {"email": ROSA})
    code = code_in(smtp.messages[-1])
    run(ROSA, "address", "rosa@new.example")
    client.post("/accounts/login/code/confirm/", {"code": code})
    assert "_auth_user_id" not in client.session


@pytest.mark.full
def test_a_suspension_stays_with_the_address_that_was_left():
    rosa = verified("Rosa")
    marta_acts_on(rosa, "suspend", until=in_days(7))
    run(ROSA, "address", "rosa@new.example")
    assert HeldSanction.objects.count() == 1


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("boris@example.org", "Another account has this address."),
        (ROSA, "The account has this address already."),
        ("rosa", "This isn't an email address."),
    ],
)
def test_an_address_that_cannot_be_hers_changes_nothing(new, reason):
    verified("Rosa")
    verified("Boris")
    with pytest.raises(CommandError, match=reason):
        run(ROSA, "address", new)
    assert EmailAddress.objects.filter(email=ROSA, verified=True).exists()
    assert not AuditLine.objects.exists()


def test_the_email_to_the_old_address_is_in_the_language_of_its_owner(smtp):
    verified("Rosa", language="de")
    run(ROSA, "address", "rosa@new.example")
    assert {mail["Subject"] for mail in emails(smtp).values()} == {
        "Deine E-Mail-Adresse wurde geändert"
    }


@pytest.mark.full
def test_rosa_who_has_lost_her_phone_signs_in_with_her_password(smtp, capsys):
    rosa = verified("Rosa")
    client, _ = sign_in("Rosa")
    set_up(client)
    run(ROSA, "forget-second-factor")
    assert not Authenticator.objects.exists()
    assert client.get("/accounts/profile/").status_code == 302  # The phone is signed out.
    again, _ = sign_in("Rosa")
    assert again.session["_auth_user_id"] == str(rosa.pk)
    assert emails(smtp)[ROSA]["Subject"] == "Your two-factor authentication has been reset"
    with pytest.raises(CommandError, match="has no two-factor"):
        run(ROSA, "forget-second-factor")


@pytest.mark.full
def test_all_data_of_rosa_is_written_to_a_file_that_only_its_owner_reads(smtp, tmp_path, capsys):
    open_table("Rosa", "Boris", "Clara")
    file = tmp_path / "rosa.json"
    run(ROSA, "export", file)
    data = json.loads(file.read_text())
    assert data["account"]["email"] == ROSA
    assert [game["table"] for game in data["games"]] == ["The Venice table"]
    assert file.stat().st_mode & 0o777 == 0o600
    subjects = [mail["Subject"] for mail in [emails(smtp)[ROSA]]]
    assert subjects == ["A file with all your data is ready"]
    with pytest.raises(CommandError, match="can't be written: File exists"):
        run(ROSA, "export", file)
    assert AuditLine.objects.filter(action="person.export").count() == 1


def test_rosa_is_deleted_and_her_address_is_told(smtp, capsys, monkeypatch):
    rosa = verified("Rosa")
    monkeypatch.setattr("builtins.input", lambda: "Boris")
    with pytest.raises(CommandError, match="Nothing was deleted"):
        run(ROSA, "delete")
    monkeypatch.setattr("builtins.input", lambda: "Rosa")
    run(ROSA, "--reason", "She wrote a letter.", "delete")
    assert not User.objects.exists()
    [line] = AuditLine.objects.all()
    assert (line.person_id, line.action) == (rosa.pk, "person.delete")
    mail = emails(smtp)[ROSA]
    assert mail["Subject"] == "Your account has been deleted"
    assert "Hello," in plain_text(mail)
    assert "Reason: She wrote a letter." in plain_text(mail)


def test_a_moderator_is_dismissed_before_they_are_deleted():
    moderator("Marta")
    with pytest.raises(CommandError, match="dismiss them first"):
        run("marta@example.org", "delete", "--yes")
    assert User.objects.filter(name="Marta").exists()


def test_nobody_has_this_address():
    person("Rosa")
    with pytest.raises(CommandError, match="no account"):
        run("nobody@example.org", "forget-second-factor")
