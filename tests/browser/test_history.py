"""Stepping through a game in the browser: by links, by keys, by the slider, and without scripts."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.services.game.queries.history import read_steps
from intrigue_site.scenarios import lay_out, scenario
from tests.browser.chromium import Watch, new_context

pytestmark = pytest.mark.full


@pytest.fixture
def game(site):
    """A finished game: a stranger may step through it."""
    return lay_out(scenario("over"), timezone.now())


def comes_to(page, step):
    """The page comes to show this step, as the text and the slider have it."""
    expect(page.locator("#step")).to_have_value(str(step))
    expect(page.locator("nav.steps label b")).to_have_text(str(step))
    page.wait_for_load_state()  # the keys are not heard before


def test_links_keys_and_the_slider_step_through_a_game(chromium, site, game):
    count = len(read_steps(game, None, "UTC"))
    with new_context(chromium, site) as context:
        watch, page = Watch(context, site), context.new_page()
        page.goto(f"{game.get_absolute_url()}history/")
        page.get_by_role("link", name="Start at the first step").click()
        comes_to(page, 1)
        page.get_by_role("link", name="Forward").click()
        comes_to(page, 2)
        for key, step in (
            ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count), ("ArrowRight", count),
            ("ArrowLeft", count - 1), ("Home", 1), ("ArrowLeft", 1),
        ):  # fmt: skip
            page.keyboard.press(key)
            comes_to(page, step)
        expect(page.get_by_text("Keys: ← back, → forward, Home first, End last.")).to_be_visible()

        page.locator("#step").focus()
        page.keyboard.press("ArrowRight")
        comes_to(page, 2)
        assert page.url.endswith("/history/1/")  # only counted so far
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert not page.url.endswith("/history/1/")
        comes_to(page, 2)

        slider = page.locator("#step").bounding_box()
        with page.expect_navigation():
            page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
        step = int(page.locator("#step").input_value())
        assert abs(step - count / 2) < count / 20
        comes_to(page, step)
        assert watch.complaints == []


def test_without_scripts_the_slider_goes_by_its_button(chromium, site, game):
    with new_context(chromium, site, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{game.get_absolute_url()}history/1/")
        expect(page.get_by_text("Keys:")).to_be_hidden()
        page.locator("#step").press("ArrowRight")
        with page.expect_navigation():
            page.get_by_role("button", name="Go to step").click()
        expect(page.locator("nav.steps label b")).to_have_text("2")
