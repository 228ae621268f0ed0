"""The proxies of deploy/ while processes of the site are away."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.proxies import proxy
from tests.support.servers import free_port

AWAY = Path(__file__).resolve().parents[2] / "deploy/away/away.html"

pytestmark = pytest.mark.parametrize("name", ["nginx", "caddy"])


def asked(port, path, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    connection.request(method, path, headers={"Host": "intrigue.example.org"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def listens(port):
    try:
        return asked(port, "/")[0].status > 0
    except OSError:
        return False


class Site(BaseHTTPRequestHandler):
    """Says that it is under maintenance."""

    def do_GET(self):
        self.send_response(503)
        self.end_headers()
        self.wfile.write(b"maintenance")

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_arguments):
        """Keep silent."""


@pytest.fixture
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_a_page_says_that_the_site_will_be_back(name, tmp_path):
    with proxy(name, tmp_path / name, webs=[free_port(), free_port()], live=free_port()) as port:
        wait_until(lambda: listens(port))
        for path, method in (("/", "GET"), ("/tables/x/", "POST"), ("/live/?session=x", "GET")):
            response, body = asked(port, path, method)
            assert response.status in (502, 503)
            assert body == AWAY.read_bytes()
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["Retry-After"] == "30"
            assert response.headers["Content-Type"].startswith("text/html")
            assert "Set-Cookie" not in response.headers


def test_one_web_server_of_two_is_enough(name, tmp_path, site):
    with proxy(name, tmp_path / name, webs=[free_port(), site], live=free_port()) as port:
        wait_until(lambda: listens(port))
        for method in ("GET", "POST") * 10:
            response, body = asked(port, "/", method)
            assert (response.status, body) == (503, b"maintenance")
