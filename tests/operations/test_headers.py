"""What a stranger's headers change for others: nothing, also behind the proxies of the guide."""

import re
import socket
from contextlib import ExitStack

import pytest
from django.utils import timezone

from games.models import User
from tests.support.client import browser, person, without_what_differs
from tests.support.hosted import SITE, production, web_servers
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.proxies import proxy
from tests.support.servers import free_port
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

SCRIPT_NAMES = ("/gone", "//gone", "/a%20b", "/gone~", "http://evil.test", "/..", "/admin")

HOSTILE = (
    *(("SCRIPT_NAME", name) for name in SCRIPT_NAMES),
    *(("Script-Name", name) for name in SCRIPT_NAMES[:2]),
    *(("X-Script-Name", name) for name in SCRIPT_NAMES[:2]),
    ("PATH_INFO", "/admin/"),
    ("Path-Info", "/admin/"),
    ("X-Forwarded-Prefix", "/gone"),
    ("X-Forwarded-Host", "evil.test"),
    ("X_Forwarded_Host", "evil.test"),
    ("X-Forwarded-Server", "evil.test"),
    ("X-Forwarded-Port", "1337"),
    ("X-Forwarded-Ssl", "off"),
    ("X-Forwarded-Protocol", "http"),
    ("X_Forwarded_Proto", "http"),
    ("Front-End-Https", "off"),
    ("Forwarded", "host=evil.test;proto=http;for=192.0.2.1"),
    ("X-Original-URL", "/admin/"),
    ("X-Rewrite-URL", "/admin/"),
    ("X-Original-Host", "evil.test"),
    ("X-Host", "evil.test"),
    ("Destination", "http://evil.test/"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("X-HTTP-Method", "DELETE"),
    ("X-Method-Override", "DELETE"),
    ("REMOTE_USER", "anna@example.org"),
    ("Remote-User", "anna@example.org"),
    ("X-Remote-User", "anna@example.org"),
    ("X-Forwarded-User", "anna@example.org"),
    ("HTTP_HOST", "evil.test"),
    ("SERVER_NAME", "evil.test"),
    ("SERVER_PORT", "1337"),
    ("REQUEST_METHOD", "DELETE"),
    ("wsgi.url_scheme", "http"),
    ("Proxy", "http://evil.test"),
    ("Accept-Language", "de"),
    ("Cookie", "__Host-django_language=ru; __Host-theme=dark"),
)

FROM_THE_PROXY = ("X-Request-ID", "evil.test-evil.test")
"""What it sets itself."""

FOR_STRANGERS = (
    "/",
    "/rules/",
    "/rules/mayfair-2005/",
    "/accounts/login/",
    "/accounts/signup/",
    "/status/",
    "/manifest.webmanifest",
    "/nothing/",
)


@pytest.fixture
def environment(process_environment, collected, tmp_path):
    return process_environment | production(tmp_path, collected)


def asked(port, target, *headers, host=SITE):
    """The status and the whole response to a request written by hand."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    request = "\r\n".join([*lines, "", ""]).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(request)
        answer = b""
        while some := connection.recv(65536):
            answer += some
    return int(answer.split(b" ", 2)[1]), answer.decode(errors="replace")


BY_HTTPS = (("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "203.0.113.7"))


def signed_in(user):
    return ("Cookie", f"__Host-sessionid={browser(user).cookies['sessionid'].value}")


def seen(port, target, *headers):
    """The text of a page; nothing that is made anew for each."""
    status, answer = asked(port, target, *BY_HTTPS, *headers)
    body = answer.partition("\r\n\r\n")[2]
    return status, without_what_differs(body)


def links(port, target, *headers):
    status, body = seen(port, target, *headers)
    return status, sorted(re.findall(r'(?:href|action|src|content)="([^"]*)"', body))


@pytest.mark.slow
def test_no_header_changes_what_others_see(web_ports, environment, tmp_path, pytestconfig):
    """Each way leads to a web server that had no request yet.

    Through each proxy goes every second header, and with `--long` each.
    """
    every = 1 if pytestconfig.getoption("long") else 2
    ways = {"directly": HOSTILE, "nginx": HOSTILE[::every], "caddy": HOSTILE[every - 1 :: every]}
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    with web_servers(environment, tmp_path, len(ways)) as all_attacked:
        for attacked in all_attacked:
            wait_until(lambda port=attacked: accepts(port))
        for (way, hostile), attacked in zip(ways.items(), all_attacked, strict=True):
            attack(way, attacked, game, hostile, tmp_path / way)
            assert_alike(attacked, web_ports[0], game, way)


def accepts(port):
    """Whether a web server listens; it gets no request."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def attack(way, attacked, game, hostile, folder):
    """Ask for pages with each of these headers; the responses have nothing of it."""
    anna = game.seats.get(user__name="Anna").user
    marta = User.objects.filter(name="Marta").first() or person(
        "Marta", is_staff=True, is_superuser=True
    )
    table = f"/tables/{game.token}/"
    with ExitStack() as open_now:
        by, base = attacked, BY_HTTPS
        if way != "directly":
            front = proxy(way, folder, webs=[attacked], live=free_port())
            by, base = open_now.enter_context(front), ()
            hostile = (*hostile, FROM_THE_PROXY)
            wait_until(lambda: is_listening(by))
        for header in hostile:
            for prefix in {"", header[1] if header[1].startswith("/") else ""}:
                for target in ("/", table):
                    status, answer = asked(by, prefix + target, *base, header)
                    assert status < 500, (header, prefix + target)
                    assert "evil.test" not in answer, (header, prefix + target)
                asked(by, prefix + table, *base, header, signed_in(anna))
                found = asked(by, f"{prefix}/admin/", *base, header, signed_in(marta))
                assert found[0] != 200, header
        for target in ("http://evil.test/rules/", "//evil.test/rules/", "/\\evil.test/", "*"):
            assert asked(by, target, *base)[0] < 500, target


def assert_alike(attacked, untouched, game, way):
    anna = game.seats.get(user__name="Anna").user
    table = f"/tables/{game.token}/"
    for target in FOR_STRANGERS:
        assert seen(attacked, target) == seen(untouched, target), (way, target)
    mine = [links(port, table, signed_in(anna)) for port in (attacked, untouched)]
    assert mine[0] == mine[1], way


def is_listening(port):
    try:
        return asked(port, "/health/")[0] > 0
    except (OSError, IndexError, ValueError):
        return False


def test_without_a_trusted_proxy_headers_dont_say_how_a_request_came(environment, tmp_path):
    with web_servers(environment | {"TRUSTED_PROXIES": "0"}, tmp_path, 1) as [port]:
        wait_until(lambda: is_listening(port))
        for header in (BY_HTTPS[0], ("X-Forwarded-Ssl", "on"), ("X-Forwarded-Protocol", "ssl")):
            status, answer = asked(port, "/rules/", header)
            assert status == 301
            assert f"Location: https://{SITE}/rules/" in answer
