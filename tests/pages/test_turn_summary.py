"""A page at a glance: who is to move, the decision, the deadline, and the default move."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine import Bribe, Send, SendChoice, Stage, view
from games.engine.orders import PayAmount
from games.models import Draft, Game, Order, Visit
from games.presentation.board.decision import moves_text
from games.presentation.board.money_panel import money_panel
from games.presentation.text.time_left import time_left
from games.presentation.text.words import People
from games.services.chat import messages
from games.services.game import notes, orders, seats
from tests.support.client import browser, move_form, person, text_of
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
FIVE = ("Anna", "Boris", "Clara", "Dora", "Emil")


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara")


def look(game, user, at=MONDAY):
    with time_machine.travel(at, tick=False):
        client = browser(user) if user is not None else None
        return client.get(game.get_absolute_url())


def asked(game):
    return seats_to_move(game)[0]


def until_stage(game, *stages):
    """Default moves until somebody is to move in one of these stages."""
    while True:
        game.refresh_from_db()
        if game.decoded().stage in stages:
            return game
        submit_move(game, asked(game).user, MONDAY)


def test_the_player_to_move_reads_the_decision_the_deadline_and_the_default_move(game):
    seat = asked(game)
    seat.user.time_zone = "Europe/Vienna"
    seat.user.save()
    text = text_of(look(game, seat.user, MONDAY + 3 * HOUR))
    left = game.seats.get(number=(seat.number + 1) % 3).user.name
    other = game.seats.get(number=(seat.number + 2) % 3).user.name
    assert "Your turn Send your scholars to other palaces." in text
    assert "Due Tue 3 Mar, 10:00 (Europe/Vienna) 21 hours left" in text
    assert (
        "If you don't move in time, the default move is played: "
        f"your scientist goes to {left}, and the other one to {other} ."
    ) in text
    assert "You have 32,000" in text


@pytest.mark.full
def test_everybody_else_reads_who_is_to_move_the_decision_the_deadline_and_the_default_move(game):
    until_stage(game, Stage.UNCONTESTED_BRIBES)
    state = game.decoded()
    seat = asked(game)
    owner = game.seats.get(number=state.active).user.name
    [own] = [one for one in state.contenders if one.owner == seat.number]
    scholar = f"the {seat.colour} {state.table.edition.occupations[own.occupation]}"
    text = (
        f"{seat.user.name} must decide how much to bribe {owner} for {scholar}. "
        "Due Tue 3 Mar, 09:00 (UTC) 1 day left "
        "If there's no move or standing order by then, the default move is played: "
        f"1,000 for {scholar} ."
    )
    other = game.seats.exclude(pk=seat.pk).first().user
    page = look(game, other)
    assert move_form(page.content.decode()) is None
    assert "Not your turn" in text_of(page)
    assert text in text_of(page)
    watching = text_of(look(game, person("Dora")))
    assert "You're watching" in watching
    assert text in watching
    assert "You have" not in watching


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize("stage", list(Stage)[:-1])
def test_at_every_stage_all_readers_read_the_same_but_the_one_to_move(stage):
    game = open_table(*FIVE, edition="fx-schmid-1994")
    until_stage(game, stage)
    seat = asked(game)
    readers = [*(one.user for one in game.seats.exclude(pk=seat.pk)), person("Zoe")]
    for reader in readers:
        text = text_of(look(game, reader))
        assert f"{seat.user.name} must " in text
        assert "Due Tue 3 Mar, 09:00 (UTC) 1 day left" in text
        assert "If there's no move or standing order by then, the default move is played:" in text
    message = text_of(look(game, seat.user))
    assert "If you don't move in time, the default move is played:" in message


@pytest.mark.full
def test_nobody_learns_from_the_default_whether_somebody_can_pay(game):
    until_stage(game, Stage.UNCONTESTED_BRIBES)
    other = game.seats.exclude(pk=asked(game).pk).first().user
    rich = text_of(look(game, other))
    cash = list(game.state["cash"])
    cash[asked(game).number] = 0
    Game.objects.filter(pk=game.pk).update(state={**game.state, "cash": cash})
    assert text_of(look(game, other)).replace("Since", "") == rich.replace("Since", "")


@pytest.mark.full
def test_in_sealed_bribing_all_who_are_missing_are_named(game):
    game = open_table("Dora", "Emil", "Fanny", "Georg", options={"bribing": "simultaneous"})
    while len(seats_to_move(game)) < 2:
        submit_move(game, asked(game).user, MONDAY)
    first, second = seats_to_move(game)
    text = text_of(look(game, first.user))
    assert "Your turn" in text
    assert f"{second.user.name} must decide how much to bribe" in text
    watching = text_of(look(game, person("Zoe")))
    assert "Several players have to move" in watching
    assert f"{first.user.name} must decide how much to bribe" in watching
    assert f"{second.user.name} must decide how much to bribe" in watching


@pytest.mark.full
def test_the_default_move_counts_ones_orders(game):
    until_stage(game, Stage.UNCONTESTED_BRIBES)
    seat, state = asked(game), game.decoded()
    [own] = [one for one in state.contenders if one.owner == seat.number]
    Order.objects.create(
        seat=seat,
        kind=Order.Kind.BRIBE,
        scholar=state.table.names[own],
        formula={"kind": "amount", "amount": 5000},
        wait_if_addressed=True,
        made_at=MONDAY,
    )
    assert "the default move is played: 5,000 for" in text_of(look(game, seat.user))
    other = game.seats.exclude(pk=seat.pk).first().user
    assert "5,000 for" not in text_of(look(game, other))


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (timedelta(days=1, hours=3, minutes=20), "1 day 3 hours left"),
        (timedelta(days=2, minutes=59), "2 days left"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute left"),
        (timedelta(hours=5), "5 hours left"),
        (timedelta(minutes=12, seconds=59), "12 minutes left"),
        (timedelta(seconds=59), "less than a minute left"),
        (timedelta(), "time is up"),
        (-DAY, "time is up"),
    ],
)
def test_time_is_shown_in_its_two_greatest_units(left, text):
    assert time_left(left) == text


# Money


def test_the_purse_shows_what_one_holds_owes_keeps_and_will_earn(game):
    until_stage(game, Stage.UNCONTESTED_BRIBES)
    seat = asked(game)
    seen = view(game.decoded(), seat.number)
    money = money_panel(People(seen.table, ["Anna", "Boris", "Clara"]), seen)
    assert [tuple(figure[:2]) for figure in money.figures] == [
        ("You have", "32,000 ducats"),
        ("Minimum still due", "1,000"),
        ("Left after that", "31,000"),
        ("Income next turn, as things stand", "0"),
    ]
    assert money.quick[0].amounts == [
        ("Minimum", 1000, False),
        ("+1,000", 1000, True),
        ("+5,000", 5000, True),
    ]
    assert (
        money_panel(People(seen.table, ["Anna", "Boris", "Clara"]), view(game.decoded(), None))
        is None
    )


@pytest.mark.full
def test_a_step_above_the_highest_rival_is_offered():
    game = open_table(*FIVE, edition="fx-schmid-1994")
    until_stage(game, Stage.EXTERNAL_BRIBES)
    pages = []
    while game.decoded().stage is Stage.EXTERNAL_BRIBES:
        seat = asked(game)
        pages.append(look(game, seat.user).content.decode())
        own = [one for one in game.decoded().contenders if one.owner == seat.number]
        bribes = Bribe(tuple((scholar, 20000) for scholar in own))
        assert submit_move(game, seat.user, MONDAY, bribes).played
        game.refresh_from_db()
    assert "Outbid" not in pages[0]
    assert "Outbid: 30,000" in pages[-1]
    assert 'data-amount="30000"' in pages[-1]


# Since the last visit


@pytest.mark.full
def test_a_player_who_was_away_reads_what_happened_and_only_once(game):
    first, other = asked(game).user, game.seats.exclude(pk=asked(game).pk).first().user
    assert "Since your last visit" not in text_of(look(game, other))
    submit_move(game, first, MONDAY)
    text = text_of(look(game, other))
    assert "Since your last visit" in text
    assert text.count(f"{first.name} sends the ") == 2, "in the recap and in the log"
    assert "Since your last visit" not in text_of(look(game, other))


@pytest.mark.full
def test_a_long_absence_is_summed_up_in_its_last_eight_lines(game):
    anna = seat_of(game, "Anna").user
    look(game, anna)
    while game.events.count() < 40:
        submit_move(game, asked(game).user, MONDAY)
    page = look(game, anna).content.decode()
    recap = page.partition("Since your last visit")[2].partition("</section>")[0]
    assert recap.count("<li>") == 8
    assert "more events: see them step by step" in recap


def test_only_looking_at_the_page_counts_as_a_visit(game):
    seat = asked(game)
    client = browser(seat.user)
    refused = client.post(
        f"{game.get_absolute_url()}move/", {"phase_no": game.phase_no, "token": str(uuid4())}
    )
    assert refused.status_code == 422
    assert not Visit.objects.exists()
    client.get(game.get_absolute_url())
    assert Visit.objects.get().last_event == game.events.last().seq


# Notes and drafts on the page


def test_a_draft_is_shown_again_with_when_it_was_kept(game):
    seat = asked(game)
    form = move_form(look(game, seat.user).content.decode())
    other = form["send-palace-1"].options[1]
    notes.keep_draft(
        game=game,
        user=seat.user,
        about=Draft.About.MOVE,
        phase_no=game.phase_no,
        fields={"send-palace-1": other, "send-scholar-1": "nobody", "x": "y"},
        now=MONDAY,
    )
    page = look(game, seat.user).content.decode()
    assert move_form(page)["send-palace-1"].value == other
    assert "Draft saved, 09:00" in page


def test_what_was_typed_into_the_chat_is_shown_again(game):
    anna = seat_of(game, "Anna").user
    notes.keep_draft(
        game=game,
        user=anna,
        about=Draft.About.MESSAGE,
        phase_no=0,
        fields={"talk-text": "Boris, would you"},
        now=MONDAY,
    )
    assert "Boris, would you</textarea>" in look(game, anna).content.decode()
    assert "Boris, would you" not in look(game, seat_of(game, "Boris").user).content.decode()


def test_notes_are_on_the_page_of_their_writer(game):
    anna = seat_of(game, "Anna").user
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    assert "Boris owes me.</textarea>" in look(game, anna).content.decode()


# Orders where one needs them


def test_own_scholars_at_a_door_lead_to_their_order_and_standing_orders_are_shown(game):
    sender = asked(game)
    submit_move(game, sender.user, MONDAY)
    game.refresh_from_db()
    state = game.decoded()
    waiting = {
        (palace, one)
        for palace, guests in enumerate(state.applicants)
        for one in guests
        if one.owner == sender.number and one not in state.contenders
    }
    page = look(game, sender.user)
    for palace, scholar in waiting:
        occupation = state.table.edition.occupations[scholar.occupation]
        name = game.seats.get(number=palace).user.name
        record_name = state.table.names[scholar]
        link = f"{game.get_absolute_url()}orders/?for={record_name}#order-{record_name}"
        assert f'<a href="{link}">your {occupation} at {name}' in page.content.decode()
    [(palace, scholar)] = waiting
    orders.leave_order(
        game_id=game.pk,
        user=sender.user,
        scholar=scholar,
        order=PayAmount(4000),
        wait_if_addressed=False,
        now=MONDAY,
    )
    text = text_of(look(game, sender.user))
    assert "pay 4,000. As things stand, this order would pay 4,000." in text
    assert "Set an order in advance for" not in text


# Queries


def queries(client, game):
    """How many queries the page needs, without what begins and ends a transaction.

    In a process that remembers nothing of how the site stands.
    """
    caches["process"].clear()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(game.get_absolute_url()).status_code == 200
    begins_or_ends = ("SAVEPOINT", "RELEASE SAVEPOINT", "SET LOCAL")
    return sum(not query["sql"].startswith(begins_or_ends) for query in captured)


def signed_in_yesterday(user):
    client = browser(user)
    client.get("/")
    session = client.session
    session["prolonged_on"] = "2026-03-01"
    session.save()
    return client


@pytest.mark.full
def test_the_page_of_a_game_needs_at_most_12_queries_whatever_is_on_it(game):
    anna = seat_of(game, "Anna").user
    client = signed_in_yesterday(anna)
    first_of_a_day = queries(client, game)
    again = queries(client, game)
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    notes.keep_draft(
        game=game,
        user=anna,
        about=Draft.About.MESSAGE,
        phase_no=0,
        fields={"talk-text": "Well"},
        now=MONDAY,
    )
    for name in ("Boris", "Clara"):
        user = seat_of(game, name).user
        messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=MONDAY)
    scholar = game.decoded().table.names[game.decoded().unsent[0][0]]
    for kind, name in ((Order.Kind.BRIBE, scholar), (Order.Kind.DECISION, "")):
        formula = {"kind": "minimum"} if name else {"kind": "highest"}
        Order.objects.create(
            seat=seat_of(game, "Anna"), kind=kind, scholar=name, formula=formula, made_at=MONDAY
        )
    full = queries(client, game)
    seats.step_aside(game_id=game.pk, user=anna, now=MONDAY)
    absent = queries(client, game)
    assert {"first": first_of_a_day, "again": again, "full": full, "absent": absent} == {
        "first": 12,
        "again": 8,
        "full": 10,
        "absent": 9,
    }


def test_what_a_move_does_is_described_in_a_few_words(game):
    state = game.decoded()
    people = People(state.table, ["Anna", "Boris", "Clara"])
    seen = view(state, asked(game).number)
    assert isinstance(seen.choice, SendChoice)
    (first, *_), (left, right) = seen.choice.scholars, seen.choice.palaces
    sent = Send(((first, left), (first._replace(number=2), right)))
    names = people.name(left), people.name(right)
    occupation = state.table.edition.occupations[first.occupation]
    assert moves_text(people, seen, [sent]) == (
        f"your {occupation} goes to {names[0]}, and the other one to {names[1]}"
    )
    bribes = [Bribe(((first, 4000),)), Send(((first, left),))]
    assert moves_text(people, seen, bribes) == (
        f"4,000 for your {occupation}; your {occupation} goes to {names[0]}"
    )
