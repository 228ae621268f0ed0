"""A refusal names what led to it, and says what helps."""

import re
import time

import pytest
from allauth.account.internal.flows import code_verification
from django.test import Client
from django.utils.html import strip_tags

from tests.support.client import text_of, verified
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
TYPED = {"login": "rosa@example.org", "password": "something"}
OWN = "http://testserver"
COOKIE = "Your browser sent no cookie with the form, so nothing has changed."
LATE = "The page was out of date: you may have signed in or out in another window"
HIDDEN = "Your browser didn't say which page the form came from, so nothing has changed."
AGAIN = "<button>Send again</button>"


def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def token_of(client: Client, page: str = LOGIN) -> str:
    html = client.get(page).content.decode()
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[-1]


class TestForgedRequests:
    def test_no_cookie(self):
        response = strict().post(LOGIN, TYPED, headers={"origin": OWN})
        assert response.status_code == 403
        words = text_of(response)
        assert COOKIE in words
        assert LATE not in words
        assert "rosa@example.org" in words
        assert AGAIN in response.content.decode()
        assert COOKIE in text_of(strict().post(LOGIN, TYPED))  # an old browser names no page

    def test_a_cookie_that_changed_meanwhile(self):
        client = strict()
        client.get(LOGIN)
        response = client.post(
            LOGIN, TYPED | {"csrfmiddlewaretoken": "x" * 64}, headers={"origin": OWN}
        )
        assert response.status_code == 403
        assert LATE in text_of(response)
        assert COOKIE not in text_of(response)
        assert AGAIN in response.content.decode()

    def test_another_address(self, settings):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        for origin in ("https://testserver", "https://evil.example", "http://testserver:81"):
            response = client.post(LOGIN, form, headers={"origin": origin})
            assert response.status_code == 403
            words = text_of(response)
            assert f"The form came from {origin}, which isn't the address of this site" in words
            assert f"please use the site at {settings.SITE_URL}." in words
            assert AGAIN not in response.content.decode()

    def test_an_address_that_the_browser_hides(self):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        hidden = client.post(LOGIN, form, headers={"origin": "null"})
        no_referer = client.post(LOGIN, form, secure=True)
        for response in (hidden, no_referer):
            assert response.status_code == 403
            assert HIDDEN in text_of(response)
            assert "cookie" not in text_of(response)
            assert AGAIN not in response.content.decode()

    def test_an_address_is_shown_as_it_is(self):
        client = strict()
        form = TYPED | {"csrfmiddlewaretoken": token_of(client)}
        response = client.post(LOGIN, form, headers={"origin": "https://<b>x"})
        assert "<b>x" not in response.content.decode()


def test_another_host_gets_the_address_of_the_site(settings):
    client = Client(raise_request_exception=False)
    for language, words in (
        ("en", f"This site isn't available at this address. Please use {settings.SITE_URL}."),
        ("de", settings.SITE_URL),
        ("ru", settings.SITE_URL),
    ):
        response = client.get("/", headers={"host": "evil.example", "accept-language": language})
        assert response.status_code == 400
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert words in response.content.decode()
        assert strip_tags(response.content.decode()) == response.content.decode()


def test_a_stranger_does_not_read_that_they_are_no_longer_signed_in():
    response = Client().post("/accounts/notifications/", {"digest": "x"}, follow=True)
    assert "You aren't signed in. What you typed has been saved" in text_of(response)


def test_after_too_many_attempts_the_page_says_how_long_to_wait(settings):
    settings.ACCOUNT_RATE_LIMITS = {"keep_typed": "1/10m/ip"}
    client = Client()
    for _ in range(2):
        response = client.post("/accounts/notifications/", {"digest": "x"})
    assert response.status_code == 429
    assert "Please wait ten minutes" in text_of(response)


ASK_AND_CONFIRM = [
    ("/accounts/login/code/", "/accounts/login/code/confirm/"),
    ("/accounts/password/reset/", "/accounts/password/reset/confirm/"),
    ("/accounts/signup/", "/accounts/confirm-email/"),
]
WRONG_TOO_OFTEN = (
    "This code was entered incorrectly too many times and is no longer valid. Get a new one."
)
NO_LONGER_VALID = "This code is no longer valid. Please get a new one."


@pytest.mark.parametrize(("ask", "confirm"), ASK_AND_CONFIRM)
class TestMailedCodes:
    @pytest.fixture
    def client(self, ask, smtp):
        """The browser of Rosa, who has just been emailed a code."""
        if ask != "/accounts/signup/":
            verified("Rosa")
        client = Client()
        form = {"password1": "a red scholar in Venice", "name": "Rosa", "time_zone": "UTC"}
        client.post(ask, form | {"email": "rosa@example.org"})
        return client

    @pytest.mark.sample(1)
    def test_one_that_was_entered_wrong_too_often(self, client, confirm, smtp):
        guess = {"code": "WRONG1"}
        said = [text_of(client.post(confirm, guess, follow=True)) for _ in range(3)]
        assert ["Incorrect code." in one for one in said] == [True, True, False]
        assert [WRONG_TOO_OFTEN in one for one in said] == [False, False, True]
        assert "Try again later" not in said[-1]
        right = client.post(confirm, {"code": code_in(smtp.messages[-1])}, follow=True)
        assert NO_LONGER_VALID in text_of(right)
        assert "_auth_user_id" not in client.session

    def test_one_whose_time_has_passed(self, client, confirm, smtp, monkeypatch):
        later = time.time() + 3600
        monkeypatch.setattr(code_verification.time, "time", lambda: later)
        said = text_of(client.post(confirm, {"code": code_in(smtp.messages[-1])}, follow=True))
        assert NO_LONGER_VALID in said
        assert WRONG_TOO_OFTEN not in said
        assert "_auth_user_id" not in client.session

    def test_one_that_was_right_is_not_mentioned(self, client, confirm, smtp):
        said = text_of(client.post(confirm, {"code": code_in(smtp.messages[-1])}, follow=True))
        assert "no longer valid" not in said
