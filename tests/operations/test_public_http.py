"""The client for servers whose addresses come from somebody else."""

import gzip
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests
import trustme

from games.services.public_http import LONGEST_RESPONSE, NoResponseError, PublicSession

NAME, NAMELESS = "elsewhere.test", "other.test"


class Server(ThreadingHTTPServer):
    """Knows the names of this machine; `seen` are the requests that came: their host and path."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )
        self.seen: list[tuple[str, str]] = []
        self.ended = threading.Event()

    def url(self, path: str, name: str = "localhost") -> str:
        return f"https://{name}:{self.server_port}{path}"

    def handle_error(self, *_about: object) -> None:
        """A client that goes away is none."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.seen.append((self.headers["Host"], self.path))
        what, _, length = self.path[1:].partition("/")
        getattr(self, f"answer_{what}")(int(length or 0))

    def answer_plain(self, length: int) -> None:
        self.send(b"x" * length)

    def answer_packed(self, length: int) -> None:
        self.send(gzip.compress(b"x" * length), Content_Encoding="gzip")

    def answer_endless(self, _length: int) -> None:
        self.start()
        while not self.server.ended.is_set():
            self.wfile.write(b"x" * 2**16)

    def answer_moved(self, _length: int) -> None:
        self.send(b"", 302, Location=self.server.url("/plain"))

    def answer_nothing(self, _length: int) -> None:
        self.close_connection = True

    def answer_header(self, _length: int) -> None:
        self.drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")

    def answer_body(self, _length: int) -> None:
        self.start()
        self.drip(b"")

    def answer_waits(self, _length: int) -> None:
        self.start(Content_Length="5")
        self.server.ended.wait()

    def drip(self, begun: bytes) -> None:
        """Send byte after byte, as long as somebody listens."""
        for byte in begun.ljust(5000, b"."):
            self.wfile.write(bytes([byte]))
            if self.server.ended.wait(0.02):
                return
        self.wfile.write(b"\r\n\r\n")

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.start(status, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def start(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server(authority, tmp_path, monkeypatch) -> Iterator[Server]:
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", NAME).configure_cert(context)
    made = Server(context)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.ended.set()
    made.shutdown()
    made.server_close()
    thread.join()


def ask(url: str, *, seconds: float = 30, **how: Any) -> requests.Response:
    with PublicSession(seconds=seconds, private={"localhost", NAME, NAMELESS}) as session:
        return session.get(url, **how)


def resolve(monkeypatch: pytest.MonkeyPatch, answers: list[list[str]]) -> None:
    """Let names lead to these addresses, the next ones each time one is resolved."""
    system = socket.getaddrinfo

    def resolved(host: str, *about: Any, **more: Any) -> Any:
        addresses = answers.pop(0) if host in {NAME, NAMELESS} else [host]
        return [one for address in addresses for one in system(address, *about, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)


class TestWhereItConnects:
    def test_the_name_is_resolved_once_and_proven(self, server, monkeypatch):
        """What it leads to afterwards is never looked at."""
        answers = [["127.0.0.1"], ["10.0.0.1"]]
        resolve(monkeypatch, answers)
        assert ask(server.url("/plain/3", NAME)).text == "xxx"
        assert server.seen == [(f"{NAME}:{server.server_port}", "/plain/3")]
        assert answers == [["10.0.0.1"]]

    @pytest.mark.parametrize("inside", ["10.0.0.1", "::1", "169.254.169.254", "::ffff:127.0.0.1"])
    def test_one_private_address_among_others_is_enough_to_refuse(self, monkeypatch, inside):
        resolve(monkeypatch, [["8.8.8.8", inside]])
        with pytest.raises(ValueError, match="which is not public"), PublicSession() as session:
            session.get(f"https://{NAME}/")

    @pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::1]"])
    def test_however_this_machine_is_spelt_it_is_refused(self, server, host):
        with pytest.raises(requests.RequestException) as refused, PublicSession() as session:
            session.get(server.url("/plain", host))
        assert "which is not public" in str(refused.value)
        assert server.seen == []

    @pytest.mark.parametrize("url", ["https://a..b/", f"https://{'a' * 64}.org/", "https:///x"])
    def test_what_can_be_no_name_will_never_do(self, url):
        with pytest.raises(ValueError) as refused:  # noqa: PT011 (its sentence is the system's)
            ask(url)
        assert isinstance(refused.value, requests.RequestException)

    def test_what_cannot_be_resolved_may_be_later(self):
        with pytest.raises(requests.ConnectionError, match="can't be resolved"):
            ask("https://nowhere.invalid/")

    def test_only_by_https(self, server):
        with pytest.raises(requests.RequestException, match="No connection adapters"):
            ask(f"http://localhost:{server.server_port}/plain")

    def test_redirects_are_not_followed(self, server):
        assert ask(server.url("/moved")).status_code == 302
        assert [path for _host, path in server.seen] == ["/moved"]

    def test_no_proxy_is_used(self, server, monkeypatch):
        for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(variable, "http://127.0.0.1:9")
        assert ask(server.url("/plain/3")).text == "xxx"

    def test_a_server_that_cannot_prove_its_name_gets_nothing(self, server, monkeypatch):
        resolve(monkeypatch, [["127.0.0.1"]])
        with pytest.raises(requests.exceptions.SSLError, match="Hostname mismatch"):
            ask(server.url("/plain", NAMELESS), verify=False)
        assert server.seen == []

    def test_whose_authority_is_unknown_gets_nothing(self, server, monkeypatch):
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(requests.exceptions.SSLError, match="CERTIFICATE_VERIFY_FAILED"):
            ask(server.url("/plain"), verify=False)
        assert server.seen == []


class TestHowMuchItReads:
    @pytest.mark.parametrize("what", ["plain", "packed"])
    def test_a_megabyte_and_no_more(self, server, what):
        assert len(ask(server.url(f"/{what}/{LONGEST_RESPONSE}")).content) == LONGEST_RESPONSE
        with pytest.raises(requests.RequestException, match="too long"):
            ask(server.url(f"/{what}/{LONGEST_RESPONSE + 1}"))

    def test_a_response_without_end(self, server):
        with pytest.raises(requests.RequestException, match="too long"):
            ask(server.url("/endless"))

    def test_what_is_not_wanted_is_not_waited_for(self, server):
        response = ask(server.url("/waits"), stream=True)
        assert response.status_code == 200
        response.close()


class TestHowLongItWaits:
    @pytest.mark.parametrize("part", ["header", "body", "waits"])
    def test_a_response_that_comes_bit_by_bit_is_given_up(self, server, part):
        """It would be whole after 100 seconds."""
        with pytest.raises(NoResponseError):
            ask(server.url(f"/{part}"), seconds=1)

    def test_the_time_of_the_caller_does_not_count(self, server):
        with pytest.raises(NoResponseError):
            ask(server.url("/header"), seconds=1, timeout=None)

    def test_a_server_that_takes_the_connection_and_does_nothing_was_sent_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"https://localhost:{silent.getsockname()[1]}/"
            with pytest.raises(requests.RequestException) as given_up:
                ask(url, seconds=0.3)
        assert not isinstance(given_up.value, NoResponseError | ValueError)


def test_what_was_sent_without_a_response_may_have_arrived(server):
    with pytest.raises(NoResponseError):
        ask(server.url("/nothing"))
    assert [path for _host, path in server.seen] == ["/nothing"]
