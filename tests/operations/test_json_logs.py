"""The log as JSON: one object a line from every process, one line a request, nothing secret."""

import json
import subprocess
import sys

import pytest
from django.utils import timezone

from games.models import Tick
from tests.operations.test_logs import COOKIES, SECRETS, TOKEN, visit
from tests.support.client import person
from tests.support.hosted import PYTHON, Browser, is_up, production, running, web_server
from tests.support.patience import wait_until
from tests.support.servers import free_port

pytestmark = pytest.mark.full

NOWHERE = "redis://127.0.0.1:9/0"


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def test_what_breaks_is_one_object_and_so_is_its_request(process_environment):
    person("Rosa")
    environment = process_environment | {"LOG_FORMAT": "json"}
    ended = visit(environment, f"/unsubscribe/{TOKEN}/?to=rosa@example.org", SECRETS)
    request_id = ended.stdout.split()[1]
    broken, answered = objects(ended.stderr)
    assert set(broken) == {"time", "level", "logger", "request", "message", "traceback"}
    assert (broken["level"], broken["logger"]) == ("ERROR", "django.request")
    assert broken["message"] == "Internal Server Error: /unsubscribe/qwer…/"
    assert "in breaks" in broken["traceback"]
    assert broken["request"] == answered["request"] == request_id
    assert answered.pop("milliseconds") > 0
    del answered["time"], answered["request"]
    view = "tests.operations.test_logs.breaks"
    assert answered == {
        "level": "INFO",
        "logger": "games.requests",
        "message": f"POST {view} 500",
        "view": view,
        "method": "POST",
        "status": 500,
    }
    for secret in [*SECRETS.values(), *COOKIES.values(), TOKEN, "rosa@", "DETAIL", "a local var"]:
        assert secret not in ended.stderr, secret


def test_a_web_server_logs_each_request_and_none_of_its_words(
    process_environment, collected, tmp_path
):
    for name in ("sweep", "mail"):
        Tick.objects.create(name=name, at=timezone.now())
    log, port = tmp_path / "log", free_port()
    environment = process_environment | production(tmp_path, collected) | {"LOG_FORMAT": "json"}
    with running(web_server(port), environment, log):
        wait_until(lambda: is_up(port))
        browser = Browser(port)
        browser.cookies["__Host-sessionid"] = "abcdefghijklmnopqrstuvwxyz012345"
        hostile = '"}\\n{"time": 1, "x": "y'
        for path in (
            "/tables/efgh1234abcd5678/", f"/nothing/{TOKEN}/?x=rosa@example.org",
            "/accounts/login/?next=/tables/efgh1234abcd5678/", "/%0a%22%7d%0d%7b%22time%22",
        ):  # fmt: skip
            browser.get(path)
        typed = {"login": "rosa@example.org", "password": hostile, "x\ny": SECRETS["talk-text"]}
        browser.post("/accounts/login/", typed)
        browser.get("/status/")
        wait_until(lambda: '"view": "status"' in log.read_text())
    said = objects(log.read_text())
    requests = [
        one for one in said if one["logger"] == "games.requests" and one["view"] != "health"
    ]
    assert [(one["view"], one["method"]) for one in requests] == [
        ("games:table", "GET"), ("none", "GET"), ("account_login", "GET"), ("none", "GET"),
        ("account_login", "POST"), ("status", "GET"),
    ]  # fmt: skip
    assert (requests[1]["status"], requests[-1]["status"]) == (404, 200)
    assert {one["logger"] for one in said} >= {"gunicorn.error", "games.requests"}
    for secret in ("rosa", "efgh1234", "abcdefghij", TOKEN, "nine thousand", "203.0.113.7"):
        assert secret not in log.read_text(), secret


@pytest.mark.long(after=1)
@pytest.mark.parametrize(
    "command",
    [
        [PYTHON, "-m", "uvicorn", "intrigue_site.live:application", "--no-access-log", "--port"],
        [PYTHON, "-m", "celery", "--quiet", "--app", "intrigue_site", "worker", "--concurrency=1"],
        [PYTHON, "-m", "celery", "--quiet", "--app", "intrigue_site", "beat", "--pidfile="],
    ],
    ids=["live", "worker", "beat"],
)
def test_other_processes_write_the_same(command, process_environment, collected, tmp_path):
    log = tmp_path / "log"
    environment = process_environment | production(tmp_path, collected)
    # Celery warns of being run by root, as tests may be.
    environment |= {"PYTHONWARNINGS": "ignore", "LOG_FORMAT": "json", "CELERY_BROKER_URL": NOWHERE}
    port = [str(free_port())] if command[-1] == "--port" else []
    with running([*command, *port], environment, log):
        wait_until(lambda: "broker is away" in log.read_text())
        said = objects(log.read_text())
    assert all(set(one) == {"time", "level", "logger", "request", "message"} for one in said)


def test_a_command_writes_the_same_and_an_unknown_format_is_refused(process_environment):
    script = 'import django; django.setup(); import logging; logging.getLogger("x").error("Oh")'
    for form, told in (("json", '"message": "Oh"'), ("xml", "LOG_FORMAT must be text or json.")):
        ended = subprocess.run(
            [sys.executable, "-c", script],
            env=process_environment | {"LOG_FORMAT": form},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert told in ended.stderr
