"""Promises made privately: judged like all others, and known to nobody else (days 30)."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from games.engine.ledger import MOST_OPEN_OFFERS, Status
from games.engine.promises import Promise, SendNobody, Verdict
from games.engine.record import adjudicate
from games.models import Game, OutboxEmail, PrivateMessage, Sitting, Thread
from games.services import outbox
from games.services.email import delivery
from games.services.game import rewind as game_rewind
from games.services.game import seats as game_seats
from games.services.game.position import read_position
from games.services.game.queries.promise_ledger import read_ledger
from games.services.game.queries.promises import read_promises
from games.services.game.records import game_record
from games.services.game.replay import event_rows
from games.services.game.verify import verify_game
from games.services.public_ids import public_id
from games.services.refused import Refused
from tests.support.client import all_forms, as_shown, browser, forms_of, person, text_of
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    rewound,
    sitter,
)
from tests.support.tables import MONDAY
from tests.support.whispering import (
    deals,
    entry_of,
    offers_privately,
    page_of,
    replies_privately,
    thread_of,
    whisper,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def known_to(game: Game, seat: int | None) -> int:
    """How many offers somebody in this seat may know."""
    game.refresh_from_db()
    return len(read_position(game, None if seat is None else sitter(game, seat)).known)


def moment_of(game: Game, seq: int) -> str:
    return f"{game.get_absolute_url()}history/{seq}/"


def finish(game: Game) -> None:
    for _ in range(500):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            return
        moves(game, None)


@pytest.mark.full
@pytest.mark.parametrize(("area", "verdict"), [(TEN, Verdict.KEPT), (3000, Verdict.BROKEN)])
def test_it_is_judged_and_only_the_two_know(game, area, verdict):
    other, owner, third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    assert entry_of(made).status is Status.OPEN
    replies_privately(game, other, made)
    before = game.events.count()
    moves(game, bribed(game), placed(game, area, 1000))
    assert entry_of(made).verdict is verdict
    assert deals(made) == ["OfferMade", "OfferReplied", "PromiseJudged"]
    assert game.ledger == []
    assert not game.events.filter(kind__contains="Offer").exists()
    assert not game.events.filter(kind__contains="Promise").exists()
    assert game.events.count() > before
    assert [known_to(game, seat) for seat in (owner, other, third, None)] == [1, 1, 0, 0]
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_it_lapses_and_is_void_as_others_are(game):
    other, owner, third = in_order(game)
    open_offer = offers_privately(game, owner, place_for(game))
    unmet = offers_privately(game, owner, place_for(game, TEN, 9000))
    replies_privately(game, other, unmet)
    moves(game, bribed(game))
    assert entry_of(open_offer).status is Status.LAPSED
    assert entry_of(unmet).verdict is Verdict.VOID
    moves(game, placed(game, 3000, TEN))
    assert deals(unmet) == [
        *("OfferMade", "OfferMade", "OfferReplied", "OfferLapsed", "PromiseJudged")
    ]
    assert known_to(game, third) == 0
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_the_owner_reads_which_choice_keeps_it_and_nobody_else_does(game):
    other, owner, third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    page = f"{game.get_absolute_url()}#promises"
    html = browser(sitter(game, other)).get(page).content.decode()
    assert "private: " in html
    answer = next(form for form in forms_of(html) if "/accept/" in form)
    browser(sitter(game, other)).post(answer, {"among": made.thread.token})
    assert entry_of(made).status is Status.ACCEPTED
    assert "private: " in text_of(browser(sitter(game, owner)).get(page))
    assert "private: " not in text_of(browser(sitter(game, third)).get(page))


@pytest.mark.full
def test_a_private_offer_is_made_with_the_form(game):
    other, owner, third = in_order(game)
    table = game.get_absolute_url()
    to = game.colours[third]
    alone = public_id("person", sitter(game, third).pk)
    address = f"{table}offers/?to={to}&who=me&what=send-nobody&among={alone}"
    client = browser(sitter(game, owner))
    html = client.get(address).content.decode()
    token = html.split('name="token" value="')[1].split('"')[0]
    filled = {"token": token, "until": "2", "occupation": "", "among": "two", "text": "Quietly!"}
    for _ in range(2):
        assert client.post(address, filled).status_code == 302
    thread = Thread.objects.get(game=game)
    [said] = thread.messages.all()
    assert (said.text, thread.seats) == ("Quietly!", sorted((owner, third)))
    assert known_to(game, other) == 0


@pytest.mark.full
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("likely", [True, False])
def test_an_offer_that_is_made_from_a_conversation_stays_in_it(size, likely):
    """However it is made: nothing has to be chosen for that."""
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    thread = thread_of(game, *[owner, other, third][:size])
    here = page_of(thread)
    client = browser(sitter(game, owner))
    address = f"{game.get_absolute_url()}offers/?among={thread.token}"
    assert f'href="{address}"' in client.get(here).content.decode()
    page = client.get(address)
    assert "Offers you make here stay in your private conversation with" in text_of(page)
    shown = all_forms(page.content.decode())
    [about] = [fields for _action, fields in shown if "what" in fields]
    assert (game.colours[third] in about["to"].options) == (size == 3)
    if likely:
        address, fields = next(form for form in shown if "terms" in form[1])
        filled = as_shown(fields)
    else:
        chosen = as_shown(about) | {"what": "send-nobody"}
        address = f"{game.get_absolute_url()}offers/?{urlencode(chosen)}"
        shown = all_forms(client.get(address).content.decode())
        [terms] = [as_shown(fields) for _action, fields in shown if "until" in fields]
        filled = terms | {"until": "2"}
    assert client.post(address, filled).url == f"{here}#chat"
    [said] = thread.messages.all()
    assert said.deal["kind"] == "OfferMade"
    assert not game.events.filter(kind="OfferMade").exists()


def test_all_of_a_larger_thread_know_what_is_offered_in_it():
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    thread = thread_of(game, owner, other, third)
    made = offers_privately(game, owner, place_for(game), among=thread.token)
    assert made.thread == thread
    assert [known_to(game, seat) for seat in (owner, other, third, None)] == [1, 1, 1, 0]
    pair = thread_of(game, owner, third)
    with pytest.raises(Refused, match="someone who is in this conversation"):
        offers_privately(game, owner, place_for(game), among=pair.token)


@pytest.mark.full
def test_private_offers_count_for_the_limit_with_all_others(game):
    _other, owner, third = in_order(game)
    for until in range(1, MOST_OPEN_OFFERS):
        offers_privately(game, owner, Promise(owner, third, SendNobody(None, until)))
    offers(game, owner, place_for(game))
    with pytest.raises(Refused):
        offers(game, owner, place_for(game, TEN))
    with pytest.raises(Refused):
        offers_privately(game, owner, place_for(game, TEN))
    assert known_to(game, owner) == MOST_OPEN_OFFERS


@pytest.mark.full
def test_a_rewind_takes_private_offers_back_and_they_are_judged_anew(game):
    """For what stands beside the events of the game (days 30)."""
    other, owner, third = in_order(game)
    accepted = offers_privately(game, owner, place_for(game))
    replies_privately(game, other, accepted)
    open_then = offers_privately(game, owner, Promise(owner, third, SendNobody(None, 4)))
    moves(game, bribed(game))
    gone = offers_privately(game, owner, Promise(owner, third, SendNobody(None, 5)))
    replies_privately(game, third, open_then, Status.DECLINED)
    moves(game, placed(game, 3000, TEN))
    assert entry_of(accepted).verdict is Verdict.BROKEN
    boundary = game_rewind.boundaries(game, event_rows(game))[-1]
    rewound(game, boundary.seq)
    assert entry_of(accepted).verdict is Verdict.PENDING
    assert entry_of(open_then).status is Status.OPEN
    assert entry_of(gone) is None
    assert verify_game(game.pk) == []
    reader = sitter(game, owner)
    assert [row.is_private for row in read_ledger(game, reader).settled] == []
    moves(game, placed(game, TEN, 1000))
    assert entry_of(accepted).verdict is Verdict.KEPT
    assert [row.verdict for row in read_ledger(game, reader).settled] == ["kept"]
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_what_was_said_at_moments_that_are_undone_is_marked(game):
    other, owner, _third = in_order(game)
    soon = MONDAY + timedelta(minutes=5)
    whisper(game, owner, other, text="Early")
    moves(game, bribed(game), now=soon)
    boundary = game_rewind.boundaries(game, event_rows(game))[-1]
    said = whisper(game, owner, other, text="Late", now=soon + timedelta(minutes=1))
    moves(game, placed(game, 3000, TEN), now=soon + timedelta(minutes=2))
    rewound(game, boundary.seq)
    marked = dict(said.thread.messages.values_list("text", "undone"))
    assert marked == {"Early": False, "Late": True}
    assert (
        text_of(browser(sitter(game, other)).get(page_of(said.thread))).count("before the rewind")
        == 1
    )


@pytest.mark.full
def test_a_substitute_inherits_private_promises_and_can_reply(game):
    """The terms, and no earlier message (days 30)."""
    other, owner, _third = in_order(game)
    owed = offers_privately(game, owner, place_for(game), text="Just for you.")
    replies_privately(game, other, owed)
    asked = offers_privately(game, other, place_for(game, TEN), text="More!")
    leaver = sitter(game, owner)
    game_seats.step_aside(game_id=game.pk, user=leaver, now=MONDAY)
    assert known_to(game, owner) == 2
    new = person("Nils")
    game_seats.take_over(game_id=game.pk, user=new, number=owner, now=MONDAY)
    assert read_position(game, leaver).known == ()
    game.refresh_from_db()
    promises = read_promises(read_position(game, new))
    assert (len(promises.to_me), len(promises.own)) == (1, 1)
    page = text_of(browser(new).get(game.get_absolute_url()))
    assert "Just for you." not in page
    assert "More!" not in page
    replies_privately(game, owner, asked)
    assert entry_of(asked).status is Status.ACCEPTED
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_a_betrayal_is_told_by_mail_to_who_was_betrayed_alone(game, smtp):
    other, owner, _third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    replies_privately(game, other, made)
    OutboxEmail.objects.all().delete()
    moves(game, bribed(game))
    OutboxEmail.objects.all().delete()
    moves(game, placed(game, 3000, TEN))
    [mail] = OutboxEmail.objects.filter(kind="private_message")
    assert mail.person == sitter(game, other)
    delivery.drain(now=MONDAY + outbox.NEWS_WAITS)
    texts = [one.get_body(("plain",)).get_content() for one in smtp.messages]
    [told] = [text for text in texts if "broke that promise" in text]
    name = sitter(game, owner).name
    assert f"{name} promised to hire your " in told
    assert "Someone who has left" not in told
    subjects = [one["Subject"] for one in smtp.messages]
    assert subjects.count(f"{name} broke a promise to you · {game.name}") == 1
    judged = PrivateMessage.objects.get(deal__kind="PromiseJudged")
    assert f"See the moment: http://localhost:8000{moment_of(game, judged.after)}" in told
    assert re.search(
        rf"{name} promised to hire your \w+ at a salary of at least 6,000\. "
        r"The salary was 3,000 instead\.",
        told,
    )


@pytest.mark.full
@pytest.mark.parametrize("published", [False, True])
def test_the_record_and_the_profiles_after_the_game(published):
    game = bribing_table(press="private", threads_published=published)
    other, owner, third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    replies_privately(game, other, made)
    public = offers(game, owner, Promise(owner, third, SendNobody(None, 1)))
    assert public
    moves(game, bribed(game), placed(game, 3000, TEN))
    finish(game)
    for seat, knows in ((owner, True), (other, True), (third, published), (None, published)):
        record = game_record(game, None if seat is None else sitter(game, seat))
        assert [one["id"] for one in record["promises"]] == ([1, 1, 2] if knows else [1])
        verdicts = [one["verdict"] for one in adjudicate(record)[0]["promises"]]
        assert verdicts == (["broken", "lapsed"] if knows else ["lapsed"])
    broken = Sitting.objects.get(seat__game=game, seat__number=owner).promises_broken
    assert broken == int(published)
    assert verify_game(game.pk) == []


def test_at_a_binding_table_what_binds_is_said_in_front_of_all():
    """Binding promises are always public (days 26 and 30)."""
    game = bribing_table(press="private", options={"promises": "binding"})
    other, owner, third = in_order(game)
    with pytest.raises(Refused, match="it has to be offered publicly"):
        offers_privately(game, owner, place_for(game))
    made = offers_privately(game, other, Promise(other, third, SendNobody(None, 2)))
    assert entry_of(made).status is Status.OPEN
    assert known_to(game, owner) == 0
