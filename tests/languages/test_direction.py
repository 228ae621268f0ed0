"""Names keep their own direction and are never translated, in pages and in email."""

import re
from datetime import timedelta
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.markup.names import named, with_names
from games.models import Acquaintance, Game, Invitation, OutboxEmail, User
from games.presentation.text.direction import ComputerName, StandIn, isolated
from games.presentation.text.words import listed_names
from games.services.chat import messages
from games.services.email import delivery
from games.services.lobby import invitations
from games.services.people.display_names import isolated_names, seat_name
from tests.support.client import as_shown, browser, forms_of, person
from tests.support.promising import (
    bribing_table,
    in_order,
    offers,
    place_for,
    replies,
    sitter,
)
from tests.support.sent_emails import bodies
from tests.support.tables import MONDAY, open_table, submit_move
from tests.support.whispering import offers_privately, thread_of, whisper

pytestmark = pytest.mark.django_db

LEFTWARDS = ["משה כהן", "دانة", "אבי"]
RIGHTWARDS = ["Karl Wolf", "Rose Bush", "Uma Thorn"]
TABLES = {"leftwards": "שולחן", "rightwards": "Golden Lion"}
HIDDEN = {"title", "option", "script", "style", "textarea"}


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
        self.hidden += tag in HIDDEN

    def handle_endtag(self, tag):
        self.inside -= tag == "bdi"
        self.hidden -= tag in HIDDEN

    def handle_data(self, data):
        if not self.hidden:
            self.texts.append((data, bool(self.inside)))


def bare(html: str, names: list[str]) -> list[str]:
    """Texts with one of these names in which it isn't isolated."""
    found = Texts(html).texts
    return [text for text, isolates in found if not isolates and any(one in text for one in names)]


def body_of(answered) -> str:
    return re.sub(r"(?s)<head>.*?</head>", "", answered.content.decode())


@pytest.fixture(params=[LEFTWARDS, RIGHTWARDS], ids=TABLES)
def names(request):
    return request.param


@pytest.fixture
def game(names):
    table = TABLES["leftwards" if names is LEFTWARDS else "rightwards"]
    game = bribing_table(press="private", name=table)
    for seat, name in zip(game.seats.select_related("user").order_by("number"), names, strict=True):
        seat.user.name = name
        seat.user.save()
    return Game.objects.get(pk=game.pk)


def say(game: Game, seat: int) -> None:
    messages.say(game_id=game.pk, user=sitter(game, seat), text="Hm", token=uuid4(), now=MONDAY)


def test_every_page_of_a_table(game, names):
    other, owner, third = in_order(game)
    made = offers(game, owner, place_for(game))
    offers(game, owner, place_for(game), now=MONDAY + timedelta(minutes=1))
    replies(game, other, made)
    say(game, owner)
    whisper(game, owner, other)
    offers_privately(game, owner, place_for(game, 3000))
    thread = thread_of(game, owner, other)
    pair = User.objects.filter(name__in=names)[:2]
    at = {"declared_at": MONDAY, "confirmed_at": MONDAY}
    Acquaintance.objects.create(person=pair[0], other=pair[1], **at)
    url = game.get_absolute_url()
    browser(sitter(game, third)).post(f"{url}votes/", {"kind": "pause", "days": "3"})
    pages = [
        f"{url}{page}"
        for page in (
            "", "offers/", "promises/", "history/", "history/5/", "?talk=new", "board/",
            "deadlines/", "orders/", f"?talk={thread.token}",
            f"offers/?among={thread.token}", )
    ]  # fmt: skip
    for seat in (other, owner):
        client = browser(sitter(game, seat))
        for page in (*pages, "/", "/people/", f"/people/{sitter(game, third).pk}/"):
            body = body_of(client.get(page))
            assert any(name in body for name in names), page
            assert bare(body, [*names, game.name]) == [], page


def test_a_move_that_is_reviewed_and_what_is_said_of_it_then(game, names):
    other, _owner, _third = in_order(game)
    client, page = browser(sitter(game, other)), game.get_absolute_url()
    typed = as_shown(forms_of(client.get(page).content.decode())[f"{page}review/"])
    review = body_of(client.post(f"{page}review/", typed))
    assert "<h1>Review</h1>" in review
    assert bare(review, [*names, game.name]) == []
    moved = client.post(f"{page}move/", {**typed, "reviewed": "yes"}, follow=True)
    assert "Your move is in" in moved.content.decode()
    assert bare(body_of(moved), [*names, game.name]) == []


def test_email_in_both_of_its_bodies(game, names, smtp):
    other, owner, _third = in_order(game)
    OutboxEmail.objects.all().delete()
    offers(game, owner, place_for(game))
    delivery.drain(now=MONDAY.replace(hour=MONDAY.hour + 1))
    [mail] = [one for one in smtp.messages if one["To"] == sitter(game, other).email]
    text, html = bodies(mail)
    body = re.sub(r'(?s)<head>.*?</head>|<div class="preheader".*?</div>', "", html)
    assert bare(body, [*names, game.name]) == []
    assert "<bdi" not in text
    for name in (game.name, sitter(game, other).name, sitter(game, owner).name):
        assert name in text
        alone = re.sub(f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}", "", text)
        assert (name not in alone) is (names is LEFTWARDS)


def test_pages_of_a_table_that_waits_and_of_lists(names):
    table = TABLES["leftwards" if names is LEFTWARDS else "rightwards"]
    waits = open_table(*names[:2], size=3, name=table, listed=True, now=timezone.now())
    host, other = (seat.user for seat in waits.seats.select_related("user").order_by("pk"))
    now = timezone.now()
    Acquaintance.objects.create(person=host, other=other, declared_at=now, confirmed_at=now)
    say_first = {"game_id": waits.pk, "user": host, "text": "Hm", "token": uuid4()}
    messages.say(now=timezone.now(), **say_first)
    guest = person("Visitor")
    asked = {"email": guest.email, "invited_by": host, "created_at": now}
    sees = Invitation.objects.create(game=waits, **asked)
    waits_at, link = waits.get_absolute_url(), sees.get_absolute_url()
    pages = [(guest, "/tables/"), (guest, link), (guest, waits_at), (host, waits_at), (host, "/")]
    seen = [(user, browser(user).get(page)) for user, page in pages]
    seen.append((None, Client().get(link)))
    leaving = {"seat": waits.seats.get(user=other).pk}
    seen.append((host, browser(host).post(f"{waits_at}remove/", leaving)))
    for user, answered in seen:
        assert answered.status_code == 200, user
        assert any(name in body_of(answered) for name in names)
        assert bare(body_of(answered), [*names, table]) == [], user


def test_finished_games(names):
    game = open_table(*names, name="Burano", listed=True, options={"rounds": 1}, now=MONDAY)
    while game.status == "running":
        for seat in game.seats.filter(deadline_at__isnull=False).select_related("user"):
            submit_move(game, seat.user, MONDAY)
        game.refresh_from_db()
    visitor = browser(person("Visitor"))
    url = game.get_absolute_url()
    for page in ("/tables/finished/", url, f"{url}charts/", f"{url}history/"):
        body = body_of(visitor.get(page))
        assert any(name in body for name in names), page
        assert bare(body, names) == [], page


def test_our_own_words_in_place_of_a_name_may_be_translated():
    assert named(StandIn("Someone")) == "Someone"
    assert named(ComputerName("Captain Rocco")) == "Captain Rocco"
    assert named(listed_names(["Anna", StandIn("Nobody")])) == (
        '<bdi translate="no">Anna</bdi> and Nobody'
    )
    assert with_names("Captain Rocco pays Anna.", ["Anna", ComputerName("Captain Rocco")]) == (
        'Captain Rocco pays <bdi translate="no">Anna</bdi>.'
    )
    assert with_names("Anna Maria & Anna's <b>", ["Anna", "Anna Maria"]) == (
        '<bdi translate="no">Anna Maria</bdi> &amp; <bdi translate="no">Anna</bdi>&#39;s &lt;b&gt;'
    )


def test_who_invites_without_a_name_is_no_name(smtp):
    game = open_table("Anna", size=3, now=timezone.now())
    host = game.host
    invitations.invite(
        game_id=game.pk, user=host, addresses=["flora@example.org"], now=timezone.now()
    )
    Invitation.objects.update(invited_by=None)
    delivery.drain(now=timezone.now() + timedelta(minutes=5))
    [mail] = [one for one in smtp.messages if one["To"] == "flora@example.org"]
    _text, html = bodies(mail)
    assert "Someone has invited you" in html
    assert '<bdi translate="no">Anna</bdi>' in html


def test_only_names_that_need_them_have_signs_around_them():
    game = open_table(*LEFTWARDS)
    assert isolated("Anna") == "Anna"
    assert isolated("דנה") == "\u2068דנה\u2069"
    seat = game.seats.select_related("user").get(number=0)
    assert seat_name(seat) in LEFTWARDS
    with isolated_names():
        assert seat_name(seat) == f"\u2068{seat.user.name}\u2069"
