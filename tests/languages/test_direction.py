"""Names keep their own direction and are never translated, in pages and in email."""

import re
from html.parser import HTMLParser

import pytest

from games.models import OutboxMail
from games.presentation.text.direction import isolated
from games.services.email import delivery
from games.services.people.display_names import isolated_names, seat_name
from tests.support.client import browser
from tests.support.promising import bribing_table, in_order, offers, place_for, replies, sitter
from tests.support.sent_emails import bodies
from tests.support.tables import MONDAY

pytestmark = pytest.mark.django_db

LEFTWARDS = ["משה כהן", "دانة", "אבי"]
TABLE = "שולחן"


class Texts(HTMLParser):
    """The texts of a page, and whether each is isolated and left untranslated."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inside = 0
        self.hidden = 0
        self.texts: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.inside += tag == "bdi" and ("translate", "no") in attrs
        self.hidden += tag in {"title", "option", "script", "style", "textarea"}

    def handle_endtag(self, tag):
        self.inside -= tag == "bdi"
        self.hidden -= tag in {"title", "option", "script", "style", "textarea"}

    def handle_data(self, data):
        if not self.hidden:
            self.texts.append((data, bool(self.inside)))


def bare(html: str, names: list[str]) -> list[str]:
    """Texts with one of these names in which it isn't isolated."""
    found = Texts(html).texts
    return [text for text, isolates in found if not isolates and any(one in text for one in names)]


@pytest.fixture
def game():
    game = bribing_table(press="private", name=TABLE)
    for seat, name in zip(
        game.seats.select_related("user").order_by("number"), LEFTWARDS, strict=True
    ):
        seat.user.name = name
        seat.user.save()
    return game


def test_every_page_of_a_table(game):
    other, owner, _third = in_order(game)
    made = offers(game, owner, place_for(game))
    replies(game, other, made)
    client = browser(sitter(game, other))
    for page in ("", "offers/", "ledger/", "history/", "history/5/", "private/", "talk/", "board/"):
        html = client.get(f"{game.get_absolute_url()}{page}").content.decode()
        body = re.sub(r"(?s)<head>.*?</head>", "", html)
        assert any(name in body for name in LEFTWARDS)
        assert bare(body, [*LEFTWARDS, TABLE]) == [], page


def test_email_in_both_of_its_bodies(game, smtp):
    other, owner, _third = in_order(game)
    OutboxMail.objects.all().delete()
    offers(game, owner, place_for(game))
    delivery.drain(now=MONDAY.replace(hour=MONDAY.hour + 1))
    [mail] = [one for one in smtp.messages if one["To"] == sitter(game, other).email]
    text, html = bodies(mail)
    body = re.sub(r'(?s)<head>.*?</head>|<div class="preheader".*?</div>', "", html)
    assert bare(body, [*LEFTWARDS, TABLE]) == []
    for name in (TABLE, sitter(game, other).name, sitter(game, owner).name):
        assert name in text
        alone = re.sub(f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}", "", text)
        assert name not in alone


def test_only_names_that_need_them_have_signs_around_them(game):
    assert isolated("Anna") == "Anna"
    assert isolated("דנה") == "\u2068דנה\u2069"
    seat = game.seats.select_related("user").get(number=0)
    assert seat_name(seat) == LEFTWARDS[0]
    with isolated_names():
        assert seat_name(seat) == f"\u2068{LEFTWARDS[0]}\u2069"
