"""Signing up with a provider in a real browser: its policy lets the form lead there and back."""

import pytest
from django.test import Client
from playwright.sync_api import Browser

from games.models import User
from tests.browser.chromium import new_context, sign_in
from tests.browser.test_axe import faults_of
from tests.browser.visits import DESK, PHONE
from tests.browser.world import World
from tests.features.provider.server import come_back, offer, own_provider
from tests.support.legal import texts_in, write

pytestmark = pytest.mark.full


@pytest.fixture
def provider(settings):
    with own_provider() as server:
        offer(settings, server)
        own = settings.SECURE_CSP["form-action"]
        settings.SECURE_CSP = settings.SECURE_CSP | {"form-action": [*own, server.settings.origin]}
        yield server


def test_nina_signs_up_with_a_provider_in_her_browser(chromium, provider, site):
    context = new_context(chromium, site)
    page = context.new_page()
    page.goto("/people/")
    page.get_by_role("button", name="Sign in with Guild").click()
    page.wait_for_url("**/3rdparty/signup/")
    page.locator("main [name=name]").fill("Nina")
    page.locator("main form button", has_text="Sign up").click()
    page.wait_for_url(f"{site}/people/")
    assert User.objects.get().name == "Nina"
    context.close()


def faults(chromium: Browser, site: str, client: Client, path: str) -> list[str]:
    """What axe finds on a page, which has to be the one that was requested."""
    context = new_context(chromium, site)
    sign_in(context, site, client)
    page = context.new_page()
    page.goto(path)
    assert page.url == f"{site}{path}"
    found = faults_of(page, [(PHONE, "dark"), (DESK, "light")], all_rules_always=True)
    context.close()
    return found


def test_the_pages_that_need_a_provider_or_terms_are_for_everybody(
    chromium, provider, site, settings, tmp_path
):
    world, newcomer = World(), Client()
    rosa = world.of(world.rosa)
    come_back(newcomer, provider)
    assert faults(chromium, site, rosa, "/accounts/3rdparty/") == []
    with texts_in(settings, tmp_path) as folder:
        write(folder, terms="Be kind.", privacy="We keep little.")
        assert faults(chromium, site, newcomer, "/accounts/3rdparty/signup/") == []
        assert faults(chromium, site, Client(), "/accounts/signup/") == []
        assert faults(chromium, site, rosa, "/accounts/terms/?next=/tables/") == []
