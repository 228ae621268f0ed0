"""A provider of accounts (OpenID Connect) on this machine: real HTTP, codes, signed tokens."""

import json
import secrets
import ssl
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.http import HttpResponse
from django.test import Client

from games.features.provider.settings import Provider

NAME = "Guild"
CLIENT, SECRET = "intrigue", "only these two know it"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class OwnProvider(ThreadingHTTPServer):
    """Signs in anybody as the person they name. Parts that are `broken` respond with an error.

    `changed` overrides what its configuration says; `padded` says how long the answers of parts
    are. `requested` are the parts that were requested.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://localhost:{self.server_port}"
        self.somebody: dict[str, Any] = {
            "sub": "1", "email": "Nina@Example.org", "email_verified": True, "name": "N. Nobile",
        }  # fmt: skip
        self.broken: set[str] = set()
        self.padded: dict[str, int] = {}
        self.changed: dict[str, str] = {}
        self.waiting: dict[str, dict[str, str]] = {}
        self.requested: list[str] = []

    @property
    def settings(self) -> Provider:
        """The settings of a site that uses it."""
        return Provider(NAME, self.url, CLIENT, SECRET)

    def configuration(self) -> dict[str, Any]:
        parts = {
            "authorization_endpoint": "/authorize", "token_endpoint": "/token",
            "userinfo_endpoint": "/userinfo", "jwks_uri": "/keys",
        }  # fmt: skip
        addresses = {name: f"{self.url}{path}" for name, path in parts.items()}
        methods = {"token_endpoint_auth_methods_supported": ["client_secret_basic"]}
        return {"issuer": self.url, **addresses, **methods, **self.changed}

    def authorize(self, request: dict[str, str]) -> str:
        """Where the browser goes back to, with a code that is good once."""
        assert (request["client_id"], request["response_type"]) == (CLIENT, "code")
        assert "openid" in request["scope"].split()
        assert request["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe()
        self.waiting[code] = request
        return f"{request['redirect_uri']}?{urlencode({'code': code, 'state': request['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        request = self.waiting.pop(form["code"])
        challenge = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest())
        assert challenge.rstrip(b"=").decode() == request["code_challenge"]
        assert form["redirect_uri"] == request["redirect_uri"]
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60, **self.somebody}
        return {
            "access_token": "shows who",
            "token_type": "Bearer",
            "id_token": jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "1"}),
        }


class _Handler(BaseHTTPRequestHandler):
    server: OwnProvider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, urlsplit(self.path).query
        if self._fails(path):
            return
        if path == "/authorize":
            self._respond(302, {}, self.server.authorize(dict(parse_qsl(query))))
        elif path == "/userinfo":
            assert self.headers["Authorization"] == "Bearer shows who"
            self._respond(200, self.server.somebody)
        elif path == "/keys":
            own = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
            self._respond(200, {"keys": [{**own, "kid": "1", "alg": "RS256"}]})
        elif path == "/.well-known/openid-configuration":
            self._respond(200, self.server.configuration())
        else:
            self._respond(404, {})

    def do_POST(self) -> None:
        if self._fails(self.path):
            return
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        assert self.headers["Authorization"].startswith("Basic ")
        try:
            self._respond(200, self.server.token(dict(parse_qsl(body))))
        except KeyError:
            self._respond(400, {"error": "invalid_grant"})

    def _fails(self, path: str) -> bool:
        self.server.requested.append(path)
        if path in self.server.broken:
            self._respond(500, {})
        return path in self.server.broken

    def _respond(self, status: int, content: dict[str, Any], location: str = "") -> None:
        body = json.dumps(content).encode()
        body += b" " * (self.server.padded.get(urlsplit(self.path).path, 0) - len(body))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_text: object) -> None:
        """Nothing: a test checks what it finds."""


@contextmanager
def own_provider(context: ssl.SSLContext | None = None) -> Iterator[OwnProvider]:
    """A provider that runs; with a context it speaks https."""
    server = OwnProvider()
    if context is not None:
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        server.url = server.url.replace("http:", "https:")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def offer(settings: Any, server: OwnProvider) -> None:
    """Let the site offer it."""
    settings.OIDC_MAY_BE_LOCAL = True
    settings.PROVIDER = server.settings
    settings.SOCIALACCOUNT_PROVIDERS = settings.PROVIDER.for_allauth()


def address(server: OwnProvider) -> str:
    return f"/accounts/oidc/{server.settings.key}/login/"


def begin(client: Client, server: OwnProvider, process: str = "login", wanted: str = "") -> str:
    """Press the button; the page of the provider that it leads to."""
    query = {"process": process} | ({"next": wanted} if wanted else {})
    led: str = client.post(f"{address(server)}?{urlencode(query)}")["Location"]
    assert led.startswith(f"{server.url}/authorize?"), led
    return led


def at_the_provider(page: str) -> str:
    """Say there that it is oneself; the address one is sent back to."""
    parts = urlsplit(page)
    connection = HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    back = connection.getresponse().headers["Location"]
    connection.close()
    return back.partition("testserver")[2]


def come_back(
    client: Client, server: OwnProvider, process: str = "login", wanted: str = ""
) -> HttpResponse:
    """Go to the provider and come back; the response of the site."""
    return client.get(at_the_provider(begin(client, server, process, wanted)))


def query_of(page: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page).query).items()}
