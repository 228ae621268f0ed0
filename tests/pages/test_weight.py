"""What a page weighs on its way to a phone: measured at the real web server, as it is hosted."""

import gzip
import re
from html.parser import HTMLParser
from http.client import HTTPConnection

import pytest
from django.utils import timezone

from tests.support.client import browser
from tests.support.hosted import SITE
from tests.support.patience import PATIENCE_SECONDS
from tests.support.tables import long_game, seat_of

pytestmark = pytest.mark.full

MOST_AT_FIRST = 56 * 1024
MOST_LATER = 15 * 1024
MOST_OF_THE_FRONT_PAGE = 75 * 1024
LOADED = {"link": "href", "script": "src", "img": "src", "use": "href", "iframe": "src"}
NOT_LOADED = {"alternate", "canonical", "next", "prev"}


class Loaded(HTMLParser):
    """What a browser loads with a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        address = given.get(LOADED.get(tag, ""), "").partition("#")[0]
        if address and given.get("rel") not in NOT_LOADED:
            self.addresses.add(address)


@pytest.fixture
def site(web_ports):
    """The port of the web server as it is hosted, behind a proxy that compresses nothing."""
    return web_ports[0]


def load(port, address, session=""):
    """A response's headers, its body as it is, and what both weigh on the wire."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    headers = {
        "Host": SITE,
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "203.0.113.7",
        "Accept-Encoding": "gzip",
    }
    if session:
        headers["Cookie"] = f"__Host-sessionid={session}"
    connection.request("GET", address, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert response.status == 200, (address, response.status)
    return response.headers, body, len(body) + len(str(response.headers))


def unzipped(headers, body):

    return (gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body).decode()


def weigh_files(site, html, session=""):
    """What all that a page loads weighs, by its address; also what its styles load."""
    waiting, files = Loaded(html).addresses, {}
    while waiting:
        address = waiting.pop()
        own = re.match(r"/(static/|crests/|characters/|manifest)", address)
        assert own, f"{address} is not from here"
        headers, body, files[address] = load(site, address, session)
        kept = {"manifest": "max-age=3600", "characters/": "max-age=604800"}.get(
            own[1], "immutable"
        )
        assert kept in headers["Cache-Control"], f"{address} would be loaded each time"
        if address.endswith(".css"):
            # The addresses of collected files are written from the root or from the style's folder.
            found = re.findall(r"url\(\"?(/[^)\"#]+)", unzipped(headers, body))
            waiting |= set(found) - set(files)
    return files


@pytest.mark.django_db(transaction=True)
def test_a_page_of_a_long_game_is_light_and_nothing_comes_from_elsewhere(site):
    game = long_game("Anna", "Boris", now=timezone.now())
    anna = seat_of(game, "Anna").user
    session = browser(anna).cookies["sessionid"].value

    headers, body, page = load(site, game.get_absolute_url(), session)
    assert headers["Content-Encoding"] == "gzip"
    html = unzipped(headers, body)
    assert "Submit" in html
    files = weigh_files(site, html, session)
    assert len(files) > 1
    weights = {"the page": page, **files}
    assert sum(weights.values()) <= MOST_AT_FIRST, weights
    assert page <= MOST_LATER, weights


@pytest.mark.django_db(transaction=True)
def test_the_front_page_is_light(site):
    headers, body, page = load(site, "/")
    files = weigh_files(site, unzipped(headers, body))
    assert {"scene.js", "moves.js"} <= {
        re.sub(r"\.\w+(?=\.js)", "", one).split("/")[-1] for one in files
    }
    weights = {"the page": page, **files}
    assert sum(weights.values()) <= MOST_OF_THE_FRONT_PAGE, weights
    assert page <= MOST_LATER, weights
