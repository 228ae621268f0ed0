"""Stepping through a game in the browser: by links, by keys, by the slider, and without scripts."""

import pytest
from django.utils import timezone

from games.services.history_reading import read_turns, steps_of
from intrigue_site.gallery import case_named, lay_out
from tests.browser.chromium import Watch


@pytest.fixture
def game(site):
    """A finished game: a stranger may step through it."""
    return lay_out(case_named("over"), timezone.now())


def at(page):
    """The number of the step that the page shows, as it is told and as the slider has it."""
    page.wait_for_load_state()
    told = page.locator("nav.steps output").inner_text()
    assert page.locator("#step").input_value() == told
    return int(told)


def test_links_keys_and_the_slider_step_through_a_game(chromium, site, game):
    count = len(steps_of(read_turns(game, None, "UTC")))
    with chromium.new_context(base_url=site) as context:
        watch, page = Watch(context, site), context.new_page()
        page.goto(f"{game.get_absolute_url()}history/")
        page.get_by_role("link", name="From the first step").click()
        assert at(page) == 1
        page.get_by_role("link", name="Forward").click()
        assert at(page) == 2
        for key, step in (
            ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count), ("ArrowRight", count),
            ("ArrowLeft", count - 1), ("Home", 1), ("ArrowLeft", 1),
        ):  # fmt: skip
            page.keyboard.press(key)
            page.wait_for_function(f"document.querySelector('#step').value === '{step}'")
            assert at(page) == step
        assert page.get_by_text("Keys: ← back, → forward, Home first, End last.").is_visible()

        page.locator("#step").focus()
        page.keyboard.press("ArrowRight")
        assert (at(page), page.url.endswith("/history/1/")) == (2, True)  # only counted so far
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: not url.endswith("/history/1/"))
        assert at(page) == 2

        slider = page.locator("#step").bounding_box()
        with page.expect_navigation():
            page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
        assert abs(at(page) - count / 2) < count / 20
        assert watch.complaints == []


def test_without_scripts_the_slider_goes_by_its_button(chromium, site, game):
    with chromium.new_context(base_url=site, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{game.get_absolute_url()}history/1/")
        assert page.get_by_text("Keys:").is_hidden()
        page.locator("#step").press("ArrowRight")
        page.get_by_role("button", name="Go there").click()
        page.wait_for_load_state()
        assert page.locator("nav.steps output").inner_text() == "2"
