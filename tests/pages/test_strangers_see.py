"""What strangers see of games that differ only in what is not for them: the same, at every address.

The twins are one game, read before and after a secret was added, with the clock standing still.
"""

from uuid import uuid4

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from games.engine import Bribe
from games.models import DaysOff, Draft, Game, Order, Reason, User
from games.presentation.text.cities import TABLES
from games.services.accounts.account import choose_named
from games.services.chat import messages
from games.services.game.notes import keep_notes
from games.services.moderation.actions import timing
from tests.lobby.test_strangers import LISTS, PAGES, PICTURE, play_to_the_end, watched
from tests.support.client import person, text_of, without_what_differs
from tests.support.guests import arrive
from tests.support.moderators import request_of_nora
from tests.support.promising import place_for, rivals_table, sitter
from tests.support.tables import DAY, MONDAY, seat_of, seats_to_move, submit_move
from tests.support.whispering import offers_privately, whisper

pytestmark = pytest.mark.django_db

OVER = ("charts/", "record/")
ANEW = {"X-Request-ID", "Content-Security-Policy"}
"""Headers that are made anew for each response."""


def read_all(game: Game, client: Client, pages: tuple[str, ...] = ()) -> dict[str, object]:
    """All that a stranger gets at each address: status, headers, body."""
    steps = tuple(f"history/{seq}/" for seq in game.events.values_list("seq", flat=True)[:60:7])
    table = game.get_absolute_url()
    found: dict[str, object] = {}
    for address in (*(f"{table}{page}" for page in (*PAGES, *steps, *pages, PICTURE)), *LISTS):
        for method in ("GET", "HEAD"):
            response = client.generic(method, address)
            body = response.content
            if response["Content-Type"].startswith("text/html"):
                body = without_what_differs(body.decode())
            headers = {name: value for name, value in response.headers.items() if name not in ANEW}
            found[f"{method} {address}"] = (response.status_code, headers, body)
    return found


def talk(game: Game) -> None:
    messages.say(
        game_id=game.pk, user=sitter(game, 0), text="A secret word", token=uuid4(), now=MONDAY
    )
    whisper(game, 0, 1, text="Another secret word")


def offer_in_private(game: Game) -> None:
    owner = game.decoded().active
    offers_privately(game, owner, place_for(game), text="For you alone")


def prepare(game: Game) -> None:
    for seat in game.seats.select_related("user"):
        Order.objects.create(seat=seat, kind=Order.Kind.SENDING, formula={}, made_at=MONDAY)
        keep_notes(game=game, user=seat.user, text="A secret plan", now=MONDAY)
        typed = {"about": Draft.About.MOVE, "fields": {}, "at": MONDAY}
        Draft.objects.create(game=game, user=seat.user, **typed)


def be_called_otherwise(game: Game) -> None:
    for name, now in (("Boris", "Zacharias"), ("Clara", "Yvonne")):
        User.objects.filter(name=name).update(name=now, crest="another")
    Game.objects.update(name="The table of Zacharias", description="Yvonne will win")


def be_away(game: Game) -> None:
    seat = game.seats.get(number=1)
    DaysOff.objects.create(
        seat=seat, first_day=MONDAY.date(), last_day=(MONDAY + DAY).date(), announced_at=MONDAY
    )
    User.objects.filter(pk=seat.user_id).update(
        refused_email=seat.user.email, refused_email_why="Full", email=seat.user.email
    )


SECRETS = [talk, offer_in_private, prepare, be_called_otherwise, be_away]


@pytest.fixture
def still():
    with time_machine.travel(MONDAY, tick=False):
        yield


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("by_guest", [False, True], ids=["stranger", "guest"])
@pytest.mark.parametrize("secret", SECRETS, ids=lambda one: one.__name__)
def test_a_running_game_shows_nothing_of(still, secret, by_guest):
    game = rivals_table(
        listed=True, strangers="everyone", press="private", name="Boris and Clara",
        description="Clara against Boris",
    )  # fmt: skip
    choose_named(User.objects.get(name="Anna"), named=True)
    client = Client()
    if by_guest:
        arrive(client)
    before = read_all(game, client)
    secret(game)
    after = read_all(game, client)
    assert before.keys() == after.keys()
    for address, told in before.items():
        assert after[address] == told, address
    assert "Anna" in text_of(client.get(game.get_absolute_url()))


@pytest.mark.full
def test_a_finished_game_shows_no_hidden_name(still):
    game = watched(options={"rounds": 2}, name="Boris and Clara")
    play_to_the_end(game)
    before = read_all(game, Client(), OVER)
    be_called_otherwise(game)
    for address, told in read_all(game, Client(), OVER).items():
        assert told == before[address], address


@pytest.mark.full
def test_nor_what_was_said_even_where_private_messages_were_published(still):
    game = rivals_table(
        press="private", threads_published=True, options={"rounds": 2}, listed=True,
        strangers="everyone",
    )  # fmt: skip
    before, found = transaction.savepoint_create(), []
    for secrets in ((), (talk, offer_in_private, prepare)):
        for secret in secrets:
            secret(game)
        play_to_the_end(game)
        found.append(read_all(game, Client(), OVER))
        transaction.savepoint_rollback(before)
        game.refresh_from_db()
    for address, told in found[0].items():
        assert told == found[1][address], address


@pytest.mark.full
@pytest.mark.parametrize("amounts", [(4000, 9000)])
def test_a_sealed_bribe_is_the_same_whatever_is_in_it(still, amounts):
    game = rivals_table(listed=True, strangers="everyone", options={"bribing": "simultaneous"})
    seat = seats_to_move(game)[0]
    own = [one for one in game.decoded().contenders if one.owner == seat.number]
    before, told = transaction.savepoint_create(), []
    for amount in amounts:
        submit_move(game, seat.user, MONDAY, Bribe(tuple((one, amount) for one in own)))
        told.append(read_all(game, Client()))
        transaction.savepoint_rollback(before)
    for address, found in told[0].items():
        assert told[1][address] == found, address


def test_what_a_moderator_has_written_is_for_members(still):
    game = watched()
    timing.pause(request_of_nora(game), until=None)
    Reason.objects.update(text="Boris was rude")
    game.refresh_from_db()
    for page in ("", "history/", "deadlines/"):
        html = Client().get(f"{game.get_absolute_url()}{page}").content.decode()
        assert "rude" not in html, page
        assert "Boris" not in html, page


@pytest.mark.full
def test_hiding_a_name_acts_at_once_also_in_the_picture_and_the_preview(still):
    game = watched(name="Boris and friends", seed=5)
    boris = User.objects.get(name="Boris")
    shown = []
    for named in (True, False, True):
        choose_named(boris, named=named)
        page = Client().get(game.get_absolute_url())
        picture = Client().get(f"{game.get_absolute_url()}{PICTURE}").content
        html = page.content.decode()
        assert ("Boris" in html) is named
        title = "Boris and friends" if named else str(TABLES[5])
        assert f'<meta property="og:title" content="{title}">' in html
        shown.append(picture)
    assert shown[0] == shown[2] != shown[1]


@pytest.mark.full
def test_the_record_has_the_name_that_strangers_read(still):
    game = watched(name="Boris and friends", seed=5, options={"rounds": 2})
    play_to_the_end(game)
    response = Client().get(f"{game.get_absolute_url()}record/")
    assert response.json()["name"] == str(TABLES[5])
    assert "boris" not in response["Content-Disposition"].lower()


@pytest.mark.full
def test_strangers_cannot_look_for_a_name(still):
    game = watched(name="Boris and friends")
    waiting = watched("Dora", size=3, name="Dora's table")
    for address, token in (("/tables/", waiting.token), ("/tables/watch/", game.token)):
        pages = {
            text_of(Client().get(address, {"text": text})) for text in ("Boris", "Dora", "Zoe", "")
        }
        assert len(pages) == 1
        assert token in Client().get(address).content.decode()
        assert 'name="text"' not in Client().get(address).content.decode()
    assert "Someone" in text_of(Client().get("/tables/"))


def test_how_reliable_somebody_is_only_members_read(still):
    watched("Anna", size=3)
    assert "in time" not in text_of(Client().get("/tables/"))


def test_no_page_of_a_person_is_linked(still):
    game = watched()
    choose_named(person("Zoe"), named=True)
    User.objects.update(named_to_strangers=True)
    html = Client().get(game.get_absolute_url()).content.decode()
    assert "Anna" in html
    assert "/people/" not in html
    assert seat_of(game, "Anna").user.email not in html
