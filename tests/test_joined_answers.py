"""Pace: a review that changes nothing, the last decision with the sending, forced choices."""

import pytest

from games.engine import view
from games.engine.forced import forced_move, sending_after
from games.models import Move
from tests.tables import MONDAY, answer, awaited_seats, open_table
from tests.web import as_shown, browser, forms_of, move_form

pytestmark = pytest.mark.django_db


def until(wanted, *names, **settings):
    """A game in which default moves were played until the first awaited seat's view is wanted."""
    game = open_table(*(names or ("Anna", "Boris", "Clara")), **settings)
    for _ in range(200):
        game.refresh_from_db()
        seat = awaited_seats(game)[0]
        if wanted(view(game.decoded(), seat.number)):
            return game, seat
        answer(game, seat.user, MONDAY)
    raise AssertionError("No such question came.")


def filled_in(game, seat):
    """The browser of the seat's player, and the question's form as the page shows it."""
    player = browser(seat.user)
    return player, as_shown(move_form(player.get(game.get_absolute_url()).content.decode()))


def moves_of(game, seat):
    return list(
        Move.objects.filter(game=game, seat=seat).order_by("pk").values_list("move__type", "cause")
    )


def test_the_last_decision_and_the_sending_are_one_answer_and_two_moves():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    assert player.post(f"{game.get_absolute_url()}move/", form).status_code == 302
    [decision, sending] = moves_of(game, seat)[len(before) : len(before) + 2]
    assert decision[0] in {"place", "judge"}
    assert sending == ("send", "player")
    phases = Move.objects.filter(seat=seat).order_by("pk").values_list("phase_no", flat=True)
    assert len(set(phases)) == len(phases)


def test_the_sending_may_be_left_for_later():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    player.post(f"{game.get_absolute_url()}move/", form | {"send-later": "on"})
    assert len(moves_of(game, seat)) == len(before) + 1
    game.refresh_from_db()
    assert game.decoded().stage == "sending"
    assert [asked.pk for asked in awaited_seats(game)] == [seat.pk]


def test_joined_answers_are_played_together_or_not_at_all():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    twice = form | {"send-scholar-2": form["send-scholar-1"]}
    refused = player.post(f"{game.get_absolute_url()}move/", twice)
    assert refused.status_code == 422
    kept = move_form(refused.content.decode())
    assert kept["send-scholar-2"].value == form["send-scholar-1"]
    assert moves_of(game, seat) == before


def test_a_forced_choice_is_played_by_itself_and_told_as_such():
    game = open_table("Anna", "Boris", "Clara")
    while not Move.objects.filter(cause="rules").exists():
        answer(game, awaited_seats(game)[0].user, MONDAY)
    assert Move.objects.filter(cause="rules").first().user is None
    game.refresh_from_db()
    for seat in awaited_seats(game):
        assert forced_move(view(game.decoded(), seat.number)) is None


def test_looking_an_answer_over_shows_the_totals_and_changes_nothing():
    game, seat = until(lambda seen: seen.stage.value.endswith("bribes"))
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    amount = next(name for name in form if name.startswith(seat.colour))
    cash = game.decoded().cash[seat.number]
    typed = form | {amount: "5000"}
    page = player.post(f"{game.get_absolute_url()}review/", typed).content.decode()
    others = sum(int(form[name]) for name in form if name.startswith(seat.colour)) - int(
        form[amount]
    )
    paid = 5000 + others
    assert f"You pay {paid:,} ducats in all and keep {cash - paid:,}." in page
    assert moves_of(game, seat) == before
    [hidden] = [fields for action, fields in forms_of(page).items() if action.endswith("/move/")]
    back = player.post(f"{game.get_absolute_url()}move/", as_shown(hidden) | {"change": "1"})
    assert move_form(back.content.decode())[amount].value == "5000"
    assert moves_of(game, seat) == before
    assert player.post(f"{game.get_absolute_url()}move/", as_shown(hidden)).status_code == 302
    assert len(moves_of(game, seat)) >= len(before) + 1


def test_who_comes_back_to_an_act_by_get_is_led_to_the_table():
    game, seat = until(sending_after)
    player = browser(seat.user)
    for act in ("move", "review", "come-back", "days-off"):
        came = player.get(f"{game.get_absolute_url()}{act}/")
        assert (came.status_code, came["Location"]) == (302, game.get_absolute_url())
