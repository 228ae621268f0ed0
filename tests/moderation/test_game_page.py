"""A game's page in the admin: how it stands in plain words, with the acts that fit."""

import html
import re

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.forms.submitted import entries_of
from games.models import Event, Game, Seat, User
from games.presentation.text.words import moment
from games.services import audit, roles
from games.services.game import seats
from tests.support.client import browser, html_of, text_of
from tests.support.moderators import marta_acts, moderator
from tests.support.tables import MONDAY, open_table, seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", now=timezone.now())


def words_of(game: Game) -> str:
    """The text of the game's page, as a moderator who has no part in it reads it."""
    client = browser(User.objects.filter(name="Nora").first() or moderator("Nora"))
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/admin/games/game/{game.pk}/change/")
    assert page.status_code == 200
    assert len(queries) <= 15
    return text_of(page)


@pytest.mark.full
def test_how_the_game_stands_who_is_asked_and_who_is_absent(game):
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=timezone.now())
    Seat.objects.filter(pk=seat_of(game, "Boris").pk).update(missed=[True, False, True])
    words = words_of(game)
    assert "The game is running." in words
    assert re.search(r"Round 1 of \d, (Anna|Boris|Clara)'s turn\.", words)
    assert re.search(r"(Anna|Boris) \(\w+\) has to move by", words)
    assert re.search(r"Clara \(\w+\) has been absent since", words)
    assert re.search(r"Deadlines missed by Boris \(\w+\): 2 of the last 3\.", words)
    marta_acts(game, "pause")
    assert "The game is paused. Its status is “running”." in words_of(game)


@pytest.mark.full
def test_times_and_answers_are_words(game):
    Game.objects.filter(pk=game.pk).update(move_seconds=86400)
    words = words_of(game)
    assert "24 hours" in words
    assert "86400" not in words
    Game.objects.filter(pk=game.pk).update(closed_to_newcomers=True)
    assert "yes" in words_of(game).split()


@pytest.mark.full
def test_only_what_can_be_done_is_offered(game):
    page = words_of(game)
    assert "Mark present" not in page
    assert "Rewind" not in page
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=timezone.now())
    assert "Mark present" in words_of(game)


def test_who_sits_at_the_table_reads_why_they_may_not_act(game):
    anna_herself = seat_of(game, "Anna").user
    roles.appoint(anna_herself, roles.MODERATOR)
    anna = browser(anna_herself)
    page = anna.get(f"/admin/games/game/{game.pk}/act/pause/")
    assert page.status_code == 403
    assert "You have or had a seat at this table" in page.content.decode()


def test_only_moderators_read_why_a_mail_is_sent_again_and_emails_have_their_time(game):
    page = browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/act/send-again/")
    text = page.content.decode()
    assert "Only moderators see this." in text
    assert re.search(r">\w+ \d+ \w+, \d\d:\d\d: Anna: the game has started", text)


@pytest.mark.full
def test_a_game_is_found_by_the_last_part_of_its_address_and_its_log_is_on_the_readers_clock(game):
    reader = moderator("Nora")
    User.objects.filter(pk=reader.pk).update(time_zone="Asia/Tokyo")
    nora = browser(reader)
    assert game.name in nora.get("/admin/", {"q": game.token}).content.decode().split("piles")[0]
    audit.write(
        "game.pause", now=timezone.now(), who=audit.CLOCK, game=game, after={"paused_until": MONDAY}
    )
    listed = nora.get("/admin/games/auditline/", {"game": game.token}).content.decode()
    assert str(game) in listed
    assert moment(MONDAY, "Asia/Tokyo") in listed
    assert MONDAY.isoformat() not in listed


@pytest.mark.parametrize(
    ("submitted", "entries"),
    [
        ("phase_no=1&version=3&hours=2&seat=&previewed=x", [("Extra hours", "2")]),
        ("phase_no=1&version=3&hours=2", [("Hours per move", "2")]),
        ("phase_no=1&version=3&until=soon", [("Until", "soon")]),
        ("seen=3&text=Patient.", [("Staff note", "Patient.")]),
        ("until=&text=Back+soon.", [("Announcement", "Back soon.")]),
    ],
)
def test_what_was_entered_into_an_action_has_the_labels_of_its_form(submitted, entries):
    why = "why=A+player+asked+for+it.&reason=A+storm."
    assert entries_of(QueryDict(f"{submitted}&{why}")) == [
        *entries,
        ("Reason", "A player asked for it."),
        ("In your own words", "A storm."),
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("slug", "why"),
    [
        ("retry", "Nothing has gone wrong with this game."),
        ("resume", "The game isn't paused."),
        ("open", "The table is already open to new players."),
        ("present", "Nobody at this table is absent."),
        ("rewind", "No moves have been played yet."),
    ],
)
def test_the_page_of_an_act_that_does_not_fit_says_why(game, slug, why):
    page = browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/act/{slug}/")
    assert why in html.unescape(page.content.decode())
    assert "<textarea" not in page.content.decode()


@pytest.mark.full
def test_of_a_game_that_is_over_paused_or_parked_too(game):
    nora = browser(moderator("Nora"))
    marta_acts(game, "pause")
    page = nora.get(f"/admin/games/game/{game.pk}/act/extend/").content.decode()
    assert "The game is paused. Resume it first." in page
    Game.objects.filter(pk=game.pk).update(parked_at=timezone.now(), paused_at=None)
    page = nora.get(f"/admin/games/game/{game.pk}/act/extend/").content.decode()
    assert "This game is parked. Retry it first." in page
    Game.objects.filter(pk=game.pk).update(parked_at=None, status="cancelled")
    page = nora.get(f"/admin/games/game/{game.pk}/act/cancel/").content.decode()
    assert "This game is already over." in page


def test_events_are_told_as_the_log_of_the_table_tells_them(game):
    idle = game.seats.filter(deadline_at=None).first()  # the game does not go on without them
    seats.step_aside(game_id=game.pk, user=idle.user, now=timezone.now())
    nora = browser(moderator("Nora"))
    log = html_of(nora.get(f"{game.get_absolute_url()}history/"))
    listed = nora.get(f"/admin/games/event/?game__id__exact={game.pk}").content.decode()
    absent = game.events.get(kind="SeatAbsent")
    row = nora.get(f"/admin/games/event/{absent.pk}/change/").content.decode()
    text = f"{idle.user.name} is absent: the game continues without waiting for them"
    for page in (log, listed, row):
        assert text in page
    assert "<code>SeatAbsent</code>" in listed


def test_an_event_that_cannot_be_read_breaks_no_list(game):
    last = game.events.last()
    Event.objects.create(
        game=game, seq=last.seq + 1, phase_no=1, kind="BribesPaid", payload={}, cause="rules",
        at=timezone.now(),
    )  # fmt: skip
    nora = browser(moderator("Nora"))
    page = nora.get(f"/admin/games/event/?game__id__exact={game.pk}")
    assert page.status_code == 200
    assert "<code>BribesPaid</code>" in page.content.decode()
    newest = Event.objects.order_by("-pk").first()
    assert nora.get(f"/admin/games/event/{newest.pk}/change/").status_code == 200


def test_actions_stand_in_groups_and_those_on_a_seat_beside_it(game):
    clara = seat_of(game, "Clara")
    seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
    page = html_of(browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/change/"))
    groups = [html.unescape(title) for title in re.findall(r"<h3>([^<]+)</h3>", page)]
    assert groups == ["Time", "The table", "Repair", "Can't be undone"]
    for slug in ("pause", "referee", "send-again", "cancel"):
        assert page.count(f'/act/{slug}/"') == 1
    numbers = {seat.number for seat in game.seats.all()}
    of_seats: dict[str, set[int]] = {}
    for slug, number in re.findall(r"/act/([\w-]+)/\?seat=(\d)\"", page):
        of_seats.setdefault(slug, set()).add(int(number))
    assert of_seats["present"] == {clara.number}
    assert of_seats["absent"] == numbers - {clara.number}
    assert of_seats["house-player"] == of_seats["reopen"] == numbers
    assert "give-back" not in of_seats


def test_where_something_failed_what_repairs_it_comes_first(game):
    Game.objects.filter(pk=game.pk).update(error="engine.py:1\nKeyError", attempts=1)
    page = html_of(browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/change/"))
    assert re.findall(r"<h3>([^<]+)</h3>", page)[0] == "Repair"
