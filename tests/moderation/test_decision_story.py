"""The story of a decision: asked when, told how, played by whom and why; and "It was our fault"."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Miss, OutboxEmail, Seat, User, Vote
from games.presentation.text.words import day_and_hour
from games.services import roles
from games.services.game import rewind, seats
from games.services.game.replay import event_rows
from games.services.moderation.queries.rewind import clock_moves, consequences
from games.services.operations import clock
from tests.support.client import as_shown, browser, forms_of, text_of
from tests.support.moderators import act, audited_actions, marta_acts, moderator
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
BEGAN = timezone.now() - DAY - 2 * HOUR
REFUSED = "550 5.1.1 no such user"


def sweep(now) -> None:
    tick(now)
    clock.sweep(now=now)


def played_by_the_clock(game: Game, now=BEGAN) -> Seat:
    """The seat whose deadline passed, for which the clock has played."""
    [seat] = seats_to_move(game)
    sweep(now + DAY)
    game.refresh_from_db()
    assert game.moves.get().cause == "clock"
    return seat


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", now=BEGAN)


def address(game: Game, seat: Seat, phase_no: int = 1) -> str:
    return f"/admin/games/game/{game.pk}/decisions/{seat.number}/{phase_no}/"


def story_of(game: Game, seat: Seat, phase_no: int = 1) -> str:
    nora = User.objects.filter(name="Nora").first() or moderator("Nora")
    page = browser(nora).get(address(game, seat, phase_no))
    assert page.status_code == 200
    return text_of(page)


def own_story(game: Game, seat: Seat, phase_no: int = 1):
    return browser(seat.user).get(f"{game.get_absolute_url()}decisions/{phase_no}/")


@pytest.mark.full
def test_a_moderator_reads_when_it_was_asked_what_was_sent_and_who_played(game):
    [seat] = seats_to_move(game)
    sweep(BEGAN + 20 * HOUR)
    emails = OutboxEmail.objects.filter(person=seat.user)
    emails.filter(kind="your_turn").update(status="failed", error=REFUSED)
    emails.filter(kind="reminder").update(status="sent", sent_at=BEGAN + 20 * HOUR)
    played_by_the_clock(game)
    page = story_of(game, seat)
    name = seat.user.name
    assert "The deadline passed without a move, so the default move was played." in page
    assert f"{name}'s turn began. Deadline: {day_and_hour(BEGAN + DAY, 'UTC')}" in page
    assert f"Email: your turn failed: {REFUSED}" in page
    assert f"Email: reminder sent on {day_and_hour(BEGAN + 20 * HOUR, 'UTC')} (UTC)" in page
    assert "Email: a default move was played for you" in page
    assert "This counts as a missed deadline." in page
    assert "No reminder was written." not in page


def test_it_says_what_was_never_written(game):
    [seat] = seats_to_move(game)
    OutboxEmail.objects.filter(kind="your_turn").delete()
    played_by_the_clock(game)
    OutboxEmail.objects.filter(kind__endswith="reminder").delete()
    page = story_of(game, seat)
    assert "No “your turn” email was written." in page
    assert "No reminder was written." in page


def test_changes_of_the_deadline_stand_in_it_with_their_reason():
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now)
    [seat] = seats_to_move(game)
    marta_acts(game, "extend", seat=seat.number, hours=5)
    page = story_of(game, seat)
    assert "This decision is still open." in page
    assert f"Deadline: {day_and_hour(seat.deadline_at, 'UTC')}" in page
    assert "(by a moderator) Clara is in hospital." in page


@pytest.mark.full
def test_of_a_move_made_by_hand_there_is_only_what_all_can_see(game):
    [seat] = seats_to_move(game)
    submit_move(game, seat.user, BEGAN + HOUR)
    page = story_of(game, seat)
    assert "The player made this move." in page
    assert "Email:" not in page
    assert "turn began" not in page
    Game.objects.filter(pk=game.pk).update(status="cancelled", deadline_at=None)
    assert "Email: your turn" in story_of(game, seat)


@pytest.mark.full
def test_it_is_two_clicks_from_the_page_of_the_game_and_one_from_the_events(game):
    seat = played_by_the_clock(game)
    nora = browser(moderator("Nora"))
    link = f'href="{address(game, seat)}"'
    decisions = f"/admin/games/game/{game.pk}/decisions/"
    page = nora.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert f'href="{decisions}"' in page
    assert link in nora.get(decisions).content.decode()
    events = nora.get(f"/admin/games/event/?game__id__exact={game.pk}").content.decode()
    assert link in events


@pytest.mark.full
def test_it_is_closed_to_moderators_at_their_own_table_and_to_others(game):
    seat = played_by_the_clock(game)
    anna = seat_of(game, "Anna").user
    assert browser(anna).get(address(game, seat)).status_code == 302
    roles.appoint(anna, roles.MODERATOR)
    assert browser(anna).get(address(game, seat)).status_code == 403
    assert browser(anna).get(f"/admin/games/game/{game.pk}/decisions/").status_code == 403
    nora = browser(moderator("Nora"))
    for missing in (address(game, seat, 99), f"/admin/games/game/{game.pk}/decisions/7/1/"):
        assert nora.get(missing).status_code == 404


def queries(client, page: str) -> int:
    client.get(page)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(page).status_code == 200
    return len(captured)


@pytest.mark.full
def test_its_pages_take_few_queries(game):
    seat = played_by_the_clock(game)
    nora = browser(moderator("Nora"))
    assert queries(nora, address(game, seat)) <= 15
    assert queries(nora, f"/admin/games/game/{game.pk}/decisions/") <= 15
    assert queries(browser(seat.user), f"{game.get_absolute_url()}decisions/1/") <= 15


@pytest.mark.full
def test_a_player_reads_why_it_was_played_for_them_and_nobody_else_does(game):
    [seat] = seats_to_move(game)
    OutboxEmail.objects.filter(person=seat.user).update(
        status="failed", error="site.py:7\nKeyError"
    )
    played_by_the_clock(game)
    page = text_of(own_story(game, seat))
    assert "The deadline passed without a move, so the default move was played." in page
    assert f"Your turn began. Deadline: {day_and_hour(BEGAN + DAY, 'UTC')}" in page
    assert "Email: your turn failed: an error on our side" in page
    assert "KeyError" not in page
    others = [one for one in game.seats.all() if one.pk != seat.pk]
    for other in others:
        assert own_story(game, other).status_code == 404
    link = f"{game.get_absolute_url()}decisions/1/"
    own = browser(seat.user).get(f"{game.get_absolute_url()}deadlines/").content.decode()
    other = browser(others[0].user).get(f"{game.get_absolute_url()}deadlines/").content.decode()
    assert link in own
    assert link not in other


@pytest.mark.full
def test_what_was_played_at_once_for_an_absent_player_says_so_and_is_nobodys_fault():
    game = open_table("Anna", "Boris", "Clara", now=BEGAN, absent_player="default")
    [seat] = seats_to_move(game)
    seats.step_aside(game_id=game.pk, user=seat.user, now=BEGAN + HOUR)
    page = story_of(game, seat)
    assert "The player was absent, so the default move was played at once." in page
    assert "It was our fault" not in page
    own = text_of(own_story(game, seat))
    assert "You were absent, so the default move was played at once." in own


def test_a_player_has_no_story_of_what_they_played_themselves(game):
    [seat] = seats_to_move(game)
    submit_move(game, seat.user, BEGAN + HOUR)
    assert own_story(game, seat).status_code == 404


@pytest.mark.full
def test_it_was_our_fault_takes_the_move_back_with_full_time_and_no_miss():
    now = timezone.now() - DAY - HOUR
    game = open_table("Anna", "Boris", "Clara", now=now)
    seat = played_by_the_clock(game, now)
    assert Miss.objects.count() == 1
    move = game.moves.get()
    nora = browser(moderator("Nora"))
    link = f"act/our-fault/?move={move.pk}"
    assert link in nora.get(address(game, seat)).content.decode()
    preview = act(nora, game, "our-fault", move=move.pk)
    assert preview.status_code == 302
    game.refresh_from_db()
    move.refresh_from_db()
    seat.refresh_from_db()
    assert move.abandoned
    assert not Miss.objects.exists()
    assert seat.deadline_at > timezone.now() + 23 * HOUR
    assert ("Nora", "game.our-fault") in audited_actions(game=game)
    assert "It was undone when the game was rewound." in story_of(game, seat)


@pytest.mark.full
def test_where_sealed_bribes_were_opened_everybody_is_asked_and_the_miss_is_gone_at_once():
    now = timezone.now() - 2 * DAY
    game = open_table("Anna", "Boris", "Clara", now=now, options={"bribing": "simultaneous"})
    sweep(now + DAY)
    game.refresh_from_db()
    row = game.moves.select_related("seat").get(pk=game.moves.earliest("pk").pk)
    while not game.events.filter(kind="BribesPaid").exists():
        submit_move(game, seats_to_move(game)[0].user, now + DAY + HOUR)
        game.refresh_from_db()
    assert Miss.objects.filter(seat=row.seat).exists()
    moves = game.moves.count()
    nora = browser(moderator("Nora"))
    shown = text_of(nora.post(*filled(nora, game, row)))
    assert "so all active players vote first" in shown
    assert act(nora, game, "our-fault", move=row.pk).status_code == 302
    assert Vote.objects.get().kind == Vote.Kind.REWIND
    assert game.moves.filter(abandoned=False).count() == moves
    assert not Miss.objects.filter(seat=row.seat).exists()


def filled(client, game: Game, move) -> tuple[str, dict[str, str]]:
    """The form of “It was our fault” as a page leads to it, filled in: its address and fields."""
    address = f"/admin/games/game/{game.pk}/act/our-fault/"
    page = client.get(f"{address}?move={move.pk}")
    form = as_shown(forms_of(page.content.decode())[""])
    return address, form | {"reason": "The mail server was down."}


@pytest.mark.full
def test_it_was_our_fault_says_first_what_it_will_do():
    now = timezone.now() - DAY - HOUR
    game = open_table("Anna", "Boris", "Clara", now=now)
    seat = played_by_the_clock(game, now)
    nora = browser(moderator("Nora"))
    shown = text_of(nora.post(*filled(nora, game, game.moves.get())))
    name = seat.user.name
    assert f"{name}'s missed deadline won't count." in shown
    assert f"1 move will be taken back: {name} (1)." in shown
    assert f"Next to move, each with their full time again: {name}." in shown
    assert "Nothing has been done yet." in shown
    assert not game.moves.get().abandoned


def absent_by_a_suspension(now, **more) -> tuple[Game, Seat]:
    """A game whose seat to move was played for at once, and its player, whose suspension is over.

    Whoever is suspended is marked absent, and stays so.
    """
    game = open_table("Anna", "Boris", "Clara", now=now, absent_player="default", **more)
    [seat] = seats_to_move(game)
    marta_acts(game, "absent", seat=seat.number)
    game.refresh_from_db()
    seat.refresh_from_db()
    assert seat.absent_since is not None
    return game, seat


@pytest.mark.full
def test_it_was_our_fault_marks_the_player_present_again_and_waits_for_them():
    game, seat = absent_by_a_suspension(timezone.now() - HOUR)
    move = game.moves.filter(cause="clock", seat=seat).earliest("pk")
    nora, name = browser(moderator("Nora")), seat.user.name
    shown = text_of(nora.post(*filled(nora, game, move)))
    assert f"{name} will be marked present again, and the game will wait for them." in shown
    assert f"Next to move, each with their full time again: {name}." in shown
    assert "missed deadline won't count" not in shown  # there was none
    assert act(nora, game, "our-fault", move=move.pk).status_code == 302
    seat.refresh_from_db()
    assert seat.absent_since is None
    assert seat.deadline_at > timezone.now() + 23 * HOUR
    assert not game.moves.filter(abandoned=False).exists()
    sweep(timezone.now() + HOUR)
    assert not game.moves.filter(abandoned=False).exists()


@pytest.mark.full
def test_it_was_our_fault_is_refused_while_nobody_could_be_waited_for():
    game, seat = absent_by_a_suspension(timezone.now() - HOUR)
    move = game.moves.filter(cause="clock", seat=seat).earliest("pk")
    nora = browser(moderator("Nora"))
    User.objects.filter(pk=seat.user_id).update(suspended_until=timezone.now() + DAY)
    shown = text_of(nora.post(*filled(nora, game, move)))
    assert f"{seat.user.name} is suspended or banned, so the move would be made again" in shown
    User.objects.filter(pk=seat.user_id).update(suspended_until=None)
    marta_acts(game, "reopen", seat=seat.number)
    shown = text_of(nora.post(*filled(nora, game, move)))
    assert "No one has the " in shown
    assert "Use “Give the seat back” first." in shown
    assert not game.moves.filter(abandoned=True).exists()


@pytest.mark.full
def test_a_rewind_says_that_whoever_is_next_to_move_is_absent():
    game, seat = absent_by_a_suspension(timezone.now() - HOUR)
    address = f"/admin/games/game/{game.pk}/act/rewind/"
    nora, name = browser(moderator("Nora")), seat.user.name
    form = as_shown(forms_of(nora.get(address).content.decode())[""])
    step = rewind.step_before(game, event_rows(game), game.moves.earliest("pk"))
    shown = text_of(nora.post(address, form | {"to_seq": str(step), "reason": "A test."}))
    assert f"{name} is absent, so their move will be made automatically at once." in shown
    assert "full time again" not in shown
    assert not game.moves.filter(abandoned=True).exists()
    marta_acts(game, "reopen", seat=seat.number)
    form = as_shown(forms_of(nora.get(address).content.decode())[""])
    shown = text_of(nora.post(address, form | {"to_seq": str(step), "reason": "A test."}))
    assert "seat is free, so its move will be made automatically at once." in shown


def test_a_rewind_that_calls_an_absent_player_back_says_nothing_of_absence():
    now = timezone.now() - 3 * DAY
    game = open_table("Anna", "Boris", "Clara", now=now, absent_player="default")
    [seat] = seats_to_move(game)
    Seat.objects.filter(pk=seat.pk).update(missed=[True])
    sweep(now + DAY)
    seat.refresh_from_db()
    assert seat.absent_since is not None
    step = rewind.step_before(game, event_rows(game), game.moves.earliest("pk"))
    shown = " ".join(consequences(game, step))
    assert f"Next to move, each with their full time again: {seat.user.name}." in shown
    assert "absent" not in shown


@pytest.mark.full
def test_the_moves_of_the_clock_are_told_apart_by_what_was_decided():
    game, seat = absent_by_a_suspension(timezone.now() - HOUR)
    for _round in range(12):
        for other in seats_to_move(game):
            submit_move(game, other.user, timezone.now())
    texts = [text for _pk, text in clock_moves(game)]
    assert len(texts) > 1
    assert len(set(texts)) == len(texts)
    assert all(f": {seat.user.name} must " in text for text in texts)
    assert all(text.startswith("Step ") for text in texts)
