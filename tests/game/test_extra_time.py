"""What the host of a table may do while the game runs: give everybody who is asked more time."""

from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, OutboxEmail
from games.services.email import delivery
from games.services.game import extra_time, seats
from games.services.game.verify import verify_game
from tests.support.client import as_shown, browser, forms_of, person
from tests.support.moderators import marta_acts
from tests.support.races import assert_whole, doing, handing_in, race, rounds_of, sweeping
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
SEALED = {"bribing": "simultaneous"}


@pytest.fixture
def game() -> Game:
    """Anna is the host, and somebody else is asked."""
    return not_annas(open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now()))


def not_annas(game: Game) -> Game:
    """Default moves until somebody else than Anna is asked, and Anna is not."""
    while "Anna" in asked(game):
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    game.refresh_from_db()
    return game


def asked(game: Game) -> list[str]:
    return [seat.user.name for seat in seats_to_move(game)]


def url_of(game: Game) -> str:
    return f"{game.get_absolute_url()}more-time/"


def page_of(game: Game, name: str) -> str:
    return browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()


def gives(game: Game, name: str = "Anna", **filled: object) -> str:
    """Somebody hands in the host's form; the page that comes of it."""
    client = browser(seat_of(game, name).user)
    form = {"phase_no": game.phase_no, "hours": 5} | filled
    answered = client.post(url_of(game), form, follow=True)
    assert answered.status_code == 200
    game.refresh_from_db()
    return unescape(answered.content.decode())


def moved(game: Game) -> list[tuple[str, str]]:
    rows = game.events.filter(kind="DeadlineMoved").order_by("seq")
    return [(row.payload["why"], row.cause) for row in rows]


@pytest.mark.full
def test_the_host_gives_more_time_by_the_form_of_the_page(game, smtp):
    [seat] = seats_to_move(game)
    anna = browser(seat_of(game, "Anna").user)
    form = as_shown(forms_of(anna.get(game.get_absolute_url()).content.decode())[url_of(game)])
    assert form["hours"] == "24"
    delivery.drain(now=timezone.now())
    smtp.messages.clear()
    page = anna.post(url_of(game), form | {"hours": "5"}, follow=True).content.decode()
    assert "extra time to everyone who still has to move." in page
    [after] = seats_to_move(game)
    assert after.deadline_at == seat.deadline_at + 5 * HOUR
    game.refresh_from_db()
    assert game.deadline_at == after.deadline_at
    assert moved(game) == [("moved", "host")]
    assert "by the host" in page_of(game, "Clara" if asked(game) != ["Clara"] else "Dora")
    [mail] = OutboxEmail.objects.filter(kind="table_news")
    assert mail.person == seat.user
    delivery.drain(now=timezone.now())
    text = next(
        mail.get_body(("plain",)).get_content()
        for mail in smtp.messages
        if "News from" in mail.get_body(("plain",)).get_content()
    )
    assert "Your deadline is now" in text
    assert "(by the host)" in text
    line = AuditLine.objects.get(game=game)
    assert (line.who, line.action, line.person) == ("the host", "game.extra-time", seat.user)
    assert line.before == {"at": seat.deadline_at.isoformat(timespec="seconds")}
    assert line.after == {"at": after.deadline_at.isoformat(timespec="seconds")}
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_the_form_is_only_for_the_host_and_only_while_it_is_possible(game):
    for name in ("Boris", "Clara", "Dora"):
        assert url_of(game) not in page_of(game, name)
        assert "You're the host" not in page_of(game, name)
    gives(game)
    page = page_of(game, "Anna")
    assert url_of(game) not in page
    assert 'href="#call-vote"' in page
    assert 'id="call-vote"' in page


@pytest.mark.full
def test_no_form_where_the_host_alone_is_asked(game):
    while asked(game) != ["Anna"]:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    game.refresh_from_db()
    assert url_of(game) not in page_of(game, "Anna")
    assert "You can't give extra time when you're the only one who still has to move." in gives(
        game
    )
    assert moved(game) == []


@pytest.mark.full
def test_of_several_who_are_asked_all_have_more_time_and_all_but_the_host_a_mail():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now(), options=SEALED)
    while len(asked(game)) < 2 or "Anna" not in asked(game):
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    game.refresh_from_db()
    before = {seat.pk: seat.deadline_at for seat in seats_to_move(game)}
    gives(game, hours=24)
    after = {seat.pk: seat.deadline_at for seat in seats_to_move(game)}
    assert after == {pk: at + DAY for pk, at in before.items()}
    emails = OutboxEmail.objects.filter(kind="table_news")
    assert sorted(["Anna", *(mail.person.name for mail in emails)]) == sorted(asked(game))
    assert AuditLine.objects.count() == len(after)


@pytest.mark.full
@pytest.mark.parametrize("hours", [25, 0, -3, "", "many", 10**9])
def test_at_most_one_answering_time_of_the_table(game, hours):
    text = {25: "You can add between 1 and 24 hours."}
    assert text.get(hours, "Please enter how many hours to add.") in gives(game, hours=hours)
    assert moved(game) == []


def test_a_table_that_plays_faster_than_by_the_hour_has_its_votes():
    game = not_annas(open_table("Anna", "Boris", "Clara", now=timezone.now(), move_time=HOUR / 2))
    assert url_of(game) not in page_of(game, "Anna")
    assert "At tables with less than an hour per move, only a vote can add time." in gives(
        game, hours=1
    )


@pytest.mark.full
def test_once_a_phase_also_when_it_is_sent_twice(game):
    phase = game.phase_no
    gives(game)
    assert "You've already given extra time for this move." in gives(game, phase_no=phase)
    assert len(moved(game)) == 1


@pytest.mark.full
def test_three_times_a_game(game):
    for _ in range(3):
        phase = game.phase_no
        assert "extra time to everyone who still has to move." in gives(game)
        while game.phase_no == phase or "Anna" in asked(game):
            submit_move(game, seats_to_move(game)[0].user, timezone.now())
            game.refresh_from_db()
    assert url_of(game) not in page_of(game, "Anna")
    assert "You've already given extra time 3 times in this game." in gives(game)
    assert len(moved(game)) == 3


def test_a_page_that_is_old_gives_nothing(game):
    page = gives(game, phase_no=game.phase_no - 1)
    assert "The game has moved on since you opened this page." in page
    assert moved(game) == []


@pytest.mark.full
def test_nobody_else_may_and_nobody_by_get(game):
    assert "Only a host who is still playing can give extra time" in gives(game, "Boris")
    stranger = browser(person("Emil"))
    form = {"phase_no": game.phase_no, "hours": 5}
    page = stranger.post(url_of(game), form, follow=True).content.decode()
    assert "Only a host who is still playing can give extra time" in page
    anna = browser(seat_of(game, "Anna").user)
    assert anna.get(url_of(game), form, follow=True).redirect_chain
    assert moved(game) == []


@pytest.mark.full
@pytest.mark.parametrize("left", ["stepped aside", "marked absent", "replaced"])
def test_a_host_who_has_left_the_seat_has_no_power(game, left):
    anna = seat_of(game, "Anna").user
    if left == "stepped aside":
        seats.step_aside(game_id=game.pk, user=anna, now=timezone.now())
    elif left == "marked absent":
        marta_acts(game, "absent", seat=seat_of(game, "Anna").number)
    else:
        marta_acts(
            game, "house-player", seat=seat_of(game, "Anna").number, computer_player="courtier"
        )
    game.refresh_from_db()
    client = browser(anna)
    assert url_of(game) not in client.get(game.get_absolute_url()).content.decode()
    form = {"phase_no": game.phase_no, "hours": 5}
    page = client.post(url_of(game), form, follow=True).content.decode()
    assert "Only a host who is still playing can give extra time" in page
    assert moved(game) == []


@pytest.mark.full
@pytest.mark.parametrize("slug", ["pause", "cancel"])
def test_a_game_that_stands_still_is_given_no_time(game, slug):
    marta_acts(game, slug)
    assert "This game isn't running." in gives(game)
    assert "You're the host" not in page_of(game, "Anna")


@pytest.mark.full
def test_there_is_no_host_where_nobody_else_plays(game):
    for name in ("Boris", "Clara", "Dora"):
        number = seat_of(game, name).number
        marta_acts(game, "house-player", seat=number, computer_player="courtier")
    assert "You're the host" not in page_of(game, "Anna")


def test_more_time_than_was_left_counts_from_now_on(game):
    [seat] = seats_to_move(game)
    late = seat.deadline_at + 3 * HOUR
    tick(late)
    anna = seat_of(game, "Anna").user
    extra_time.give_time(
        game_id=game.pk, user=anna, phase_no=game.phase_no, time=2 * HOUR, now=late
    )
    assert seats_to_move(game)[0].deadline_at == late + 2 * HOUR


EACH = 5


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_the_host_players_and_clocks_at_once():
    """A deadline is moved once or its default is played; an answer is never lost."""
    for number, (chance, wins) in enumerate(rounds_of("host", "player", "clock", least=4)):
        anna, *others = (f"{name}{number}" for name in ("Anna", "Boris", "Clara"))
        game = open_table(anna, *others, now=MONDAY)
        if seats_to_move(game)[0].user == game.host:
            submit_move(game, game.host, MONDAY)
            game.refresh_from_db()
        [seat] = seats_to_move(game)
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        about = {"game_id": game.pk, "user": game.host, "phase_no": phase, "now": now}
        sides = {
            "host": [doing(extra_time.give_time, time=HOUR, **about)] * EACH,
            "player": [handing_in(game, seat, phase, now) for _ in range(EACH)],
            "clock": [sweeping(now)] * EACH,
        }
        gave = race(sides, chance)
        done = sum(gave["host"])
        assert done <= 1
        causes = [move.cause for move in game.moves.filter(phase_no=phase, seat=seat)]
        assert sum(gave["player"]) == causes.count("player")
        # The clock plays no default of a deadline that was moved.
        assert causes in ([["player"], []] if done else [["player"], ["clock"]])
        assert len(moved(game)) == AuditLine.objects.filter(game=game).count() == done
        wins["host"] += done
        wins.update(causes)
        assert_whole(game)
        assert verify_game(game.pk) == []
