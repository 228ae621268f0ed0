"""Pace: a review that changes nothing, the last decision with the sending, forced choices."""

import re

import pytest

from games.engine import view
from games.engine.forced import forced_move, sending_after
from games.models import Game, Move, OutboxEmail
from games.services.email import delivery
from games.services.game.queries.history import read_turns
from tests.support.client import as_shown, browser, forms_of, move_form, person, text_of
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db


def until(wanted, *names, **settings):
    """A game in which default moves were played until the first awaited seat's view is wanted."""
    game = open_table(*(names or ("Anna", "Boris", "Clara")), **settings)
    for _ in range(200):
        game.refresh_from_db()
        seat = seats_to_move(game)[0]
        if wanted(view(game.decoded(), seat.number)):
            return game, seat
        submit_move(game, seat.user, MONDAY)
    raise AssertionError("No such question came.")


def filled_in(game, seat):
    """The browser of the seat's player, and the question's form as the page shows it."""
    player = browser(seat.user)
    return player, as_shown(move_form(player.get(game.get_absolute_url()).content.decode()))


def moves_of(game, seat):
    return list(
        Move.objects.filter(game=game, seat=seat).order_by("pk").values_list("move__type", "cause")
    )


def chosen_otherwise(game, seat):
    """The form of the seat's player, who chose where their second scholar goes."""
    player, form = filled_in(game, seat)
    shown = move_form(player.get(game.get_absolute_url()).content.decode())
    other = next(one for one in shown["send-palace-2"].options if one != form["send-palace-2"])
    return player, form | {"send-palace-2": other}


def moved_once(game, seat, before):
    """Whether the seat has made one move since, and has its scholars still to send."""
    game.refresh_from_db()
    assert len(moves_of(game, seat)) == len(before) + 1
    return game.decoded().stage == "sending" and seats_to_move(game) == [seat]


def test_the_last_decision_and_the_sending_are_one_answer_and_two_moves():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = chosen_otherwise(game, seat)
    assert player.post(f"{game.get_absolute_url()}move/", form).status_code == 302
    [decision, sending] = moves_of(game, seat)[len(before) : len(before) + 2]
    assert decision[0] in {"place", "judge"}
    assert sending == ("send", "player")
    phases = Move.objects.filter(seat=seat).order_by("pk").values_list("phase_no", flat=True)
    assert len(set(phases)) == len(phases)


def test_a_sending_that_was_only_suggested_is_reviewed_first():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    page = player.post(f"{game.get_absolute_url()}move/", form).content.decode()
    assert "This also sends your scholars, as suggested." in page
    assert re.search(r"<li><strong>[^\n]* goes to ", page)
    assert moves_of(game, seat) == before
    [review] = [fields for action, fields in forms_of(page).items() if action.endswith("/move/")]
    player.post(f"{game.get_absolute_url()}move/", as_shown(review))
    sent = moves_of(game, seat)[len(before) : len(before) + 2]
    assert [cause for _type, cause in sent] == ["player", "player"]
    assert sent[1][0] == "send"


def test_who_reviews_what_was_suggested_may_submit_it_and_send_nobody_yet():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    page = player.post(f"{game.get_absolute_url()}move/", form).content.decode()
    assert '<button class="quiet" name="send-later" value="on">' in page
    [review] = [fields for action, fields in forms_of(page).items() if action.endswith("/move/")]
    # The button comes after the hidden field of its name, and the last one counts.
    both = as_shown(review) | {"send-later": [review["send-later"].value, "on"]}
    assert player.post(f"{game.get_absolute_url()}move/", both).status_code == 302
    assert moved_once(game, seat, before)


@pytest.mark.full
def test_a_sending_that_was_chosen_before_is_not_reviewed():
    """What a draft keeps was chosen, however it stands in the form again."""
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = chosen_otherwise(game, seat)
    player.post(f"{game.get_absolute_url()}draft/", form | {"about": "answer"})
    _player, again = filled_in(game, seat)
    assert again["send-palace-2"] == form["send-palace-2"]
    assert player.post(f"{game.get_absolute_url()}move/", again).status_code == 302
    assert moves_of(game, seat)[len(before) + 1] == ("send", "player")


def test_the_sending_may_be_left_for_later():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    left = player.post(f"{game.get_absolute_url()}move/", form | {"send-later": "on"})
    assert left.status_code == 302
    assert moved_once(game, seat, before)


def test_joined_answers_are_played_together_or_not_at_all():
    game, seat = until(sending_after)
    before = moves_of(game, seat)
    player, form = filled_in(game, seat)
    shown = move_form(player.get(game.get_absolute_url()).content.decode())
    chosen = shown["send-scholar-2"].options[-1]
    nowhere = form | {"send-scholar-2": chosen, "send-palace-2": "nowhere"}
    refused = player.post(f"{game.get_absolute_url()}move/", nowhere)
    assert refused.status_code == 422
    kept = move_form(refused.content.decode())
    assert kept["send-scholar-2"].value == chosen != shown["send-scholar-2"].value
    assert moves_of(game, seat) == before


@pytest.mark.full
def test_a_forced_choice_is_played_by_itself_and_told_as_such(smtp):
    game = open_table("Anna", "Boris", "Clara")
    while not Move.objects.filter(cause="rules").exists():
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    forced = Move.objects.get(cause="rules")
    assert forced.user is None
    game.refresh_from_db()
    for seat in seats_to_move(game):
        assert forced_move(view(game.decoded(), seat.number)) is None
    line = next(
        line
        for turn in read_turns(game, None, "UTC")
        for line in turn.lines
        if line.seq == game.events.get(kind="ScholarHired", phase_no=forced.phase_no).seq
    )
    assert (line.text.split()[1], line.cause) == ("hires", "the only choice")
    text = f"{line.text} (the only choice)"
    reader = browser(person("Zoe"))
    for path in ("", "history/", f"history/{line.seq}/"):
        page = reader.get(f"{game.get_absolute_url()}{path}")
        assert re.sub(r"\s+\)", ")", text_of(page).replace("( ", "(")).count(text) == 1, path
    delivery.drain(now=MONDAY)
    OutboxEmail.objects.all().delete()
    smtp.messages.clear()
    while not OutboxEmail.objects.filter(kind="your_turn").exists():
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    delivery.drain(now=MONDAY)
    assert any("(the only choice)" in plain_text(mail) for mail in smtp.messages)


@pytest.mark.full
def test_what_merely_follows_by_the_rules_is_not_told_as_forced():
    """Salaries, turns, and sealed bribes that are opened are nobody's choice."""
    game = open_table("Anna", "Boris", "Clara", options={"bribing": "simultaneous"})
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    by_the_rules = game.events.filter(cause="rules")
    assert {"BribesPaid", "SalaryPaid", "TurnBegan"} <= set(
        by_the_rules.values_list("kind", flat=True)
    )
    forced = Move.objects.filter(cause="rules").values_list("phase_no", flat=True)
    lines = [line for turn in read_turns(game, None, "UTC") for line in turn.all_lines]
    labelled = {line.seq for line in lines if line.cause == "the only choice"}
    decided = {"ScholarHired", "ScholarKept", "ScholarBanished", "ScholarsSent"}
    rows = game.events.filter(seq__in=labelled)
    assert {row.phase_no for row in rows} == set(forced)
    assert {row.kind for row in rows} <= decided


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
    assert f"You pay {paid:,} ducats in total and keep {cash - paid:,}." in page
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
