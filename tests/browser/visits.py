"""Coming to a kind of page in the browser, as whoever looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.browser.chromium import PATIENCE, Watch
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
    context = chromium.new_context(
        viewport=DESK,
        color_scheme="light",
        base_url=site,
        locale="en-GB",
        reduced_motion="reduce",
        java_script_enabled=javascript,
    )
    context.set_default_timeout(PATIENCE)
    cookies = kind.client(world).cookies
    context.add_cookies(
        [{"name": name, "value": kept.value, "url": site} for name, kept in cookies.items()]
    )
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
