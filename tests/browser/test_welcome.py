"""The scene of the front page in a browser: it plays once, and nothing else moves with it."""

import pytest
from django.conf import settings as site_settings

from games.models import Game
from tests.browser.chromium import assert_in_sight, new_context, sideways
from tests.support.patience import wait_until

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}
SIZES = (
    PHONE,
    {"width": 320, "height": 640},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 800},
)

WATCH = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.animated.push(this.closest("[data-scholar]")?.dataset.scholar);
  return animate.call(this, frames, options);
};
window.said = [];
window.places = new Set();
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
addEventListener("DOMContentLoaded", function look() {
  const words = [...document.querySelectorAll(".scene figcaption p")];
  const shown = words.find((one) => getComputedStyle(one).visibility === "visible");
  const text = shown?.textContent.trim();
  if (text && text !== window.said.at(-1)) window.said.push(text);
  const { top, height } = document.querySelector(".scene figcaption").getBoundingClientRect();
  window.places.add(`${Math.round(top + scrollY)} ${Math.round(height)}`);
  requestAnimationFrame(look);
});
"""
STORY = [
    "Piet promises Nora 10,000 for a job in her palace.",
    "Piet pays 1,000. Anna pays 2,000 and makes no promises.",
    "Piet promised 10,000 and paid 1,000, so Nora sends his scholar away.",
]
PLACED = ".scene .areas [data-scholar='blue-clerk-1']"


@pytest.fixture
def visited(chromium, site):
    """Opens the front page as somebody else."""
    contexts = []

    def visit(motion="no-preference", language="en-GB", viewport=PHONE, **more):
        context = chromium.new_context(
            base_url=site, locale=language, reduced_motion=motion, viewport=viewport, **more
        )
        contexts.append(context)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto("/")
        return page

    yield visit
    for context in contexts:
        context.close()


def test_it_tells_its_story_once_and_ends_as_without_a_script(visited):
    page = visited()
    wait_until(lambda: page.evaluate("window.said.length") == len(STORY))
    assert page.evaluate("window.said") == STORY
    page.wait_for_timeout(1000)
    assert page.evaluate("window.said") == STORY
    ended = page.locator(".scene .board").inner_html()
    assert ended == visited(motion="reduce").locator(".scene .board").inner_html()
    moved = page.evaluate("window.animated")
    both = {"red-clerk-1", "blue-clerk-1"}  # first their bribes, then they themselves
    assert [set(moved[:2]), set(moved[2:])] == [both, both]


def test_without_motion_it_stands_still(visited):
    page = visited(motion="reduce")
    page.wait_for_timeout(2500)
    assert page.evaluate("window.said") == STORY[-1:]
    assert page.evaluate("window.animated") == []


def test_without_a_script_it_stands_still(visited):
    page = visited(java_script_enabled=False)
    assert page.locator(PLACED).is_visible()
    assert page.get_by_text(STORY[-1]).is_visible()
    assert not page.get_by_text(STORY[0]).is_visible()


@pytest.mark.long(after=1)
@pytest.mark.parametrize("viewport", SIZES, ids=lambda size: str(size["width"]))
def test_nothing_else_moves_and_the_button_is_on_the_first_screen(visited, viewport):
    pages = [visited(language=code, viewport=viewport) for code, _ in site_settings.LANGUAGES]
    for page in pages:
        assert_in_sight(page.locator("form[action='/first-game/'] button"))
        page.locator(".scene").scroll_into_view_if_needed()
    for page in pages:
        wait_until(lambda page=page: page.evaluate("window.said.length") == len(STORY))
        page.wait_for_timeout(1200)
        assert page.evaluate("window.places.size") == 1
        assert page.evaluate("window.shifted") == 0
        assert sideways(page) == 0


def test_one_tap_begins_a_first_game_without_a_cookie_before(chromium, site):
    context = new_context(chromium, site, viewport=PHONE)
    page = context.new_page()
    page.goto("/")
    assert context.cookies() == []
    page.get_by_role("button", name="Play a first game now").click()
    page.wait_for_url("**/tables/*/")
    assert Game.objects.get().guided
    context.close()


def test_language_and_light_are_chosen_without_a_token_and_the_page_follows(chromium, site):
    """Though the browser may keep the page as it was."""
    context = new_context(chromium, site, viewport=PHONE)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Deutsch").click()
    assert page.locator("html").get_attribute("lang") == "de"
    page.get_by_role("button", name="Dunkel").click()
    assert page.locator("html").get_attribute("class") == "dark"
    page.goto("/rules/")
    page.goto("/")
    assert page.locator("html").get_attribute("class") == "dark"
    assert page.locator("html").get_attribute("lang") == "de"
    context.close()
