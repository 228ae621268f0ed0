"""What is clicked on the board is filled into the form, and nothing can be reached by tab there."""

import pytest
from django.utils import timezone

from intrigue_site.scenarios import lay_out, scenario
from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser

pytestmark = pytest.mark.full

FILLED = """
Object.fromEntries([...document.querySelector(".decision form").elements]
  .filter((one) => one.name && one.type !== "hidden" && (one.type !== "radio" || one.checked))
  .map((one) => [one.name, one.value]))
"""


@pytest.fixture
def asked(chromium, site):
    """Opens the page of a case of the gallery for the player to move there."""
    contexts = []

    def open_page(case):
        game = lay_out(scenario(case), timezone.now())
        client = browser(game.seats.exclude(deadline_at=None).first().user)
        contexts.append(context := new_context(chromium, site))
        sign_in(context, site, client)
        page = context.new_page()
        page.goto(game.get_absolute_url())
        return page

    yield open_page
    for context in contexts:
        context.close()


def scholars(page, place):
    """The names of the scholars there that may be chosen, in the order of the board."""
    found = page.locator(f"{place} [data-scholar].choosable")
    return [one.get_attribute("data-scholar") for one in found.all()]


def test_scholars_are_sent_by_clicking_each_and_its_palace(asked):
    page = asked("sending")
    first, second = of_kind(page, 1)[0], of_kind(page, 2)[1]
    left, right = page.locator(".palace.choosable").all()[:2]
    for scholar, palace in ((first, right), (second, left)):
        page.locator(f'[data-scholar="{scholar}"]').click()
        palace.locator(".areas").click()
    assert page.evaluate(FILLED) == {
        "send-scholar-1": first,
        "send-palace-1": right.get_attribute("data-palace"),
        "send-scholar-2": f"{second[:-1]}1",
        "send-palace-2": left.get_attribute("data-palace"),
    }
    assert page.locator(".home .chosen").count() == 2
    assert page.locator(".palace.chosen").count() == 2
    for scholar, palace in ((first, right), (second, left)):
        [shade] = palace.locator(".door .ghost").all()
        assert shade.locator("use").last.get_attribute("href") == f"#emblem-{scholar.split('-')[1]}"


def of_kind(page, count):
    """The scholars at home of the last kind of which there are so many."""
    names = scholars(page, ".own .home")
    return next(
        alike
        for name in reversed(names)
        if len(alike := [one for one in names if one[:-1] == name[:-1]]) == count
    )


def test_two_alike_are_sent_by_clicking_one_and_then_the_other(asked):
    page = asked("sending")
    twins = of_kind(page, 2)
    left, right = page.locator(".palace.choosable").all()[:2]
    for scholar, palace in zip(reversed(twins), (right, left), strict=True):
        page.locator(f'[data-scholar="{scholar}"]').click()
        palace.locator(".areas").click()
    assert page.evaluate(FILLED) == {
        "send-scholar-1": twins[0],
        "send-palace-1": right.get_attribute("data-palace"),
        "send-scholar-2": twins[0],
        "send-palace-2": left.get_attribute("data-palace"),
    }
    chosen = page.locator(".home .chosen").all()
    assert sorted(one.get_attribute("data-scholar") for one in chosen) == twins


def test_what_is_clicked_is_what_is_marked(asked):
    page = asked("sending")
    twins = of_kind(page, 2)
    page.locator(f'[data-scholar="{twins[1]}"]').click()
    assert page.locator(f'[data-scholar="{twins[1]}"].chosen').count() == 1
    assert page.evaluate(FILLED)["send-scholar-1"] == twins[0]


def test_scholars_are_sent_by_dragging_them_to_a_palace(asked):
    page = asked("sending")
    first, second = of_kind(page, 1)[0], of_kind(page, 2)[0]
    left, right = page.locator(".palace.choosable").all()[:2]
    for scholar, palace in ((first, right), (second, left)):
        page.locator(f'[data-scholar="{scholar}"]').drag_to(palace.locator("h3"))
    filled = page.evaluate(FILLED)
    assert filled["send-palace-1"] == right.get_attribute("data-palace")
    assert filled["send-palace-2"] == left.get_attribute("data-palace")
    assert [filled["send-scholar-1"], filled["send-scholar-2"]] == [first, second]


def test_a_hint_shows_what_can_be_tapped_where_something_can(asked):
    assert asked("sending").locator("#board-hint").is_visible()
    assert asked("placement").locator("#board-hint").is_visible()


def test_a_winner_is_clicked(asked):
    page = asked("judgement")
    for name in scholars(page, ".own"):
        page.locator(f'[data-scholar="{name}"]').click()
        assert page.evaluate(FILLED)["winner"] == name
        assert page.locator(".contender.chosen, .contested.chosen").count() == 1


def test_areas_are_clicked_and_no_two_scholars_get_the_same(asked):
    page = asked("placement")
    areas = page.locator(".own [data-area].choosable")
    for scholar in page.locator(".own .door .choosable").all():
        for area in areas.all():
            scholar.click()
            area.click()
            filled = page.evaluate(FILLED)
            assert area.get_attribute("data-area") in filled.values()
            assert len(set(filled.values())) == len(filled)


def test_a_rivals_bribe_is_clicked(asked):
    page = asked("external-bribes")
    paid = page.locator("[data-amount].choosable").first
    paid.click()
    assert paid.get_attribute("data-amount") in page.evaluate(FILLED).values()


def test_nothing_on_the_board_but_the_menus_is_a_stop_of_the_tab_key(asked):
    page = asked("sending")
    stops = page.locator(".board").locator("a:visible, button, input, select, [tabindex]")
    assert stops.count() == 0
    assert page.locator(".board summary").count() == page.locator(".palace:not(.own)").count()
