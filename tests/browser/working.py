"""Waits until the site has answered what browsers that are closed by now had asked it for."""

from http.client import HTTPConnection
from threading import Condition
from typing import Any

from tests.support.patience import PATIENCE_SECONDS

_changed = Condition()
_working = 0


def counted(application: Any) -> Any:
    """The ASGI application of the site; counts the requests that are being answered."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        _count(1)
        try:
            await application(scope, receive, send)
        finally:
            _count(-1)

    return answer


def _count(more: int) -> None:
    global _working  # noqa: PLW0603 (one site in a process of tests)
    with _changed:
        _working += more
        _changed.notify_all()


def wait_until_done(port: int) -> None:
    """What was sent there before a request of our own is begun before that is answered."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    connection.request("HEAD", "/static/none")
    connection.getresponse().close()
    connection.close()
    with _changed:
        assert _changed.wait_for(lambda: _working == 0, PATIENCE_SECONDS)
