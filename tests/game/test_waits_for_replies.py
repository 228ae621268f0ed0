"""A computer player that has asked a present person waits with its bribe (days 28)."""

import re
from datetime import datetime, timedelta

import pytest

from games.engine.ledger import Entry, Status
from games.features.guide import first_game
from games.models import Cause, Event, Game, Miss, OutboxEmail, Seat
from games.services.email import delivery
from games.services.game import failures, interventions, moved_deadlines, seats
from games.services.game.offers import stored_offers
from games.services.game.reply_time import is_request
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, sample_games
from games.services.people.display_names import seat_name
from tests.support.against_computers import whole_game
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator
from tests.support.promising import replies
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, leave, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def asked(game: Game) -> Seat:
    """A computer player that has asked the only person, and is to bribe."""
    for _ in range(60):
        game.refresh_from_db()
        waiting = game.seats.filter(reply_until__isnull=False, deadline_at__isnull=False)
        if (seat := waiting.first()) is not None:
            return seat
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    raise AssertionError("Nobody was asked for anything.")


@pytest.fixture
def game() -> Game:
    game = open_table("Anna", size=4, seed=1)
    sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
    return game


@pytest.fixture
def waiting(game) -> Seat:
    return asked(game)


def requests_of(game: Game, by: Seat) -> list[tuple[int, Entry]]:
    """What the seat has asked for a bribe, each with the number of its event."""
    game.refresh_from_db()
    offers = stored_offers(game, game.decoded().table)
    return [
        (made_at, entry)
        for made_at, entry in zip(offers.made, offers.ledger, strict=True)
        if entry.by == by.number and is_request(entry.promise, entry.by)
    ]


def bribes_of(game: Game, seat: Seat) -> int:
    return game.events.filter(kind="BribesPaid", payload__seat=seat.number).count()


def change(game: Game, now: datetime, does) -> None:
    writer = Writer(Game.objects.lock(game.pk), now)
    does(writer)
    writer.go_on()
    writer.commit()
    game.refresh_from_db()


def deadline_of(seat: Seat) -> datetime | None:
    seat.refresh_from_db()
    return seat.deadline_at


def test_it_waits_for_an_hour_and_everybody_sees_for_whom(game, waiting):
    assert waiting.deadline_at == waiting.reply_until == game.deadline_at == MONDAY + HOUR
    [(_made_at, request)] = [one for one in requests_of(game, waiting) if one[1].status == "open"]
    assert request.promise.seat == game.decoded().active == game.seats.get(user=game.host).number
    told = Event.objects.filter(game=game, kind="WaitBegan").latest("seq")
    assert told.payload == {
        "seat": waiting.number,
        "of": request.promise.seat,
        "until": (MONDAY + HOUR).isoformat(),
    }
    own = text_of(browser(game.host).get(game.get_absolute_url()))
    others = text_of(browser(person("Boris")).get(game.get_absolute_url()))
    assert "is waiting for your reply." in own
    assert "is waiting for Anna's reply." in others
    assert "If there's no move or standing order by then" not in own + others
    assert verify_game(game.pk) == []


def test_the_email_says_until_when(game, waiting, smtp):
    [(made_at, _request)] = [one for one in requests_of(game, waiting) if one[1].status == "open"]
    OutboxEmail.objects.exclude(kind="offer", about=made_at).delete()
    delivery.drain(now=MONDAY + MINUTE)
    [mail] = smtp.messages
    assert mail["Subject"].startswith(f"Reply to {seat_name(waiting)} by ")
    at = rf"{MONDAY + HOUR:%H:%M}"
    assert at in mail["Subject"]
    sentence = rf"will pay its bribe once you've replied, or by [^.]*{at}[^.]* at the latest\."
    assert re.search(sentence, plain_text(mail))


@pytest.mark.parametrize("given", [Status.ACCEPTED, Status.DECLINED])
def test_it_bribes_as_soon_as_it_has_its_reply(game, waiting, given):
    before = bribes_of(game, waiting)
    while deadline_of(waiting) is not None and waiting.reply_until is not None:
        open_ones = [at for at, one in requests_of(game, waiting) if one.status is Status.OPEN]
        replies(game, game.decoded().active, open_ones[0], given, now=MONDAY + MINUTE)
    assert bribes_of(game, waiting) == before + 1
    assert verify_game(game.pk) == []


def test_it_bribes_after_the_hour_and_nobody_has_missed_anything(game, waiting):
    before = bribes_of(game, waiting)
    tick(MONDAY + HOUR - MINUTE)
    clock.sweep(now=MONDAY + HOUR - MINUTE)
    assert bribes_of(game, waiting) == before
    tick(MONDAY + HOUR)
    clock.sweep(now=MONDAY + HOUR)
    assert bribes_of(game, waiting) == before + 1
    assert {one.status for _at, one in requests_of(game, waiting)} <= {
        Status.LAPSED, Status.ACCEPTED, Status.DECLINED,
    }  # fmt: skip
    assert not Miss.objects.exists()
    kinds = set(OutboxEmail.objects.values_list("kind", flat=True))
    assert not kinds & {"default_played", "reminder", "last_reminder"}
    assert not game.moves.filter(cause=Cause.CLOCK).exists()
    assert verify_game(game.pk) == []


def test_once_a_table_has_waited_nobody_is_asked_again_in_that_turn(game, waiting):
    turn = (game.decoded().round, game.decoded().active)
    tick(MONDAY + HOUR)
    clock.sweep(now=MONDAY + HOUR)
    asked_before = Event.objects.filter(game=game, kind="WaitBegan").count()
    made = len(stored_offers(game, game.decoded().table).ledger)
    while seats_to_move(game) and (game.decoded().round, game.decoded().active) == turn:
        now_to_move = seats_to_move(game)
        assert all(seat.user for seat in now_to_move)
        submit_move(game, now_to_move[0].user, MONDAY + HOUR)
        game.refresh_from_db()
    later = stored_offers(game, game.decoded().table).ledger[made:]
    assert not [
        one
        for one in later
        if one.made_in == turn and is_request(one.promise, one.by) and one.promise.seat == turn[1]
    ]
    told = Event.objects.filter(game=game, kind="WaitBegan").order_by("seq")[asked_before:]
    assert all(event.at > MONDAY for event in told)


@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
def test_several_wait_until_the_same_moment_and_then_all_bribe(bribing):
    game = open_table("Anna", size=4, seed=1, options={"bribing": bribing})
    sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
    now = MONDAY
    for _ in range(60):
        game.refresh_from_db()
        if game.seats.filter(reply_until__isnull=False).count() > 1:
            break
        if sample_games.people_to_move(game):
            submit_move(game, game.host, now)
        else:
            now = game.deadline_at
            tick(now)
            clock.sweep(now=now)
    waiting = list(game.seats.filter(reply_until__isnull=False))
    assert {seat.reply_until for seat in waiting} == {now + HOUR}
    for _ in waiting:
        tick(now + HOUR)
        clock.sweep(now=now + HOUR)
    assert not game.seats.filter(reply_until__isnull=False).exists()
    for seat in waiting:
        assert game.moves.filter(seat=seat, at=now + HOUR).exists()
    assert verify_game(game.pk) == []


class TestWhatStopsTheGame:
    """Every ruling on time takes the wait for a deadline, that nobody can miss."""

    def test_a_pause(self, game, waiting):
        before = bribes_of(game, waiting)
        change(game, MONDAY + 20 * MINUTE, lambda one: interventions.pause(one, None, Cause.TABLE))
        assert (game.deadline_at, deadline_of(waiting)) == (None, None)
        change(game, MONDAY + DAY, lambda one: interventions.resume(one, Cause.TABLE))
        assert deadline_of(waiting) == waiting.reply_until == MONDAY + DAY + 40 * MINUTE
        assert bribes_of(game, waiting) == before

    def test_an_outage(self, game, waiting):
        before = bribes_of(game, waiting)
        tick(MONDAY + 30 * MINUTE)
        clock.sweep(now=MONDAY + 4 * HOUR)
        assert deadline_of(waiting) == waiting.reply_until == MONDAY + 10 * HOUR
        assert bribes_of(game, waiting) == before

    def test_extra_time(self, game, waiting):
        change(game, MONDAY, lambda one: moved_deadlines.extend(one, 2 * HOUR, Cause.TABLE))
        assert deadline_of(waiting) == waiting.reply_until == MONDAY + 3 * HOUR

    def test_being_parked(self, game, waiting):
        while Game.objects.get(pk=game.pk).parked_at is None:
            failures.record_failure(Game.objects.get(pk=game.pk), ValueError(), MONDAY)
        game.refresh_from_db()
        nora = moderator("Nora")
        later = MONDAY + 30 * MINUTE
        timing.retry(GameRequest(game.pk, nora, "Why.", seen_now(game), later))
        assert deadline_of(waiting) == waiting.reply_until == MONDAY + 90 * MINUTE

    def test_nobody_left(self, game, waiting):
        """Whoever comes back has the whole hour again; the game has been dormant."""
        before = bribes_of(game, waiting)
        leave(game, "Anna", now=MONDAY + MINUTE)
        assert (game.deadline_at, bribes_of(game, waiting)) == (None, before)
        back = MONDAY + 2 * DAY
        seats.come_back(game_id=game.pk, user=game.host, now=back)
        assert deadline_of(waiting) == waiting.reply_until == back + HOUR
        assert bribes_of(game, waiting) == before

    def test_a_moderator_who_ends_its_turn(self, game, waiting):
        before = bribes_of(game, waiting)
        change(
            game, MONDAY, lambda one: interventions.call_default(
                one, one.seats[waiting.number], Cause.MODERATOR
            )
        )  # fmt: skip
        assert bribes_of(game, waiting) == before + 1
        assert game.moves.filter(seat=waiting).latest("pk").cause == Cause.COMPUTER


@pytest.mark.full
def test_in_a_first_game_it_waits_as_long_as_it_takes():
    game = first_game.begin(user=person("Anna"), now=MONDAY)
    seat = asked(game)
    assert seat.deadline_at > MONDAY + 3000 * DAY
    page = text_of(browser(game.host).get(game.get_absolute_url()))
    assert "Someone is asking you for a promise" in page
    assert f"{seat_name(seat)} is waiting for your reply." in page
    assert "for your reply until" not in page
    log = text_of(browser(game.host).get(f"{game.get_absolute_url()}history/"))
    assert f"{seat_name(seat)} is waiting for your reply." in log
    assert "reply until" not in log
    before = bribes_of(game, seat)
    sample_games.decline_offers(game, MONDAY + DAY)
    assert bribes_of(game, seat) == before + 1


@pytest.mark.long(after=2)
@pytest.mark.full
@pytest.mark.parametrize("seed", range(5))
def test_in_whole_games_every_request_stays_open_and_nothing_else_takes_time(seed):
    """The person moves at once: the game takes the hours that were waited, and no more."""
    game, person, ended_at, waits = whole_game(seed, (Status.ACCEPTED, Status.DECLINED, None))
    assert ended_at == MONDAY + waits * HOUR
    made = {event.payload["number"]: event.at for event in game.events.filter(kind="OfferMade")}
    lapsed = {event.payload["number"]: event.at for event in game.events.filter(kind="OfferLapsed")}
    ledger = stored_offers(game, game.decoded().table).ledger
    requests = [one for one in ledger if one.other == person and is_request(one.promise, one.by)]
    assert {one.status for one in requests} <= {Status.ACCEPTED, Status.DECLINED, Status.LAPSED}
    unanswered = [one for one in requests if one.status is Status.LAPSED]
    assert {lapsed[one.id] - made[one.id] for one in unanswered} == {HOUR}
    assert verify_game(game.pk) == []
