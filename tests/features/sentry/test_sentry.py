"""A Sentry gets what breaks, and nothing secret with it."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.features.sentry.settings import add_to
from tests.operations.test_logs import COOKIES, ROSA, SECRETS, TOKEN, VISIT
from tests.support.client import person
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import free_port

KEY = "0123456789abcdef0123456789abcdef"

FLUSH = f"\nimport sentry_sdk; sentry_sdk.flush({PATIENCE_SECONDS})"


@contextmanager
def sentry() -> Iterator[tuple[str, list[str]]]:
    """The address of a server, and what has been sent there, as text."""
    received: list[str] = []

    class Receives(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            received.append((gzip.decompress(body) if is_packed else body).decode())
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", free_port()), Receives) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{KEY}@127.0.0.1:{server.server_port}/7", received
        finally:
            server.shutdown()
            thread.join()


def run(script, environment, dsn):
    return subprocess.run(
        # Where nothing is collected, the folder for it is missed.
        [sys.executable, "-W", "ignore:No directory", "-c", script],
        env={**environment, "SENTRY_DSN": dsn, "SITE_URL": "https://intrigue.example.org"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def events_in(received):
    """The events of all envelopes."""
    lines = [json.loads(line) for envelope in received for line in envelope.splitlines()]
    return [line for line in lines if "event_id" in line and "level" in line]


@pytest.mark.full
def test_what_breaks_in_a_hostile_request_is_sent_without_a_secret(process_environment):
    person("Rosa")
    with sentry() as (dsn, received):
        visit = VISIT % (COOKIES, f"/unsubscribe/{TOKEN}/?code=7QX4&to={ROSA}", SECRETS)
        ended = run(visit + FLUSH, process_environment, dsn)
    assert ended.returncode == 0, ended.stderr
    request_id = ended.stdout.split()[1]
    everything = "\n".join(received)
    for secret in [*SECRETS.values(), *COOKIES.values(), TOKEN, "rosa@", "DETAIL", "kept_here = a",
                   "User-Agent", "127.0.0.1:", "argv", "server_name"]:  # fmt: skip
        assert secret not in everything.replace(dsn, ""), secret
    [event] = events_in(received)
    assert set(event) <= {
        "event_id", "timestamp", "level", "platform", "release", "logger", "tags", "transaction",
        "logentry", "exception",
    }  # fmt: skip
    assert event["release"] == settings.VERSION
    assert event["tags"] == {"request": request_id}
    assert event["logentry"]["formatted"] == "Internal Server Error: /unsubscribe/qwer…/"
    failures = event["exception"]["values"]
    assert [failure["type"] for failure in failures] == [
        "UniqueViolation", "IntegrityError", "ValueError",
    ]  # fmt: skip
    assert failures[-1]["value"] == (
        "['[…]', '[…]', '[…]', '[…]', '[…]'] of r…@example.org at /unsubscribe/qwer…/"
    )
    frames = failures[-1]["stacktrace"]["frames"]
    assert frames[-1]["function"] == "breaks"
    assert not [frame for frame in frames if "vars" in frame]


ENDS = """
import sys
sys.argv = ["manage.py", "person", "rosa@example.org", "7QX4-secret"]
import django; django.setup()
import logging
logging.getLogger("games.x").info("no fault")
logging.getLogger("django.security.DisallowedHost").error("no fault", extra={"status_code": 400})
secret = "kept here"
raise ValueError("for <rosa@example.org> at /tables/abcd1234efgh5678/")
"""


@pytest.mark.full
def test_a_command_that_breaks_is_told_without_its_arguments(process_environment):
    with sentry() as (dsn, received):
        ended = run(ENDS, process_environment, dsn)
    assert ended.returncode == 1
    [event] = events_in(received)
    [failure] = event["exception"]["values"]
    assert failure["value"] == "for <r…@example.org> at /tables/abcd…/"
    for secret in ("rosa@", "7QX4", "kept here", "efgh5678"):
        assert secret not in failure["value"]
        assert secret not in json.dumps({**event, "exception": None})


def test_without_an_address_nothing_is_loaded(monkeypatch):
    monkeypatch.delenv("SENTRY_DSN", raising=False)
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    found = {}
    add_to(found)
    assert found == {"SENTRY_DSN": ""}


def test_without_the_package_one_sentence_says_so(monkeypatch):
    monkeypatch.setenv("SENTRY_DSN", f"https://{KEY}@sentry.example.org/1")
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured) as refused:
        add_to({})
    assert str(refused.value) == (
        "SENTRY_DSN is set, but sentry-sdk isn't installed: run "
        "pip install --require-hashes -r requirements.txt -r requirements-sentry.txt."
    )


@pytest.mark.parametrize("dsn", ["https://sentry.example.org/1", KEY, f"ftp://{KEY}@x/1", "x"])
def test_an_address_that_is_none_is_refused_without_repeating_it(monkeypatch, dsn):
    monkeypatch.setenv("SENTRY_DSN", dsn)
    with pytest.raises(ImproperlyConfigured, match="SENTRY_DSN must be the address") as refused:
        add_to({})
    assert KEY not in str(refused.value)


@pytest.mark.full
def test_every_process_says_it_in_one_line(process_environment):
    manage = (
        "import runpy, sys; sys.modules['sentry_sdk'] = None; sys.argv = ['manage.py', 'check'];"
        "runpy.run_path('manage.py', run_name='__main__')"
    )
    ended = run(manage, process_environment, f"https://{KEY}@sentry.example.org/1")
    assert ended.returncode == 1
    assert ended.stderr.startswith("SENTRY_DSN is set, but sentry-sdk isn't installed")
    assert len(ended.stderr.splitlines()) == 1
