"""What one request costs in CPU time: called as gunicorn calls the site, with all its middleware.

In this process, by the WSGI application itself: no test client and no socket is measured with it.
"""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import connection

from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import HOST
from tests.benchmarks.speed.world import CSRF


@dataclass(frozen=True)
class Request:
    """One request: `cookie` says who sends it, `form` is posted."""

    path: str
    cookie: str
    form: dict[str, str] | None = None
    status: int = 200


def site() -> Callable[..., Any]:
    """The application that gunicorn serves."""
    from intrigue_site.wsgi import application  # the settings are known only now

    return application


def send(application: Callable[..., Any], request: Request, *, gzip: bool = True) -> bytes:
    """The body of the answer; SystemExit where it has another status than it should."""
    path, _, query = request.path.partition("?")
    body = b""
    if request.form is not None:
        body = urlencode(request.form | {"csrfmiddlewaretoken": CSRF}).encode()
    environment = {
        "REQUEST_METHOD": "GET" if request.form is None else "POST",
        "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
        "SERVER_NAME": HOST, "SERVER_PORT": "443", "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1", "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/x-www-form-urlencoded" if body else "",
        "HTTP_HOST": HOST, "HTTP_ORIGIN": f"https://{HOST}", "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_X_FORWARDED_FOR": "203.0.113.7", "HTTP_COOKIE": request.cookie,
        "HTTP_ACCEPT": "text/html", "HTTP_ACCEPT_LANGUAGE": "en",
        "HTTP_ACCEPT_ENCODING": "gzip" if gzip else "identity",
        "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(), "wsgi.multithread": True, "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }  # fmt: skip
    statuses: list[str] = []
    answer = application(environment, lambda status, *_more: statuses.append(status))
    try:
        content = b"".join(answer)
    finally:
        if hasattr(answer, "close"):
            answer.close()
    if int(statuses[0][:3]) != request.status:
        told = f"{request.path}: {statuses[0]}, not {request.status}\n{content[:500]!r}"
        raise SystemExit(told)
    return content


def cpu_ms(application: Callable[..., Any], request: Request) -> float:
    began = time.process_time()
    send(application, request)
    return 1000 * (time.process_time() - began)


@contextmanager
def counted() -> Iterator[list[str]]:
    """The queries that are made meanwhile, as SQL."""
    queries: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        queries.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield queries


def measure(
    figures: Figures, name: str, requests: Iterator[Request], runs: int, yardstick: float
) -> None:
    """CPU time, queries and bytes of one kind of request; each run takes the next of `requests`."""
    application = site()
    plain = len(send(application, next(requests), gzip=False))
    compressed = len(send(application, next(requests)))
    queries = []
    for _ in range(2):  # the first one may also read what the process remembers for a while
        request = next(requests)
        with counted() as made:
            send(application, request)
        queries.append(len(made))
    times = [cpu_ms(application, next(requests)) for _ in range(runs)]
    figures.add_batches(f"{name}.cpu_ms", times)
    noise = figures.noise.get(f"{name}.cpu_ms", 0) + figures.noise.get("yardstick.cpu_ms", 0)
    figures.add(f"{name}.cpu_ratio", figures.values[f"{name}.cpu_ms"] / yardstick, noise)
    figures.add(f"{name}.queries", min(queries))
    figures.add(f"{name}.bytes", plain)
    # Django adds up to a hundred random bytes to what is compressed.
    figures.add(f"{name}.compressed_bytes", compressed, 100 / max(compressed, 1))
