"""Programs that look through email fetch every link in it, and nothing happens."""

import re

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client

from games.models import User
from tests.support.client import browser
from tests.support.every_email import MAKE, arrived
from tests.support.sent_emails import bodies

pytestmark = pytest.mark.django_db

KEPT_OF_VISITS = {
    "Session", "UserSession", "Visit", "SignIn", "SharedBrowser",
}  # fmt: skip
"""What is kept of everybody who looks at a page."""


def links_in(mail):
    """All addresses of this site in both bodies and in the headers."""
    texts = [*bodies(mail), *(str(value) for value in mail.values())]
    own = re.escape(settings.SITE_URL)
    found = re.findall(rf"""{own}(/[^\s"'<>]*)""", "\n".join(texts).replace("&amp;", "&"))
    return sorted(set(found))


def all_rows():
    """Every row of the site that isn't about visits, as the database has it."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in apps.get_models()
        if model.__name__ not in KEPT_OF_VISITS
    }


def readers(mail):
    """Somebody who isn't signed in, and the reader of the email, if they have an account."""
    yield Client()
    person = User.objects.filter(email=mail["To"], is_active=True).first()
    if person is not None:
        yield browser(person)


@pytest.mark.parametrize("kind", MAKE)
def test_whoever_fetches_all_links_of_an_email_changes_nothing(kind, smtp):
    _game, mail = arrived(kind, smtp)
    links = links_in(mail)
    assert links, "an email without a link"
    for client in readers(mail):
        before = all_rows()
        for link in links:
            for ask in (client.get, client.head):
                answer = ask(link, follow=True)
                assert answer.status_code in {200, 404}, (link, answer.status_code)
        assert all_rows() == before
