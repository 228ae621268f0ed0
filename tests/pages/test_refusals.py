"""A refusal names what led to it, and says what helps."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tests.support.client import text_of

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
TYPED = {"login": "rosa@example.org", "password": "something"}
OWN = "http://testserver"
COOKIE = "Your browser sent no cookie with the form, so nothing was done."
LATE = "The page was out of date: you may have signed in or out in another window"
HIDDEN = "Your browser didn't say which page this came from, so nothing was done."
AGAIN = "<button>Send again</button>"


def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def token_of(client: Client, page: str = LOGIN) -> str:
    html = client.get(page).content.decode()
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[-1]


class TestForgedRequests:
    def test_no_cookie(self):
        answered = strict().post(LOGIN, TYPED, headers={"origin": OWN})
        assert answered.status_code == 403
        words = text_of(answered)
        assert COOKIE in words
        assert LATE not in words
        assert "rosa@example.org" in words
        assert AGAIN in answered.content.decode()
        assert COOKIE in text_of(strict().post(LOGIN, TYPED))  # an old browser names no page

    def test_a_cookie_that_changed_meanwhile(self):
        client = strict()
        client.get(LOGIN)
        answered = client.post(
            LOGIN, TYPED | {"csrfmiddlewaretoken": "x" * 64}, headers={"origin": OWN}
        )
        assert answered.status_code == 403
        assert LATE in text_of(answered)
        assert COOKIE not in text_of(answered)
        assert AGAIN in answered.content.decode()

    def test_another_address(self, settings):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        for origin in ("https://testserver", "https://evil.example", "http://testserver:81"):
            answered = client.post(LOGIN, form, headers={"origin": origin})
            assert answered.status_code == 403
            words = text_of(answered)
            assert f"The form came from {origin}, which isn't the address of this site" in words
            assert f"please use the site at {settings.SITE_URL}." in words
            assert AGAIN not in answered.content.decode()

    def test_an_address_that_the_browser_hides(self):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        hidden = client.post(LOGIN, form, headers={"origin": "null"})
        no_referer = client.post(LOGIN, form, secure=True)
        for answered in (hidden, no_referer):
            assert answered.status_code == 403
            assert HIDDEN in text_of(answered)
            assert "cookie" not in text_of(answered)
            assert AGAIN not in answered.content.decode()

    def test_an_address_is_shown_as_it_is(self):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        answered = client.post(LOGIN, form, headers={"origin": "https://<b>x"})
        assert "<b>x" not in answered.content.decode()


def test_another_host_is_told_where_the_site_is(settings):
    client = Client(raise_request_exception=False)
    for language, words in (
        ("en", f"There is no site at this address. Please use {settings.SITE_URL}."),
        ("de", settings.SITE_URL),
        ("ru", settings.SITE_URL),
    ):
        answered = client.get("/", headers={"host": "evil.example", "accept-language": language})
        assert answered.status_code == 400
        assert answered["Content-Type"] == "text/plain; charset=utf-8"
        assert words in answered.content.decode()
        assert strip_tags(answered.content.decode()) == answered.content.decode()


def test_who_never_signed_in_is_not_told_that_they_are_no_longer_signed_in():
    answered = Client().post("/accounts/notifications/", {"digest": "x"}, follow=True)
    assert "You aren't signed in. What you typed has been saved" in text_of(answered)


def test_too_many_attempts_are_told_how_long_to_wait(settings):
    settings.ACCOUNT_RATE_LIMITS = {"keep_typed": "1/10m/ip"}
    client = Client()
    for _ in range(2):
        answered = client.post("/accounts/notifications/", {"digest": "x"})
    assert answered.status_code == 429
    assert "Please wait ten minutes" in text_of(answered)
