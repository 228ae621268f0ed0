"""What is seen of sign-ins: with which browser, from where, and whose browser is shared."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.models import SharedBrowser, SignIn
from games.services.operations import trim
from tests.support.client import browser, person, text_of, verified
from tests.support.sign_ins import both_in_one_browser, sign_in, sign_out
from tests.support.tables import DAY

pytestmark = pytest.mark.django_db


def test_a_sign_in_is_noted_with_browser_and_address_and_stays_one_row(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    anna, client = verified("Anna"), Client(headers={"User-Agent": "Firefox"})
    sign_in(client, anna, headers={"X-Forwarded-For": "198.51.100.9, 203.0.113.7"})
    row = SignIn.objects.get()
    assert (row.user, row.address, row.agent) == (anna, "203.0.113.7", "Firefox")
    cookie = client.cookies["device"]
    assert cookie.value == row.device
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (
        True,
        "Lax",
        365 * 24 * 3600,
    )
    client.get("/")
    sign_out(client)
    assert client.cookies["device"].value == row.device
    sign_in(client, anna, headers={"X-Forwarded-For": "203.0.113.7"})
    again = SignIn.objects.get()
    assert again.first_at == row.first_at < again.last_at


def test_the_cookie_goes_over_https_only_where_the_site_does(settings):
    settings.SESSION_COOKIE_SECURE = True
    client = browser(person("Anna"))
    answered = client.get("/")
    assert answered.cookies["device"]["secure"] is True


@pytest.mark.parametrize("value", ["", "x", "<script>", "ü" * 22, "x" * 4000])
def test_a_cookie_that_is_not_ours_is_replaced(value):
    client = browser(person("Anna"))
    client.cookies["device"] = value
    assert client.get("/").status_code == 200
    assert re.fullmatch(r"[\w-]{22}", SignIn.objects.get().device)


def test_who_is_not_signed_in_gets_no_cookie(client):
    assert "device" not in client.get("/").cookies
    assert not SignIn.objects.exists()


def test_two_with_one_browser_are_a_pair_once():
    anna, boris = both_in_one_browser("Anna", "Boris")
    pair = SharedBrowser.objects.get()
    assert (pair.first, pair.second) == (anna, boris)
    both_in_one_browser("Clara")
    assert SharedBrowser.objects.count() == 1


@pytest.mark.full
def test_it_is_kept_for_90_days_and_people_are_told():
    [anna, _boris] = both_in_one_browser("Anna", "Boris")
    for page in ("/accounts/profile/", "/accounts/signup/"):
        client = browser(anna) if "profile" in page else Client()
        assert "your IP address for 90 days" in text_of(client.get(page))
    SignIn.objects.exclude(device=SignIn.objects.earliest("pk").device).delete()
    now = timezone.now()
    assert trim.trim(now=now + 89 * DAY).sign_ins == 0
    assert trim.trim(now=now + 91 * DAY).sign_ins == 3
    assert not SignIn.objects.exists()
    assert not SharedBrowser.objects.exists()
