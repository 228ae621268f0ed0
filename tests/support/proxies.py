"""The proxies of docs/hosting.md, with the very configuration that stands there."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.servers import free_port

HOSTING = Path("docs/hosting.md")

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
    server {{
        listen 127.0.0.1:{port};
{documented}
    }}
}}
"""


def documented(beginning: str) -> str:
    """The example of the guide that begins with these words."""
    examples = re.findall(r"^```\n(.*?)^```$", HOSTING.read_text(), re.DOTALL | re.MULTILINE)
    [found] = [one for one in examples if one.startswith(beginning)]
    return found


def _replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, f"{HOSTING} no longer says {old}"
        text = text.replace(old, new)
    return text


def _caddy(folder: Path, port: int, web: int, live: int) -> list[str]:
    known = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True)
    # Tests have no certificate: what comes in here has come by https.
    changes = {
        "\n{\n    servers": "\n{\n    admin off\n    auto_https off\n    servers",
        "intrigue.example.org {": f"http://:{port} {{",
        "127.0.0.1:8000": f"127.0.0.1:{web}",
        "127.0.0.1:8001": f"127.0.0.1:{live}",
        "header_up X-Request-ID": "header_up X-Forwarded-Proto https\n header_up X-Request-ID",
    }
    if re.match(r"v?2\.[0-5]\.|v?2\.6\.[0-2]\b", known.stdout):  # as the guide says
        changes["request_buffers 1MB"] = "buffer_requests"
    caddyfile = folder / "Caddyfile"
    caddyfile.write_text(_replaced("\n" + documented("{\n    servers"), changes))
    return ["caddy", "run", "--config", str(caddyfile), "--adapter", "caddyfile"]


def _nginx(folder: Path, port: int, web: int, live: int) -> list[str]:
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{web}",
        "127.0.0.1:8001": f"127.0.0.1:{live}",
        "$scheme": "https",
    }
    written = _replaced(documented("client_max_body_size"), changes)
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(folder=folder, port=port, documented=written))
    return ["nginx", "-p", str(folder), "-c", str(file), "-e", str(folder / "log")]


COMMANDS = {"caddy": _caddy, "nginx": _nginx}


@contextmanager
def proxy(name: str, folder: Path, *, web: int, live: int) -> Iterator[int]:
    """The port of such a proxy in front of these two; skips where it isn't installed."""
    if shutil.which(name) is None:
        assert "CI" not in os.environ, f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    folder.mkdir()
    port = free_port()
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(
            COMMANDS[name](folder, port, web, live),
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
