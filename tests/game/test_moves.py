"""Handing in answers: one writer, one answer for a question, nothing written when refused."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError

from games.engine import BRIBING, decode_event, encode, replay
from games.engine.state import bribers
from games.models import Event, Game, Move, OutboxEmail
from games.services.game import moves
from games.services.lobby import tables
from tests.support.client import person
from tests.support.stuck import altering_tables
from tests.support.tables import DAY, MONDAY, open_table, read_move, seats_to_move, submit_move

pytestmark = pytest.mark.django_db


def test_a_full_table_starts_and_asks_the_first_player_alone():
    game = open_table("Anna", "Boris", "Clara")
    assert game.status == Game.Status.RUNNING
    [seat] = seats_to_move(game)
    assert seat.colour == game.decoded().table.players[game.decoded().active]
    assert seat.deadline_at == MONDAY + DAY == game.deadline_at
    assert seat.remind_at == MONDAY + 0.8 * DAY
    asked = OutboxEmail.objects.filter(kind="your_turn")
    assert [mail.person for mail in asked] == [seat.user]


def test_the_same_seed_draws_the_same_seats_and_first_player():
    drawn = []
    for names in (("Anna", "Boris", "Clara"), ("Dora", "Emil", "Fanny")):
        game = open_table(*names[:2], size=3)
        Game.objects.filter(pk=game.pk).update(seed=2026)
        tables.join(game_id=game.pk, user=person(names[2]), now=MONDAY)
        game.refresh_from_db()
        seats = [seat.number for seat in game.seats.order_by("pk")]
        assert sorted(seats) == [0, 1, 2]
        drawn.append((seats, game.decoded().table.first))
    assert drawn[0] == drawn[1]


def test_an_answer_moves_the_game_on_and_is_written_once():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    assert submit_move(game, first.user, MONDAY).played
    game.refresh_from_db()
    state = game.decoded()
    assert (game.phase_no, state.stage, state.active) == (
        2,
        "uncontested-bribes",
        (first.number + 1) % 3,
    )
    assert [seat.pk for seat in seats_to_move(game)] == [first.pk]
    assert game.moves.count() == 1
    assert list(game.events.order_by("seq").values_list("seq", "kind", "cause")) == [
        (1, "GameStarted", "rules"),
        (2, "TurnBegan", "rules"),
        (3, "StageOpened", "rules"),
        (4, "ScholarsSent", "player"),
        (5, "TurnBegan", "rules"),
        (6, "StageOpened", "rules"),
    ]


def test_the_same_post_twice_is_one_move():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    token = uuid4()
    assert submit_move(game, first.user, MONDAY, token=token, phase_no=1).played
    move = Move.objects.get()
    assert submit_move(
        game, first.user, MONDAY, token=token, phase_no=1, move=_sending(game)
    ).played
    assert list(Move.objects.all()) == [move]


def _sending(game):
    colour = game.decoded().table.players
    return read_move(
        game,
        {
            "type": "send",
            "scholars": [[f"{colour[0]}-clerk-1", colour[1]], [f"{colour[0]}-clerk-2", colour[2]]],
        },
    )


def test_an_answer_to_an_old_question_changes_nothing():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    submit_move(game, first.user, MONDAY)
    before = snapshot(game)
    outcome = submit_move(game, first.user, MONDAY, phase_no=1, move=_sending(game))
    assert (outcome.played, outcome.stale) == (False, True)
    assert snapshot(game) == before


def test_a_stranger_and_a_player_who_is_not_awaited_are_refused():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    other = game.seats.exclude(pk=first.pk).first()
    before = snapshot(game)
    assert submit_move(game, other.user, MONDAY, move=_sending(game)).stale
    stranger = person("Zoe")
    outcome = moves.submit_moves(
        game_id=game.pk,
        user=stranger,
        phase_no=1,
        token=uuid4(),
        moves=[_sending(game)],
        now=MONDAY,
    )
    assert outcome.reason == "You don't have a seat at this table."
    assert snapshot(game) == before


def test_an_illegal_move_is_refused_with_the_rule_and_changes_nothing():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    colour = first.colour
    own = read_move(
        game,
        {
            "type": "send",
            "scholars": [[f"{colour}-clerk-1", colour], [f"{colour}-clerk-2", colour]],
        },
    )
    before = snapshot(game)
    outcome = submit_move(game, first.user, MONDAY, move=own)
    assert not outcome.played
    assert outcome.reason == "Please choose other players' palaces."
    assert snapshot(game) == before


def test_a_late_answer_counts_until_the_default_is_played():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    assert submit_move(game, first.user, MONDAY + 2 * DAY).played
    assert Move.objects.get().cause == "player"


@pytest.mark.full
def test_the_events_rebuild_the_state():
    game = open_table("Anna", "Boris", "Clara")
    for _ in range(12):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    rows = Event.objects.filter(game=game).order_by("seq")
    state = replay(decode_event({"kind": row.kind, **row.payload}) for row in rows)
    game.refresh_from_db()
    assert encode(state) == game.state == json.loads(json.dumps(encode(state)))


def test_computer_players_answer_in_the_same_moment():
    game = open_table("Anna", size=4)
    host = game.host
    tables.start_with_computer_players(
        game_id=game.pk, user=host, computer_player="random", now=MONDAY
    )
    [seat] = seats_to_move(game)
    assert seat.user == host
    assert not Move.objects.exclude(cause="house").exists()


@pytest.mark.django_db(transaction=True)
def test_events_cannot_be_changed():
    open_table("Anna", "Boris", "Clara")
    for statement in (
        "UPDATE games_event SET kind = 'x'",
        "DELETE FROM games_event",
        "TRUNCATE games_event CASCADE",
    ):
        with (
            pytest.raises(DatabaseError, match="events are never changed"),
            altering_tables() as cursor,
        ):
            cursor.execute(statement)


def test_one_deadline_for_a_bribing_stage_and_a_quarter_for_who_comes_late():
    game = open_table("Anna", "Boris", "Clara", "Dora")
    game = play_until_two_bribe(game)
    [first] = seats_to_move(game)
    opened = game.phase_opened_at
    assert first.deadline_at == opened + DAY
    late = opened + timedelta(hours=23)
    submit_move(game, first.user, late)
    [second] = seats_to_move(game)
    assert second.deadline_at == late + timedelta(hours=6)


def play_until_two_bribe(game):
    """Default moves until a bribing stage in which two players bribe one after the other."""
    for _ in range(200):
        game.refresh_from_db()
        state = game.decoded()
        if state.stage in BRIBING and len(bribers(state)) > 1 and not state.paid:
            return game
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    raise AssertionError("No such stage came.")


def snapshot(game):
    """Everything that a refused answer must not change."""
    fresh = Game.objects.get(pk=game.pk)
    return (
        fresh.state,
        fresh.phase_no,
        fresh.deadline_at,
        list(fresh.moves.values_list("pk")),
        list(fresh.events.values_list("seq")),
        list(fresh.seats.values_list("deadline_at", "deadline_version")),
        list(fresh.emails.values_list("pk")),
    )


def test_a_token_of_another_game_is_no_answer_here():
    first = open_table("Anna", "Boris", "Clara")
    token = uuid4()
    submit_move(first, seats_to_move(first)[0].user, MONDAY, token=token)
    second = open_table("Dora", "Emil", "Fanny")
    outcome = submit_move(second, seats_to_move(second)[0].user, MONDAY, token=token)
    assert (outcome.played, outcome.stale) == (False, True)
    assert not second.moves.exists()


def test_a_mistake_without_a_form_is_no_form_that_came_twice():
    """Most moves have no token: that another one has none either says nothing."""
    game = open_table("Anna", "Boris", "Clara")
    user = seats_to_move(game)[0].user
    Move.objects.create(game=game, phase_no=0, seat=game.seats.first(), move={}, at=MONDAY)
    with pytest.raises(IntegrityError), moves.at_table(user, MONDAY, pk=game.pk):
        Move.objects.create(game=game, phase_no=0, seat=game.seats.first(), move={}, at=MONDAY)
