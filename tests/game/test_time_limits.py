"""A sweep, a grant and a drain stop taking more when their time is over; the next goes on.

With the limits of production; by counts, so that a slow machine fails nothing.
"""

from datetime import timedelta

import pytest

from games.models import Game, Move, OutboxEmail, TimeGrant
from games.services import outbox
from games.services.email import delivery
from games.services.moderation.actions import site
from games.services.operations import clock
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.sites import by_nadja
from tests.support.stuck import trouble
from tests.support.tables import DAY, MONDAY, open_table, tick

pytestmark = [
    pytest.mark.full,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("limits_of_production"),
]

GAMES = 6
SLOW = "PERFORM pg_sleep(2.5)"
HOUR = timedelta(hours=1)


@pytest.fixture
def games():
    names = ("Anna", "Boris", "Clara")
    return [open_table(*(f"{name} {n}" for name in names)) for n in range(GAMES)]


def moves(games):
    """How many moves each of the games has."""
    return [game.moves.count() for game in games]


def test_a_sweep_stops_in_time_and_the_next_does_exactly_the_rest(games):
    """Reminders, which come later in a sweep, have a time of their own."""
    others = [open_table(f"D {n}", f"E {n}", f"F {n}", now=MONDAY + 4 * HOUR) for n in range(2)]
    reminders = OutboxEmail.objects.filter(kind="reminder").order_by("game")
    now = MONDAY + DAY
    tick(now)
    with trouble("games_move", *(game.pk for game in games), does=SLOW):
        first = clock.sweep(now=now)
    assert 0 < first < GAMES
    assert sorted(moves(games), reverse=True) == [1] * first + [0] * (GAMES - first)
    assert Game.objects.due(now).count() == GAMES - first
    assert [mail.game for mail in reminders] == others
    assert clock.sweep(now=now) == GAMES - first
    assert clock.sweep(now=now) == 0
    assert moves(games) == [1] * GAMES
    assert set(Move.objects.values_list("cause", flat=True)) == {"clock"}
    text = OutboxEmail.objects.filter(kind="default_played")
    assert sorted(text.values_list("game", flat=True)) == [game.pk for game in games]
    assert reminders.count() == len(others)


def test_all_games_get_their_time_once_though_a_sweep_stops_before(games):
    before = [game.deadline_at for game in games]
    now = MONDAY + HOUR
    site.give_hours(by_nadja(now), hours=5)
    tick(now)
    with trouble("games_event", *(game.pk for game in games), does=SLOW):
        assert clock.sweep(now=now) == 0
    grant = TimeGrant.objects.get()
    assert 0 < grant.games_moved < GAMES
    assert grant.finished_at is None
    assert times_moved(games).count(1) == grant.games_moved
    for _ in range(2):
        clock.sweep(now=now)
    grant.refresh_from_db()
    assert (grant.games_moved, grant.finished_at, grant.failures) == (GAMES, now, [])
    assert times_moved(games) == [1] * GAMES
    for game in games:
        game.refresh_from_db()
    assert [game.deadline_at for game in games] == [at + 5 * HOUR for at in before]


def times_moved(games):
    """How often a deadline was moved in each of the games."""
    return [game.events.filter(kind="DeadlineMoved").count() for game in games]


PEOPLE = 60
"""More than a drain can send in its time where each mail takes `SECONDS`: 16 at once."""

SECONDS = 2


def test_a_drain_stops_in_time_and_the_next_send_exactly_the_rest(settings, monkeypatch):
    monkeypatch.setattr(delivery, "MOST_SECONDS", 5)
    game = open_table("Anna", "Boris", "Clara")
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    OutboxEmail.objects.all().delete()
    people = [person(f"Reader{n}") for n in range(PEOPLE)]
    for reader in people:
        outbox.enqueue("table_closed", game=game, person=reader, now=MONDAY)
    with choosy_server(settings) as inbox:
        inbox.seconds_for_a_mail = SECONDS
        first = delivery.drain(now=MONDAY)
        assert 0 < first < PEOPLE
        assert len(inbox.messages) == OutboxEmail.objects.filter(status="sent").count() == first
        assert OutboxEmail.objects.filter(status="ready", attempts=0).count() == PEOPLE - first
        inbox.seconds_for_a_mail = 0
        rest = 0
        while sent := delivery.drain(now=MONDAY):
            rest += sent
        assert rest == PEOPLE - first
        assert sorted(mail["To"] for mail in inbox.messages) == sorted(p.email for p in people)
