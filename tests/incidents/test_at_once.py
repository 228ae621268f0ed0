"""Incidents of other servers with too much of one thing: two ends, 120 alarms, many bounces."""

import logging
from copy import copy
from datetime import timedelta

import pytest

from games.models import AuditLine, Event, Game, OutboxEmail, Seat, User, Vote
from games.models.game import new_token
from games.services.email import delivery
from games.services.game import failures, votes
from games.services.operations import clock
from tests.incidents.test_incidents import assert_nothing_is_due, drawn_alike, play_on
from tests.support.client import browser, text_of
from tests.support.mail_servers import choosy_server
from tests.support.moderators import marta_acts, moderator
from tests.support.races import assert_whole, doing, handing_in, race, rounds_of
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, tick

pytestmark = [pytest.mark.full, pytest.mark.counts]

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.mark.django_db(transaction=True)
def test_the_table_agrees_to_end_the_game_while_the_last_answer_ends_it():
    """Draw and resolution 125 ms apart: a game ended and went on."""
    answers = play_on(drawn_alike("Dora", "Emil", "Fanny"))
    for number, (chance, wins) in enumerate(rounds_of("table", "player", least=4)):
        game = drawn_alike(*(f"{name}{number}" for name in ("Anna", "Boris", "Clara")))
        play_on(game, answers - 1)
        [last], phase, now = seats_to_move(game), game.phase_no, MONDAY + SECOND
        anna, boris, clara = [seat.user for seat in game.seats.order_by("pk")]
        proposal = votes.Proposal(Vote.Kind.END)
        vote = votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=MONDAY)
        about = {"game_id": game.pk, "vote_id": vote.pk, "yes": True, "now": MONDAY}
        votes.cast(user=boris, **about)
        sides = {
            "table": [doing(votes.cast, user=clara, **about)],
            "player": [handing_in(game, last, phase, now) for _ in range(3)],
        }
        gave = race(sides, chance)
        game.refresh_from_db()
        won = "player" if game.status == Game.Status.FINISHED else "table"
        wins[won] += 1
        done = {name: sum(acts) for name, acts in gave.items()}
        assert done == {"table": 0, "player": 0} | {won: 1}
        assert game.status == ENDED[won]
        ends = game.events.filter(kind__in=["GameEnded", "GameCancelled"])
        assert list(ends.values_list("kind", flat=True)) == [TOLD[won]]
        assert game.moves.filter(phase_no=phase).count() == (won == "player")
        over = OutboxEmail.objects.filter(kind="game_over", game=game)
        assert over.count() == (3 if won == "player" else 0)
        later = game.deadline_at or MONDAY + 2 * DAY
        tick(later)
        assert clock.sweep(now=later) == 0
        assert_nothing_is_due(game)
        assert_whole(game)


ENDED = {"player": Game.Status.FINISHED, "table": Game.Status.CANCELLED}
TOLD = {"player": "GameEnded", "table": "GameCancelled"}


@pytest.mark.django_db
def test_a_dead_address_is_tried_once_and_never_again(settings):
    """Bounces switched the sender's mailbox off: the same dead address was emailed on and on."""
    with choosy_server(settings) as inbox:
        game = open_table("Anna", "Boris", "Clara", options={"rounds": 2})
        boris = seat_of(game, "Boris").user
        inbox.to_recipient[boris.email] = "550 5.1.1 No such mailbox"
        now = MONDAY
        while game.status == Game.Status.RUNNING and now < MONDAY + 60 * DAY:
            tick(now)
            clock.sweep(now=now)
            delivery.drain(now=now)
            now += 6 * HOUR
            game.refresh_from_db()
        delivery.drain(now=now + DAY)
    emails = OutboxEmail.objects.filter(person=boris)
    assert emails.count() > 3
    assert inbox.asked_for.count(boris.email) == 1
    # If it was his turn at once, the email about the start also said so.
    failed = emails.filter(status="failed")
    kinds = set(failed.values_list("kind", flat=True))
    assert "game_started" in kinds
    assert kinds <= {"game_started", "your_turn"}
    assert failed.values("message_id").distinct().count() == 1
    others = OutboxEmail.objects.filter(person__isnull=False, status="sent").exclude(person=boris)
    left = others.values("message_id").distinct().count()
    assert left == len(inbox.messages) == len(inbox.asked_for) - 1 > 3


GAMES = 120


@pytest.mark.django_db
def test_120_games_that_fail_for_one_reason_are_one_alarm_and_one_click(smtp, caplog):
    """An exception in the adjudicator blocked the phase and sent 120 alarms."""
    caplog.set_level(logging.CRITICAL)
    marta = moderator("Marta")
    moderator("Nora")
    game = open_table("Anna", "Boris", "Clara")
    sound = game.state
    games = [game, *copies(game, GAMES - 1)]
    Game.objects.update(state=sound | {"stage": "no such stage"})
    OutboxEmail.objects.all().delete()
    now = MONDAY + DAY
    for wait in (timedelta(), *failures.RETRIES):
        now += wait
        tick(now)
        clock.sweep(now=now)
        delivery.drain(now=now)
    assert Game.objects.filter(parked_at=now).count() == GAMES
    assert [mail["To"] for mail in smtp.messages] == ["marta@example.org", "nora@example.org"]
    assert "The Venice table" in plain_text(smtp.messages[0])
    desk = text_of(browser(User.objects.get(pk=marta.pk)).get("/admin/"))
    assert f"{GAMES - 1} more games are parked for the same reason." in desk

    Game.objects.update(state=sound)  # it is mended
    marta_acts(games[0], "retry-all")
    assert not Game.objects.exclude(parked_at=None).exists()
    assert AuditLine.objects.filter(action="game.retry", who="Marta").count() == GAMES
    delivery.drain(now=now)
    alarms = OutboxEmail.objects.filter(kind="game_parked")
    assert alarms.count() == 2


def copies(game, count):
    """More games that stand just as this one does."""
    made = []
    for _ in range(count):
        other = copy(game)
        other.pk, other.token = None, new_token()
        other.save(force_insert=True)
        made.append(other)
    for kind, rows in ((Seat, game.seats.all()), (Event, game.events.order_by("seq"))):
        kind.objects.bulk_create([_moved(row, other) for other in made for row in rows])
    return made


def _moved(row, game):
    """A row like this one of another game."""
    fields = [one.attname for one in row._meta.concrete_fields if not one.primary_key]
    return type(row)(**({name: getattr(row, name) for name in fields} | {"game_id": game.pk}))
