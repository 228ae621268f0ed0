"""Lists of tables on a phone: what one may do in a row is reached in the row."""

import pytest
from django.conf import settings
from django.utils import timezone

from games.models import Seat
from tests.browser.chromium import new_context, sideways, sign_in
from tests.browser.visits import PHONE
from tests.support.client import browser, person
from tests.support.tables import open_table

pytestmark = pytest.mark.full

LONG = "The table of those who like long names of tables"

BOXES = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top, bottom };
})"""


@pytest.mark.long(after=1)
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_every_open_table_has_a_way_to_a_seat(language, chromium, site):
    zoe = person("Zoe", language=language)
    for name in ("Anna", "Boris"):
        open_table(name, size=4, listed=True, name=f"{LONG}, {name}", now=timezone.now())
    with new_context(chromium, site, viewport=PHONE) as context:
        sign_in(context, site, browser(zoe))
        page = context.new_page()
        page.goto("/tables/")
        rows = page.evaluate(BOXES, ".games > .card")
        buttons = page.evaluate(BOXES, ".games .join")
        assert len(rows) == len(buttons) == 2
        for row, button in zip(rows, buttons, strict=True):
            assert button["bottom"] - button["top"] >= 44
            assert row["left"] <= button["left"] < button["right"] <= row["right"] <= PHONE["width"]
            assert row["top"] < button["top"] < button["bottom"] < row["bottom"]
        assert sideways(page) == 0
        page.locator(".games .join").first.click()
        page.locator("form[action$='/join/'] button").click()
        page.get_by_role("heading", name="Anna").wait_for()
    assert Seat.objects.get(user=zoe).game.host.name == "Anna"
