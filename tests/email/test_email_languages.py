"""Each email is written in the language of its reader."""

import re

import pytest

from games.features.previews import previews as email_previews
from games.features.previews.accounts import TEMPLATES
from games.features.previews.samples import MESSAGES
from games.features.questions.models import Question
from games.models import Invitation, User
from tests.support.every_email import CAST, MAKE, arrived
from tests.support.moderators import moderator
from tests.support.sent_emails import bodies, plain_text, words_of_html
from tests.support.tables import MONDAY

pytestmark = [pytest.mark.full, pytest.mark.django_db]

# What people wrote themselves, names and addresses.
NOT_TRANSLATED = re.compile(
    r"https?://\S+|\S+@example\.org|<Venice> & Co|No <b>tricks</b>|@Anna, <i>promise</i>\?\nSee"
    r"|<i>Psst!</i>\nLet's talk\.|A <b>feast</b>|Be <i>kind</i>|Nora|Otto"
    r"|Nobody is <i>insulted</i> here|A <i>joke</i>"
    r"|anna@new\.example|You <i>asked</i> us|[A-Z0-9]{4}-[A-Z0-9]{4}"
    r"|It was a <i>joke</i>|You <b>shout</b>|He <b>insults</b> me"
    r"|Anna|Boris|Clara|Dora|Marta|Europe/Vienna|UTC|Intrigue|Mayfair|clock\.py:7|ValueError"
)
HELLO = {"de": "Hallo", "ru": "Здравствуйте"}


def in_language(kind, language, smtp):
    """The email of this kind to somebody who reads this language."""

    def make():
        made = MAKE[kind]()
        User.objects.update(language=language)
        Question.objects.update(language=language)
        return made

    return arrived(kind, smtp, make)[1]


@pytest.mark.long(every=3)
@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("language", HELLO)
def test_text_and_html_say_the_same_in_every_language_and_nothing_in_english(kind, language, smtp):
    mail = in_language(kind, language, smtp)
    text, html = bodies(mail)
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert text.startswith(HELLO[language])
    assert f'<html lang="{language}">' in html
    if language == "ru":  # German may have words of Latin letters
        own = NOT_TRANSLATED.sub("", f"{mail['Subject']}\n{text}")
        assert re.findall(r"[A-Za-z]+", own) == []


def test_who_has_chosen_no_language_is_written_to_in_that_of_the_site(smtp):
    assert plain_text(in_language("your_turn", "", smtp)).startswith("Hello")


def test_an_invitation_to_a_member_is_in_their_language(smtp):
    text = plain_text(in_language("invitation", "de", smtp))
    assert "Anna lädt dich an den Tisch „<Venice> & Co“ ein." in text


def invitation_to_stranger():
    """Of Anna, who reads German."""
    [(_kind, (game, reader, about))] = MESSAGES["invitation_to_stranger"](CAST)
    User.objects.update(language="de")
    return game, reader, about


def test_an_invitation_to_an_address_is_in_the_language_of_who_invites(smtp):
    text = plain_text(arrived("invitation", smtp, invitation_to_stranger)[1])
    assert text.startswith("Hallo!")


def test_an_invitation_of_somebody_who_has_left_is_in_the_language_of_the_site(smtp):
    def make():
        made = invitation_to_stranger()
        Invitation.objects.update(invited_by=None)
        return made

    text = plain_text(arrived("invitation", smtp, make)[1])
    assert "Someone has invited you to play Intrigue." in text


def test_a_turn_is_told_with_declined_scholars_and_own_money(smtp):
    text = plain_text(in_language("your_turn", "ru", smtp))
    assert "за вашего" in text or "Отправьте своих учёных мужей" in text
    assert "дукатов" in text


# What tells several things, what strangers get, and email about accounts

OF_SAMPLES = re.compile(
    r"https?://\S+|\S+@sample\.invalid|\S+@old\.invalid|The Venice table|Slow and friendly"
    r"|@Anna, what do you say to that|A2B3-C4D5|Firefox|OpenID|IP|"
    + NOT_TRANSLATED.pattern
)  # fmt: skip


@pytest.mark.long(every=3)
@pytest.mark.parametrize("key", [*MESSAGES, *TEMPLATES])
@pytest.mark.parametrize("language", HELLO)
def test_all_else_says_the_same_in_text_and_html_and_nothing_in_english(
    key, language, transactional_db
):
    mail = email_previews.preview(key, language, moderator("Nora"), MONDAY)
    assert re.findall(r"\w+", mail.body) == words_of_html(mail.html)
    assert mail.body.startswith(HELLO[language])
    if language == "ru":
        text = OF_SAMPLES.sub("", f"{mail.subject}\n{mail.body}")
        assert re.findall(r"[A-Za-z]+", text) == []


def test_a_digest_has_its_sentences_in_each_language(transactional_db):
    nora = moderator("Nora")
    first = {
        language: email_previews.preview("digest", language, nora, MONDAY).subject
        for language in ("en", *HELLO)
    }
    assert first["en"] == "2 updates from your tables"
    assert len(set(first.values())) == 3
