"""What the log of the site's processes says where something breaks, and what it never says."""

import logging
import re
import subprocess
import sys
import time

import psycopg
import pytest
import redis
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path

from games import logs
from games.logs import Line
from games.models import User
from games.views import errors
from intrigue_site.urls import urlpatterns as of_the_site
from tests.support.client import person, text_of
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.full

SECRETS = {
    "talk-text": "Clara, I pay nine thousand",
    "password": "not so secret",
    "code": "7QX4",
}
COOKIES = {"__Host-device": "AbCdEfGhIjKlMnOpQrStUv", "__Host-csrftoken": "Zz" * 16}
TOKEN = "qwertyuiopasdfgh"
ROSA = "rosa@example.org"


def breaks(request: HttpRequest, **_named: object) -> HttpResponse:
    text = [*request.POST.values(), *request.COOKIES.values()]
    kept_here = "a local variable"
    try:
        User.objects.create(name="Rosa", email=ROSA)
    except Exception as failure:
        raise ValueError(f"{text} of {ROSA} at {request.path}") from failure
    return HttpResponse(kept_here)


def refuses(_request: HttpRequest) -> HttpResponse:
    raise DisallowedHost("Invalid host\nTraceback (most recent call last):")


urlpatterns = [
    path("unsubscribe/<str:token>/", breaks),
    path("refuses/", refuses),
    *of_the_site,
]
handler500 = errors.broken

VISIT = """
import django; django.setup()
from django.conf import settings
settings.ROOT_URLCONF = "tests.operations.test_logs"
from django.test import Client
client = Client(raise_request_exception=False, headers={"host": "intrigue.example.org"})
for name, value in %r.items():
    client.cookies[name] = value
answered = client.post(%r, %r, secure=True)
print(answered.status_code, answered["X-Request-ID"])
print(answered.content.decode())
"""


def visit(environment, address, typed):
    """Visit a page in a process of its own, with the settings of a real site."""
    return subprocess.run(
        # Where nothing is collected, the folder for it is missed.
        [sys.executable, "-W", "ignore:No directory", "-c", VISIT % (COOKIES, address, typed)],
        env={**environment, "SITE_URL": "https://intrigue.example.org"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )


def test_what_breaks_leaves_its_traceback_with_the_id_of_the_page_and_no_secret(
    process_environment,
):
    person("Rosa")
    ended = visit(process_environment, f"/unsubscribe/{TOKEN}/", SECRETS)
    [status, request_id, page] = ended.stdout.split(maxsplit=2)
    first, *trace = ended.stderr.splitlines()
    assert status == "500"
    assert page.count(request_id) == 3  # once in each language
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 ERROR django\.request "
        rf"\[{request_id}\] Internal Server Error: /unsubscribe/qwer…/",
        first,
    )
    # The failure and its cause in the database's driver and in Django, each once.
    said = [line for line in trace if re.match(r"[\w.]+(Error|Violation)\b", line)]
    twice = 'duplicate key value violates unique constraint "games_user_email_key"'
    assert said == [
        f"psycopg.errors.UniqueViolation: {twice}",
        f"django.db.utils.IntegrityError: {twice}",
        "ValueError: ['[…]', '[…]', '[…]', '[…]', '[…]'] of r…@example.org at /unsubscribe/qwer…/",
    ]
    assert sum("in breaks" in line for line in trace) == 2
    for secret in [*SECRETS.values(), *COOKIES.values(), TOKEN, "rosa@", "DETAIL", "a local var"]:
        assert secret not in ended.stderr, secret


def test_what_is_refused_leaves_one_line_and_cannot_write_another(process_environment):
    ended = visit(process_environment, "/refuses/", {})
    assert ended.stdout.startswith("400 ")
    first, *more = ended.stderr.splitlines()
    assert " ERROR django.security.DisallowedHost [" in first
    assert more == ["  Traceback (most recent call last):"]


def test_pages_that_are_not_there_are_left_to_the_log_of_the_proxy(process_environment):
    ended = visit({**process_environment, "DEMO": "1"}, "/wp-login.php", {})
    assert (ended.stdout[:4], ended.stderr) == ("404 ", "")


def test_a_head_request_leaves_no_line_in_the_log(process_environment):
    said = """
import django, io
from gunicorn.config import Config
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader
from gunicorn.http.wsgi import Response

django.setup()
asked = Request(Config(), IterUnreader(iter([b"HEAD / HTTP/1.1\\r\\n\\r\\n"])), ("127.0.0.1", 1))
class Socket:
    def sendall(self, _sent): pass
answer = Response(asked, Socket(), Config())
answer.start_response("200 OK", [("Content-Length", "4")])
answer.write(b"page")
print("answered")
"""
    command = [sys.executable, "-c", said]
    ended = subprocess.run(
        command, env=process_environment, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("answered\n", "")


def test_a_command_that_breaks_says_so_with_time_and_logger(process_environment):
    script = (
        'import django; django.setup(); import logging; logging.getLogger("games.x").error("Oh")'
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=process_environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert re.fullmatch(r"[-\d]{10}T[:.\d]{12}\+00:00 ERROR games\.x \[-\] Oh\n", ended.stderr)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Forbidden: /tables/abcd1234efgh5678/move/", "Forbidden: /tables/abcd…/move/"),
        ("/invitations/abcd1234efgh5678/accept/", "/invitations/abcd…/accept/"),
        ("/choices/WzEsImNob2ljZXMiXQ:n0-e_F/", "/choices/WzEs…/"),
        ("/calendar/WzEsMV0:1t_oP-qrs.ics", "/calendar/WzEs…"),
        (
            "/tables/abcd1234efgh5678/private/wxyz1234efgh5678/say/",
            "/tables/abcd…/private/wxyz…/say/",
        ),
        ("/tables/abcd1234efgh5678/private/begin/", "/tables/abcd…/private/begin/"),
        ("/conduct/MTI:1vAbCd:x-y_z0123456/", "/conduct/MTI:…/"),
        ("/tables/new/ and /rules/venice-2005/", "/tables/new/ and /rules/venice-2005/"),
        ("for <anna.b+x@example.org>", "for <a…@example.org>"),
        ("key\nDETAIL:  Key (email)=(a@b.org)\nexists", "key"),
        (r"IntegrityError('key\nDETAIL:  Failing row contains (1, 9000).')", "IntegrityError('key"),
        ("a\x1b[31mb\rc\nd", "a?[31mb?c\n  d"),
        ("x" * 3000, "x" * 2000 + "…"),
    ],
)
def test_links_addresses_and_rows_are_shortened(said, text):
    record = logging.LogRecord("games", logging.ERROR, "", 0, "%s", (said,), None)
    assert Line().format(record).partition("[-] ")[2] == text


def test_a_long_word_costs_no_square():
    def cpu(size):
        record = logging.LogRecord("games", logging.ERROR, "", 0, "%s", ("x" * size,), None)
        begun = time.process_time()
        Line().format(record)
        return time.process_time() - begun

    once, twice = (min(cpu(size) for _ in range(3)) for size in (50_000, 100_000))
    assert twice <= 3 * max(once, 0.1), (once, twice)


@pytest.mark.urls("tests.operations.test_logs")
@pytest.mark.django_db
def test_the_page_of_what_broke_gives_the_number_to_report(client):
    client.raise_request_exception = False
    person("Rosa")
    page = client.get(f"/unsubscribe/{TOKEN}/")
    assert page.status_code == 500
    assert f"this number: {page['X-Request-ID']}." in text_of(page)


ALL_THAT_FAILS = """
import django; django.setup()
import logging
import redis
from celery.beat import ScheduleEntry, Scheduler
from django.db import connection
from django.test import Client
from games import tasks
from games.features.inbound.tasks import read_email
from games.features.push.tasks import push
from intrigue_site.celery import app

if %r:
    app.log.setup_logging_subsystem(loglevel="WARNING")
client = Client(headers={"host": "intrigue.example.org"})
for path in ("/tables/find/", "/tables/abcdefgh/", "/health/", "/status/"):
    print(client.get(path, secure=True).status_code)
for task in (tasks.sweep, tasks.mail, push, tasks.trim, read_email):
    task.apply()
tasks.call(tasks.sweep)
Scheduler(app, lazy=True).apply_entry(ScheduleEntry("sweep", "games.tasks.sweep", app=app))
logging.getLogger("games.features.live").warning("%%s", redis.ConnectionError("No route"))
try:
    connection.ensure_connection()
except Exception as trouble:
    logging.getLogger("games.features.inbound").warning("Email can't be stored: %%s", trouble)
    try:
        raise ValueError("a mistake")
    except ValueError:
        logging.getLogger("games.features.inbound").exception("This is another matter")
"""


@pytest.mark.long(after=1)
@pytest.mark.parametrize("is_worker", [False, True])
def test_what_is_away_is_logged_in_one_line_however_much_fails(process_environment, is_worker):
    nowhere = {
        "DEMO": "1",
        "SITE_URL": "https://intrigue.example.org",
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/nothing",
        "CELERY_BROKER_URL": "redis://127.0.0.1:9/0",
    }
    ended = subprocess.run(
        [sys.executable, "-c", ALL_THAT_FAILS % is_worker],
        env={**process_environment, **nowhere}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.split() == ["503"] * 4
    said = [re.sub(r".*\+00:00 (\w+) (\S+) \[[^]]*\]", r"\1 \2", line)
            for line in ended.stderr.splitlines()]  # fmt: skip
    database, broker, mistake, *trace = said
    assert re.match(
        "ERROR games.unavailable The database is away: connection failed: .* Is the server",
        database,
    )
    assert broker == (
        "WARNING games.tasks The broker is away: "
        "Error 111 connecting to 127.0.0.1:9. Connection refused."
    )
    assert mistake == "ERROR games.features.inbound This is another matter"
    assert trace[-1] == "ValueError: a mistake"
    assert sum(line.startswith("Traceback") for line in trace) == 3


def test_that_something_is_away_is_logged_again_after_a_minute(monkeypatch):
    def record(what):
        return logging.LogRecord(
            "games", logging.WARNING, "", 1, "It's %s", (OperationalError(what),), None
        )

    once_a_minute = logs.OnceAMinute()
    assert once_a_minute.filter(record("gone\n for now")).getMessage() == (
        "The database is away: gone for now"
    )
    assert once_a_minute.filter(record("gone")) is False
    began = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: began + 61)
    assert once_a_minute.filter(record("still gone")).getMessage() == (
        "The database is away: still gone"
    )


@pytest.mark.parametrize(
    ("failure", "what"),
    [
        (redis.exceptions.TimeoutError("hangs"), "broker"),
        (redis.exceptions.ResponseError("WRONGTYPE"), None),
        (psycopg.errors.AdminShutdown("ended"), "database"),
        (psycopg.errors.TooManyConnections("full"), "database"),
        (psycopg.OperationalError("the connection is lost"), "database"),
        (psycopg.errors.LockNotAvailable("locked"), None),
        (psycopg.errors.DiskFull("full"), None),
        (psycopg.errors.UniqueViolation("twice"), None),
        (None, None),
    ],
)
def test_what_is_away_is_recognized_by_the_kind_of_trouble(failure, what):
    found = logs.what_is_away(failure)
    assert (found and found.what) == what
