"""Waits until the site has finished what browsers that are closed by now had asked it for."""

from collections.abc import Callable
from threading import Condition

from django.http import HttpRequest, HttpResponse

from tests.support.patience import PATIENCE_SECONDS

_changed = Condition()
_working = 0


def middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """The outermost one of the site: counts the requests that are being worked on."""

    def counted(request: HttpRequest) -> HttpResponse:
        _count(1)
        try:
            return get_response(request)
        finally:
            _count(-1)

    return counted


def _count(more: int) -> None:
    global _working  # noqa: PLW0603 (one site in a process of tests)
    with _changed:
        _working += more
        _changed.notify_all()


def wait_until_done() -> None:
    with _changed:
        assert _changed.wait_for(lambda: _working == 0, PATIENCE_SECONDS)
