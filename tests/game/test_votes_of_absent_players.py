"""Only one person is present: absent players have a say in whether the game ends (days 15)."""

from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game, OutboxEmail, Vote
from games.services.email import delivery
from games.services.game import seats, votes
from games.services.game.votes import Proposal
from games.services.lobby import tables
from games.services.operations import clock
from tests.game.test_votes import call, page_of, say
from tests.support.client import browser, forms_of
from tests.support.sent_emails import emailed, plain_text
from tests.support.tables import DAY, MONDAY, open_table, seat_of, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
END = Proposal(Vote.Kind.END)


def step_aside(game, *names, now=None):
    for name in names:
        user = seat_of(game, name).user
        seats.step_aside(game_id=game.pk, user=user, now=now or timezone.now())
    game.refresh_from_db()


@pytest.fixture
def game() -> Game:
    """A game at which Anna is present, and Boris and Clara are absent."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    step_aside(game, "Boris", "Clara")
    return game


def time_is_over(game):
    vote = Vote.objects.get()
    tick(vote.closes_at)
    clock.sweep(now=vote.closes_at)
    game.refresh_from_db()


def come_back(game, name):
    seats.come_back(game_id=game.pk, user=seat_of(game, name).user, now=timezone.now())


@pytest.mark.full
def test_the_only_one_who_is_present_cannot_end_the_game_at_once(game):
    assert "the absent players will get an email" in page_of(game, "Anna")
    text = call(game, "Anna", "end")
    assert "The vote is open, and you&#39;ve voted yes." in text
    assert game.status == Game.Status.RUNNING
    vote = Vote.objects.get()
    assert (vote.asks_absent, vote.closed_at) == (True, None)
    assert vote.closes_at - vote.opened_at == DAY
    assert emailed("vote") == ["Boris", "Clara"]


@pytest.mark.full
def test_the_silence_of_absent_players_does_not_block(game):
    call(game, "Anna", "end")
    time_is_over(game)
    assert game.status == Game.Status.CANCELLED
    assert Vote.objects.get().passed


@pytest.mark.full
def test_an_absent_player_finds_the_vote_on_the_page_and_prevents_the_end_by_a_no(game):
    call(game, "Anna", "end")
    vote = Vote.objects.get()
    url = reverse("games:cast", args=[game.token, vote.pk])
    page = page_of(game, "Clara")
    assert url in forms_of(page)
    assert "unless an absent player votes no, or returns and doesn't vote yes" in unescape(page)
    home = browser(seat_of(game, "Clara").user).get("/").content.decode()
    assert "The table is voting: cast your vote" in home
    assert "The vote to end the game has failed." in say(game, "Clara", "no")
    assert Vote.objects.get().passed is False
    assert game.status == Game.Status.RUNNING


@pytest.mark.full
def test_an_absent_players_yes_ends_nothing_while_another_may_say_no(game):
    call(game, "Anna", "end")
    say(game, "Boris", "yes")
    assert game.status == Game.Status.RUNNING
    say(game, "Clara", "yes")
    assert game.status == Game.Status.CANCELLED


@pytest.mark.full
def test_who_comes_back_and_does_not_agree_prevents_the_end(game):
    call(game, "Anna", "end")
    come_back(game, "Boris")
    time_is_over(game)
    assert Vote.objects.get().passed is False
    assert game.status == Game.Status.RUNNING


@pytest.mark.full
def test_who_comes_back_and_agrees_does_not(game):
    call(game, "Anna", "end")
    come_back(game, "Boris")
    say(game, "Boris", "yes")
    assert game.status == Game.Status.RUNNING, "Clara still may say no"
    time_is_over(game)
    assert game.status == Game.Status.CANCELLED


@pytest.mark.full
def test_the_email_tells_absent_players_what_they_can_do(game, smtp):
    call(game, "Anna", "end")
    delivery.drain(now=timezone.now())
    texts = [plain_text(mail) for mail in smtp.messages]
    text = next(text for text in texts if "Your vote is needed at" in text)
    assert "so the absent players may vote too" in text
    assert "unless an absent player votes no, or returns and doesn't vote yes" in text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("pace", "alone", "together"),
    [
        ({"move_time": 7 * DAY}, 7 * DAY, 3 * DAY),
        ({"move_time": DAY / 48}, HOUR, HOUR),
        ({"move_time": DAY, "no_play_days": (1, 2), "time_zone": "UTC"}, 3 * DAY, DAY),
    ],
)
def test_absent_players_have_a_full_answering_time(pace, alone, together):
    """MONDAY is a Monday: Tuesday and Wednesday do not count where nobody plays on them."""
    for names, away, time in (
        (("Anna", "Boris", "Clara"), ("Boris", "Clara"), alone),
        (("Dora", "Emil", "Fanny"), (), together),
    ):
        game = open_table(*names, **pace)
        step_aside(game, *away, now=MONDAY)
        vote = votes.call_vote(game_id=game.pk, user=game.host, proposal=END, now=MONDAY)
        assert vote.closes_at - MONDAY == time


def test_where_nobody_else_can_come_back_one_person_decides_alone():
    game = open_table("Anna", size=3, now=timezone.now())
    tables.start_with_computer_players(
        game_id=game.pk, user=game.host, computer_player="default", now=timezone.now()
    )
    assert "There's nobody else to vote here, so your vote alone decides." in page_of(game, "Anna")
    assert "The vote to end the game has passed." in call(game, "Anna", "end")
    assert game.status == Game.Status.CANCELLED
    assert not OutboxEmail.objects.filter(kind="vote").exists()


@pytest.mark.full
def test_one_yes_is_not_enough_where_the_absent_were_not_asked():
    """Three were present when the vote began; one is left when its time is over."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    call(game, "Anna", "end")
    step_aside(game, "Boris", "Clara")
    time_is_over(game)
    assert Vote.objects.get().passed is False
    assert game.status == Game.Status.RUNNING


def test_about_everything_else_absent_players_have_no_say(game):
    assert "A vote needs at least 2 active players." in call(game, "Anna", "pause", days=2)
    assert not Vote.objects.exists()
