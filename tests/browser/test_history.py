"""Stepping through a game in the browser: by links, keys, slider, by itself, without scripts."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.services.game.queries.history import read_steps
from intrigue_site.scenarios import lay_out, scenario
from tests.browser.chromium import Watch, new_context, sign_in
from tests.support.client import browser, person

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
        expect(
            page.get_by_text("Keys: ← back, → forward, Home: first step, End: last step.")
        ).to_be_visible()

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
        expect(page.get_by_role("button", name="Play")).to_be_hidden()


@pytest.fixture
def page(chromium, site):
    """A page of somebody who doesn't mind motion; its clock moves only as a test says."""
    with new_context(chromium, site) as context:
        watch, page = Watch(context, site), context.new_page()
        page.emulate_media(reduced_motion="no-preference")
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        yield page
        assert watch.complaints == []


def fetched_in_a_minute(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.clock.run_for(60_000)
    return fetched


def test_the_steps_play_until_one_pauses(page, game):
    steps = read_steps(game, None, "UTC")
    page.goto(f"{game.get_absolute_url()}history/{steps[0]}/")
    assert fetched_in_a_minute(page) == []  # nothing begins by itself
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press("Enter")
    comes_to(page, 2)
    page.clock.run_for(2500)
    comes_to(page, 3)
    page.get_by_label("Speed").select_option("fast")
    page.clock.run_for(2500)  # as was said when the third step came
    comes_to(page, 4)
    page.clock.run_for(1000)
    comes_to(page, 5)
    assert page.url.endswith(f"/history/{steps[4]}/")
    assert page.title().startswith("Step 5, ")
    assert page.locator("h1").inner_text() in page.title()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_focused()
    assert fetched_in_a_minute(page) == []


def test_whoever_does_anything_else_pauses(page, game):
    page.goto(f"{game.get_absolute_url()}history/1/")
    page.get_by_role("button", name="Play").click()
    comes_to(page, 2)
    page.get_by_role("link", name="Forward").focus()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert fetched_in_a_minute(page) == []


def test_after_the_last_step_they_play_from_the_first(page, game):
    steps = read_steps(game, None, "UTC")
    page.goto(f"{game.get_absolute_url()}history/{steps[-2]}/")
    page.get_by_role("button", name="Play").click()
    comes_to(page, len(steps))
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    comes_to(page, 1)


def test_who_prefers_reduced_motion_has_no_button_that_plays(page, game):
    page.goto(f"{game.get_absolute_url()}history/1/")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    comes_to(page, 2)
    page.emulate_media(reduced_motion="reduce")
    button = page.locator(".autoplay button")
    expect(button).to_be_hidden()
    expect(button).to_contain_text("Play")  # it has paused, too
    assert fetched_in_a_minute(page) == []


PLACES = """() => [...document.querySelectorAll(
  ".steps .actions > *, .autoplay > *, .steps form > *, .game-board .palaces, .game-board"
)].map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.top, box.width])"""
"""Where the buttons and the board begin, and how wide they are."""


@pytest.fixture(params=[(360, 740), (1280, 800)], ids=["phone", "desktop"])
def at_size(page, request):
    width, height = request.param
    page.set_viewport_size({"width": width, "height": height})
    return page


@pytest.mark.long(after=1)
def test_board_and_buttons_stay_where_they_are_from_step_to_step(at_size, game, pytestconfig):
    """Each third step; each one with `--long`."""
    page, steps = at_size, read_steps(game, None, "UTC")
    steps = steps if pytestconfig.getoption("long") else steps[::3]
    page.goto(f"{game.get_absolute_url()}history/{steps[0]}/")
    places, told = page.evaluate(PLACES), set()
    assert len(places) > 10
    for step in steps:
        page.goto(f"{game.get_absolute_url()}history/{step}/")
        assert page.evaluate(PLACES) == places, step
        told.add(page.locator("h1").bounding_box()["height"])
    assert len(told) > 1  # what is told is longer and shorter


@pytest.mark.long(after=1)
def test_board_and_buttons_stay_where_they_are_while_it_plays(at_size, game):
    page, steps = at_size, read_steps(game, None, "UTC")
    page.goto(f"{game.get_absolute_url()}history/{steps[-9]}/")
    places = page.evaluate(PLACES)
    page.get_by_role("button", name="Play").click()
    for step in range(len(steps) - 7, len(steps) + 1):
        comes_to(page, step)
        assert page.evaluate(PLACES) == places, step
        page.clock.run_for(2500)


def test_on_a_phone_the_replay_shows_all_palaces_and_what_happened(page, game):
    page.set_viewport_size({"width": 360, "height": 740})
    for step in (1, 40, 90):
        page.goto(f"{game.get_absolute_url()}history/{step}/")
        palaces = [one.bounding_box() for one in page.locator(".palace").all()]
        assert len({box["x"] for box in palaces}) == 2
        heading = page.locator("h1").bounding_box()
        assert max(box["y"] + box["height"] for box in palaces) <= heading["y"] <= 740 - 24


def test_space_plays_and_pauses(page, game):
    page.goto(f"{game.get_absolute_url()}history/1/")
    page.keyboard.press("Space")
    comes_to(page, 2)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert fetched_in_a_minute(page) == []
    page.locator("#step").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_space_does_nothing_where_the_shortcuts_are_off(page, site, game):
    sign_in(page.context, site, browser(person("Zoe")))
    page.goto(f"{game.get_absolute_url()}history/1/")
    page.locator("#keys-on").evaluate("(one) => { one.checked = false; }")
    page.keyboard.press("Space")
    assert fetched_in_a_minute(page) == []
    page.locator("#keys-on").evaluate("(one) => { one.checked = true; }")
    page.keyboard.press("Space")
    comes_to(page, 2)
