"""Moves by email: understood, confirmed, played, or refused with what would be right."""

import pytest
from django.conf import settings
from django.utils import translation

from games.features.inbound.acting import handling
from games.features.inbound.commands.meaning import meaning
from games.features.inbound.commands.words import shown, vocabulary
from games.models import Game, InboundEmail, OutboxEmail, SiteState, User
from games.services.accounts.account import delete_account
from games.services.moderation.actions import timing
from games.services.operations import clock
from tests.features.inbound.replying import confirmed, lines, reply
from tests.support import promising
from tests.support.moderators import request_of_nora
from tests.support.tables import MONDAY, leave, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db


def everyone_confirmed(game, **more):
    for seat in game.seats.select_related("user"):
        if seat.user is not None:
            confirmed(seat.user, **more)


@pytest.fixture
def game():
    """The first player has sent a doctor and a clerk to the second and is to bribe."""
    game = promising.bribing_table()
    everyone_confirmed(game)
    return game


def name_of(game, place):
    """Who plays at this place of a round."""
    return promising.sitter(game, promising.in_order(game)[place]).name


def at_once(*names):
    User.objects.filter(name__in=names).update(replies_at_once=True)


@pytest.mark.full
def test_a_move_is_understood_confirmed_and_played(game):
    name, phase = name_of(game, 0), game.phase_no
    row = reply(game, name, "bribe clerk 4,000; doctor 1000")
    assert row.response["title"] == "confirm"
    assert "4,000 for your" in lines(row)
    assert "You pay 5,000 ducats in total and keep 27,000." in lines(row)
    assert "deadlines keep running" in lines(row)
    assert game.phase_no == phase
    done = reply(game, name, "confirm")
    assert done.response["title"] == "done"
    assert "Your move is in: " in lines(done)
    assert game.phase_no == phase + 1
    assert game.moves.latest("pk").token == row.token
    row.refresh_from_db()
    assert row.understood is None


@pytest.mark.full
def test_a_bribe_of_more_than_half_the_money_is_pointed_out(game):
    name, warning = name_of(game, 0), "That's more than half of your money."
    assert warning not in lines(reply(game, name, "bribe clerk 15000, doctor 1000"))
    assert warning in lines(reply(game, name, "bribe clerk 16000, doctor 1000"))


@pytest.mark.full
def test_a_bribe_below_the_agreed_one_is_pointed_out_and_the_promise_is_named(game):
    other, owner = promising.in_order(game)[:2]
    agreed = promising.offers(game, owner, promising.place_for(game, promising.TEN))
    promising.replies(game, other, agreed)
    name, promiser = name_of(game, 0), name_of(game, 1)
    deed = f"{promiser} hires your doctor at a salary of at least 10,000"
    broken = f"so {promiser}'s promise wouldn't apply: {deed}."
    warning = f"You'd pay less than 4,000 for your doctor, {broken}"
    assert warning in lines(reply(game, name, "bribe doctor 3000, clerk 1000"))
    assert "wouldn't apply" not in lines(reply(game, name, "bribe doctor 4000, clerk 1000"))
    status = lines(reply(game, name, "status"))
    assert f"You were promised:\n{deed} if you pay at least 4,000." in status


def test_a_move_is_played_at_once_for_people_who_want_that(game):
    name, phase = name_of(game, 0), game.phase_no
    at_once(name)
    row = reply(game, name, "bribe clerk 4000, doctor 1000")
    assert row.response["title"] == "done"
    assert game.phase_no == phase + 1


@pytest.mark.full
def test_what_is_confirmed_is_the_latest(game):
    name = name_of(game, 0)
    reply(game, name, "bribe clerk 4000, doctor 1000")
    reply(game, name, "bribe clerk 6000, doctor 1000")
    reply(game, name, "status")
    assert InboundEmail.objects.filter(understood__isnull=False).count() == 1
    assert "6,000" in lines(reply(game, name, "confirm"))


@pytest.mark.full
def test_a_confirmation_of_what_was_replaced_does_nothing(game):
    name, phase = name_of(game, 0), game.phase_no
    first = reply(game, name, "bribe clerk 4000, doctor 1000")
    reply(game, name, "bribe clerk 6000, doctor 1000")
    OutboxEmail.objects.filter(about=first.pk, kind="understood").update(message_id="<1@x.org>")
    row = reply(game, name, "confirm", In_Reply_To="<1@x.org>")
    assert "You've written something else since that email." in lines(row)
    assert game.phase_no == phase
    other = reply(game, name, "confirm", In_Reply_To="<unknown@x.org>")
    assert other.response["title"] == "done"


@pytest.mark.full
def test_there_is_nothing_to_confirm_twice(game):
    name = name_of(game, 0)
    assert "There's nothing to confirm." in lines(reply(game, name, "confirm"))
    reply(game, name, "bribe clerk 4000, doctor 1000")
    reply(game, name, "confirm")
    phase = game.phase_no
    assert "There's nothing to confirm." in lines(reply(game, name, "confirm"))
    assert game.phase_no == phase


def test_a_confirmation_ends_with_the_phase(game):
    name = name_of(game, 0)
    reply(game, name, "bribe clerk 4000, doctor 1000")
    submit_move(game, promising.sitter(game, promising.in_order(game)[0]), MONDAY)
    game.refresh_from_db()
    phase = game.phase_no
    row = reply(game, name, "confirm")
    assert row.response["title"] == "refused"
    assert "The game has moved on since you wrote that" in lines(row)
    assert game.phase_no == phase


def test_no_deadline_waits_for_a_confirmation(game):
    name, phase = name_of(game, 0), game.phase_no
    deadline = seats_to_move(game)[0].deadline_at
    reply(game, name, "bribe clerk 4000, doctor 1000")
    tick(deadline)
    clock.sweep(now=deadline)
    game.refresh_from_db()
    assert game.phase_no > phase
    assert game.moves.latest("pk").cause == "clock"


WRONG = {
    "bribe clerk 4000": "This field is required.",
    "bribe clerk 4000, doctor 1500": "multiple of 1,000",
    "bribe clerk 4000, doctor 99000": "You have",
    "bribe clerk 4000, priest 1000": "You can't do that with the priest at the moment.",
    "bribe clerk 4000, clerk 1000": "names the clerk more than once",
    "bribe clerk -500": "This field is required.",
    "bribe red clerk 4000, yellow clerk 1000, green clerk 1000": "can't do that with the clerk",
    "place clerk 10000": "That doesn't fit the decision you have to make now: bribe",
    "send clerk to red, priest to green": "That doesn't fit the decision you have to make now",
    "judge blue": "That doesn't fit the decision you have to make now",
    "bribe clerk 4000, doctor 1000\nsend clerk to red, priest to green": "doesn't fit",
    "bribe clerk 4000, doctor 1000\naccept": "Please send one thing at a time.",
    "default\nbribe clerk 4000, doctor 1000": "Please send one thing at a time.",
    "accept": "There's no open offer that you can reply to from this email.",
    "bribe me": "“bribe me” wasn't understood, so nothing has changed.",
    "": "Your email had no text above the quoted part,",
    "> bribe clerk 4000, doctor 1000": "Your email had no text above the quoted part,",
}


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize(("text", "part"), WRONG.items())
def test_what_is_wrong_changes_nothing_and_the_response_says_what_would_be_right(game, text, part):
    name, phase = name_of(game, 0), game.phase_no
    at_once(name)
    row = reply(game, name, text)
    assert row.response["title"] == "refused"
    assert part in lines(row)
    assert "You can reply with:" in lines(row)
    assert "bribe doctor 1,000; clerk 1,000 — your move" in lines(row)
    assert game.phase_no == phase
    assert not game.messages.exists()
    assert OutboxEmail.objects.latest("pk").kind == "not_understood"


def test_only_a_player_to_move_can_move(game):
    name, phase = name_of(game, 1), game.phase_no
    row = reply(game, name, "bribe clerk 4000")
    assert "It isn't your turn, so nothing was played." in lines(row)
    assert game.phase_no == phase


@pytest.mark.full
def test_areas_are_given_and_scholars_sent_in_one_email(game):
    name = name_of(game, 1)
    at_once(name_of(game, 0), name)
    reply(game, name_of(game, 0), "bribe clerk 4000, doctor 1000")
    sent = next(one for one in lines(reply(game, name, "help")).split("\n") if "send" in one)
    order = sent.partition(" — ")[0]
    row = reply(game, name, f"place clerk 10000, doctor 6000\n{order}")
    assert row.response["title"] == "done", lines(row)
    assert [one.move["type"] for one in game.moves.order_by("pk")][-2:] == ["place", "send"]


def test_the_sending_can_be_left_for_later(game):
    name = name_of(game, 1)
    at_once(name_of(game, 0), name)
    reply(game, name_of(game, 0), "bribe clerk 4000, doctor 1000")
    row = reply(game, name, "place clerk 10000, doctor 6000")
    assert "You have another decision to make." in lines(row)


def test_the_default_can_be_played_by_its_name(game):
    name, phase = name_of(game, 0), game.phase_no
    at_once(name)
    row = reply(game, name, "default")
    assert "1,000 for your" in lines(row)
    assert game.phase_no == phase + 1


@pytest.mark.full
def test_of_rivals_one_is_named_by_colour():
    game = promising.rivals_table()
    everyone_confirmed(game, replies_at_once=True)
    owner = name_of(game, 2)
    for place in (0, 1):
        reply(game, name_of(game, place), "bribe clerk 4000, doctor 1000")
    row = reply(game, owner, "place clerk 10000, doctor 6000")
    assert "Please say which one you mean: " in lines(row)
    first, _second, _third = promising.in_order(game)
    colour = game.decoded().table.players[first]
    row = reply(game, owner, f"hire {colour} clerk 10000, {colour} doctor 6000")
    assert row.response["title"] == "done", lines(row)


def test_status_shows_what_the_person_may_see_and_nobody_elses_money(game):
    text = lines(reply(game, name_of(game, 0), "status"))
    assert "Choose how much to bribe" in text
    assert "Round 1 of 5." in text
    assert "You have 32,000 ducats." in text
    assert text.count("1,000 nobody, 3,000 nobody, 6,000 nobody, 10,000 nobody") == 3
    assert "At the door: " in text
    other = lines(reply(game, name_of(game, 2), "status"))
    assert f"Next to move: {name_of(game, 0)}." in other


def test_help_lists_what_is_possible_and_each_example_is_understood(game):
    name = name_of(game, 0)
    row = reply(game, name, "help")
    assert row.response["title"] == "help"
    first, *_rest = lines(row).split("\n")
    assert first == "bribe doctor 1,000; clerk 1,000 — your move"
    assert "offer " in lines(row)
    assert "Anything else you write is sent as a message to everyone at the table." in lines(row)
    response = reply(game, name, first.partition(" — ")[0])
    assert response.response["title"] == "confirm"


@pytest.mark.full
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("moves", [0, 2])
def test_what_help_shows_is_understood_in_the_readers_language(language, moves):
    """Also with rivals, of whom one has to be named by colour, and with offers."""
    table = promising.rivals_table()
    everyone_confirmed(table, language=language)
    promising.moves(table, *[None] * moves)
    [seat] = seats_to_move(table)
    with translation.override(language):
        asks = shown("help")
    helped = lines(reply(table, seat.user.name, asks)).split("\n")
    commands = [line.partition(" — ")[0] for line in helped if " — " in line]
    assert len(commands) >= 5
    with translation.override(language):
        words = vocabulary(table.decoded().table.edition.occupations)
        assert not [one for one in commands if not isinstance(meaning(one, words), list)]
    played = reply(table, seat.user.name, commands[0])
    assert played.response["title"] == "confirm", lines(played)


@pytest.mark.full
def test_a_player_who_has_left_the_table_plays_nothing_and_learns_so(game):
    name, phase = name_of(game, 0), game.phase_no
    game.seats.filter(user__name=name).update(user=None)
    row = reply(game, name, "bribe clerk 4000, doctor 1000")
    assert "You don't have a seat at this table." in lines(row)
    assert "Only players at this table can use its chat." in lines(reply(game, name, "Hello!"))
    assert game.phase_no == phase


@pytest.mark.full
def test_an_absent_or_suspended_player_plays_nothing(game):
    name, phase = name_of(game, 0), game.phase_no
    User.objects.filter(name=name).update(suspended_until="2100-01-01T00:00Z")
    row = reply(game, name, "bribe clerk 4000, doctor 1000")
    assert "suspended" in lines(row)
    assert reply(game, name, "status").response["title"] == "status"
    User.objects.filter(name=name).update(suspended_until=None)
    leave(game, name)
    phase = game.phase_no
    assert "It isn't your turn" in lines(reply(game, name, "bribe clerk 4000, doctor 1000"))
    assert game.phase_no == phase


def test_a_game_that_is_over_or_hasnt_begun_takes_no_moves():
    game = open_table("Anna", "Boris", size=3)
    everyone_confirmed(game)
    assert "This game hasn't started." in lines(reply(game, "Anna", "bribe clerk 4000"))
    assert reply(game, "Anna", "Hello!").response["title"] == "confirm"
    assert reply(game, "Anna", "help").response["title"] == "help"


@pytest.mark.full
def test_a_finished_game_takes_messages(game):
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    assert "It isn't your turn" in lines(reply(game, name_of(game, 0), "bribe clerk 1000"))
    assert "won." in lines(reply(game, name_of(game, 0), "status"))
    at_once(name_of(game, 0))
    reply(game, name_of(game, 0), "Well played!")
    assert game.messages.get().text == "Well played!"


def test_the_same_move_after_an_interruption_stands(game):
    """A worker has played the move and died before it responded."""
    name = name_of(game, 0)
    at_once(name)
    row = reply(game, name, "bribe clerk 4000, doctor 1000")
    phase = game.phase_no
    InboundEmail.objects.filter(pk=row.pk).update(
        state="waiting", claimed_at=None, raw=b"From: x@example.org\n\nbribe clerk 4000\n"
    )
    handling.drain(MONDAY)
    row.refresh_from_db()
    assert row.response == {
        "title": "done",
        "lines": ["Your move had already been submitted, and it counts."],
    }
    game.refresh_from_db()
    assert game.phase_no == phase


def test_nothing_is_read_during_a_maintenance(game):
    name = name_of(game, 0)
    site, _new = SiteState.objects.get_or_create()
    SiteState.objects.update(maintenance_since=MONDAY, maintenance_why="Moving")
    row = reply(game, name, "status")
    assert (row.state, row.response) == ("waiting", {})
    SiteState.objects.filter(pk=site.pk).update(maintenance_since=None, maintenance_why="")
    handling.drain(MONDAY)
    row.refresh_from_db()
    assert row.response["title"] == "status"


def test_nobody_moves_while_it_is_negotiation_time():
    game = promising.bribing_table(talk_seconds=43200)
    everyone_confirmed(game, replies_at_once=True)
    phase = game.phase_no
    row = reply(game, name_of(game, 0), "bribe clerk 4000, doctor 1000")
    assert "Negotiations are open until " in lines(row)
    assert "nobody can move before they end." in lines(row)
    assert "Negotiations are open until " in lines(reply(game, name_of(game, 0), "status"))
    assert game.phase_no == phase


def test_nobody_moves_while_the_game_is_paused(game):
    timing.pause(request_of_nora(game))
    game.refresh_from_db()
    name, phase = name_of(game, 0), game.phase_no
    at_once(name)
    assert reply(game, name, "bribe clerk 4000, doctor 1000").response["title"] == "refused"
    assert game.phase_no == phase


@pytest.mark.full
def test_what_is_sealed_is_shown_to_nobody_else():
    game = promising.rivals_table(options={"bribing": "simultaneous"})
    everyone_confirmed(game, replies_at_once=True)
    first, second = (name_of(game, place) for place in (0, 1))
    row = reply(game, first, "bribe clerk 17000, doctor 1000")
    assert row.response["title"] == "done", lines(row)
    others = (second, name_of(game, 2))
    shown = "\n".join(
        lines(reply(game, one, text)) for one in others for text in ("status", "help")
    )
    assert "17,000" not in shown
    assert "14,000" not in shown
    assert f"Players who have already submitted their sealed bribes: {first}." in shown


@pytest.mark.full
def test_an_account_that_is_deleted_takes_its_email_with_it(game):
    name = name_of(game, 2)
    reply(game, name, "status")
    delete_account(User.objects.get(name=name), MONDAY)
    assert not InboundEmail.objects.exists()
