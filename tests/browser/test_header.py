"""The header of every page is one line, also on the smallest phone, in any language."""

from itertools import product

import pytest
from django.conf import settings as site_settings
from django.test import Client

from games.models import User
from tests.browser.chromium import new_context, sideways, sign_in
from tests.browser.pages import guest
from tests.browser.visits import PHONE
from tests.browser.world import World

pytestmark = pytest.mark.full

WIDE_ENOUGH = {"width": 1088, "height": 640}
"""From where on it also leads to the open tables and the rules."""

LINES = """() => [...document.querySelectorAll(".bar > a, .bar nav > *")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect())
  .map((box) => Math.round((box.top + box.bottom) / 2))"""


def anybody(_world: World) -> Client:
    return Client()


def player(world: World) -> Client:
    """Whose move it is at some table."""
    return world.of(world.asked)


def staff(world: World) -> Client:
    """Whose move it is, too, and who has the link to the admin."""
    User.objects.filter(pk=world.asked.pk).update(is_staff=True)
    return world.of(world.asked)


@pytest.mark.long(after=1)
@pytest.mark.parametrize("reader", [staff, anybody, guest, player])
def test_the_header_is_one_line(reader, chromium, site):
    world = World()
    client = reader(world)
    pages = {"/rules/", world.finished.get_absolute_url()}
    if reader in {player, staff}:
        pages |= {"/", "/accounts/profile/", world.running.get_absolute_url()}
    for language, _name in site_settings.LANGUAGES:
        User.objects.update(language=language)
        client.cookies[site_settings.LANGUAGE_COOKIE_NAME] = language
        context = new_context(chromium, site)
        sign_in(context, site, client)
        page = context.new_page()
        for address, viewport in product(pages, (PHONE, WIDE_ENOUGH)):
            page.set_viewport_size(viewport)
            page.goto(address)
            assert page.locator("html").get_attribute("lang") == language, address
            middles = page.evaluate(LINES)
            assert len(middles) > 1
            assert max(middles) - min(middles) <= 2, (address, language, middles)
            assert sideways(page) == 0, (address, language)
            if reader in {player, staff}:
                links = page.locator(".bar a:is([href='/tables/'], [href='/rules/'])")
                shown = [link.is_visible() for link in links.all()]
                assert shown == [viewport is WIDE_ENOUGH] * 2, (address, language)
        context.close()
