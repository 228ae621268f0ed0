"""Negotiation time before the first bribes of a turn: when it runs, ends and moves (days 24)."""

from datetime import UTC, datetime, timedelta

import pytest

from games.engine import BRIBING, Send, Stage
from games.engine.ledger import Status
from games.models import Cause, Game, OutboxEmail, User
from games.services.email import delivery
from games.services.email.kinds import KIND_BY_KEY
from games.services.game import interventions, moved_deadlines, seats
from games.services.game.replay import event_rows
from games.services.game.rewind import boundaries
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.operations import clock, sample_games
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.promising import (
    both_to,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    replies,
    rewound,
    sitter,
    state_of,
)
from tests.support.races import at_once
from tests.support.tables import (
    DAY,
    MONDAY,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    tick,
)

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
TALK = 12 * HOUR


def talking(**more: object) -> Game:
    """The first has sent two scholars to the second, and nobody is asked for 12 hours."""
    return bribing_table(**({"talk_seconds": 12 * 3600} | more))


def sweep(now: datetime) -> None:
    tick(now)
    clock.sweep(now=now)


def ready(game: Game, seat: int, now: datetime = MONDAY, *, yes: bool = True) -> None:
    seats.say_ready(game_id=game.pk, user=sitter(game, seat), ready=yes, now=now)
    game.refresh_from_db()


def is_talking(game: Game) -> bool:
    game.refresh_from_db()
    return game.is_negotiation_time


@pytest.mark.full
def test_nobody_is_asked_until_it_is_over_and_answering_time_starts_then():
    game = talking()
    assert game.talk_until == game.deadline_at == MONDAY + TALK
    assert seats_to_move(game) == []
    assert not OutboxEmail.objects.filter(kind="your_turn", phase_no=game.phase_no).exists()
    first, _second, _third = in_order(game)
    refused = submit_move(game, sitter(game, first), MONDAY)
    assert (refused.played, refused.stale) == (False, True)
    sweep(MONDAY + TALK - timedelta(seconds=1))
    assert is_talking(game)
    sweep(MONDAY + TALK)
    assert not is_talking(game)
    [seat] = seats_to_move(game)
    assert (seat.number, seat.deadline_at) == (first, MONDAY + TALK + DAY)
    assert (seat.missed, game.moves.count()) == ([False], 1)
    closed = game.events.get(kind="TalkClosed")
    assert closed.payload == {"early": False}
    sweep(MONDAY + TALK)
    assert game.events.filter(kind="TalkClosed").count() == 1
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_it_is_skipped_when_the_turn_asks_for_no_bribe_and_comes_once_in_a_turn():
    game = open_table("Anna", "Boris", "Clara", talk_seconds=43200)
    assert not is_talking(game)  # the first turn only sends
    now = MONDAY
    for _ in range(200):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            break
        if game.is_negotiation_time:
            now = game.talk_until
            sweep(now)
        else:
            submit_move(game, seats_to_move(game)[0].user, now)
    opened, turn = [], []
    for row in event_rows(game):
        if row.kind == "TurnBegan":
            turn = []
        if row.kind == "TalkOpened":
            opened.append(list(turn))
        if row.kind == "StageOpened":
            turn.append(Stage(row.payload["stage"]) in BRIBING)
    assert len(opened) > 8
    # The bribes that are delayed are those of the stage that has just opened, the turn's first.
    assert all(stages == [True] for stages in opened)
    begun = sum(any(stages) for stages in _stages_of_turns(event_rows(game)))
    assert len(opened) == begun
    assert verify_game(game.pk) == []


def _stages_of_turns(rows) -> list[list[bool]]:
    turns: list[list[bool]] = []
    for row in rows:
        if row.kind == "TurnBegan":
            turns.append([])
        elif row.kind == "StageOpened" and turns:
            turns[-1].append(Stage(row.payload["stage"]) in BRIBING)
    return turns


def test_a_table_without_it_opens_none():
    game = bribing_table()
    assert not is_talking(game)
    assert not game.events.filter(kind="TalkOpened").exists()


def test_it_ends_early_when_everybody_concerned_is_ready():
    game = talking()
    first, second, third = in_order(game)
    with pytest.raises(Refused, match="aren't involved"):
        ready(game, third)
    ready(game, first)
    ready(game, first)
    assert is_talking(game)
    ready(game, first, yes=False)
    ready(game, second)
    assert is_talking(game)
    ready(game, first, MONDAY + HOUR)
    assert not is_talking(game)
    assert seats_to_move(game)[0].deadline_at == MONDAY + HOUR + DAY
    assert game.events.get(kind="TalkClosed").payload == {"early": True}
    with pytest.raises(Refused, match="no negotiation time right now"):
        ready(game, first)


def test_all_who_bribe_in_this_turn_are_waited_for():
    """Also those whose bribes come after others (days 24)."""
    game = open_table("Anna", "Boris", "Clara", "Dora", talk_seconds=12 * 3600)
    first, second, third, owner = in_order(game)

    def sends(seat: int, **palaces: int) -> Send:
        state = state_of(game)
        mine = {state.table.edition.occupations[one.occupation]: one for one in state.unsent[seat]}
        return Send(tuple((mine[kind], to) for kind, to in palaces.items()))

    moves(game, sends(first, clerk=owner, doctor=owner), sends(second, doctor=owner, clerk=first))
    moves(game, sends(third, clerk=first, doctor=first))
    assert is_talking(game)
    # The clerk bribes first, alone, and the doctors' bribes follow.
    assert {one.owner for one in state_of(game).contenders} == {first}
    with pytest.raises(Refused, match="aren't involved"):
        ready(game, third)
    for seat in (first, owner):
        ready(game, seat)
        assert is_talking(game)
    ready(game, second)
    assert not is_talking(game)


def test_absent_and_house_seats_count_as_ready():
    game = talking()
    first, second, _third = in_order(game)
    ready(game, second)
    leave(game, sitter(game, first).name, now=MONDAY + HOUR)
    assert not is_talking(game)
    house = open_table("Dora", size=3, talk_seconds=43200)
    sample_games.start_with_computer_players(house, house.host, "courtier", MONDAY)
    for _ in range(60):
        house.refresh_from_db()
        if house.is_negotiation_time:
            break
        submit_move(house, seats_to_move(house)[0].user, MONDAY)
        sample_games.decline_offers(house, MONDAY)
    own = house.seats.get(user__isnull=False)
    seats.say_ready(game_id=house.pk, user=own.user, ready=True, now=MONDAY)
    assert not is_talking(house)


def test_a_substitute_is_not_ready_yet():
    game = talking()
    first, second, _third = in_order(game)
    ready(game, first)
    name = sitter(game, first).name
    leave(game, name, now=MONDAY + HOUR)
    assert is_talking(game)
    dora = person("Dora")
    seats.take_over(game_id=game.pk, number=first, user=dora, now=MONDAY + HOUR)
    ready(game, second, MONDAY + HOUR)
    assert is_talking(game)
    ready(game, first, MONDAY + HOUR)
    assert not is_talking(game)


@pytest.mark.parametrize("waits", [HOUR, 3 * HOUR])
def test_a_pause_keeps_what_is_left_of_it(waits):
    game = talking()
    writer = Writer(Game.objects.lock(game.pk), MONDAY + waits)
    interventions.pause(writer, None, Cause.MODERATOR)
    writer.commit()
    game.refresh_from_db()
    assert (game.deadline_at, game.talk_until) == (None, None)
    assert game.talk_seconds_left == (TALK - waits).total_seconds()
    sweep(MONDAY + 3 * DAY)
    assert is_talking(game)
    writer = Writer(Game.objects.lock(game.pk), MONDAY + 5 * DAY)
    interventions.resume(writer, Cause.MODERATOR)
    writer.go_on()
    writer.commit()
    game.refresh_from_db()
    assert game.talk_until == game.deadline_at == MONDAY + 5 * DAY + TALK - waits
    assert verify_game(game.pk) == []


def test_an_outage_moves_its_end():
    tick(MONDAY)
    game = talking()
    back = MONDAY + 2 * DAY
    clock.sweep(now=back)
    game.refresh_from_db()
    assert game.is_negotiation_time
    assert game.talk_until > back
    moved = game.events.get(kind="TalkMoved")
    assert moved.payload["why"] == "outage"
    assert game.events.filter(kind="TalkClosed").count() == 0


def test_a_table_whose_weekend_is_no_play_time_talks_on_monday_and_ignores_the_fixed_hour():
    friday = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)
    game = open_table(
        "Anna",
        "Boris",
        "Clara",
        talk_seconds=43200,
        no_play_days=[5, 6],
        fixed_hour=19,
        now=friday,
    )
    for _ in range(3):
        game.refresh_from_db()
        if game.is_negotiation_time:
            break
        moves(game, None, now=friday)
    # Four hours on Friday, eight on Monday.
    assert game.talk_until == datetime(2026, 3, 9, 8, 0, tzinfo=UTC)


def test_a_rewind_before_the_first_bribe_starts_it_anew():
    game = talking()
    first, second, _third = in_order(game)
    ready(game, first)
    ready(game, second)
    moves(game, None, now=MONDAY + HOUR)
    assert not is_talking(game)
    [*_, before_bribe] = boundaries(game, event_rows(game))
    rewound(game, before_bribe.seq)
    assert game.talk_until == MONDAY + TALK
    assert seats_to_move(game) == []
    assert verify_game(game.pk) == []


def test_a_rewind_to_before_it_takes_it_away():
    game = talking()
    [first, *_] = boundaries(game, event_rows(game))
    rewound(game, first.seq)
    assert not is_talking(game)
    assert len(seats_to_move(game)) == 1


@pytest.mark.full
def test_everybody_concerned_is_reminded_once_but_not_who_is_ready():
    game = talking()
    first, second, _third = in_order(game)
    ready(game, second)
    for hours in range(1, 12):
        sweep(MONDAY + hours * HOUR)
    written = OutboxEmail.objects.filter(game=game, kind="talk_reminder")
    assert {mail.person for mail in written} == {sitter(game, first), sitter(game, second)}
    assert written.count() == 2
    kind = KIND_BY_KEY["talk_reminder"]
    wanted = {
        mail.person for mail in written if kind.is_relevant(mail, game.seats.get(user=mail.person))
    }
    assert wanted == {sitter(game, first)}


def test_its_reminder_is_no_question_and_wakes_nobody(smtp):
    night = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)
    game = open_table("Anna", "Boris", "Clara", talk_seconds=4 * 3600, now=night)
    User.objects.update(quiet_from=22, quiet_until=7, never_wake=False)
    first, second, _third = in_order(game)
    moves(game, both_to(game, first, second), now=night)
    assert is_talking(game)
    OutboxEmail.objects.all().delete()
    remind_at = game.seats.get(number=first).remind_at
    sweep(remind_at)
    delivery.drain(now=remind_at + timedelta(minutes=1))
    assert OutboxEmail.objects.filter(kind="talk_reminder").count() == 2
    assert smtp.messages == []


def test_offers_are_made_and_accepted_meanwhile():
    game = talking()
    first, second, _third = in_order(game)
    made_at = offers(game, second, place_for(game))
    replies(game, first, made_at, Status.ACCEPTED)
    assert is_talking(game)


@pytest.mark.full
def test_the_page_says_until_when_and_who_is_ready():
    game = talking(now=MONDAY)
    first, _second, third = in_order(game)
    page = browser(sitter(game, first)).get(game.get_absolute_url())
    assert "Talk before the bribes begin" in text_of(page)
    assert text_of(page).count("not ready yet") == 2
    answered = browser(sitter(game, first)).post(
        f"{game.get_absolute_url()}ready/", {"ready": "yes"}, follow=True
    )
    assert "I'm not ready after all" in text_of(answered)
    assert text_of(answered).count("not ready yet") == 1
    spectator = browser(sitter(game, third)).get(game.get_absolute_url())
    assert "I'm ready" not in text_of(spectator)


@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_two_who_are_ready_at_the_same_time_end_it_once():
    game = talking()
    first, second, _third = in_order(game)
    at_once(lambda: ready(game, first), lambda: ready(game, second))
    assert not is_talking(game)
    assert game.events.filter(kind="TalkClosed").count() == 1


@pytest.mark.long(after=3)
@pytest.mark.full
@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
@pytest.mark.parametrize("edition", ["fx-schmid-1994", "russian", "reference-manual"])
def test_every_edition_has_it(edition, bribing):
    options = {"bribing": bribing}
    game = open_table(
        "Anna", "Boris", "Clara", edition=edition, options=options, talk_seconds=43200
    )
    now, talked = MONDAY, 0
    for _ in range(300):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            break
        if game.is_negotiation_time:
            talked, now = talked + 1, game.talk_until
            sweep(now)
        else:
            submit_move(game, seats_to_move(game)[0].user, now)
    assert game.status == Game.Status.FINISHED
    assert talked == game.events.filter(kind="TalkOpened").count() > 5
    assert not any(seat_of(game, "Anna").missed)
    assert verify_game(game.pk) == []


def in_a_step(game: Game, now: datetime, change) -> Writer:
    """Change the locked game as a moderator or the table does."""
    writer = Writer(Game.objects.lock(game.pk), now)
    change(writer)
    writer.go_on()
    writer.commit()
    game.refresh_from_db()
    return writer


@pytest.mark.full
def test_a_pause_stops_the_reminder_too_and_the_clock_leaves_the_game_alone():
    game = talking()
    in_a_step(game, MONDAY + HOUR, lambda writer: interventions.pause(writer, None, "moderator"))
    for minutes in (0, 2, 10, 60):
        sweep(MONDAY + 10 * HOUR + timedelta(minutes=minutes))
    game.refresh_from_db()
    assert (game.parked_at, game.attempts) == (None, 0)
    assert not OutboxEmail.objects.filter(game=game, kind="talk_reminder").exists()
    back = MONDAY + 2 * DAY
    in_a_step(game, back, lambda writer: interventions.resume(writer, "moderator"))
    moved = game.events.get(kind="TalkMoved")
    assert moved.payload["why"] == "pause"
    assert datetime.fromisoformat(moved.payload["after"]) == game.talk_until == back + 11 * HOUR


def test_more_time_moves_its_end_and_is_told_to_those_who_are_not_ready():
    game = talking()
    first, second, _third = in_order(game)
    ready(game, second)
    [moved] = in_a_step_extended(game)
    assert game.talk_until == MONDAY + TALK + 3 * HOUR
    assert (moved.before, moved.after) == (MONDAY + TALK, game.talk_until)
    assert [seat.number for seat in moved.seats] == [first]


def test_more_time_moves_the_reminder_with_its_end():
    game = talking()
    first, _second, _third = in_order(game)
    in_a_step_extended(game)
    left = TALK + 3 * HOUR - HOUR
    assert game.seats.get(number=first).remind_at == MONDAY + HOUR + 0.8 * left


def in_a_step_extended(game: Game) -> list[moved_deadlines.Moved]:
    moved: list[moved_deadlines.Moved] = []
    in_a_step(
        game,
        MONDAY + HOUR,
        lambda writer: moved.extend(moved_deadlines.extend(writer, 3 * HOUR, Cause.MODERATOR)),
    )
    return moved


def test_a_dormant_game_begins_it_anew_when_somebody_returns():
    game = talking()
    for name in ("Anna", "Boris", "Clara"):
        leave(game, name, now=MONDAY + HOUR)
    game.refresh_from_db()
    assert game.dormant_since is not None
    sweep(MONDAY + 11 * HOUR)
    back = MONDAY + DAY
    first, _second, _third = in_order(game)
    seats.come_back(game_id=game.pk, user=sitter(game, first), now=back)
    game.refresh_from_db()
    assert game.parked_at is None
    assert game.talk_until == back + TALK


def test_after_a_pause_as_after_an_outage_everybody_is_reminded_of_its_new_end():
    game = talking()
    first, second, _third = in_order(game)
    sweep(MONDAY + 10 * HOUR)
    in_a_step(game, MONDAY + 11 * HOUR, lambda one: interventions.pause(one, None, "moderator"))
    back = MONDAY + 2 * DAY
    in_a_step(game, back, lambda writer: interventions.resume(writer, "moderator"))
    sweep(back + 50 * timedelta(minutes=1))
    reminded = OutboxEmail.objects.filter(game=game, kind="talk_reminder")
    for number in (first, second):
        times = reminded.filter(person=sitter(game, number)).values_list("created_at", flat=True)
        assert sorted(times) == [MONDAY + 10 * HOUR, back + 50 * timedelta(minutes=1)]


def test_when_a_dormant_game_is_resumed_its_end_is_not_set():
    game = talking()
    in_a_step(game, MONDAY + HOUR, lambda one: interventions.pause(one, None, "moderator"))
    for name in ("Anna", "Boris", "Clara"):
        leave(game, name, now=MONDAY + HOUR)
    in_a_step(game, MONDAY + DAY, lambda writer: interventions.resume(writer, "moderator"))
    assert (game.paused_at, game.talk_until) == (None, None)
    assert not game.events.filter(kind="TalkMoved").exists()
    first, _second, _third = in_order(game)
    seats.come_back(game_id=game.pk, user=sitter(game, first), now=MONDAY + 2 * DAY)
    game.refresh_from_db()
    assert game.talk_until == MONDAY + 2 * DAY + TALK
