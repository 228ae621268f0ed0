"""Moderators who act on one person at once, and a suspension while that person plays and joins."""

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, Move, OutboxEmail, Sanction, User
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.lobby import tables as lobby_tables
from games.services.moderation.actions import people
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import PersonRequest
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.races import (
    HANDED_IN_BEFORE,
    assert_whole,
    at_once,
    doing,
    handing_in,
    race,
    rounds_of,
)
from tests.support.tables import DAY, open_table, seats_to_move, table_settings

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]

EACH = 4
ROUNDS = 4


def request_of(user, moderator, now):
    return PersonRequest(user.pk, moderator, "Because.", latest_action(user, moderator), now)


@pytest.mark.parametrize("name", ["warn", "suspend", "ban", "end_sessions"])
def test_two_moderators_at_once_do_it_once(name):
    moderators = [moderator("Marta"), moderator("Nora")]
    now = timezone.now()
    more = {"until": now + DAY} if name == "suspend" else {}
    for number in range(ROUNDS):
        rosa = person(f"Rosa{number}")
        requests = [request_of(rosa, keeper, now) for keeper in moderators]
        act = getattr(people, name)
        done = sum(at_once(*(doing(act, request, **more) for request in requests * EACH)))
        # A moderator who warns again in the same words is told that it is done; it is done once.
        assert done == (EACH if name == "warn" else 1)
        assert AuditLine.objects.filter(person=rosa).count() == 1
        assert OutboxEmail.objects.filter(person=rosa, kind="conduct").count() == 1
        assert Sanction.objects.filter(person=rosa).count() == (name != "end_sessions")


def test_somebody_is_suspended_while_they_answer_and_come_back():
    """They are suspended every time: before their answer, or after it."""
    marta = moderator()
    for number, (chance, wins) in enumerate(rounds_of("moderator", "player", least=ROUNDS)):
        game = open_table(*(f"{who}{number}" for who in ("Anna", "Boris", "Clara")))
        seat, phase = seats_to_move(game)[0], game.phase_no
        now = game.started_at
        request = request_of(seat.user, marta, now)
        coming = {"game_id": game.pk, "user": seat.user, "now": now}
        sides = {
            "moderator": [doing(people.suspend, request, until=now + DAY)],
            "player": [handing_in(game, seat, phase, now) for _ in range(EACH)],
            "return": [doing(seats.come_back, **coming)] * EACH,
        }
        gave = race(sides, chance)
        assert gave["moderator"] == [True]
        wins["player" if any(gave["player"]) else "moderator"] += 1
        seat.refresh_from_db()
        # An answer that comes after the suspension finds somebody suspended at the table, too.
        assert seat.absent_since in {now, now - HANDED_IN_BEFORE}
        assert Move.objects.filter(game=game, phase_no=phase, seat=seat).count() == 1
        assert game.events.filter(kind="SeatAbsent").count() == 1
        game.refresh_from_db()
        assert_whole(game)
        assert verify_game(game.pk) == []


def test_somebody_is_suspended_while_they_sit_down():
    """They never sit there afterwards, whether they had sat down before or came too late."""
    marta = moderator()
    for number, (chance, wins) in enumerate(rounds_of("moderator", "join", least=ROUNDS)):
        rosa, host = person(f"Rosa{number}"), person(f"Host{number}")
        now = timezone.now()
        tables = [
            lobby_tables.open_table(host=host, settings=table_settings(size=3), now=now)
            for _ in range(2)
        ]
        request = request_of(rosa, marta, now)
        sides = {
            "moderator": [doing(people.suspend, request, until=now + DAY)],
            "join": [
                doing(lobby_tables.join, game_id=table.pk, user=rosa, now=now) for table in tables
            ],
        }
        gave = race(sides, chance)
        assert gave["moderator"] == [True]
        wins["join" if all(gave["join"]) else "moderator"] += 1
        assert not Game.objects.filter(seats__user=rosa).exists()
        assert User.objects.get(pk=rosa.pk).is_suspended(now)
