"""Web and live pages in one process and at one address, for the demo: no proxy stands before it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings

from intrigue_site.wsgi import application as pages

LIVE = "live" not in settings.FEATURES_OFF
if LIVE:
    from intrigue_site.live import PATH
    from intrigue_site.live import application as live

web: Any = WSGIMiddleware(cast(Any, pages), workers=8)


async def application(
    scope: Mapping[str, Any],
    receive: Callable[[], Awaitable[Mapping[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """The ASGI application."""
    if LIVE and (scope["type"] == "lifespan" or scope["path"] == PATH):
        await live(scope, receive, send)
    elif scope["type"] != "lifespan":
        await web(scope, receive, send)
