"""Each email is written in the language of its reader."""

import re

import pytest

from games.models import Invitation, User
from tests.support.every_email import MAKE, arrived
from tests.support.sent_emails import bodies, plain_text, words_of_html

pytestmark = pytest.mark.django_db

# What people wrote themselves, names and addresses.
NOT_TRANSLATED = re.compile(
    r"https?://\S+|<Venice> & Co|No <b>tricks</b>|@Anna, <i>promise</i>\?\nSee"
    r"|<i>Psst!</i>\nLet's talk\.|A <b>feast</b>|Be <i>kind</i>|Nora|Otto"
    r"|Nobody is <i>insulted</i> here|A <i>joke</i>"
    r"|It was a <i>joke</i>|You <b>shout</b>|He <b>insults</b> me"
    r"|Anna|Boris|Clara|Dora|Marta|Europe/Vienna|UTC|Intrigue|Mayfair|clock\.py:7|ValueError"
)
HELLO = {"de": "Hallo", "ru": "Здравствуйте"}


def in_language(kind, language, smtp):
    """The email of this kind to somebody who reads this language."""

    def make():
        made = MAKE[kind]()
        User.objects.update(language=language)
        return made

    return arrived(kind, smtp, make)[1]


@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("language", HELLO)
def test_text_and_html_say_the_same_in_every_language(kind, language, smtp):
    text, html = bodies(in_language(kind, language, smtp))
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert text.startswith(HELLO[language])
    assert f'<html lang="{language}">' in html


@pytest.mark.parametrize("kind", MAKE)
def test_no_english_is_left_in_a_russian_email(kind, smtp):
    mail = in_language(kind, "ru", smtp)
    text = NOT_TRANSLATED.sub("", f"{mail['Subject']}\n{bodies(mail)[0]}")
    assert re.findall(r"[A-Za-z]+", text) == []


def test_who_has_chosen_no_language_is_written_to_in_that_of_the_site(smtp):
    assert plain_text(in_language("your_turn", "", smtp)).startswith("Hello")


def test_an_invitation_to_an_address_is_in_the_language_of_who_invites(smtp):
    text = plain_text(in_language("invitation", "de", smtp))
    assert "Anna lädt dich an den Tisch „<Venice> & Co“ ein." in text


def test_an_invitation_of_somebody_who_has_left_is_in_the_language_of_the_site(smtp):
    def make():
        made = MAKE["invitation"]()
        User.objects.update(language="de")
        Invitation.objects.update(invited_by=None)
        return made

    assert "Someone invites you" in plain_text(arrived("invitation", smtp, make)[1])


def test_a_turn_is_told_with_declined_scholars_and_own_money(smtp):
    text = plain_text(in_language("your_turn", "ru", smtp))
    assert "за вашего" in text or "Отправьте своих учёных мужей" in text
    assert "дукатов" in text
