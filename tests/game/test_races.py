"""Players and clocks at the same moment on a real PostgreSQL: one advance each, no gap."""

import pytest
from django.urls import reverse

from games.models import Game, Move
from tests.support.client import as_shown, browser, move_form
from tests.support.races import assert_whole, handing_in, race, rounds_of, sweeping
from tests.support.tables import open_table, seats_to_move, tick

PLAYERS = 32
CLOCKS = 4

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]


def asked_in(game):
    """The game, or a new one where it is over, and the seat that is asked there."""
    game.refresh_from_db()
    asked = seats_to_move(game)
    if game.status != Game.Status.RUNNING or not asked:
        game = open_table(*(f"{name}{game.pk}" for name in ("Anna", "Boris", "Clara")))
        asked = seats_to_move(game)
    tick(game.deadline_at)
    return game, asked[0]


def winner(game, asked, phase):
    """Whose move was played; there is exactly one, and the game is whole."""
    move = Move.objects.get(game=game, phase_no=phase, seat=asked)
    assert_whole(game)
    return move.cause


def test_many_hand_in_for_one_phase_while_clocks_expire_it(rounds):
    game = open_table("Anna", "Boris", "Clara", "Dora", absent_player="default")
    for chance, wins in rounds_of("player", "clock", least=rounds):
        game, asked = asked_in(game)
        phase, now = game.phase_no, game.deadline_at
        sides = {
            "player": [handing_in(game, asked, phase, now) for _ in range(PLAYERS)],
            "clock": [sweeping(now)] * CLOCKS,
        }
        played = race(sides, chance)["player"]
        won = winner(game, asked, phase)
        assert sum(played) == (won == "player")
        wins[won] += 1


def posting(game, user):
    """The same form handed in from several tabs; the status of each answer."""
    tabs = [browser(user) for _ in range(3)]
    url = reverse("games:move", args=[game.token])
    form = as_shown(move_form(tabs[0].get(game.get_absolute_url()).content.decode()))
    form["reviewed"] = "yes"
    return [lambda tab=tab: tab.post(url, form).status_code for tab in tabs]


def test_one_form_in_many_tabs_while_clocks_expire_it(rounds):
    """By HTTP: whoever was late reads so, and nobody sees an error page."""
    game = open_table("Anna", "Boris", "Clara")
    for chance, wins in rounds_of("player", "clock", least=rounds):
        game, asked = asked_in(game)
        phase, now = game.phase_no, game.deadline_at
        sides = {"player": posting(game, asked.user), "clock": [sweeping(now)] * CLOCKS}
        answered = race(sides, chance)["player"]
        won = winner(game, asked, phase)
        assert set(answered) <= {302, 409, 503}
        # One form is one answer: all its copies that came through are told that it stands.
        assert (302 in answered) == (won == "player")
        assert (409 in answered) <= (won == "clock")
        wins[won] += 1


@pytest.fixture
def rounds(request):
    return 50 if request.config.getoption("--long") else 5
