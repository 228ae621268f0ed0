"""Email about accounts: what it says, in each language, and that no code is kept."""

import re
from datetime import UTC, datetime
from pathlib import Path

import allauth
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import translation

from games.models import User
from games.services.accounts import emails
from games.services.email.people_emails import closed_account
from tests.support.client import browser, person, verified
from tests.support.scanner import assert_nothing_changes_by_its_links
from tests.support.sent_emails import bodies, code_in, plain_text, words_of_html

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
KNOWN = {
    "code": "K7DM-PQ4X",
    "from_email": "anna@example.org",
    "to_email": "anna@example.net",
    "deleted_email": "anna@example.com",
    "provider": "Guild & Co",
    "timestamp": MONDAY,
    "ip": "192.0.2.7",
    "user_agent": "Mozilla/5.0 <b>(X11)</b>",
}
SUBJECTS = {
    "account/email/login_code": "K7DM-PQ4X is your sign-in code",
    "account/email/email_confirmation_signup": "K7DM-PQ4X is your code. Welcome to Intrigue!",
    "account/email/email_confirmation": "K7DM-PQ4X is the code to confirm your email address",
    "account/email/password_reset_code": "K7DM-PQ4X is your code to reset your password",
    "account/email/email_changed": "Your email address has been changed",
    "account/email/email_deleted": "An email address has been removed from your account",
    "account/email/password_changed": "Your password has been changed",
    "account/email/password_reset": "Your password has been reset",
    "account/email/password_set": "Your account now has a password",
    "mfa/email/totp_activated": "Your account now requires a code from an authenticator app",
    "mfa/email/totp_deactivated": (
        "Your account no longer requires a code from an authenticator app"
    ),
    "mfa/email/recovery_codes_generated": "Your account has new recovery codes",
    "mfa/email/webauthn_added": "A passkey has been added to your account",
    "mfa/email/webauthn_removed": "A passkey has been removed from your account",
    "socialaccount/email/account_connected": "You can now sign in with Guild & Co",
    "socialaccount/email/account_disconnected": "You can no longer sign in with Guild & Co",
    "account/email/account_closed": "This account is closed",
    "account/email/unknown_account": "There's no account with this address",
    "account/email/account_already_exists": "You already have an account",
}
NEVER_SENT = {
    "account/email/email_confirm",
    "account/email/password_reset_key",  # A code is sent instead of a link.
}
HELLO = {"en": "Hello", "de": "Hallo", "ru": "Здравствуйте"}


def of_kind(template, smtp, language="en"):
    """An email of this kind to Anna, as it arrives."""
    anna = User.objects.filter(name="Anna").first() or person("Anna", time_zone="Europe/Vienna")
    with translation.override(language):
        known = KNOWN | closed_account(anna, MONDAY)
        emails.compose(template, anna.email, anna, known).send()
    return smtp.messages[-1]


def test_every_email_that_django_allauth_can_send_has_words_of_ours():
    folder = Path(allauth.__file__).parent / "templates"
    subjects = {str(file.relative_to(folder)) for file in folder.glob("*/email/*_subject.txt")}
    known = {name.removesuffix("_subject.txt") for name in subjects} - NEVER_SENT
    assert set(SUBJECTS) == known | {emails.CLOSED}


@pytest.mark.full
@pytest.mark.parametrize("template", SUBJECTS)
def test_its_subject_says_what_it_is_about(template, smtp):
    mail = of_kind(template, smtp)
    assert mail["Subject"] == SUBJECTS[template]
    assert mail["From"].startswith("Intrigue <")
    assert mail["Auto-Submitted"] == "auto-generated"


@pytest.mark.full
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("template", SUBJECTS)
def test_text_and_html_say_the_same_in_every_language(template, language, smtp):
    text, html = bodies(of_kind(template, smtp, language))
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert text.startswith(HELLO[language])
    assert f'<html lang="{language}">' in html
    assert "\n\n\n" not in text


@pytest.mark.full
@pytest.mark.parametrize("template", SUBJECTS)
def test_no_english_is_left_in_a_russian_one(template, smtp):
    mail = of_kind(template, smtp, "ru")
    said = f"{mail['Subject']}\n{plain_text(mail)}"
    for word in (*map(str, KNOWN.values()), "Anna", "Europe/Vienna", "Intrigue", "IP"):
        said = said.replace(word, "")
    assert re.findall(r"[A-Za-z]+", re.sub(r"https?://\S+", "", said)) == []


@pytest.mark.full
@pytest.mark.parametrize("template", SUBJECTS)
def test_it_has_a_large_code_or_a_button_below_its_first_sentence(template, smtp):
    text, html = bodies(of_kind(template, smtp))
    if template in emails.CODES:
        assert html.count("K7DM-PQ4X") == text.count("K7DM-PQ4X") == 1
        assert code_in(smtp.messages[-1]) == "K7DM-PQ4X"
        assert 'class="button"' not in html
        assert "Anna" not in text  # Anybody can write any name for any address.
    else:
        first = re.search(r"<p><strong>.*?</p>\s*<p [^>]*><a (class=\"button\")", html)
        assert first[1]
        assert html.count('class="button"') == 1


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("template", SUBJECTS)
def test_whoever_fetches_all_its_links_changes_nothing(template, smtp):
    links = assert_nothing_changes_by_its_links(of_kind(template, smtp))
    assert bool(links) == (template not in emails.CODES)


def test_a_notice_says_when_in_the_zone_of_its_reader_and_what_to_do(smtp):
    text = plain_text(of_kind("account/email/password_changed", smtp))
    assert text == (
        "Hello Anna, Your password has been changed. If you didn't do this, set a new password "
        "now: that ends all other sessions. Then check what else has changed in your account. Set "
        "a new password: http://localhost:8000/accounts/password/reset/ Date: Mon 2 Mar, 10:00 "
        "(Europe/Vienna) IP address: 192.0.2.7 Browser: Mozilla/5.0 <b>(X11)</b> You're getting "
        "this email because it concerns the security of your account."
    )


def test_who_lost_their_address_to_somebody_is_not_led_to_a_code_for_the_new_one(smtp):
    text = plain_text(of_kind("account/email/email_changed", smtp))
    assert (
        "changed from anna@example.org to anna@example.net. If you didn't do this, contact" in text
    )
    assert "/password/reset/" not in text


def test_a_code_says_how_long_it_is_valid(smtp):
    assert "The code is valid for 3 minutes." in plain_text(
        of_kind("account/email/login_code", smtp)
    )
    confirmation = plain_text(of_kind("account/email/email_confirmation", smtp))
    assert "The code is valid for 15 minutes." in confirmation


def test_anna_changes_her_password_and_is_told_in_her_language(smtp):
    anna = verified("Anna", language="de")
    new = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
    browser(anna).post("/accounts/password/change/", new | {"oldpassword": "not so secret"})
    [mail] = smtp.messages
    assert plain_text(mail).startswith("Hallo Anna! Dein Passwort wurde geändert.")


@pytest.mark.parametrize("page", ["/accounts/login/code/", "/accounts/password/reset/"])
def test_a_code_is_in_no_row_but_the_session_that_asked_and_in_no_log(page, smtp, caplog):
    verified("Anna")
    caplog.set_level("DEBUG")
    Client().post(page, {"email": "anna@example.org"})
    code = code_in(smtp.messages[-1])
    rows = [
        str(row)
        for model in apps.get_models()
        if model is not Session
        for row in model.objects.values()
    ]
    assert any("anna@example.org" in row for row in rows)
    assert [row for row in rows if code in row] == []
    ours = [record for record in caplog.records if record.name != "mail.log"]  # The mail server's.
    assert [record for record in ours if code in record.getMessage()] == []
