"""Rewinds: to every boundary of whole games, with what the table sees, keeps and is asked."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine import EDITIONS, encode
from games.engine.record import adjudicate, record_state
from games.models import AuditLine, Event, Game, Move, Order, OutboxEmail, Vote
from games.services.email import delivery
from games.services.game import rewind as game_rewind
from games.services.game import seats
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import read_log
from games.services.game.records import game_record
from games.services.game.replay import event_rows, state_at, surviving
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.operations import clock
from games.services.outbox import NEWS_WAITS
from tests.support.client import browser
from tests.support.moderators import act_url, marta_acts, moderator, previewed, shown_form
from tests.support.races import assert_whole
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.django_db]


def play_on(game: Game, answers: int) -> None:
    """Default moves, one second after the other, until so many were made or the game is over."""
    for number in range(answers):
        game.refresh_from_db()
        if game.status != Game.Status.RUNNING:
            return
        submit_move(game, seats_to_move(game)[0].user, MONDAY + number * timedelta(seconds=1))
    game.refresh_from_db()


def rewind(game: Game, seq: int, cause: str = "moderator") -> Event:
    """Take the game back as the writer does it, and let it go on; the event that says so."""
    game.refresh_from_db()
    writer = Writer(game, MONDAY)
    number = game_rewind.rewind(writer, seq, cause)
    writer.go_on()
    writer.commit()
    return Event.objects.get(game=game, seq=number)


def as_if_running(game: Game) -> None:
    """A game that is over cannot be rewound: let this one run, so that its end is tried too."""
    over = Game.objects.filter(pk=game.pk, status="finished")
    over.update(status="running", deadline_at=MONDAY, finished_at=None)


@pytest.mark.long(after=2)
@pytest.mark.long(every=3)
@pytest.mark.parametrize(
    "options", [{"bribing": "sequential"}, {"bribing": "simultaneous", "rounds": 2}]
)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_boundary_of_a_whole_game(edition, options, pytestconfig):
    """One edition with all its rounds, the others as short games; all in full with `--long`."""
    in_full = edition == "fx-schmid-1994" or pytestconfig.getoption("long")
    rounds = {} if in_full else {"rounds": 3}
    game = open_table("Anna", "Boris", "Clara", edition=edition, options=rounds | options)
    play_on(game, 10_000)
    assert game.status == Game.Status.FINISHED
    rows = event_rows(game)
    found = game_rewind.boundaries(game, rows)
    assert len(found) == Move.objects.filter(game=game).count()
    states = {boundary.seq: encode(boundary.state) for boundary in found}
    assert all(encode(state_at(rows, seq)) == states[seq] for seq in states)
    for boundary in reversed(found):
        phase = game.phase_no
        as_if_running(game)
        event = rewind(game, boundary.seq)
        rows = event_rows(game)
        assert encode(state_at(rows, event.seq)) == states[boundary.seq]
        assert game.phase_no > phase
        assert game.deadline_at is not None
        stand = Move.objects.filter(game=game, abandoned=False).count()
        play_on(game, 1)
        assert Move.objects.filter(game=game, abandoned=False).count() > stand
        assert encode(game.decoded()) == encode(state_at(event_rows(game), 10_000))
    assert verify_game(game.pk) == []
    play_on(game, 10_000)
    assert game.status == Game.Status.FINISHED
    assert verify_game(game.pk) == []
    answered, moves = adjudicate(game_record(game))
    assert answered["final"] == record_state(game.decoded())
    assert moves == Move.objects.filter(game=game, abandoned=False).count()
    assert_whole(game)


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara", "Dora")
    play_on(game, 9)
    return game


def middle(game):
    """A boundary before a move of a person, some moves back."""
    return [
        boundary
        for boundary in game_rewind.boundaries(game, event_rows(game))
        if boundary.next_move.cause == "player"
    ][-4]


def rewind_in_the_admin(game, boundary):
    marta = browser(moderator())
    form = shown_form(marta, game, "rewind") | {"to_seq": boundary.seq, "reason": "A mistake."}
    preview = marta.post(act_url(game, "rewind"), form)
    assert preview.status_code == 200
    assert "Nothing has been done yet" in preview.content.decode()
    assert not Event.objects.filter(kind__in=("Rewound", "VoteOpened")).exists()
    done = marta.post(act_url(game, "rewind"), form | previewed(preview))
    assert done.status_code == 302, done.content.decode()
    game.refresh_from_db()
    return preview.content.decode()


def test_a_moderator_reads_what_it_would_do_and_then_does_it(game):
    boundary = middle(game)
    taken = Move.objects.filter(game=game, pk__gte=boundary.next_move.pk)
    count = taken.count()
    preview = rewind_in_the_admin(game, boundary)
    assert f"{count} moves will be taken back" in preview
    assert taken.filter(abandoned=True).count() == count
    assert game.decoded() == boundary.state
    anna = browser(seat_of(game, "Anna").user)
    page = anna.get(f"{game.get_absolute_url()}history/").content.decode()
    assert page.count("<del>") >= count
    assert "discarded" in page
    assert f"The game is rewound to step {boundary.seq}" in page
    assert "A mistake." in page
    for step in range(boundary.seq, event_rows(game)[-1].seq + 1):
        assert anna.get(f"{game.get_absolute_url()}history/{step}/").status_code == 200
    assert "A mistake." in anna.get(game.get_absolute_url()).content.decode()
    emails = OutboxEmail.objects.filter(kind="table_news")
    assert {mail.person.name for mail in emails} == {"Anna", "Boris", "Clara", "Dora"}
    line = AuditLine.objects.get()
    assert (line.action, line.after) == ("game.rewind", {"step": boundary.seq})


def test_deadlines_are_fresh_and_orders_and_drafts_void(game):
    seat = seats_to_move(game)[0]
    Order.objects.create(
        seat=game.seats.exclude(pk=seat.pk).first(),
        kind="decision",
        formula={"kind": "highest"},
        made_at=MONDAY,
    )
    phase = game.phase_no
    boundary = middle(game)
    now = timezone.now()
    rewind_in_the_admin(game, boundary)
    assert not Order.objects.exists()
    assert game.phase_no > phase
    asked = seats_to_move(game)
    assert [one.number for one in asked] == [boundary.next_move.seat.number]
    assert all(one.full_time and one.deadline_at >= now + DAY for one in asked)
    assert OutboxEmail.objects.filter(kind="your_turn", phase_no=game.phase_no).count() == len(
        asked
    )


def test_what_the_clock_played_and_its_absence_are_void(smtp):
    game = open_table("Anna", "Boris", "Clara")
    start = game_rewind.boundaries(game, event_rows(game))
    assert start == []
    play_on(game, 1)
    while not game.seats.filter(absent_since__isnull=False).exists():
        now = game.deadline_at
        tick(now)
        clock.sweep(now=now)
        game.refresh_from_db()
    [absent] = game.seats.filter(absent_since__isnull=False)
    rewind(game, game_rewind.boundaries(game, event_rows(game))[0].seq)
    absent.refresh_from_db()
    assert (absent.absent_since, absent.missed, absent.last_miss_at) == (None, [], None)
    assert Event.objects.filter(kind="SeatReturned", cause="moderator").count() == 1
    delivery.drain(now=now)
    assert {mail.status for mail in OutboxEmail.objects.filter(kind="default_played")} == {
        "dropped"
    }


def test_who_stepped_aside_or_was_replaced_stays_so(game):
    boundary = middle(game)
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=MONDAY)
    rewind(game, boundary.seq)
    assert seat_of(game, "Clara").absent_since


def test_a_rewind_of_a_rewind(game):
    first = middle(game)
    rewind(game, first.seq)
    play_on(game, 3)
    second = game_rewind.boundaries(game, event_rows(game))[1]
    rewind(game, second.seq)
    rows = event_rows(game)
    assert encode(state_at(rows, rows[-1].seq)) == game.state
    assert {row.kind for row in surviving(rows) if row.seq > second.seq} == {"Rewound"}
    play_on(game, 10_000)
    assert verify_game(game.pk) == []


def test_what_was_abandoned_is_no_boundary_any_more(game):
    boundary = middle(game)
    later = game_rewind.boundaries(game, event_rows(game))[-1]
    rewind(game, boundary.seq)
    assert later.seq not in {one.seq for one in game_rewind.boundaries(game, event_rows(game))}


def test_a_rewind_while_the_game_is_paused_gives_a_full_time_afterwards(game):
    boundary = middle(game)
    marta_acts(game, "pause")
    Game.objects.filter(pk=game.pk).update(phase_opened_at=MONDAY)
    marta_acts(game, "rewind", to_seq=boundary.seq)
    assert game.deadline_at is None
    marta_acts(game, "resume")
    [asked] = seats_to_move(game)
    assert asked.full_time
    assert asked.deadline_at > timezone.now() + timedelta(hours=23)


def sealed_game():
    """A game with sealed bribes, some of which were opened; and a boundary before that."""
    game = open_table("Anna", "Boris", "Clara", options={"bribing": "simultaneous"})
    before = None
    while not Event.objects.filter(game=game, kind="BribesPaid").exists():
        play_on(game, 1)
    before = next(
        boundary
        for boundary in game_rewind.boundaries(game, event_rows(game))
        if game_rewind.opened_since(game, event_rows(game), boundary.seq)
        and boundary.next_move.cause == "player"
    )
    return game, before


def vote_of(game, name, said):
    client = browser(seat_of(game, name).user)
    vote = Vote.objects.get(game=game, closed_at=None)
    return client.post(f"{game.get_absolute_url()}votes/{vote.pk}/", {"say": said})


def test_opened_bribes_are_taken_back_only_when_everybody_agrees(smtp):
    game, before = sealed_game()
    delivery.drain(now=timezone.now())
    preview = rewind_in_the_admin(game, before)
    assert "all active players vote first" in preview
    assert not Event.objects.filter(kind="Rewound").exists()
    state = game.state
    emails = len(smtp.messages)
    delivery.drain(now=timezone.now() + NEWS_WAITS)
    assert len(smtp.messages) == emails + 3
    for name in ("Anna", "Boris", "Clara"):
        game.refresh_from_db()
        assert game.state == state
        page = browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()
        assert "Rewind the game, even though sealed bribes have since been revealed" in page
        assert vote_of(game, name, "yes").status_code == 302
    game.refresh_from_db()
    assert encode(before.state) == game.state
    assert Event.objects.get(kind="Rewound").cause == "table"
    assert verify_game(game.pk) == []


def test_one_no_keeps_what_was_opened():
    game, before = sealed_game()
    rewind_in_the_admin(game, before)
    vote_of(game, "Boris", "no")
    vote = Vote.objects.get(game=game)
    assert vote.passed is False
    assert not Event.objects.filter(kind="Rewound").exists()


def test_the_log_of_a_rewound_game_is_the_same_for_everybody(game):
    rewind(game, middle(game).seq)
    play_on(game, 3)
    for user in (None, seat_of(game, "Anna").user):
        log = read_log(game, event_rows(game), read_game(game, user).reader)
        abandoned = [line for turn in log for line in turn.lines if line.abandoned]
        assert abandoned
        assert any(
            turn.opening is not None and turn.opening.text.startswith("The game is rewound to step")
            for turn in log
        )


def test_of_a_game_that_is_over_the_page_says_that_it_cannot_be_rewound(game):
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    page = browser(moderator()).get(act_url(game, "rewind")).content.decode()
    assert "The game is over and can no longer be rewound." in page
    assert 'name="to_seq"' not in page
    assert 'value="Rewind"' not in page
