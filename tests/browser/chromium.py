"""The browser that is installed on this machine, and what it complains about."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Playwright,
    Request,
    Response,
    expect,
)

from games.features.live.channel import PATH
from tests.support.patience import wait_until

PATIENCE = 120_000
"""How many milliseconds may pass on a busy machine before something is given up."""

WITH_WINDOWS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NAMES = ("chromium-headless-shell", *WITH_WINDOWS)
"""The first is the same browser without windows and menus of its own, which cost more than most
pages; it shows no notifications."""

OPTIONS = (
    "--no-sandbox",  # the build server runs the tests as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nobody else is asked, ever.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
MISSING = (
    "The pages are tested in Chromium, which is not installed here: "
    "apt-get install chromium, or put chromium or google-chrome on the PATH."
)

TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy ${event.violatedDirective} violated by ${event.blockedURI}`);
});
"""


@contextmanager
def installed_chromium(playwright: Playwright, names: Sequence[str] = NAMES) -> Iterator[Browser]:
    """Chromium, started. Where there is none, tests are skipped, but not on the build server."""
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    expect.set_options(timeout=PATIENCE)
    browser = playwright.chromium.launch(executable_path=program, args=OPTIONS, timeout=PATIENCE)
    yield browser
    browser.close()


def new_context(chromium: Browser, site: str, **more: object) -> BrowserContext:
    """A browser of somebody's own, which has the patience of all of them."""
    context = chromium.new_context(base_url=site, locale="en-GB", reduced_motion="reduce", **more)
    context.set_default_timeout(PATIENCE)
    return context


def sign_in(context: BrowserContext, site: str, client: Client) -> None:
    """Let the browser be whom Django's test client is."""
    context.add_cookies(
        [{"name": name, "value": kept.value, "url": site} for name, kept in client.cookies.items()]
    )


class Watch:
    """Collects what a page should never do: `complaints` is empty where all is well.

    `expected` is the status that the pages themselves may be answered with; the browser's own
    note about such an answer is no complaint.
    """

    def __init__(self, context: BrowserContext, site: str, expected: int = 200) -> None:
        self.site = site
        self.begin(expected)
        context.add_init_script(TELL_VIOLATIONS)
        context.on(
            "console", lambda said: self._console(said.type, said.text, said.location["url"])
        )
        context.on("weberror", lambda failure: self._complain(f"script: {failure.error}"))
        context.on("request", lambda request: self._request(request.url))
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def begin(self, expected: int) -> None:
        """Forget what was seen: other pages follow, which may be answered with this."""
        self.expected = {200, expected}
        self.complaints: list[str] = []

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def _console(self, kind: str, text: str, about: str) -> None:
        if kind == "verbose" or urlsplit(about).path == PATH:
            return  # the browser's own hints; and pages may do without the live process
        noted = re.match(r"Failed to load resource: .* status of (\d+)", text)
        if noted is None or int(noted[1]) not in self.expected:
            self._complain(f"console: {text}")

    def _request(self, url: str) -> None:
        if not url.startswith((self.site, "data:", "about:", "chrome-error:")):
            self._complain(f"asked somebody else: {url}")

    def _failed(self, request: Request) -> None:
        """A browser gives up on whatever is on its way when its page is left; no site can do that.

        A page that is answered with nothing to show is given up, too, and is a fault.
        """
        given_up = request.failure == "net::ERR_ABORTED" and not request.is_navigation_request()
        if not given_up:
            self._complain(f"failed: {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        is_stream = urlsplit(response.url).path == PATH
        is_page = response.request.is_navigation_request()
        allowed = self.expected if is_page else {200}
        if response.status not in {*allowed, 204, 302, 304} and not is_stream:
            self._complain(f"{response.status} for {urlsplit(response.url).path}")


IN_SIGHT = """(found) => {
  const box = found.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return found.contains(there);
}"""


def assert_in_sight(found: Locator) -> None:
    """Nothing lies over the middle of it, once the page has come to rest."""
    wait_until(lambda: found.evaluate(IN_SIGHT))


def sideways(page: Page) -> int:
    """How many pixels of the page, when it is there, lie beside the window."""
    page.wait_for_load_state()
    return page.evaluate(
        "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
    )


BROKEN_WORDS = r"""() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const css = (one) => getComputedStyle(one);
  const isClipped = (one) => one && (css(one).clipPath !== "none" || isClipped(one.parentElement));
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || css(parent).hyphens === "auto" || isClipped(parent)) continue;
    for (const word of node.data.matchAll(/\S+/g)) {
      if (!/^[(“]?\p{L}{2,24}[).,:;!?”]*$/u.test(word[0])) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) found.push(`${word[0]} in ${parent.outerHTML.slice(0, 200)}`);
    }
  }
  return found;
}"""
"""Words of letters that begin on one line and end on the next without a hyphen."""


def broken_words(page: Page) -> list[str]:
    """The words that a narrow column breaks in the middle."""
    found: list[str] = page.evaluate(BROKEN_WORDS)
    return found


TORN_SENTENCES = r"""() => Array.from(document.querySelectorAll("bdi"), (name) => name.parentNode)
  .filter((box) => /(flex|grid)$/.test(getComputedStyle(box).display))
  .filter((box) => Array.from(box.childNodes).some((one) => one.nodeType === 3 && one.data.trim()))
  .map((box) => box.outerHTML.slice(0, 200))"""
"""Sentences with a name that stand in a flex box: it takes away the spaces around the name."""


def torn_sentences(page: Page) -> list[str]:
    """The sentences in which a name is a column of its own."""
    found: list[str] = page.evaluate(TORN_SENTENCES)
    return found
