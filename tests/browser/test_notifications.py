"""The service worker in a real browser: it shows what is pushed, and opens what it is about."""

import json
import time

import pytest

from games.features.push import keys
from tests.browser.chromium import WITH_WINDOWS, installed_chromium, new_context
from tests.browser.players import Player
from tests.support.client import verified
from tests.support.patience import wait_until

pytestmark = pytest.mark.full

TOLD = {
    "title": "The Venice table",
    "body": "Your turn: bribe Boris for your priest",
    "url": "/tables/abc/",
    "tag": "game-abc",
    "count": 2,
}

SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }));
}"""


@pytest.fixture(scope="module")
def chromium(driver):
    """Only one with windows shows notifications."""
    with installed_chromium(driver, WITH_WINDOWS) as browser:
        yield browser


@pytest.fixture
def registered(chromium, site):
    """A page whose service worker runs, and how to push something to it."""
    context = new_context(chromium, site)
    context.grant_permissions(["notifications"], origin=site)
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    registrations = []
    protocol.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    protocol.send("ServiceWorker.enable")
    page.goto(f"{site}/rules/")
    page.evaluate("async () => { await navigator.serviceWorker.register('/service-worker.js');"
                  " await navigator.serviceWorker.ready; }")  # fmt: skip
    wait_until(lambda: page.evaluate("true") and bool(registrations))

    def push(told):
        protocol.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": site,
                "registrationId": registrations[-1]["registrationId"],
                "data": json.dumps(told),
            },
        )

    yield page, push
    context.close()


def test_what_is_pushed_is_shown_and_one_about_the_same_game_replaces_it(registered):
    show_exactly(registered, TOLD)
    later = TOLD | {"body": "A message from Boris"}
    show_exactly(registered, later)
    show_exactly(registered, later, TOLD | {"tag": "game-xyz"})


def show_exactly(registered, *told):
    """Push these until they, and nothing else, are shown; at no time are two of one tag.

    Chromium without a desktop loses about one notification in ten and closes others after some
    seconds, so what is not there is pushed again.
    """
    page, push = registered
    expected = [{key: one[key] for key in ("title", "body", "tag", "url")} for one in told]

    def shown():
        seen = sorted(page.evaluate(SHOWN), key=lambda one: one["tag"])
        assert len({one["tag"] for one in seen}) == len(seen)
        return seen == expected

    def shown_soon():
        for one in told:
            push(one)
        return any(shown() or time.sleep(0.1) for _ in range(20))

    wait_until(shown_soon)


def test_a_browser_that_may_not_notify_shows_why(chromium, site, settings):
    settings.PUSH_KEY = keys.new_key()
    keys.own_key.cache_clear()
    verified("Anna")
    anna = Player(chromium, site, "Anna", javascript=True)
    anna.sign_in()
    anna.open("/accounts/notifications/")
    anna.page.evaluate("() => { Notification.requestPermission = async () => 'denied'; }")
    anna.page.get_by_role("button", name="Notify me in this browser").click()
    told = anna.page.locator("[data-push-key] [role=status]")
    wait_until(lambda: "allow notifications from this site" in told.inner_text())
    anna.context.close()
    keys.own_key.cache_clear()


@pytest.mark.long(after=1)
@pytest.mark.parametrize("why", ["no JavaScript", "a blocker", "an old browser"])
def test_a_person_who_cannot_be_notified_reads_the_right_cause(chromium, site, settings, why):
    settings.PUSH_KEY = keys.new_key()
    keys.own_key.cache_clear()
    verified("Anna")
    anna = Player(chromium, site, "Anna", javascript=why != "no JavaScript")
    anna.sign_in()
    if why == "a blocker":
        anna.context.route("**/push.js", lambda route: route.abort())
    if why == "an old browser":
        anna.context.add_init_script("delete window.PushManager;")
    anna.open("/accounts/notifications/")
    told = anna.page.locator("[data-push-key] .unsupported")
    expected = (
        "This browser can't show notifications."
        if why == "an old browser"
        else "A script on this page isn't running: JavaScript is off, or something in your "
        "browser, such as an ad blocker, is blocking it."
    )
    wait_until(lambda: told.inner_text() == expected)
    assert anna.page.get_by_role("button", name="Notify me in this browser").count() == 0
    anna.context.close()
    keys.own_key.cache_clear()


def test_the_site_can_be_installed(chromium, site):
    """A manifest with a name, a start and icons that exist."""
    context = new_context(chromium, site)
    page = context.new_page()
    page.goto(f"{site}/rules/")
    address = page.locator('link[rel="manifest"]').get_attribute("href")
    manifest = json.loads(page.request.get(f"{site}{address}").text())
    assert (manifest["name"], manifest["start_url"]) == ("Intrigue", "/")
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        response = page.request.get(f"{site}{icon['src']}")
        assert (response.status, response.headers["content-type"]) == (200, icon["type"])
    context.close()
