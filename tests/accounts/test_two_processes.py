"""Limits hold for all web processes together: here two real ones, at which one person guesses."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from tests.support.client import verified
from tests.support.hosted import Browser
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.sent_emails import code_in

GUESSES = 16
"""How many guesses there are, half of them at each process."""

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]


def token_of(page):
    return re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)[1]


def asked_for(port, path, **typed):
    """A browser that has sent a form, and where it stands then."""
    browser = Browser(port)
    token = token_of(browser.get(path))
    browser.post(path, {"csrfmiddlewaretoken": token, **typed})
    return browser


def all_at_once(guesses):
    """The responses to all of them, none of which begins before the others are ready."""
    ready = threading.Barrier(len(guesses))

    def guess(one):
        ready.wait(timeout=PATIENCE_SECONDS)
        return one()

    with ThreadPoolExecutor(len(guesses)) as threads:
        return list(threads.map(guess, guesses))


def test_guesses_of_a_password_are_counted_for_both(web_ports):
    verified("Anna")
    path, numbers = "/accounts/login/", count()

    def prepared():
        browser = Browser(web_ports[next(numbers) % 2])
        form = {
            "csrfmiddlewaretoken": token_of(browser.get(path)),
            "login": "anna@example.org",
            "password": "a guess",
        }
        return lambda: browser.post(path, form)

    responses = all_at_once([prepared() for _ in range(GUESSES)])
    compared = sum("email address or password isn&#39;t right" in page.text for page in responses)
    # allauth waits a second for its turn to count, and then refuses without having counted.
    refused = sum(
        page.status == 429 or "Too many failed login attempts" in page.text for page in responses
    )
    assert 1 <= compared <= 5
    assert compared + refused == GUESSES


def test_guesses_of_a_emailed_code_are_counted_for_both(web_ports, web_inbox):
    verified("Anna")
    asked = asked_for(web_ports[0], "/accounts/login/code/", email="anna@example.org")
    wait_until(lambda: web_inbox.messages)
    path, numbers = "/accounts/login/code/confirm/", count()
    token = token_of(asked.get(path))

    def prepared():
        """The same session, from another window."""
        browser = Browser(web_ports[next(numbers) % 2])
        browser.cookies.load(asked.cookies)
        form = {"csrfmiddlewaretoken": token, "action": "verify", "code": "WRONG1"}
        return lambda: browser.post(path, form)

    responses = all_at_once([prepared() for _ in range(GUESSES)])
    assert 1 <= sum("Incorrect code." in page.text for page in responses) <= 3
    right = {
        "csrfmiddlewaretoken": token,
        "action": "verify",
        "code": code_in(web_inbox.messages[-1]),
    }
    asked.post(path, right)
    assert asked.get("/accounts/profile/").status == 302
