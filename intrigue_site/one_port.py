"""Web and live pages in one process and at one address, for the demo: no proxy stands before it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware

from games.live.channel import PATH
from intrigue_site.live import application as live
from intrigue_site.wsgi import application as pages

web: Any = WSGIMiddleware(cast(Any, pages), workers=8)


async def application(
    scope: Mapping[str, Any],
    receive: Callable[[], Awaitable[Mapping[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """The ASGI application."""
    if scope["type"] == "lifespan" or scope["path"] == PATH:
        await live(scope, receive, send)
    else:
        await web(scope, receive, send)
