"""Coming to kinds of pages in the browser, as the people who look at them."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.chromium import Watch, new_context, sign_in
from tests.browser.pages import Kind
from tests.browser.world import World

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 320, "height": 640}
THEMES = ("light", "dark")


class Window:
    """A window in which one page after the other is visited; nothing is left of the one before.

    `watch` watches the page that is open in `page`.
    """

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.context = context
        self.site = site
        self.watch = Watch(context, site)
        self.page = context.new_page()

    def visit(self, world: World, kind: Kind) -> Page:
        """Open the page of this kind, on a desk and in the light."""
        self.page.set_viewport_size(DESK)
        self.page.emulate_media(color_scheme="light")
        self.context.clear_cookies()
        sign_in(self.context, self.site, kind.client(world))
        self.watch.begin(kind.status)
        answered = self.page.goto(kind.address(world))
        if kind.then is not None:
            with self.page.expect_navigation() as navigation:
                kind.then(self.page)
            answered = navigation.value
        assert answered.status == kind.status, (kind.name, answered.status, self.page.url)
        return self.page


@contextmanager
def new_window(chromium: Browser, site: str, *, javascript: bool = True) -> Iterator[Window]:
    """A window of a browser of its own. To open one takes longer than most visits."""
    context = new_context(chromium, site, java_script_enabled=javascript)
    yield Window(context, site)
    context.close()
