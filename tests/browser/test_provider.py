"""Signing up with a provider in a real browser: its policy lets the form lead there and back."""

import pytest

from games.models import User
from tests.browser.chromium import new_context
from tests.support.provider import offer, own_provider


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
    page.goto("/tables/")
    page.get_by_role("button", name="Sign in with Guild").click()
    page.wait_for_url("**/3rdparty/signup/")
    page.locator("main [name=name]").fill("Nina")
    page.locator("main form button", has_text="Sign up").click()
    page.wait_for_url(f"{site}/tables/")
    assert User.objects.get().name == "Nina"
    context.close()
