"""Addresses name rows by ids that look random: numbers would give away what others do in secret."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.urls import resolve, reverse
from django.utils import timezone

from games.engine.ledger import Status
from games.engine.order_codec import encode_order
from games.engine.orders import HighestBribes
from games.models import (
    AuditLine,
    DaysOff,
    Message,
    Order,
    OutboxEmail,
    PrivateMessage,
    Vote,
)
from games.services import audit
from games.services.chat import messages
from games.services.chat.queries import among, id_of
from games.services.game import seats, votes
from games.services.game.queries.promises import offers_in
from games.services.public_ids import number_of, public_id
from tests.browser import pages
from tests.browser.world import World
from tests.support import row_numbers
from tests.support.client import browser, person, text_of
from tests.support.every_email import MAKE, arrived
from tests.support.moderators import moderator
from tests.support.promising import (
    bribing_table,
    entry_of,
    in_order,
    offers,
    place_for,
    sitter,
)
from tests.support.sent_emails import bodies
from tests.support.tables import MONDAY
from tests.support.whispering import (
    offers_privately,
    page_of,
    replies_privately,
    thread_of,
    whisper,
)

pytestmark = pytest.mark.django_db

FOR_MODERATORS = {"appeal", "game_parked", "question", "report"}
"""Emails that may name a row by its number."""

PLACES = ("", "?talk=new", "orders/", "offers/", "promises/")
NUMBERED = re.compile(
    r'/(?:orders|offers|talk|private/[^/"]+|outboxemail|auditline|reports)/\d+/|"message-\d+"|before=\d+(?![\w-])'
)


@pytest.fixture
def game():
    return bribing_table(press="private")


def ordered(game, seat):
    row = {"seat": game.seats.get(number=seat), "kind": Order.Kind.DECISION, "made_at": MONDAY}
    table = game.decoded().table
    return Order.objects.create(formula=encode_order(table, HighestBribes()), **row)


def said(game, seat, text="Good luck!"):
    return messages.say(
        game_id=game.pk, user=sitter(game, seat), text=text, token=uuid4(), now=MONDAY
    )


@pytest.mark.full
def test_no_address_holds_the_number_of_an_order_an_offer_or_a_message(game):
    first, owner, _third = in_order(game)
    thread = thread_of(game, first, owner)
    for _ in range(60):
        Message.objects.create(
            game=game, author=sitter(game, first), text="Hm.", token=uuid4(), at=MONDAY
        )
    whisper(game, owner, first)
    offers(game, owner, place_for(game))
    offers_privately(game, owner, place_for(game, 10000))
    ordered(game, owner)
    read = []
    for seat in (first, owner):
        client = browser(sitter(game, seat))
        places = (*PLACES, f"?talk={thread.token}")
        pages = [client.get(f"{game.get_absolute_url()}{place}") for place in places]
        read += [page.content.decode() for page in pages]
    shown = "".join(read)
    for what in ("/report/", "/accept/", "/withdraw/", "orders/", 'id="message-', "?before="):
        assert what in shown, what
    assert NUMBERED.findall(shown) == []


@pytest.mark.full
def test_old_addresses_still_lead_there(game):
    first, owner, _third = in_order(game)
    message = said(game, owner)
    client, table = browser(sitter(game, first)), game.get_absolute_url()
    for name in (message.pk, id_of(message)):
        assert "Good luck!" in text_of(client.get(f"{table}talk/{name}/report/"))
    private = whisper(game, owner, first)
    for name in (private.number, id_of(private)):
        place = f"{table}private/{private.thread.token}/{name}/report/"
        assert "Psst!" in text_of(client.get(place))
    order = ordered(game, first)
    client.post(f"{table}orders/{order.pk}/withdraw/")
    assert not Order.objects.exists()
    made_at = offers(game, owner, place_for(game))
    client.post(f"{table}offers/{made_at}/accept/")
    assert entry_of(game, made_at).status is Status.ACCEPTED


def test_an_order_is_withdrawn_by_its_own_player_alone(game):
    first, owner, _third = in_order(game)
    order = ordered(game, owner)
    place = f"{game.get_absolute_url()}orders/{public_id('order', order.pk)}/withdraw/"
    browser(sitter(game, first)).post(place)
    assert Order.objects.exists()
    assert browser(sitter(game, owner)).post(f"{place[:-10]}x/withdraw/").status_code == 404
    browser(sitter(game, owner)).post(place)
    assert not Order.objects.exists()


@pytest.mark.full
def test_a_substitute_does_not_learn_how_much_was_written_before(game):
    first, owner, _third = in_order(game)
    for _ in range(3):
        whisper(game, first, owner)
    made = offers_privately(game, owner, place_for(game))
    seats.step_aside(game_id=game.pk, user=sitter(game, owner), now=MONDAY)
    nils = person("Nils")
    seats.take_over(game_id=game.pk, user=nils, number=owner, now=MONDAY)
    game.refresh_from_db()
    replies_privately(game, first, made, now=MONDAY + timedelta(hours=1))
    reply = PrivateMessage.objects.latest("pk")
    assert reply.number == 5
    client, place = browser(nils), f"{game.get_absolute_url()}private/{made.thread.token}/"
    page = client.get(page_of(made.thread)).content.decode()
    assert f'id="message-{id_of(reply)}"' in page
    assert NUMBERED.findall(page) == []
    assert client.get(f"{place}{id_of(reply)}/report/").status_code == 302  # it has no words
    for number in range(1, 7):
        assert client.get(f"{place}{number}/report/").status_code == 404
        assert client.get(f"{place}{number}/edit/").status_code == 404
        older = client.get(f"{page_of(made.thread)}&before={number}").content.decode()
        assert id_of(reply) in older


@pytest.mark.full
def test_moderators_see_no_gaps_between_emails_and_audit_lines():
    game = bribing_table(press="private")
    for number in range(60):
        audit.write("game.pause", now=MONDAY + timedelta(minutes=number), who="1", game=game)
    for number in range(60):
        OutboxEmail.objects.create(
            kind="offer", game=game, person=game.host, about=number, not_before=MONDAY,
            created_at=MONDAY,
        )  # fmt: skip
    nora = browser(moderator("Nora"))
    for model in (OutboxEmail, AuditLine):
        name = model._meta.model_name
        found, address = [], f"/admin/games/{name}/"
        while address:
            page = nora.get(address).content.decode()
            assert NUMBERED.findall(page) == []
            keys = re.findall(rf"/admin/games/{name}/([\w-]+)/change/", page)
            found += [number_of(name, key) for key in dict.fromkeys(keys)]
            older = re.search(r'<p class="paginator"><a href="([^"]+)"', page)
            address = f"/admin/games/{name}/{unescape(older[1])}" if older else ""
        assert found == sorted(model.objects.values_list("pk", flat=True), reverse=True)
        row = model.objects.first()
        assert nora.get(f"/admin/games/{name}/{public_id(name, row.pk)}/change/").status_code == 200
        assert nora.get(f"/admin/games/{name}/{row.pk}/change/").status_code == 302


def as_linked(path):
    """The address as the links of the site have it."""
    place, mark, query = path.partition("?")
    found = resolve(place)
    names = dict(found.kwargs)
    if found.url_name == "appeal":
        names["report"] = public_id("report", int(names["report"]))
    return f"{reverse(found.view_name, kwargs=names)}{mark}{query}"


class TestNumbersOfRows:
    """Nowhere do people see how many people, games, votes, reports … there have been."""

    @pytest.fixture
    def world(self, settings, tmp_path):
        settings.VAR_DIR = tmp_path
        backend = "django.core.mail.backends.filebased.EmailBackend"
        options = {"file_path": str(tmp_path / "mail")}
        settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
        row_numbers.count_from_afar()
        return World()

    @pytest.mark.full
    @pytest.mark.parametrize("group", ["account", "tables", "reports"])
    def test_on_no_page(self, world, group):
        found = []
        for kind in pages.GROUPS[group]:
            if kind.route.startswith(("demo:", "gallery:")):
                continue
            client = kind.client(world)
            page = client.get(as_linked(kind.address(world)), follow=True)
            assert page.status_code == (200 if kind.then else kind.status), kind.name
            known = row_numbers.numbered()
            numbers = row_numbers.numbers_in(page.content.decode()) & known.keys()
            found += [(kind.name, known[number]) for number in numbers]
        assert found == []

    @pytest.mark.long(every=3)
    @pytest.mark.full
    @pytest.mark.parametrize("kind", [kind for kind in MAKE if kind not in FOR_MODERATORS])
    def test_in_no_email(self, kind, smtp, settings):
        settings.MAIL_REPLIES_DOMAIN = "reply.example.org"
        row_numbers.count_from_afar()
        _game, email = arrived(kind, smtp)
        known = row_numbers.numbered()
        told = "\n".join([*map(str, email.values()), *bodies(email)])
        numbers = row_numbers.numbers_in(told) & known.keys()
        assert {known[number] for number in numbers} == set()

    @pytest.mark.full
    def test_old_addresses_of_people_votes_and_days_off_lead_there(self, game):
        first, owner, _third = in_order(game)
        one, other = sitter(game, first), sitter(game, owner)
        client, table = browser(one), game.get_absolute_url()
        for key in (other.pk, public_id("person", other.pk)):
            assert other.name in text_of(client.get(f"/people/{key}/"))
        proposal = votes.Proposal(Vote.Kind.PAUSE, 3)
        vote = votes.call_vote(game_id=game.pk, user=other, proposal=proposal, now=MONDAY)
        for key, say in ((vote.pk, "no"), (public_id("vote", vote.pk), "yes")):
            client.post(f"{table}votes/{key}/", {"say": say})
            assert vote.ballots.get(user=one).yes is (say == "yes")
        for day, kind in ((20, "number"), (30, "id")):
            later = (timezone.now() + timedelta(days=day)).date()
            span = {"first_day": later, "last_day": later, "now": MONDAY}
            seats.announce_days_off(game_id=game.pk, user=other, **span)
            [off] = DaysOff.objects.all()
            key = off.pk if kind == "number" else public_id("days off", off.pk)
            browser(other).post(f"{table}days-off/{key}/withdraw/")
            assert not DaysOff.objects.exists()

    def test_nobody_else_has_an_address(self, game):
        client = browser(sitter(game, 0))
        for key in ("x", "-1", public_id("vote", sitter(game, 1).pk), "9" * 40):
            assert client.get(f"/people/{key}/").status_code == 404


class TestIds:
    def test_an_id_is_a_number_of_its_kind_only(self):
        thread = among("abc")
        for number in (0, 1, 2, 10**17):
            one = public_id("order", number)
            assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one)
            assert number_of("order", one) == number
            assert number_of("order", one.upper()) == number
            assert number_of("message", one) is None
            assert number_of(offers_in(""), one) is None
            assert number_of(thread, one) is None
        assert len({public_id("order", number)[:8] for number in range(500)}) == 500

    @pytest.mark.parametrize(
        "text", ["", "x", "-1", "1.5", "٣", "9" * 40, "6f1c9e04-2b7d-4f5a-9c3e-8d0b1a2f3e4d"]
    )
    def test_what_is_none(self, text):
        assert number_of("order", text) is None

    def test_numbers_are_taken_only_where_they_once_stood(self):
        assert number_of("order", "12") == 12
        assert number_of("order", "12", old=False) is None

    def test_ids_outlive_a_change_of_the_secret_key(self, settings):
        one = public_id("order", 7)
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
        assert number_of("order", one) == 7
        assert public_id("order", 7) != one
        settings.SECRET_KEY_FALLBACKS = []
        assert number_of("order", one) is None
