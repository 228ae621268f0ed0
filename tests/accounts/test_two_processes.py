"""Limits hold for all web processes together: here two real ones, at which one person guesses."""

import re
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count

import pytest
from django.utils import timezone

from games.models import Tick
from tests.operations.test_end_to_end import PYTHON, Browser, is_up, production, web_server
from tests.operations.test_processes import running
from tests.support.client import verified
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.sent_emails import code_in
from tests.support.servers import free_port
from tests.support.tables import tick

GUESSES = 16
"""How many guesses there are, half of them at each process."""

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ports(process_environment, tmp_path):
    """Two web servers, each a process of its own, on one database."""
    environment = production(process_environment, tmp_path)
    collect = [PYTHON, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, env=environment, check=True)
    ports = [free_port(), free_port()]
    with ExitStack() as processes:
        for port in ports:
            command = web_server(port)
            log = tmp_path / f"web {port}.log"
            processes.enter_context(running(command, environment, log))
        tick(timezone.now())  # no worker runs here, and the site is well all the same
        Tick.objects.note(Tick.MAIL, timezone.now())
        for port in ports:
            wait_until(lambda port=port: is_up(port))
        yield ports


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


def test_guesses_of_a_password_are_counted_for_both(ports):
    verified("Anna")
    path, numbers = "/accounts/login/", count()

    def prepared():
        browser = Browser(ports[next(numbers) % 2])
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


def test_guesses_of_a_mailed_code_are_counted_for_both(ports, smtp):
    verified("Anna")
    asked = asked_for(ports[0], "/accounts/login/code/", email="anna@example.org")
    wait_until(lambda: smtp.messages)
    path, numbers = "/accounts/login/code/confirm/", count()
    token = token_of(asked.get(path))

    def prepared():
        """The same session, from another window."""
        browser = Browser(ports[next(numbers) % 2])
        browser.cookies.load(asked.cookies)
        form = {"csrfmiddlewaretoken": token, "action": "verify", "code": "WRONG1"}
        return lambda: browser.post(path, form)

    responses = all_at_once([prepared() for _ in range(GUESSES)])
    assert 1 <= sum("Incorrect code." in page.text for page in responses) <= 3
    right = {"csrfmiddlewaretoken": token, "action": "verify", "code": code_in(smtp.messages[-1])}
    asked.post(path, right)
    assert asked.get("/accounts/profile/").status == 302
