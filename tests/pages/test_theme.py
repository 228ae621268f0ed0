"""Light or dark: as the device says, or as the reader has chosen in the foot of a page."""

import pytest
from django.test import Client

from tests.support.client import browser, person

pytestmark = pytest.mark.django_db


def html_of(client: Client, path: str = "/") -> str:
    return client.get(path).content.decode().partition("<body")[0]


def test_as_the_device_wants():
    head = html_of(Client())
    assert '<html lang="en">' in head
    assert '<meta name="color-scheme" content="light dark">' in head


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_choice_holds_for_every_page_until_it_is_taken_back(theme):
    client = Client()
    response = client.post("/theme/", {"theme": theme, "next": "/rules/"})
    assert response["Location"] == "/rules/"
    for path in ("/", "/rules/", "/accounts/login/"):
        head = html_of(client, path)
        assert f'<html lang="en" class="{theme}">' in head
        assert f'<meta name="color-scheme" content="{theme}">' in head
    assert "class=" not in html_of(Client()).partition("<head>")[0]
    client.post("/theme/", {"theme": "", "next": "/"})
    assert '<html lang="en">' in html_of(client)


@pytest.mark.parametrize("theme", ["blue", '"><script>', "\x00"])
def test_there_are_no_other_themes(theme):
    client = Client()
    client.post("/theme/", {"theme": theme})
    assert '<html lang="en">' in html_of(client)
    client.cookies["theme"] = "blue"
    assert '<html lang="en">' in html_of(client)


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_it_leads_nowhere_else(page):
    assert Client().post("/theme/", {"theme": "dark", "next": page})["Location"] == "/"


@pytest.mark.parametrize("page", ["1000", "red", "\r\nBcc: a@example.org", "\x00"])
def test_an_address_that_makes_no_sense_is_no_error(page):
    assert Client().post("/theme/", {"theme": "dark", "next": page}).status_code == 302


def test_somebody_signed_in_has_it_too():
    anna = browser(person("Anna"))
    anna.post("/theme/", {"theme": "dark", "next": "/"})
    assert 'class="dark"' in html_of(anna)
