"""An amount that is typed into an order is what is ordered, with JavaScript and without."""

import pytest
from django.utils import timezone

from games.models import Order
from tests.browser.chromium import Watch, new_context, sign_in
from tests.game.test_orders import second_briber, two_bribe
from tests.support.client import browser
from tests.support.tables import open_table, seats_to_move, submit_move

pytestmark = pytest.mark.full

CHOSEN = 'one => one.querySelector("input[type=radio]:checked").value'


@pytest.fixture
def order_form(chromium, site):
    """Opens the form of an order for the second to bribe: its page, form and name."""
    contexts = []

    def open_form(*, javascript=True, expected=200):
        now = timezone.now()
        game = open_table("Anna", "Boris", "Clara", "Dora", now=now)
        while not two_bribe(game.decoded()):
            submit_move(game, seats_to_move(game)[0].user, now)
            game.refresh_from_db()
        seat, scholar = second_briber(game, game.decoded())
        name = game.decoded().table.names[scholar]
        contexts.append(new_context(chromium, site, java_script_enabled=javascript))
        sign_in(contexts[-1], site, browser(seat.user))
        watches.append(Watch(contexts[-1], site, expected))
        page = contexts[-1].new_page()
        page.goto(f"{game.get_absolute_url()}orders/?for={name}")
        return page, page.locator(f"#order-{name} form"), name

    watches = []
    yield open_form
    for context in contexts:
        context.close()
    assert [watch.complaints for watch in watches] == [[] for _ in watches]


def give(page, form):
    with page.expect_navigation():
        form.get_by_role("button", name="Save order").click()


@pytest.mark.parametrize(
    ("typed", "way", "formula"),
    [
        ({"amount": "7000"}, "amount", {"kind": "amount", "amount": 7000}),
        (
            {"more": "1000", "limit": "9000"},
            "above",
            {"kind": "above", "more": 1000, "limit": 9000, "then_limit": False},
        ),
    ],
)
def test_typing_an_amount_chooses_its_way_of_paying(order_form, typed, way, formula):
    page, form, name = order_form()
    assert form.evaluate(CHOSEN) == "minimum"
    for field, text in typed.items():
        form.locator(f'[name="{name}-{field}"]').focus()
        page.keyboard.type(text)
    assert form.evaluate(CHOSEN) == way
    give(page, form)
    assert Order.objects.get().formula == formula


def test_a_click_into_the_field_chooses_it_and_the_tab_key_passes_through(order_form):
    page, form, name = order_form()
    form.locator('input[value="minimum"]').focus()
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == f"{name}-wait_if_addressed"
    assert form.evaluate(CHOSEN) == "minimum"
    form.locator(f'[name="{name}-amount"]').click()
    assert form.evaluate(CHOSEN) == "amount"


def test_without_javascript_the_page_says_what_contradicts_and_keeps_it(order_form):
    page, form, name = order_form(javascript=False, expected=422)
    form.locator(f'[name="{name}-amount"]').focus()
    page.keyboard.type("7000")
    give(page, form)
    assert "You chose “the minimum, 1,000” but entered 7000 for “This amount”." in (
        page.locator("main").inner_text()
    )
    assert form.locator(f'[name="{name}-amount"]').input_value() == "7000"
    assert not Order.objects.exists()
    form.locator('input[value="amount"]').check()
    give(page, form)
    assert Order.objects.get().formula == {"kind": "amount", "amount": 7000}
