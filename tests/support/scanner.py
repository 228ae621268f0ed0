"""A program that looks through email and fetches every link in it, as some companies run."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

from django.apps import apps
from django.conf import settings
from django.test import Client

from games.models import User
from tests.support.client import browser
from tests.support.sent_emails import bodies

KEPT_OF_VISITS = {
    "Session", "UserSession", "Visit", "SignIn", "SharedBrowser",
}  # fmt: skip
"""What is kept of everybody who looks at a page."""

READ_MARKS = {"ThreadMember": "last_read"}
"""The same as a field: how far the reader has read the conversation on a page."""


def assert_nothing_changes_by_its_links(mail: EmailMessage) -> list[str]:
    """Fetch them all, as a stranger and as the reader; which these are."""
    links = links_in(mail)
    for client in _readers(mail):
        before = _all_rows()
        for link in links:
            for ask in (client.get, client.head):
                response = ask(link, follow=True)
                assert response.status_code in {200, 404}, (link, response.status_code)
        assert _all_rows() == before
    return links


def links_in(mail: EmailMessage) -> list[str]:
    """All addresses of this site in both bodies and in the headers."""
    texts = [*bodies(mail), *(str(value) for value in mail.values())]
    own = re.escape(settings.SITE_URL)
    found = re.findall(rf"""{own}(/[^\s"'<>]*)""", "\n".join(texts).replace("&amp;", "&"))
    return sorted(set(found))


def _readers(mail: EmailMessage) -> Iterator[Client]:
    """Somebody who isn't signed in, and the reader of the email, if they have an account."""
    yield Client()
    person = User.objects.filter(email=mail["To"], is_active=True).first()
    if person is not None:
        yield browser(person)


def _all_rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the site, without what is about visits, as the database has it."""
    rows = {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in apps.get_models()
        if model.__name__ not in KEPT_OF_VISITS
    }
    for name, mark in READ_MARKS.items():
        for row in rows[name]:
            del row[mark]
    return rows
