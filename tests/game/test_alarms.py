"""Many games that fail for one reason raise one alarm, and are tried again with one click."""

import logging
from datetime import timedelta

import pytest

from games.models import AuditLine, Game, OutboxEmail, User
from games.services.game import failures
from games.services.operations import clock
from tests.support.client import browser, text_of
from tests.support.moderators import act_url, marta_acts, moderator, shown_form
from tests.support.stuck import MISTAKE, locked, trouble
from tests.support.tables import DAY, MONDAY, open_table, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def failures_are_expected(caplog):
    caplog.set_level(logging.CRITICAL)


def tables(count, first=0):
    return [open_table(*(f"{name} {n}" for name in "ABC")) for n in range(first, first + count)]


def spoil(games, error="ValueError"):
    """Make their states such that reading them is this error."""
    for game in games:
        state = game.state | {"stage": "no such stage"} if error == "ValueError" else {}
        Game.objects.filter(pk=game.pk).update(state=state)


def sweep_until_parked(now=MONDAY + DAY):
    for wait in (timedelta(), *failures.RETRIES):
        now += wait
        tick(now)
        clock.sweep(now=now)
    return now


def alarms():
    found = OutboxEmail.objects.filter(kind="game_parked").order_by("pk")
    return list(found.values_list("game", "person__name"))


def parked():
    return set(Game.objects.filter(parked_at__isnull=False).values_list("pk", flat=True))


class TestAlarms:
    def test_one_for_a_reason_to_each_moderator(self):
        moderator("Marta"), moderator("Nora")
        games = tables(5)
        spoil(games)
        sweep_until_parked()
        assert parked() == {game.pk for game in games}
        assert alarms() == [(games[0].pk, "Marta"), (games[0].pk, "Nora")]

    def test_another_reason_is_another_alarm(self):
        moderator("Marta")
        one, two = tables(2), tables(2, first=2)
        spoil(one)
        spoil(two, "KeyError")
        sweep_until_parked()
        assert alarms() == [(one[0].pk, "Marta"), (two[0].pk, "Marta")]

    def test_the_same_reason_again_later_is_another_alarm(self):
        moderator("Marta")
        games = tables(2)
        spoil(games)
        now = sweep_until_parked()
        for game in games:
            marta_acts(game, "retry")
        more = tables(1, first=2)
        spoil(more)
        sweep_until_parked(now)
        assert alarms() == [(games[0].pk, "Marta"), (more[0].pk, "Marta")]


class TestTryAllAgain:
    def test_the_desk_has_one_line_and_one_click(self):
        marta = browser(moderator())
        games = tables(3)
        spoil(games)
        sweep_until_parked()
        desk = marta.get("/admin/")
        assert text_of(desk).count("parked since") == 1
        assert "ValueError. 2 more games are parked for the same reason." in text_of(desk)
        assert act_url(games[0], "retry-all") in desk.content.decode()
        marta_acts(games[0], "retry-all")
        assert parked() == set()
        lines = AuditLine.objects.filter(action="game.retry").order_by("game")
        assert [(line.game_id, line.who, line.reason) for line in lines] == [
            (game.pk, "Marta", "Clara is in hospital.") for game in games
        ]
        for game in games:
            assert game.events.filter(kind="GameTakenUp").count() == 1

    def test_what_has_another_reason_is_left(self):
        moderator()
        same, other = tables(2), tables(1, first=2)
        spoil(same)
        spoil(other, "KeyError")
        sweep_until_parked()
        marta_acts(same[1], "retry-all")
        assert parked() == {other[0].pk}
        page = browser(User.objects.get(name="Marta")).get(act_url(other[0], "retry-all"))
        assert (
            "This is only possible while several games are parked for the same reason."
            in text_of(page)
        )

    def test_ones_own_table_is_left_to_others(self):
        marta = moderator()
        games = tables(3)
        spoil(games)
        sweep_until_parked()
        games[1].seats.filter(user__name="A 1").update(user=marta)
        marta_acts(games[0], "retry-all")
        assert parked() == {games[1].pk}

    def test_where_none_can_go_on_it_says_why(self):
        marta = browser(moderator())
        games = tables(2)
        spoil(games)
        sweep_until_parked()
        with trouble("games_event", *(game.pk for game in games), does=MISTAKE):
            answered = marta.post(
                act_url(games[0], "retry-all"),
                shown_form(marta, games[0], "retry-all") | {"reason": "Mended."},
            )
        assert answered.status_code == 422
        assert "The game still can't continue: DataError." in text_of(answered)
        assert len(parked()) == 2


@pytest.mark.django_db(transaction=True)
def test_a_locked_one_is_left_for_another_click():
    moderator()
    games = tables(3)
    spoil(games)
    sweep_until_parked()
    with locked(games[1]):
        marta_acts(games[0], "retry-all")
        assert parked() == {games[1].pk}
    marta_acts(games[1], "retry")
    assert parked() == set()
