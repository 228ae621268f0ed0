"""Forms without a token, as on pages that caches keep: only a page of this site can send them."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from games.forms.submitted import SubmittedForm
from games.models import Game, User
from games.views import resend
from games.views.same_origin import same_origin
from tests.support.client import (
    browser,
    forms_of,
    language_form,
    person,
    text_of,
    without_what_differs,
)

pytestmark = pytest.mark.django_db

OWN = "http://testserver"
FIRST_GAME = "/first-game/"
ELSEWHERE = (
    "https://evil.example",
    "null",
    "",
    "http://testserver:81",
    "https://testserver",
    "http://testserver.evil.example",
    "http://evil.testserver",
    "http://testserver/",
    "testserver",
    f"https://evil.example, {OWN}",
    f"https://evil.example {OWN}",
    "http://[",
)


def strict(**headers: str) -> Client:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client(enforce_csrf_checks=True, headers=named)


def assert_refused(response: HttpResponse, client: Client) -> None:
    assert response.status_code == 403
    assert not User.objects.filter(is_guest=True).exists()
    assert resend.STORED not in client.session
    assert FIRST_GAME not in forms_of(response.content.decode())


def token_on(html: str) -> str:
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[-1]


class TestFromHere:
    @pytest.mark.parametrize("said", [{}, {"Sec_Fetch_Site": "same-origin"}])
    def test_no_token_is_needed(self, said):
        client = strict(Origin=OWN, **said)
        assert client.post(FIRST_GAME)["Location"] == Game.objects.get().get_absolute_url()

    def test_by_https(self):
        client = strict(Origin="https://testserver")
        assert client.post(FIRST_GAME, secure=True)["Location"].startswith("/tables/")

    def test_where_the_site_has_another_address_too(self, settings):
        """As behind a proxy that asks by http."""
        settings.CSRF_TRUSTED_ORIGINS = ["https://intrigue.example", "https://*.example.org"]
        for origin in ("https://intrigue.example", "https://play.example.org"):
            assert strict(Origin=origin).post(FIRST_GAME).status_code == 302
        for origin in ("http://intrigue.example", "https://intrigue.example:8443"):
            assert strict(Origin=origin).post(FIRST_GAME).status_code == 403

    def test_from_the_front_page_which_sets_no_cookie(self):
        client = strict(Origin=OWN)
        front = client.get("/")
        assert not front.cookies
        assert forms_of(front.content.decode())[FIRST_GAME] == {}
        assert client.post(FIRST_GAME).status_code == 302


class TestFromElsewhere:
    @pytest.mark.parametrize("origin", ELSEWHERE)
    def test_another_origin(self, origin):
        client = strict(Origin=origin)
        assert_refused(client.post(FIRST_GAME), client)

    def test_http_where_the_site_has_https(self):
        client = strict(Origin=OWN)
        assert_refused(client.post(FIRST_GAME, secure=True), client)

    @pytest.mark.parametrize("said", ["cross-site", "same-site", "none", "", "same-origin, none"])
    def test_what_the_browser_says_besides(self, said):
        client = strict(Origin=OWN, Sec_Fetch_Site=said)
        assert client.post(FIRST_GAME).status_code == 403
        assert not User.objects.exists()

    @pytest.mark.parametrize("origin", ELSEWHERE)
    def test_a_token_makes_it_no_better(self, origin):
        client = strict(Origin=origin)
        token = token_on(client.get(FIRST_GAME).content.decode())
        assert_refused(client.post(FIRST_GAME, {"csrfmiddlewaretoken": token}), client)

    def test_somebody_signed_in(self):
        client = strict(Origin="https://evil.example")
        client.force_login(person("Anna"))
        assert_refused(client.post(FIRST_GAME, {"planted": "words"}), client)
        assert not Game.objects.exists()

    @pytest.mark.parametrize("method", ["get", "head"])
    def test_a_link_changes_nothing(self, method):
        response = getattr(strict(Origin="https://evil.example"), method)(FIRST_GAME)
        assert response.status_code == 200
        assert not User.objects.exists()

    @pytest.mark.parametrize("method", ["put", "delete", "patch"])
    def test_other_methods_are_no_way_around_it(self, method):
        for origin, status in (("https://evil.example", 403), (OWN, 405)):
            response = getattr(strict(Origin=origin), method)(FIRST_GAME)
            assert response.status_code == status


class TestAnOldBrowser:
    """It doesn't say where a form comes from."""

    def test_it_is_shown_the_page_whose_form_has_a_token(self):
        client = strict()
        page = client.post(f"{FIRST_GAME}?a=b", {"planted": "words"}, follow=True)
        assert page.redirect_chain == [(f"{FIRST_GAME}?a=b", 302)]
        assert not User.objects.exists()
        assert "planted" not in page.content.decode()
        token = token_on(page.content.decode())
        answer = client.post(FIRST_GAME, {"csrfmiddlewaretoken": token})
        assert answer["Location"].startswith("/tables/")

    @pytest.mark.parametrize("token", ["x" * 64, "x"])
    def test_a_wrong_token_is_refused(self, token):
        client = strict()
        client.get(FIRST_GAME)
        assert_refused(client.post(FIRST_GAME, {"csrfmiddlewaretoken": token}), client)

    @pytest.mark.parametrize("said", ["cross-site", "same-site"])
    def test_one_that_names_a_strange_site_needs_more_than_a_token(self, said):
        client = strict(Sec_Fetch_Site=said)
        token = token_on(client.get(FIRST_GAME).content.decode())
        assert_refused(client.post(FIRST_GAME, {"csrfmiddlewaretoken": token}), client)
        assert client.post(FIRST_GAME)["Location"] == FIRST_GAME
        assert not User.objects.exists()

    def test_by_https_the_page_before_has_to_be_ours(self):
        client = strict()
        token = token_on(client.get(FIRST_GAME, secure=True).content.decode())
        for before, status in (("https://evil.example/", 403), ("https://testserver/", 302)):
            answer = client.post(
                FIRST_GAME,
                {"csrfmiddlewaretoken": token},
                secure=True,
                headers={"Referer": before},
            )
            assert answer.status_code == status


class TestTheFootOfAPage:
    """Language and light have no page of their own."""

    CHOICES = (
        ("/language/", {"language": "de", "next": "/rules/"}, "django_language"),
        ("/theme/", {"theme": "dark", "next": "/rules/"}, "theme"),
    )

    @pytest.mark.parametrize(("address", "form", "cookie"), CHOICES)
    def test_it_needs_no_token(self, address, form, cookie):
        client = strict(Origin=OWN, Sec_Fetch_Site="same-origin")
        assert client.post(address, form)["Location"] == "/rules/"
        assert client.cookies[cookie].value in form.values()

    @pytest.mark.sample(3)
    @pytest.mark.parametrize(("address", "form", "cookie"), CHOICES)
    @pytest.mark.parametrize("origin", ELSEWHERE)
    def test_no_other_site_chooses(self, address, form, cookie, origin):
        client = strict(Origin=origin)
        assert client.post(address, form).status_code == 403
        assert cookie not in client.cookies

    @pytest.mark.parametrize(("address", "form", "cookie"), CHOICES)
    def test_an_old_browser_chooses_on_the_page_that_says_why(self, address, form, cookie):
        client = strict()
        page = client.post(address, form)
        assert page.status_code == 403
        assert "Your browser didn't say which page the form came from" in text_of(page)
        token = language_form(page.content.decode())["csrfmiddlewaretoken"].value
        assert client.post(address, form | {"csrfmiddlewaretoken": token}).status_code == 302
        assert cookie in client.cookies

    def test_strangers_get_no_token_and_people_do(self):
        for address in ("/", "/rules/", "/status/"):
            page = Client().get(address)
            assert not page.cookies
            assert "csrfmiddlewaretoken" not in page.content.decode()
        home = browser(person("Anna")).get("/").content.decode()
        assert "csrfmiddlewaretoken" in language_form(home)


class TestTheMark:
    """What has passed may be stored and sent again, and nothing else (`SubmittedForm.of`)."""

    def submitted(self, rf, **headers):
        found = []

        @same_origin
        def view(request):
            found.append(SubmittedForm.of(request))
            return HttpResponse()

        request = rf.post("/", {"reason": "typed"}, headers=headers)
        assert SubmittedForm.of(request) is None
        response = view(request)
        if not found:
            assert SubmittedForm.of(request) is None
        return response.status_code, [one.fields for one in found]

    def test_from_here(self, rf):
        assert self.submitted(rf, Origin=OWN) == (200, [[("reason", "typed")]])

    def test_from_elsewhere(self, rf):
        assert self.submitted(rf, Origin="https://evil.example") == (403, [])

    def test_from_who_knows_where(self, rf):
        assert self.submitted(rf) == (302, [])


class TestTheFrontPage:
    """Caches keep it for strangers, and for nobody else."""

    def kept(self, client, **headers):
        return client.get("/", headers=headers)["Cache-Control"]

    def test_it_is_the_same_for_all_strangers_of_one_language(self):
        pages = [Client().get("/", headers={"Accept-Language": "de"}) for _ in range(2)]
        for page in pages:
            assert page["Cache-Control"] == "public, max-age=60"
            assert {"Cookie", "Accept-Language"} <= set(page["Vary"].split(", "))
            assert not page.cookies
        one, other = (without_what_differs(page.content.decode()) for page in pages)
        assert one == other

    @pytest.mark.parametrize("method", ["get", "head"])
    def test_it_sets_no_cookie_whatever_cookies_come(self, method):
        client = Client(headers={"Cookie": f"theme=dark; csrftoken={'x' * 32}"})
        page = getattr(client, method)("/")
        assert (page["Cache-Control"], len(page.cookies)) == ("public, max-age=60", 0)

    def test_not_for_who_is_signed_in_was_or_is_a_guest(self):
        anna = browser(person("Anna"))
        assert "no-store" in self.kept(anna)
        User.objects.all().delete()
        assert "no-store" in self.kept(anna)
        guest = browser(person("Guest", is_guest=True))
        assert guest.get("/").status_code == 200
        assert "no-store" in self.kept(guest)

    def test_what_the_site_says_to_one_visitor_is_kept_by_no_cache(self):
        anna = browser(person("Anna"))
        said = anna.post("/accounts/logout/", follow=True)
        assert "signed out" in text_of(said)
        assert "public" not in said["Cache-Control"]
