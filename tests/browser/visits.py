"""Coming to a kind of page in the browser, as whoever looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.browser.chromium import Watch, new_context, sign_in
from tests.browser.pages import Kind
from tests.browser.world import World

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 320, "height": 640}
THEMES = ("light", "dark")


@contextmanager
def visit(
    chromium: Browser, site: str, world: World, kind: Kind, *, javascript: bool = True
) -> Iterator[tuple[Page, Watch]]:
    """The page of this kind, open, and what watches it."""
    context = new_context(
        chromium, site, viewport=DESK, color_scheme="light", java_script_enabled=javascript
    )
    sign_in(context, site, kind.client(world))
    watch = Watch(context, site, kind.status)
    page = context.new_page()
    answered = page.goto(kind.address(world))
    if kind.then is not None:
        with page.expect_navigation() as navigation:
            kind.then(page)
        answered = navigation.value
    assert answered.status == kind.status, (kind.name, answered.status, page.url)
    yield page, watch
    context.close()
