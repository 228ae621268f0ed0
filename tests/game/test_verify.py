"""`manage.py verify_games`: stored games are what their events and moves tell."""

import pytest
from django.core.management import CommandError, call_command

from games.models import Event, Game, Move
from games.services.game.verify import verify_game
from tests.support.stuck import altering_tables
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move

pytestmark = [pytest.mark.full, pytest.mark.django_db]


def played(*names, moves=12, **more):
    """A game in the middle: everybody has played the default so far."""
    game = open_table(*names, **more)
    for _ in range(moves):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    return game


@pytest.fixture
def game():
    return played("Anna", "Boris", "Clara")


def change_events(statement):
    """What the trigger refuses: somebody with the keys to the database does it by hand."""
    with altering_tables() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        cursor.execute(statement)
        cursor.execute("ALTER TABLE games_event ENABLE TRIGGER USER")


@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
def test_games_that_were_played_are_right(capsys, bribing):
    played("Anna", "Boris", "Clara", options={"bribing": bribing})
    played("Dora", "Emil", "Fritz", "Greta", "Hanna", moves=30, options={"bribing": bribing})
    open_table("Ida", "Jakob", size=3)
    call_command("verify_games")
    assert capsys.readouterr().out == "Games replayed: 2; with faults: 0.\n"


def test_what_the_server_noted_beside_the_engine_changes_no_state(game):
    last = game.events.order_by("-seq").first()
    Event.objects.create(
        game=game, seq=last.seq + 1, phase_no=last.phase_no, kind="DeadlineMoved",
        payload={"seat": 1}, cause="clock", at=MONDAY + DAY,
    )  # fmt: skip
    assert verify_game(game.pk) == []


def test_a_state_that_somebody_changed_is_found_without_telling_it(game, capsys):
    game.state["cash"][0] += 1000
    game.save()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_games")
    assert ended.value.code == 1
    assert capsys.readouterr().out.splitlines() == [
        f"Game {game.pk}: The events lead to another state: cash.",
        f"Game {game.pk}: The 12 moves lead to another state than the stored one.",
        "Games replayed: 1; with faults: 1.",
    ]


def test_a_gap_in_the_numbers_is_found(game):
    last = game.events.order_by("-seq").first()
    Event.objects.create(
        game=game, seq=last.seq + 2, phase_no=last.phase_no, kind="DeadlineMoved",
        payload={}, cause="clock", at=MONDAY,
    )  # fmt: skip
    assert verify_game(game.pk) == [f"After event {last.seq} comes none, but later ones do."]


def test_moves_that_are_missing_or_illegal_are_found(game):
    Move.objects.filter(pk=game.moves.order_by("-pk").first().pk).delete()
    assert verify_game(game.pk) == ["The 11 moves lead to another state than the stored one."]
    first = game.moves.order_by("pk").first()
    first.move = {"player": "green", "type": "judge", "winner": "nobody"}
    first.save()
    [fault] = verify_game(game.pk)
    assert fault.startswith("It cannot be replayed: IllegalMove: ")


def test_one_spoilt_game_does_not_hide_the_others(game, capsys):
    other = played("Dora", "Emil", "Fritz")
    change_events(f"UPDATE games_event SET payload = '{{}}' WHERE game_id = {game.pk}")
    Game.objects.filter(pk=other.pk).update(state={**other.state, "round": 7})
    with pytest.raises(SystemExit):
        call_command("verify_games")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"Game {game.pk}: It cannot be replayed: ")
    assert lines[1] == f"Game {other.pk}: The events lead to another state: round."
    assert lines[-1] == "Games replayed: 2; with faults: 2."


def test_one_game_alone_is_looked_at_on_demand(game, capsys):
    other = played("Dora", "Emil", "Fritz")
    Game.objects.filter(pk=other.pk).update(state={**other.state, "round": 7})
    call_command("verify_games", game=game.pk)
    assert capsys.readouterr().out == "Games replayed: 1; with faults: 0.\n"
    waiting = open_table("Ida", "Jakob", size=3)
    with pytest.raises(CommandError, match=f"no game {waiting.pk} that has started"):
        call_command("verify_games", game=waiting.pk)
