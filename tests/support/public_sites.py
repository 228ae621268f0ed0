"""The whole site at a public address: real processes behind nginx, which speaks https."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

from tests.support.hosted import PYTHON, production, running, web_server
from tests.support.patience import wait_until
from tests.support.proxies import nginx
from tests.support.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
WORKER = [PYTHON, "-m", "celery", "--app", "intrigue_site", "worker", "--pool", "solo"]
LIVE = [
    PYTHON, "-m", "uvicorn", "intrigue_site.live:application", "--http", "httptools",
    "--no-proxy-headers", "--no-access-log", "--port",
]  # fmt: skip

FORWARDED_FOR = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
FORWARDED_PROTO = "proxy_set_header X-Forwarded-Proto $scheme;"
HOST = "proxy_set_header Host $http_host;"

SERVER = """\
    {upstream}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {certificate};
        location = /live/ {{
            proxy_pass http://127.0.0.1:{live};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            {host}
            {forwarded_for}
            {forwarded_proto}
            {more_of_live}
        }}
        {more}
        location / {{
            proxy_pass http://{web_servers};
            {host}
            {forwarded_for}
            {forwarded_proto}
        }}
    }}
"""


def is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


class Line(NamedTuple):
    part: str
    text: str
    well: bool


class PublicSite:
    """Processes that run for many tests, and nginx and other web servers for one."""

    def __init__(self, environment: Mapping[str, str], static: Path, folder: Path) -> None:
        self.folder = folder
        self.port, self.web, self.live = free_port(), free_port(), free_port()
        self.address = f"https://localhost:{self.port}"
        self.authority = trustme.CA()
        self.authority.cert_pem.write_to_path(str(folder / "authority.pem"))
        self.environment = {
            **environment,
            **production(folder, static),
            "SITE_URL": self.address,
            "SSL_CERT_FILE": str(folder / "authority.pem"),
            "COMMIT": "0123456789ab",  # whatever is committed while tests run
        }

    @contextmanager
    def runs(self) -> Iterator[None]:
        """Its web server, worker and live process."""
        with ExitStack() as processes:
            log = self.folder / "worker.log"
            processes.enter_context(running(WORKER, self.environment, log))
            processes.enter_context(self.live_process(self.live))
            processes.enter_context(self.web_server(self.web))
            yield

    @contextmanager
    def live_process(self, port: int, **changed: str) -> Iterator[int]:
        """A live process whose environment is another one in this."""
        environment = {**self.environment, **changed}
        with running([*LIVE, str(port)], environment, self.folder / f"live {port}.log"):
            wait_until(lambda: is_listening(port))
            yield port

    @contextmanager
    def web_server(self, port: int, **changed: str) -> Iterator[int]:
        """A web server whose environment is another one in this."""
        environment = {**self.environment, **changed}
        log = self.folder / f"web {port}.log"
        with running(web_server(port), environment, log):
            wait_until(lambda: is_listening(port))
            yield port

    @contextmanager
    def nginx(
        self, *, certificate: trustme.LeafCert | None = None, **changed: object
    ) -> Iterator[None]:
        """The proxy, with these places of its configuration changed."""
        folder = self.folder / "nginx"
        folder.mkdir(exist_ok=True)
        known = certificate or self.authority.issue_cert("localhost")
        known.private_key_and_cert_chain_pem.write_to_path(str(folder / "certificate.pem"))
        places = {
            "port": self.port, "web": self.web, "live": self.live,
            "certificate": folder / "certificate.pem", "host": HOST,
            "forwarded_for": FORWARDED_FOR, "forwarded_proto": FORWARDED_PROTO,
            "more": "", "more_of_live": "", "upstream": "",
            "web_servers": f"127.0.0.1:{changed.get('web', self.web)}",
        }  # fmt: skip
        assert places.keys() >= changed.keys()
        command = nginx(folder, SERVER.format(**places | changed))
        with running(command, os.environ, folder / "out"):
            wait_until(lambda: is_listening(self.port))
            yield

    def doctor(self, **changed: str) -> tuple[list[Line], int]:
        """What a doctor says in a process of its own, and its exit status."""
        ended = subprocess.run(
            [sys.executable, "manage.py", "doctor", "--json"],
            env={**self.environment, **changed},
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        if not ended.stdout:
            pytest.fail(ended.stderr)
        return [Line(**row) for row in json.loads(ended.stdout)], ended.returncode

    def troubles(self, **changed: str) -> list[str]:
        """All that a doctor finds wrong; its exit status says whether it does."""
        lines, status = self.doctor(**changed)
        found = [f"{line.part}: {line.text}" for line in lines if not line.well]
        assert status == bool(found)
        return found
