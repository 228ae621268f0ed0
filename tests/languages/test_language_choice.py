"""In which language somebody reads: the browser's, the footer's, the profile's."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.support.client import LANGUAGES, as_shown, browser, forms_of, language_form, verified
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db


def language_of(response):
    """What the page says of its language, which its header must say too."""
    page = response.content.decode()
    language = page.split('<html lang="')[1].split('"')[0]
    assert response["Content-Language"] == language
    return language


def choose(client, language, page="/accounts/login/"):
    """Click on a language in the foot of a page."""
    form = language_form(client.get(page).content.decode())
    return client.post(LANGUAGES, {**as_shown(form), "language": language})


@pytest.mark.parametrize("asked", dict(settings.LANGUAGES))
def test_the_browsers_language_is_the_first_choice(asked):
    response = Client().get(
        "/accounts/login/", headers={"Accept-Language": f"{asked}-XX, fr;q=0.8"}
    )
    assert language_of(response) == asked
    assert "Accept-Language" in response["Vary"]


def test_a_language_that_the_site_does_not_speak_is_answered_in_english():
    response = Client().get("/accounts/login/", headers={"Accept-Language": "fr"})
    assert language_of(response) == "en"


def test_who_is_not_signed_in_chooses_in_the_foot_and_stays_on_the_page():
    client = Client()
    answer = choose(client, "ru", "/accounts/login/?next=/tables/")
    assert answer.url == "/accounts/login/?next=/tables/"
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("ru", True, "Lax")
    assert language_of(client.get("/", headers={"Accept-Language": "de"})) == "ru"


def test_the_front_page_writes_numbers_as_each_reader_does():
    for language, amount in (("en", "10,000"), ("de", "10.000")):
        page = Client().get("/", headers={"Accept-Language": language}).content.decode()
        assert f'<b data-short="10">{amount}</b>' in page


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/accounts/signup/"])
def test_the_foot_offers_every_language_but_the_one_of_the_page(path):
    page = Client().get(path).content.decode()
    form = page.split(f'action="{LANGUAGES}"')[1].split("</form>")[0]
    assert '<span lang="en" aria-current="true">English</span>' in form
    assert '<button class="link" name="language" value="de" lang="de">Deutsch</button>' in form
    assert '<button class="link" name="language" value="ru" lang="ru">Русский</button>' in form


def test_who_is_signed_in_chooses_for_every_browser_of_theirs():
    anna = verified("Anna")
    choose(browser(anna), "de", "/")
    elsewhere = browser(anna)
    assert language_of(elsewhere.get("/", headers={"Accept-Language": "ru"})) == "de"


def test_the_profile_has_the_same_choice_and_gives_it_back_to_the_browser():
    anna = verified("Anna", language="ru")
    client = browser(anna)
    form = as_shown(forms_of(client.get("/accounts/profile/").content.decode())[""])
    assert form["language"] == "ru"
    client.post("/accounts/profile/", {**form, "language": ""})
    assert language_of(client.get("/", headers={"Accept-Language": "de"})) == "de"


@pytest.mark.parametrize("language", ["fr", "", "de; Path=/", "русский"])
def test_a_language_that_there_is_not_changes_nothing(language):
    anna = verified("Anna", language="de")
    client = browser(anna)
    assert client.post(LANGUAGES, {"language": language, "next": "/"}).url == "/"
    anna.refresh_from_db()
    assert anna.language == "de"
    assert language_of(Client().get("/", headers={"Cookie": "django_language=fr"})) == "en"


def test_the_choice_leads_to_no_other_site():
    answer = Client().post(LANGUAGES, {"language": "de", "next": "https://example.org/"})
    assert answer.url == "/"


def test_a_link_alone_chooses_nothing():
    assert Client().get(LANGUAGES).status_code == 405


def test_after_a_form_the_choice_leads_home_since_its_page_cannot_be_asked_for():
    page = Client().post("/accounts/login/", {"login": "nobody"}).content.decode()
    assert language_form(page)["next"].value == reverse("games:home")


def test_who_signs_up_gets_mail_in_the_language_of_the_page():
    client = Client(headers={"Accept-Language": "de"})
    client.post(
        "/accounts/signup/",
        {
            "email": "dora@example.org",
            "password1": "eine lange Nacht in Venedig",
            "name": "Dora",
            "time_zone": "Europe/Berlin",
        },
    )
    assert User.objects.get().language == "de"


def test_a_code_is_emailed_in_the_language_of_its_person_not_of_the_page(smtp):
    verified("Anna", language="ru")
    Client(headers={"Accept-Language": "de"}).post(
        "/accounts/login/code/", {"email": "anna@example.org"}
    )
    [mail] = smtp.messages
    assert mail["Subject"] == f"{code_in(mail)} — код для входа"
