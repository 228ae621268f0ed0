"""The email that it is somebody's turn comes once, whatever became of the deadline before."""

from datetime import timedelta

import pytest

from games.models import Game, OutboxEmail, Seat
from games.services import outbox
from games.services.email import delivery
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
TURN = "your_turn"


@pytest.fixture
def game(db):
    game = open_table("Anna", "Boris", "Clara")
    person("Marta")
    return game


@pytest.fixture
def marta(game):
    return moderator("Nora")


@pytest.fixture
def by_marta(game, marta):
    """What a moderator means to do with the game at an instant."""

    def at(now):
        game.refresh_from_db()
        return GameRequest(game.pk, marta, "Because.", seen_now(game), now)

    return at


def turns(smtp):
    """To whom it was emailed that it is their turn."""
    rows = OutboxEmail.objects.filter(kind=TURN, status=OutboxEmail.Status.SENT)
    ids = set(rows.exclude(message_id="").values_list("message_id", flat=True))
    return [mail["To"] for mail in smtp.messages if mail["Message-ID"] in ids]


def states():
    """What has become of the emails about a turn, in the order in which they were written."""
    return list(
        OutboxEmail.objects.filter(kind=TURN).order_by("pk").values_list("status", flat=True)
    )


def asked(game):
    [seat] = seats_to_move(game)
    return seat


@pytest.mark.full
def test_an_outage_of_the_worker(game, smtp):
    """It stopped before it had sent the email, and comes back when the deadline has passed."""
    seat = asked(game)
    tick(MONDAY)
    back = MONDAY + 2 * DAY
    clock.sweep(now=back)
    assert asked(game).deadline_at > back
    delivery.drain(now=back)
    assert states() == ["sent"]
    assert turns(smtp) == [seat.user.email]
    clock.sweep(now=back + HOUR)
    delivery.drain(now=back + HOUR)
    assert len(turns(smtp)) == 1


@pytest.mark.full
def test_a_restored_backup_in_which_the_email_waits_or_was_being_sent(game, smtp):
    """The worker comes back a day later, with rows as the backup has them."""
    OutboxEmail.objects.update(status="sending", claimed_at=MONDAY, attempts=1)
    tick(MONDAY)
    clock.sweep(now=MONDAY + 2 * DAY)
    delivery.drain(now=MONDAY + 2 * DAY)
    assert states() == ["sent"]


@pytest.mark.full
@pytest.mark.parametrize("by", [-HOUR, HOUR])
def test_a_deadline_that_a_moderator_moves(by, game, by_marta, smtp):
    seat = asked(game)
    timing.set_deadline(by_marta(MONDAY), at=seat.deadline_at + by)
    delivery.drain(now=MONDAY)
    assert states() == ["sent"]
    assert turns(smtp) == [seat.user.email]


@pytest.mark.full
def test_a_deadline_moved_many_times_before_the_email_left(game, by_marta, smtp):
    for hours in range(1, 4):
        timing.extend(by_marta(MONDAY), time=hours * HOUR)
    delivery.drain(now=MONDAY)
    assert len(turns(smtp)) == 1


@pytest.mark.full
def test_a_deadline_moved_after_the_email_has_left_brings_no_second_one(game, by_marta, smtp):
    delivery.drain(now=MONDAY)
    timing.extend(by_marta(MONDAY), time=HOUR)
    delivery.drain(now=MONDAY + HOUR)
    assert len(turns(smtp)) == 1


@pytest.mark.full
def test_a_pause_keeps_the_email_until_the_game_goes_on(game, by_marta, smtp):
    timing.pause(by_marta(MONDAY))
    delivery.drain(now=MONDAY + DAY)
    assert states() == ["ready"]
    assert turns(smtp) == []
    timing.resume(by_marta(MONDAY + 7 * DAY))
    delivery.drain(now=MONDAY + 7 * DAY)
    assert states() == ["sent"]
    assert turns(smtp) == [asked(game).user.email]


@pytest.mark.full
def test_a_parked_game_keeps_the_email_until_it_is_taken_up(game, by_marta, smtp):
    Game.objects.update(parked_at=MONDAY, deadline_at=None)
    delivery.drain(now=MONDAY)
    assert states() == ["ready"]
    timing.retry(by_marta(MONDAY + HOUR))
    delivery.drain(now=MONDAY + HOUR)
    assert states() == ["sent"]


@pytest.mark.full
def test_a_paused_game_that_is_cancelled_sends_none(game, by_marta, smtp):
    timing.pause(by_marta(MONDAY))
    timing.cancel(by_marta(MONDAY + HOUR))
    delivery.drain(now=MONDAY + HOUR)
    assert states() == ["dropped"]
    assert turns(smtp) == []


def test_a_later_question_of_the_same_phase_has_an_email_of_its_own(game, smtp):
    """Who was asked twice in a phase before any email left gets one: that of the last question."""
    seat = asked(game)
    version = seat.deadline_version + 1
    Seat.objects.filter(pk=seat.pk).update(deadline_version=version)
    game.refresh_from_db()
    outbox.enqueue(TURN, game=game, person=seat.user, deadline_version=version, now=MONDAY)
    delivery.drain(now=MONDAY)
    assert states() == ["dropped", "sent"]
    assert turns(smtp) == [seat.user.email]


def test_a_turn_of_an_earlier_phase_is_dropped(game, smtp):
    submit_move(game, asked(game).user, MONDAY)
    delivery.drain(now=MONDAY)
    assert states() == ["dropped", "sent"]
