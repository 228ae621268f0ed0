"""Offers and promises at a table: made, replied to, judged, told, taken back and recorded."""

from collections import Counter

import pytest
from django.utils import timezone

from games.engine import Place, Stage
from games.engine.ledger import MOST_OFFERS_IN_A_TURN, MOST_OPEN_OFFERS, Status
from games.engine.promises import PlaceIn, Promise, SendNobody, Verdict
from games.engine.record import adjudicate
from games.models import Game, Message, OutboxEmail, User
from games.services.chat.promises import reply_to_offer
from games.services.game import rewind as game_rewind
from games.services.game.position import read_position
from games.services.game.queries.log import LogLine, read_log
from games.services.game.records import game_record
from games.services.game.replay import event_rows
from games.services.game.verify import verify_game
from games.services.operations import clock
from games.services.refused import Refused
from games.table_events import OFFER_EVENTS
from tests.support.moderators import marta_acts_on
from tests.support.promising import (
    SIX,
    TEN,
    bribed,
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    rewound,
    sitter,
    state_of,
)
from tests.support.sanctions import in_days
from tests.support.tables import DAY, MONDAY, leave, open_table, submit_move, tick

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return bribing_table()


def about_offers(game: Game, user: User | None = None) -> list[LogLine]:
    """The log's lines about offers and promises as somebody reads them, the oldest first."""
    reader = read_position(game, user).reader
    kinds = dict(game.events.filter(kind__in=OFFER_EVENTS).values_list("seq", "kind"))
    turns = read_log(game, event_rows(game), reader)[::-1]
    return [line for turn in turns for line in turn.lines if line.seq in kinds]


def told(game: Game, user: User | None = None) -> list[str]:
    return [line.text for line in about_offers(game, user)]


def refers(game: Game) -> list[int | None]:
    """For each of these lines, the number of the event that has its terms."""
    return [line.offered and line.offered.seq for line in about_offers(game)]


def emailed(game: Game, kind: str) -> list[str]:
    rows = OutboxEmail.objects.filter(game=game, kind=kind).order_by("pk")
    return [row.person.name for row in rows]


def assert_whole(game: Game) -> None:
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_an_offer_is_made_accepted_and_kept(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, owner, place_for(game))
    assert entry_of(game, made_at).status is Status.OPEN
    assert emailed(game, "offer") == [sitter(game, other).name]
    replies(game, other, made_at)
    assert emailed(game, "offer_reply") == [sitter(game, owner).name]
    moves(game, bribed(game), placed(game, TEN, 1000))
    entry = entry_of(game, made_at)
    assert (entry.status, entry.verdict) == (Status.ACCEPTED, Verdict.KEPT)
    assert emailed(game, "promise_broken") == []
    a, b = sitter(game, owner).name, sitter(game, other).name
    colour = state_of(game).table.players[other]
    promise = f"{a} hires the {colour} doctor at a salary of at least 6,000"
    assert told(game) == [
        f"{a} offers {b}: {promise} if {b} pays at least 4,000.",
        f"{b} accepts {a}'s offer.",
        f"{a} has kept a promise to {b}: {promise}.",
    ]
    hire = f"hire the {colour} doctor at a salary of at least 6,000"
    assert told(game, sitter(game, owner)) == [
        f"You offer {b}: you {hire} if {b} pays you at least 4,000.",
        f"{b} accepts your offer.",
        f"You have kept a promise to {b}: you {hire}.",
    ]
    hired = f"{a} hires your doctor at a salary of at least 6,000"
    assert told(game, sitter(game, other)) == [
        f"{a} offers you: {hired} if you pay at least 4,000.",
        f"You accept {a}'s offer.",
        f"{a} has kept a promise to you: {hired}.",
    ]
    assert refers(game) == [None, made_at, made_at]
    assert_whole(game)


def test_a_promise_asked_for_and_broken_is_told_to_who_was_promised(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, other, place_for(game))
    assert emailed(game, "offer") == [sitter(game, owner).name]
    replies(game, owner, made_at)
    moves(game, bribed(game), placed(game, 3000, TEN))
    assert entry_of(game, made_at).verdict is Verdict.BROKEN
    assert emailed(game, "promise_broken") == [sitter(game, other).name]
    a, b = sitter(game, owner).name, sitter(game, other).name
    assert told(game)[0].startswith(f"{b} asks {a} to promise: ")
    assert told(game)[-1].startswith(f"{a} has broken a promise to {b}; the promise was: {a} ")
    assert_whole(game)


def test_a_bribe_that_is_too_small_voids_the_promise(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, owner, place_for(game))
    replies(game, other, made_at)
    moves(game, bribed(game, 3000))
    assert entry_of(game, made_at).verdict is Verdict.VOID
    a, b = sitter(game, owner).name, sitter(game, other).name
    assert told(game)[-1] == f"{a}'s promise to {b} no longer applies."
    assert_whole(game)


def test_an_offer_that_nobody_accepts_lapses_once_it_is_too_late(game):
    made_at = offers(game, in_order(game)[1], place_for(game))
    moves(game, bribed(game))
    assert entry_of(game, made_at).status is Status.LAPSED
    a, b = sitter(game, in_order(game)[1]).name, sitter(game, in_order(game)[0]).name
    assert told(game)[-1] == f"{a}'s offer to {b} has lapsed."
    with pytest.raises(Refused, match="no longer open"):
        replies(game, in_order(game)[0], made_at)
    assert_whole(game)


@pytest.mark.parametrize(
    ("by_maker", "given", "email"),
    [(False, Status.DECLINED, 1), (True, Status.WITHDRAWN, 0)],
)
def test_an_offer_is_declined_or_withdrawn(game, by_maker, given, email):
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, owner, place_for(game))
    seat = owner if by_maker else other
    replies(game, seat, made_at, given)
    replies(game, seat, made_at, given)  # the same again is no error, and no event
    assert entry_of(game, made_at).status is given
    assert Counter(game.events.values_list("kind", flat=True))["OfferReplied"] == 1
    assert len(emailed(game, "offer_reply")) == email
    with pytest.raises(Refused, match="no longer open"):
        replies(game, other, made_at)
    assert_whole(game)


def test_only_the_other_player_accepts_and_only_the_maker_withdraws(game):
    first, second, third = in_order(game)
    made_at = offers(game, second, place_for(game))
    for seat, given in (
        (second, Status.ACCEPTED),
        (third, Status.ACCEPTED),
        (third, Status.DECLINED),
        (first, Status.WITHDRAWN),
    ):
        with pytest.raises(Refused):
            replies(game, seat, made_at, given)
    assert entry_of(game, made_at).status is Status.OPEN


def test_the_same_offer_twice_is_one(game):
    owner = in_order(game)[1]
    made_at = offers(game, owner, place_for(game))
    assert offers(game, owner, place_for(game)) == made_at
    assert len(game.ledger) == 1


@pytest.mark.full
def test_at_most_five_open_offers_and_twenty_in_a_turn(game):
    owner = in_order(game)[1]
    for number in range(MOST_OFFERS_IN_A_TURN):
        made_at = offers(game, owner, place_for(game, least=1000 * (number + 1)))
        if number < MOST_OPEN_OFFERS - 1:
            continue
        if number == MOST_OPEN_OFFERS - 1:
            with pytest.raises(Refused, match="5 open offers"):
                offers(game, owner, place_for(game, least=31000))
        replies(game, owner, made_at, Status.WITHDRAWN)
    with pytest.raises(Refused, match="20 offers in a turn"):
        offers(game, owner, place_for(game, least=31000))
    assert (MOST_OPEN_OFFERS, MOST_OFFERS_IN_A_TURN, len(game.ledger)) == (5, 20, 20)
    offers(game, in_order(game)[0], place_for(game, least=31000))  # others still may


def test_who_may_not_negotiate(game):
    owner, other, third = in_order(game)[1], in_order(game)[0], in_order(game)[2]
    made_at = offers(game, owner, place_for(game))
    outsider = open_table("Dora", "Emil", "Fanny").host
    with pytest.raises(Refused, match="don't have a seat"):
        reply_to_offer(
            game_id=game.pk, user=outsider, made_at=made_at, given=Status.ACCEPTED, now=MONDAY
        )
    with pytest.raises(Refused, match="can't be made"):
        offers(game, third, place_for(game))
    leave(game, sitter(game, other).name)
    with pytest.raises(Refused, match="marked absent"):
        replies(game, other, made_at)
    Game.objects.filter(pk=game.pk).update(parked_at=MONDAY, deadline_at=None)
    with pytest.raises(Refused, match="isn't running"):
        replies(game, owner, made_at, Status.WITHDRAWN)


@pytest.mark.full
def test_an_offer_to_an_absent_player_lapses_and_what_was_accepted_stands(game):
    first, second, third = in_order(game)
    peace = Promise(second, third, SendNobody(None, 1))
    accepted = offers(game, second, peace)
    replies(game, third, accepted)
    leave(game, sitter(game, third).name)
    made_at = offers(game, second, place_for(game))
    leave(game, sitter(game, first).name)
    game.refresh_from_db()
    assert entry_of(game, made_at).status is Status.LAPSED  # the default has bribed
    assert entry_of(game, accepted).status is Status.ACCEPTED


@pytest.mark.full
def test_a_message_with_an_offer_is_said_in_the_chat_and_a_refused_one_undoes_it(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    offers(game, owner, place_for(game), "You will not regret it.")
    [message] = Message.objects.filter(game=game)
    assert (message.text, message.seat_number) == ("You will not regret it.", owner)
    marta_acts_on(sitter(game, other), "mute", until=in_days(3))
    with pytest.raises(Refused):
        offers(game, other, place_for(game, TEN), "Please!", now=timezone.now())
    assert len(Game.objects.get(pk=game.pk).ledger) == 1
    offers(game, other, place_for(game, TEN))  # wordless offers are moves in the game
    assert len(game.ledger) == 2
    assert Message.objects.filter(game=game).count() == 1


@pytest.mark.full
def test_the_clock_breaks_a_promise_and_it_is_told_so(game):
    tick(MONDAY)
    owner, other = in_order(game)[1], in_order(game)[0]
    second = state_of(game).contenders[1]
    promise = Promise(owner, other, PlaceIn(second, TEN, None))
    replies(game, other, offers(game, owner, promise))
    moves(game, bribed(game))  # the first has paid more: the default gives it the ten
    tick(MONDAY + 2 * DAY)
    clock.sweep(now=MONDAY + 2 * DAY)
    broken = game.events.get(kind="PromiseJudged")
    assert (broken.payload["verdict"], broken.cause) == ("broken", "clock")
    assert_whole(game)


@pytest.mark.full
def test_a_rewind_undoes_what_came_after_and_opens_offers_again(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    open_one = offers(game, owner, place_for(game))
    accepted = offers(game, owner, place_for(game, TEN, 9000))
    replies(game, other, accepted)
    moves(game, bribed(game))  # lapsed; and void, for the bribe is too small
    assert entry_of(game, open_one).status is Status.LAPSED
    assert entry_of(game, accepted).verdict is Verdict.VOID
    late = offers(game, owner, Promise(owner, other, SendNobody(None, 1)))
    boundary = game_rewind.boundaries(game, event_rows(game))[-1]
    rewound(game, boundary.seq)
    # The bribe is taken back, and with it all that was said since the move before it.
    assert [one["made"] for one in game.ledger] == []
    assert all(entry_of(game, seq) is None for seq in (open_one, accepted, late))
    with pytest.raises(Refused, match="undone"):
        replies(game, other, accepted)
    again = offers(game, owner, place_for(game))
    assert entry_of(game, again).id == 1
    assert_whole(game)


@pytest.mark.full
def test_a_rewind_keeps_verdicts_and_offers_from_before_its_boundary(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    accepted = offers(game, owner, place_for(game))
    replies(game, other, accepted)
    peace = offers(game, owner, Promise(owner, other, SendNobody(None, 1)))
    moves(game, bribed(game), placed(game, TEN, 1000))
    assert state_of(game).stage is Stage.SENDING
    replies(game, other, peace, Status.DECLINED)
    moves(game, None)
    boundary = game_rewind.boundaries(game, event_rows(game))[-1]
    rewound(game, boundary.seq)
    assert state_of(game).stage is Stage.SENDING
    assert entry_of(game, accepted).verdict is Verdict.KEPT
    assert entry_of(game, peace).status is Status.OPEN  # the reply came after the boundary
    assert_whole(game)


@pytest.mark.full
def test_the_record_leads_to_the_same_verdicts(game):
    owner, other, third = in_order(game)[1], in_order(game)[0], in_order(game)[2]
    kept = offers(game, owner, place_for(game))
    replies(game, other, kept)
    broken = offers(game, owner, Promise(owner, third, SendNobody(None, 5)))
    replies(game, third, broken)
    declined = offers(game, other, place_for(game, TEN))
    replies(game, owner, declined, Status.DECLINED)
    moves(game, bribed(game), placed(game, TEN, 1000))
    for _ in range(500):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            break
        moves(game, None)
    record = game_record(game)
    assert [entry["type"] for entry in record["promises"]] == [
        *("offer", "accept", "offer", "accept", "offer", "decline")
    ]
    assert {entry["after"] for entry in record["promises"]} == {1}
    verdicts = [entry["verdict"] for entry in adjudicate(record)[0]["promises"]]
    stored = [
        entry.verdict.value if entry.status is Status.ACCEPTED else entry.status.value
        for entry in (entry_of(game, one["made"]) for one in game.ledger)
    ]
    assert verdicts == stored
    assert verdicts[0] == "kept"
    assert_whole(game)


def test_a_game_without_promises_has_no_such_key(game):
    Game.objects.filter(pk=game.pk).update(status="cancelled", deadline_at=None)
    game.refresh_from_db()
    assert "promises" not in game_record(game)


@pytest.mark.full
def test_two_contenders_for_hire_and_the_binding_table():
    """At a binding table the owner can't choose otherwise, and the clock doesn't either."""
    tick(MONDAY)
    game = bribing_table(options={"promises": "binding"})
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, owner, place_for(game, TEN, 1000))
    replies(game, other, made_at)
    moves(game, bribed(game, 1000))
    state = state_of(game)
    one, two = state.contenders
    outcome = submit_move(game, sitter(game, owner), MONDAY, Place(((one, SIX), (two, TEN))))
    assert not outcome.played
    assert (
        outcome.reason
        == "This would break a binding promise, and that isn't allowed at this table."
    )
    tick(MONDAY + 2 * DAY)
    clock.sweep(now=MONDAY + 2 * DAY)
    assert entry_of(game, made_at).verdict is Verdict.KEPT
    assert_whole(game)
