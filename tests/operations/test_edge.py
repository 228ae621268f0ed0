"""The edge of the site: what bodies it takes, what caches may keep, cookies, and request ids."""

import re
from io import BytesIO

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import clear_url_caches

from games.edge import NotStored
from tests.browser.pages import ACCOUNT, ADMIN, REPORTS, SIGNED_OUT, TABLES
from tests.browser.world import World
from tests.support.client import browser, person, text_of
from tests.support.tables import finished

FORM = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="a"%s\r\n\r\n\xff\r\n--x--\r\n'


class NeverRead(BytesIO):
    def read(self, *_size):
        raise AssertionError("The body was read.")

    readline = read


def send(body, kind, *, wanted=Client, **environ):
    client = wanted(enforce_csrf_checks=True, raise_request_exception=False)
    return client.generic("POST", "/accounts/logout/", body, content_type=kind, **environ)


class TestBodies:
    @pytest.mark.parametrize(
        ("kind", "body", "status"),
        [
            (f"{FORM}; charset=utf-16", "a=b".encode("utf-16"), 415),
            (f"{FORM}; charset=utf-7", b"a=b", 415),
            (f"{FORM}; charset=nonsense", b"a=b", 415),
            ("multipart/form-data; boundary=x; charset=utf-16", PART % b"", 415),
            ("multipart/form-data", PART % b"", 400),
            ("multipart/form-data; boundary=" + "x" * 300, PART % b"", 400),
            (f"{FORM}; charset=us-ascii", b"a=b", 415),
            (FORM, b"&".join(b"a%d=b" % number for number in range(5000)), 400),
            ("multipart/form-data; boundary=x", PART % b"" * 5000, 400),
        ],
    )
    def test_one_that_cannot_be_read_is_refused_in_one_line(self, kind, body, status, caplog):
        assert send(body, kind).status_code == status
        [line] = [record for record in caplog.records if not record.name.startswith("django.test")]
        assert line.getMessage() == f"Refused a body with {status}: POST /accounts/logout/"
        assert line.exc_info is None

    @pytest.mark.parametrize(
        ("more", "status"),
        [
            ({"CONTENT_LENGTH": "500001"}, 413),
            (
                {"CONTENT_LENGTH": "100000000", "CONTENT_TYPE": "multipart/form-data; boundary=x"},
                413,
            ),
            ({"CONTENT_TYPE": f"{FORM}; charset=utf-16"}, 415),
            ({"HTTP_TRANSFER_ENCODING": "chunked"}, 411),
        ],
    )
    def test_one_that_is_too_long_or_foreign_is_not_even_read(self, more, status):
        assert send(b"a=b", FORM, **{"wsgi.input": NeverRead(), **more}).status_code == status

    def test_the_refusal_says_what_is_allowed(self):
        text = send(b"a=b", FORM, CONTENT_LENGTH="500001")
        assert text.content.decode() == "That's too long. You can send at most 500 kB at once."
        assert text["Content-Type"] == "text/plain; charset=utf-8"
        assert text["X-Content-Type-Options"] == "nosniff"

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            (FORM, b"a=%FF%FE&b=\xff\xfe&c=%00"),
            (f"{FORM}; charset=UTF-8", "a=Ж".encode()),
            ("multipart/form-data; boundary=x", PART % b"; filename*=utf-99''a"),
            ("multipart/form-data; boundary=x", PART % b'; filename="a.txt"'),
            (FORM, b"a=" + b"b" * 499_998),
            ("text/plain", b"a=b"),
        ],
    )
    def test_one_that_is_only_odd_gets_the_page(self, kind, body):
        # Without the token of a form: the page that offers to send it again.
        assert send(body, kind).status_code == 403

    @pytest.mark.django_db
    def test_no_file_is_written_to_disk(self, settings):
        settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 0
        settings.FILE_UPLOAD_TEMP_DIR = "/nowhere"
        body = PART % b'; filename="a.txt"'
        assert send(body, "multipart/form-data; boundary=x").status_code == 403


@pytest.fixture
def world(db, settings, tmp_path):
    settings.DEMO = True
    settings.VAR_DIR = tmp_path
    backend = "django.core.mail.backends.filebased.EmailBackend"
    options = {"file_path": str(tmp_path / "mail")}
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
    settings.ROOT_URLCONF = "tests.browser.urls"
    clear_url_caches()
    yield World()
    clear_url_caches()


def answers(kinds, world):
    """Each kind of page as somebody comes to it, with who came."""
    for kind in kinds:
        client = kind.client(world)
        before = Session.objects.count()
        response = client.get(kind.address(world))
        made = Session.objects.count() - before
        yield kind, client, response, made


FOR_EVERYBODY = (
    "/crests/{crest}.svg",
    "/tables/{game}/picture.png",
    "/card.png",
    "/favicon.ico",
    "/manifest.webmanifest",
    "/.well-known/security.txt",
)


@pytest.mark.full
class TestCaches:
    @pytest.mark.parametrize("kinds", [ACCOUNT, TABLES, REPORTS, ADMIN, SIGNED_OUT])
    def test_what_is_somebodys_own_is_kept_by_no_cache_not_even_the_browsers(self, kinds, world):
        kept = {
            kind.name
            for kind, client, response, _made in answers(kinds, world)
            if "sessionid" in client.cookies or kind.address(world).startswith("/accounts/")
            if not {"no-store", "private"} <= set(response["Cache-Control"].split(", "))
        }
        assert kept == set()

    @pytest.mark.django_db
    def test_pages_for_everybody_may_be_kept_by_browsers(self):
        client = Client()
        assert client.get("/rules/")["Cache-Control"] == "private"
        assert "public" in client.get("/favicon.ico")["Cache-Control"]

    @pytest.mark.django_db
    def test_what_is_for_everybody_comes_without_a_cookie(self):
        """Also to somebody's first request of the day, which prolongs their session."""
        game, rosa = finished(), person("Rosa")
        for address in FOR_EVERYBODY:
            response = browser(rosa).get(address.format(crest=rosa.shown_crest, game=game.token))
            assert "public" in response["Cache-Control"], address
            assert response.cookies == {}, address
        own = browser(rosa).get("/tables/")
        assert own.cookies.keys() >= {"sessionid", "device"}

    @pytest.mark.django_db
    def test_no_cache_gives_one_visitors_language_to_the_others(self):
        for address in ("/card.png", "/rules/"):
            german = Client(headers={"Cookie": "django_language=de"}).get(address)
            shared = "public" in german["Cache-Control"]
            assert not shared or "Cookie" in german["Vary"], address

    @pytest.mark.django_db
    def test_a_response_with_a_cookie_is_nobody_elses(self, rf):
        def view(_request):
            response = HttpResponse(headers={"Cache-Control": "public, max-age=60"})
            response.set_cookie("a", "b")
            return response

        assert NotStored(view)(rf.get("/"))["Cache-Control"] == "private"

    def test_what_is_given_for_credentials_in_a_header_is_kept_by_no_cache(self, rf):
        asked = rf.get("/", headers={"Authorization": "Bearer a-token"})
        given = NotStored(lambda _request: HttpResponse())(asked)["Cache-Control"]
        assert set(given.split(", ")) == {"no-store", "private"}

    def test_a_visitor_who_only_reads_leaves_no_session(self, world):
        strangers = [kind for kind in SIGNED_OUT if kind.client is World.nobody]
        assert {kind.name: made for kind, *_more, made in answers(strangers, world) if made} == {}


def go_https(settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    for name in ("SESSION", "CSRF", "LANGUAGE", "DEVICE"):
        old = getattr(settings, f"{name}_COOKIE_NAME")
        setattr(settings, f"{name}_COOKIE_NAME", f"__Host-{old}")


class TestCookies:
    @pytest.mark.django_db
    def test_over_https_no_other_host_can_set_them(self, settings):
        go_https(settings)
        rosa = person("Rosa")
        client = Client()
        client.force_login(rosa)
        client.get("/accounts/profile/", secure=True)
        client.post("/language/", {"language": "de"}, secure=True)
        assert client.cookies.keys() == {
            "__Host-sessionid", "__Host-csrftoken", "__Host-django_language", "__Host-device",
        }  # fmt: skip
        for cookie in client.cookies.values():
            assert (cookie["path"], cookie["domain"]) == ("/", ""), cookie.key
        assert all(client.cookies[f"__Host-{name}"]["secure"] for name in ("csrftoken", "device"))

    @pytest.mark.django_db
    def test_a_cookie_without_the_prefix_counts_for_nothing(self, settings):
        go_https(settings)
        rosa, eve = person("Rosa"), person("Eve")
        client = Client()
        client.force_login(rosa)
        client.cookies["sessionid"] = browser(eve).cookies["__Host-sessionid"].value
        page = client.get("/accounts/profile/", secure=True)
        assert "Rosa" in text_of(page)
        assert "Eve" not in text_of(page)


class TestRequestIds:
    @pytest.mark.django_db
    def test_each_response_has_one_of_its_own(self, client):
        ids = [client.get("/status/")["X-Request-ID"] for _ in range(2)]
        assert all(re.fullmatch(r"[0-9a-f]{32}", given) for given in ids)
        assert ids[0] != ids[1]

    @pytest.mark.parametrize(
        ("proxies", "given", "kept"),
        [
            (1, "9f3c-0001.a_b", True),
            (0, "9f3c-0001.a_b", False),
            (1, "short", False),
            (1, "a" * 65, False),
            (1, "with blanks and more", False),
        ],
    )
    def test_a_proxy_of_ours_may_give_it(self, client, settings, proxies, given, kept):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
        response = client.get("/favicon.ico", headers={"X-Request-ID": given})
        assert (response["X-Request-ID"] == given) is kept


def test_search_engines_learn_what_not_to_fetch(client):
    response = client.get("/robots.txt")
    lines = b"".join(response).decode().splitlines()
    assert response.status_code == 200
    assert {"User-agent: *", "Disallow: /accounts/", "Disallow: /people/"} <= set(lines)
    assert "Disallow: /" not in lines
