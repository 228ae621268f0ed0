"""The proxies of deploy/, with the very configuration that lies there, and nginx with another."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.servers import free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"

NGINX = """\
daemon off;
pid {folder}/pid;
error_log {folder}/log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""


def nginx(folder: Path, site: str) -> list[str]:
    """The command for an nginx that serves this site, with all its files in the folder."""
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(folder=folder, site=site))
    return ["nginx", "-p", str(folder), "-c", str(file), "-e", str(folder / "log")]


def _replaced(file: Path, changes: dict[str, str]) -> str:
    text = file.read_text().replace("/srv/intrigue/deploy", str(DEPLOY))
    for old, new in changes.items():
        assert old in text, f"{file} no longer says {old}"
        text = text.replace(old, new)
    return text


def _caddy(folder: Path, port: int, webs: list[int], live: int) -> list[str]:
    known = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True)
    # Tests have no certificate: what comes in here has come by https.
    changes = {
        "\n{\n    servers": "\n{\n    admin off\n    auto_https off\n    servers",
        "{$SITE_URL:intrigue.example.org} {": f"http://:{port} {{",
        "127.0.0.1:8000 127.0.0.1:8002": " ".join(f"127.0.0.1:{web}" for web in webs),
        "127.0.0.1:8001": f"127.0.0.1:{live}",
        "lb_try_duration 30s": "lb_try_duration 1s",
        "header_up X-Request-ID": "header_up X-Forwarded-Proto https\n header_up X-Request-ID",
    }
    if re.match(r"v?2\.[0-5]\.|v?2\.6\.[0-2]\b", known.stdout):  # as bin/install does
        changes["\n            request_buffers 1MB"] = "\n            buffer_requests"
    caddyfile = folder / "Caddyfile"
    caddyfile.write_text(_replaced(DEPLOY / "caddy/Caddyfile", changes))
    return ["caddy", "run", "--config", str(caddyfile), "--adapter", "caddyfile"]


def _nginx(folder: Path, port: int, webs: list[int], live: int) -> list[str]:
    servers = "".join(f"    server 127.0.0.1:{web} max_fails=0;\n" for web in webs)
    changes = {
        "    server 127.0.0.1:8000 max_fails=0;\n    server 127.0.0.1:8002 max_fails=0;\n": servers,
        "127.0.0.1:8001": f"127.0.0.1:{live}",
        "listen 80;": f"listen unix:{folder}/80;",
        "listen [::]:80;": "",
        "listen 443 ssl;\n": f"listen 127.0.0.1:{port};\n",
        "listen [::]:443 ssl;": "",
        "http2 on;": "",
        "ssl_certificate ": "# ",
        "ssl_certificate_key": "#",
        "$scheme": "https",
    }
    return nginx(folder, _replaced(DEPLOY / "nginx/intrigue.conf", changes))


COMMANDS = {"caddy": _caddy, "nginx": _nginx}


@contextmanager
def proxy(name: str, folder: Path, *, webs: list[int], live: int) -> Iterator[int]:
    """The port of such a proxy in front of these; skips where it isn't installed."""
    if shutil.which(name) is None:
        assert "CI" not in os.environ, f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    folder.mkdir()
    port = free_port()
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(
            COMMANDS[name](folder, port, webs, live),
            env={**os.environ, "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        yield port
    finally:
        process.terminate()
        process.wait()
