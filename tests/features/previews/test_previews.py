"""Moderators look at every kind of email with sample content, and send it to themselves."""

import pytest
from django.conf import settings as site_settings

from games.features.previews import previews as email_previews
from games.features.previews.accounts import TEMPLATES
from games.features.previews.samples import MESSAGES, SAMPLES
from games.models import AuditLine, Event, Game, OutboxEmail, Report, User
from games.services.accounts import emails
from games.services.email.kinds import KIND_BY_KEY
from tests.support.client import browser, html_of, person, text_of
from tests.support.mail_servers import choosy_server
from tests.support.moderators import moderator
from tests.support.sent_emails import words_of_html
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db(transaction=True)

HELLO = {"en": "Hello", "de": "Hallo", "ru": "Здравствуйте"}


@pytest.fixture
def marta():
    return browser(moderator("Marta"))


def rows():
    """How many of what samples are made of there is."""
    return [one.objects.count() for one in (Game, User, OutboxEmail, Event, AuditLine, Report)]


def test_there_is_a_sample_of_every_kind():
    assert set(SAMPLES) == set(KIND_BY_KEY)


def test_all_that_is_sent_is_in_the_list():
    """Also what is composed of several kinds, and what is sent at once about accounts."""
    keys = [kind.key for kind in email_previews.kinds()]
    assert len(set(keys)) == len(keys)
    assert set(keys) == {*KIND_BY_KEY, *MESSAGES, *TEMPLATES}
    assert set(TEMPLATES.values()) >= {*emails.CODES, *emails.NOTICES, emails.CLOSED}


@pytest.mark.full
def test_a_stranger_is_shown_what_strangers_get(transactional_db):
    shown = email_previews.preview("invitation_to_stranger", "en", moderator("Nora"), MONDAY)
    assert "gave us your address" in " ".join(shown.body.split())
    digest = email_previews.preview("digest", "en", moderator("Otto"), MONDAY)
    assert digest.subject == "2 updates from your tables"


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("kind", [*SAMPLES, *MESSAGES, *TEMPLATES])
def test_every_kind_in_every_language_and_nothing_stays(kind, transactional_db):
    nora = moderator("Nora")
    before = rows()
    for language, _name in site_settings.LANGUAGES:
        email = email_previews.preview(kind, language, nora, MONDAY)
        assert email.subject
        assert email.body.startswith(HELLO[language])
        assert f'<html lang="{language}">' in email.html
        assert words_of_html(email.html)
    assert rows() == before


@pytest.mark.full
def test_it_is_the_same_each_time(transactional_db):
    """The frame then shows the words of the text."""
    nora = moderator("Nora")
    subjects = {email_previews.preview("your_turn", "en", nora, MONDAY).subject for _ in range(3)}
    assert len(subjects) == 1


@pytest.mark.full
def test_people_and_tables_of_the_same_name_are_left_alone(marta):
    """Anna of the sample is nobody who plays here."""
    game = open_table("Anna", "Boris", "Clara", name="The Venice table")
    before = rows(), list(OutboxEmail.objects.values("pk", "status", "kind"))
    assert marta.get("/admin/emails/your_turn/en/").status_code == 200
    assert (rows(), list(OutboxEmail.objects.values("pk", "status", "kind"))) == before
    assert list(Game.objects.all()) == [game]


@pytest.mark.full
def test_the_list_leads_to_each_kind_in_each_language(marta):
    assert "Emails with sample content" in text_of(marta.get("/admin/site/"))
    assert "Emails with sample content" not in text_of(marta.get("/admin/"))
    page = marta.get("/admin/emails/").content.decode()
    for kind in SAMPLES:
        for language, _name in site_settings.LANGUAGES:
            assert f'href="/admin/emails/{kind}/{language}/"' in page


@pytest.mark.full
def test_a_page_shows_subject_text_headers_and_the_html_in_a_frame(marta):
    page = marta.get("/admin/emails/vote/de/")
    text = text_of(page)
    assert "Hallo Anna" in text
    assert "List-Id: The Venice table" in text
    assert 'src="/admin/emails/vote/de/html/"' in page.content.decode()
    frame = marta.get("/admin/emails/vote/de/html/")
    policy = frame["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "sandbox" in policy
    assert frame["X-Frame-Options"] == "SAMEORIGIN"
    assert "Hallo Anna" in html_of(frame)


@pytest.mark.full
def test_it_is_sent_only_to_the_moderator_who_wants_it(marta, settings):
    with choosy_server(settings) as inbox:
        page = marta.post("/admin/emails/your_turn/ru/", follow=True)
        assert "Sent to marta@example.org." in text_of(page)
        [email] = inbox.messages
    assert email["To"] == "marta@example.org"
    assert email["Message-ID"]
    assert email.get_body(("plain",)).get_content().startswith("Здравствуйте")
    assert not OutboxEmail.objects.exists()


@pytest.mark.full
def test_the_page_says_when_it_could_not_be_sent(marta, settings):
    with choosy_server(settings) as inbox:
        inbox.to_recipient["marta@example.org"] = "550 5.1.1 No such mailbox"
        page = marta.post("/admin/emails/your_turn/ru/", follow=True)
    assert "The email couldn't be sent: 550 5.1.1 No such mailbox" in text_of(page)


@pytest.mark.parametrize("rest", ["pigeon/de/", "your_turn/fr/", "pigeon/de/html/"])
def test_what_is_not_there_is_not_found(marta, rest):
    assert marta.get(f"/admin/emails/{rest}").status_code == 404
    if "html" not in rest:
        assert marta.post(f"/admin/emails/{rest}").status_code == 404


@pytest.mark.parametrize("rest", ["", "your_turn/de/", "your_turn/de/html/"])
def test_only_moderators_see_it(rest, transactional_db):
    assert browser(person("Boris")).get(f"/admin/emails/{rest}").status_code in (302, 403)
