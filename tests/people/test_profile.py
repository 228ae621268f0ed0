"""What a person's page tells of their games, and how they hide it."""

import re

import pytest

from games.engine import view
from games.models import Game, User
from games.models.people import ProfilePart
from games.services.accounts.queries.profile import games_of, results_of
from games.services.game import seats
from games.services.lobby import tables
from games.services.people.companions import Companion, companions_of
from tests.support.client import browser, person, text_of
from tests.support.tables import MONDAY, seat_of, seats_to_move, submit_move, table_settings

pytestmark = pytest.mark.django_db

PROFILE = {"name": "Anna", "time_zone": "UTC", "language": ""}


def running_game(*names, **settings) -> Game:
    """A game of these people, who may have sat at other tables before."""
    host, *others = [User.objects.filter(name=name).first() or person(name) for name in names]
    wanted = table_settings(size=len(names), **settings)
    game = tables.open_table(host=host, settings=wanted, now=MONDAY)
    for other in others:
        tables.join(game_id=game.pk, user=other, now=MONDAY)
    game.refresh_from_db()
    return game


def finished_game(*names, **settings) -> Game:
    game = running_game(*names, options={"rounds": 1}, **settings)
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    return game


def has_won(game: Game, name: str) -> bool:
    return seat_of(game, name).number in view(game.decoded(), None).winners


@pytest.mark.full
def test_results_are_counted_by_edition():
    names = "Anna", "Boris", "Clara"
    first = finished_game(*names)
    second = finished_game(*names, name="The Lido table")
    third = finished_game(*names, edition="fx-schmid-1994", name="The Murano table")
    running_game(*names, name="Running")
    for name in names:
        played = results_of(seat_of(first, name).user)
        assert [(line.played, line.won) for line in played] == [
            (2, has_won(first, name) + has_won(second, name)),
            (1, has_won(third, name)),
        ]
    assert any(has_won(third, name) for name in names)


def test_companions_are_those_with_whom_two_games_were_finished():
    first = finished_game("Anna", "Boris", "Clara")
    finished_game("Anna", "Boris", "Dora", name="Lido")
    anna, boris = seat_of(first, "Anna").user, seat_of(first, "Boris").user
    assert companions_of(anna) == [Companion(boris, 2)]
    finished_game("Anna", "Boris", "Clara", name="Murano")
    assert [(one.person.name, one.games) for one in companions_of(anna)] == [
        ("Boris", 3), ("Clara", 2)
    ]  # fmt: skip
    boris.hidden_parts = ["companions"]
    boris.save()
    assert [one.person.name for one in companions_of(anna)] == ["Clara"]


def test_only_listed_games_can_be_watched_from_it_running_ones_first():
    over = finished_game("Anna", "Boris", "Clara", listed=True, name="Over")
    running = running_game("Anna", "Boris", "Clara", listed=True, name="Running")
    running_game("Anna", "Boris", "Clara", name="Private")
    assert [line.game for line in games_of(seat_of(over, "Anna").user)] == [running, over]


@pytest.mark.full
def test_a_game_that_was_left_is_no_result():
    game = running_game("Anna", "Boris", "Clara", "Dora", options={"rounds": 2})
    seat, emil = seat_of(game, "Dora"), person("Emil")
    dora = seat.user
    seats.step_aside(game_id=game.pk, user=dora, now=MONDAY)
    seats.take_over(game_id=game.pk, number=seat.number, user=emil, now=MONDAY)
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert results_of(dora) == []
    assert [line.played for line in results_of(emil)] == [1]


PARTS = {
    ProfilePart.RESULTS: "Results",
    ProfilePart.RELIABILITY: "On time:",
    ProfilePart.PROMISES: "Promises kept: 2",
    ProfilePart.COMPANIONS: "Often plays with",
    ProfilePart.GAMES: "Games anyone may watch",
}


@pytest.mark.full
@pytest.mark.parametrize("hidden", PARTS)
def test_each_part_can_be_hidden_from_everyone(hidden):
    game = finished_game("Anna", "Boris", "Clara", listed=True)
    finished_game("Anna", "Boris", "Clara", name="Lido")
    anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
    anna.sittings.filter(seat__game=game).update(promises_kept=2)
    assert told(anna, boris) == set(PARTS)
    client = browser(anna)
    client.post("/accounts/profile/", {**PROFILE, "hidden_parts": [hidden]})
    assert told(anna, boris) == told(anna, anna) == set(PARTS) - {hidden}
    page = client.get("/accounts/profile/").content.decode()
    checked = re.findall(r'name="hidden_parts" value="(\w+)"[^>]* checked', page)
    assert checked == [hidden]


def told(of, reader) -> set[str]:
    text = text_of(browser(reader).get(f"/people/{of.pk}/"))
    return {part for part, words in PARTS.items() if words in text}
