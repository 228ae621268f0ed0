"""/metrics of real web processes: two behind one port, asked directly and with hostile headers."""

import re
import socket
from collections import Counter

import pytest

from tests.features.metrics.scraping import TOKEN, samples
from tests.support.hosted import SITE, production, running, web_server
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

KNOWS = f"Authorization: Bearer {TOKEN}"


@pytest.fixture
def port(process_environment, collected, tmp_path):
    """Of a web server with two processes."""
    port = free_port()
    environment = process_environment | production(tmp_path, collected) | {"METRICS_TOKEN": TOKEN}
    with running([*web_server(port), "--workers", "2"], environment, tmp_path / "log"):
        wait_until(lambda: is_there(port))
        yield port


def is_there(port):
    try:
        return asked(port, "/accounts/login/", HTTPS)[0] == 200
    except OSError:
        return False


HTTPS = "X-Forwarded-Proto: https"


def asked(port, target, *headers, host=SITE):
    """The status and the whole response to a request written by hand."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        answer = b""
        while some := connection.recv(65536):
            answer += some
    return int(answer.split(b" ", 2)[1]), answer.decode(errors="replace")


def counted(port):
    """How often the page of the terms was answered, by the process that did."""
    status, answer = asked(port, "/metrics", KNOWS, host=f"127.0.0.1:{port}")
    assert status == 200
    return {
        sample.labels["process"]: sample.value
        for sample in samples(answer.partition("\r\n\r\n")[2])
        if sample.name == "intrigue_requests_total" and sample.labels["view"] == "robots"
    }


def test_processes_behind_one_port_are_counted_each_by_itself(port):
    sent = 0
    latest = Counter()

    def all_are_counted():
        nonlocal sent
        for _ in range(4):
            assert asked(port, "/robots.txt", HTTPS)[0] == 200
            sent += 1
        for _ in range(8):
            found = counted(port)
            assert len(found) <= 1  # each tells of itself only
            for process, count in found.items():
                assert count >= latest[process]
                latest[process] = count
        return len(latest) == 2 and latest.total() == sent

    wait_until(all_are_counted)


HOSTILE = (
    (),
    ("X-Forwarded-Proto: http",),
    ("X-Forwarded-Host: evil.test", "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1"),
    ("Cookie: __Host-sessionid=abcdefghijklmnopqrstuvwxyz012345; x=\xff",),
    ("Accept-Language: de", "X-HTTP-Method-Override: POST"),
    ("X-Request-ID: evil.test-evil.test", "X-Original-URL: /metrics"),
)


def test_asked_directly_it_answers_who_knows_the_token_and_nobody_else(port):
    for headers in HOSTILE:
        only_who_knows_is_answered(port, headers)
    for target in ("//metrics", "/metrics/", "/./metrics", "/metrics;x"):
        assert asked(port, target, KNOWS, HTTPS)[0] == 404


def only_who_knows_is_answered(port, headers):
    for host in ("127.0.0.1", f"10.0.0.7:{port}", "[::1]:8000", "evil.test", SITE):
        status, answer = asked(port, "/metrics", KNOWS, *headers, host=host)
        head, _, told = answer.partition("\r\n\r\n")
        assert (status, told[:7]) == (200, "# HELP "), answer
        assert "set-cookie" not in head.lower()
        assert "evil" not in told
        for wrong in ((), ("Authorization: Bearer x",), (f"{KNOWS}x",), (f"X-{KNOWS}",)):
            there, nowhere = (
                without_ids(asked(port, target, *wrong, *headers, host=host)[1])
                for target in ("/metrics", "/metricz")
            )
            assert there.replace("/metrics", "/metricz") == nowhere
            assert not there.startswith("HTTP/1.1 200")


def without_ids(answer):
    """An answer without what is new in each."""
    anew = r"[0-9a-f]{32}|nonce[-=][\"\w-]+|Date: [^\r]+|Content-Length: \d+|content=\"[\d.]+\""
    return re.sub(anew, "", answer)
