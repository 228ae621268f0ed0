"""What the host fills in, and what machines read."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.services import legal
from tests.support.client import text_of
from tests.support.legal import forget, texts_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    with texts_in(settings, tmp_path) as folder:
        yield folder


@pytest.mark.parametrize("kind", legal.TITLES)
def test_without_a_text_there_is_no_page_and_no_link(folder, kind):
    assert Client().get(f"/{kind}/").status_code == 404
    assert f'href="/{kind}/"' not in Client().get("/").content.decode()


def test_a_text_is_a_page_that_every_page_links_to_in_the_readers_language(folder):
    (folder / "privacy.txt").write_text("We keep <little>.\n\nWrite to us.")
    (folder / "privacy.de.txt").write_text("Wir speichern wenig für kurze Zeit.")
    forget()
    assert 'href="/privacy/"' in Client().get("/").content.decode()
    page = Client().get("/privacy/")
    assert "We keep &lt;little&gt;." in page.content.decode()
    german = Client().get("/privacy/", headers={"accept-language": "de"})
    assert "Wir speichern wenig für kurze Zeit." in text_of(german)
    russian = Client().get("/privacy/", headers={"accept-language": "ru"})
    assert "Write to us." in text_of(russian)
    assert (legal.available(), legal.missing()) == (("privacy",), ["imprint", "terms"])


def test_people_who_find_a_hole_find_the_contact(settings):
    settings.DEFAULT_FROM_EMAIL = "Intrigue <play@example.org>"
    response = Client().get("/.well-known/security.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    told = dict(line.split(": ", 1) for line in response.content.decode().splitlines())
    assert told["Contact"] == "mailto:play@example.org"
    assert re.fullmatch(r"[\d-]+T[\d:]+Z", told["Expires"])
    left = datetime.fromisoformat(told["Expires"]) - timezone.now()
    assert timedelta(days=179) < left <= timedelta(days=180)


def test_what_programs_read_of_it_is_valid(settings):
    settings.DEFAULT_FROM_EMAIL = "Play & more <play+säcurity@example.org>"
    for address, has_own in (("https://play.example.org", True), ("http://localhost:8000", False)):
        settings.SITE_URL = address
        lines = Client().get("/.well-known/security.txt").content.decode().splitlines()
        assert "Contact: mailto:play%2Bs%C3%A4curity@example.org" in lines
        assert len([line for line in lines if line.startswith("Expires: ")]) == 1
        own = f"Canonical: {address}/.well-known/security.txt"
        assert (own in lines) is has_own  # addresses of the web begin with https there
