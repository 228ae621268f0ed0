"""Votes of the table: who is asked, when a vote passes, and what is done then."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import AuditLine, Event, Game, MutedGame, OutboxEmail, Vote
from games.presentation.text.words import moment
from games.services.email import delivery
from games.services.game import seats, votes
from games.services.game.tally import Tally
from games.services.game.verify import verify_game
from games.services.game.votes import Proposal
from games.services.operations import clock
from games.services.outbox import NEWS_WAITS
from games.services.refused import Refused
from tests.support.client import browser, forms_of, person
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
PEOPLE = ("Anna", "Boris", "Clara", "Dora")


@pytest.fixture
def game() -> Game:
    return open_table(*PEOPLE, now=timezone.now())


def page_of(game, name):
    return browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()


def call(game, name, kind, **more):
    client = browser(seat_of(game, name).user)
    url = f"{game.get_absolute_url()}votes/"
    answered = client.post(url, {"kind": kind, "sure": "yes", **more}, follow=True)
    game.refresh_from_db()
    return answered.content.decode()


def say(game, name, said):
    vote = Vote.objects.get(game=game, closed_at=None)
    client = browser(seat_of(game, name).user)
    url = f"{game.get_absolute_url()}votes/{vote.pk}/"
    answered = client.post(url, {"say": said}, follow=True)
    game.refresh_from_db()
    return answered.content.decode()


def kinds(game):
    wanted = Event.objects.filter(game=game).order_by("seq")
    text = [(row.kind, row.cause) for row in wanted]
    return [one for one in text if one[0].startswith(("Vote", "Game", "Deadline", "House"))][1:]


@pytest.mark.parametrize(
    ("yes", "no", "silent", "passes", "decided"),
    [
        (1, 0, 3, False, False),
        (2, 0, 2, True, False),
        (3, 0, 1, True, True),
        (2, 1, 1, True, False),
        (2, 2, 0, False, True),
        (1, 1, 2, False, False),
        (0, 3, 1, False, True),
        (1, 2, 1, False, True),
        (1, 0, 0, False, True),
        (2, 0, 0, True, True),
    ],
)
def test_two_yes_and_more_yes_than_no(yes, no, silent, passes, decided):
    standing = Tally(yes, no, silent, unanimous=False)
    assert (standing.passes, standing.decided) == (passes, decided)


@pytest.mark.parametrize(
    ("yes", "no", "silent", "passes", "decided"),
    [
        (3, 0, 0, True, True),
        (2, 0, 1, False, False),
        (2, 1, 0, False, True),
        (0, 1, 2, False, True),
    ],
)
def test_some_votes_need_everybody(yes, no, silent, passes, decided):
    standing = Tally(yes, no, silent, unanimous=True)
    assert (standing.passes, standing.decided) == (passes, decided)


@pytest.mark.parametrize(
    ("yes", "no", "silent", "away", "passes", "decided"),
    [
        (1, 0, 0, 2, True, False),
        (2, 0, 0, 1, True, False),
        (3, 0, 0, 0, True, True),
        (1, 1, 0, 1, False, True),
        (1, 0, 1, 1, False, False),
    ],
)
def test_absent_players_may_prevent_an_end_but_not_by_silence(
    yes, no, silent, away, passes, decided
):
    standing = Tally(yes, no, silent, unanimous=True, away=away, least=1)
    assert (standing.passes, standing.decided) == (passes, decided)


@pytest.mark.full
def test_a_pause_by_the_forms_of_the_page(game):
    anna = browser(seat_of(game, "Anna").user)
    forms = forms_of(anna.get(game.get_absolute_url()).content.decode())
    assert f"{game.get_absolute_url()}votes/" in forms
    call(game, "Anna", "pause", days=5)
    assert "Pause the game for 5 days?" in page_of(game, "Boris")
    emails = OutboxEmail.objects.filter(kind="vote")
    assert {mail.person.name for mail in emails} == {"Boris", "Clara", "Dora"}
    say(game, "Boris", "yes")
    assert game.paused_at is None
    say(game, "Clara", "yes")
    assert game.paused_until - game.paused_at == 5 * DAY
    assert kinds(game) == [
        ("VoteOpened", "player"),
        ("VoteClosed", "rules"),
        ("GamePaused", "table"),
    ]
    page = page_of(game, "Dora")
    assert "The vote to pause the game has passed." in page
    assert "by a table vote" in page
    assert OutboxEmail.objects.filter(kind="table_news").count() == 4
    assert AuditLine.objects.get(game=game).who == "the table"


@pytest.mark.full
def test_a_paused_game_goes_on_by_a_vote(game):
    call(game, "Anna", "pause", days=5)
    say(game, "Boris", "yes")
    say(game, "Clara", "yes")
    call(game, "Dora", "resume")
    say(game, "Anna", "yes")
    say(game, "Boris", "yes")
    assert game.paused_at is None
    assert game.deadline_at is not None
    assert verify_game(game.pk) == []


@pytest.mark.full
def test_silence_does_not_block_when_the_time_is_over(game):
    call(game, "Anna", "extend", hours=24)
    before = seats_to_move(game)[0].deadline_at
    say(game, "Boris", "yes")
    vote = Vote.objects.get()
    assert vote.closed_at is None
    tick(vote.closes_at)
    game.seats.filter(pk=seats_to_move(game)[0].pk).update(deadline_at=before + timedelta(hours=1))
    Game.objects.filter(pk=game.pk).update(deadline_at=before + timedelta(hours=1))
    clock.sweep(now=vote.closes_at)
    vote.refresh_from_db()
    assert vote.passed
    after = seats_to_move(game)[0].deadline_at
    assert after == before + timedelta(hours=25)
    assert ("DeadlineMoved", "table") in kinds(game)


@pytest.mark.full
def test_one_yes_alone_fails_and_can_be_asked_again(game):
    call(game, "Anna", "pause", days=5)
    vote = Vote.objects.get()
    tick(vote.closes_at)
    clock.sweep(now=vote.closes_at)
    vote.refresh_from_db()
    assert vote.passed is False
    game.refresh_from_db()
    assert game.paused_at is None
    assert "The vote to pause the game has failed." in page_of(game, "Anna")
    assert "The vote is open, and you&#39;ve voted yes." in call(game, "Boris", "pause", days=2)


@pytest.mark.full
def test_an_absent_player_is_replaced_and_has_no_say(game):
    clara = seat_of(game, "Clara")
    assert "This seat&#39;s player isn&#39;t absent" in call(
        game, "Anna", "replace", seat=clara.number
    )
    seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
    call(game, "Anna", "replace", seat=clara.number)
    assert "Only active players can vote" in say(game, "Clara", "no")
    say(game, "Boris", "yes")
    seat = game.seats.get(number=clara.number)
    assert (seat.user, seat.computer_player) == (None, "default")
    assert ("HousePlayerSat", "table") in kinds(game)
    assert "Clara" in {m.person.name for m in OutboxEmail.objects.filter(kind="table_news")}


@pytest.mark.full
def test_the_end_needs_everybody(game):
    call(game, "Anna", "end")
    for name in ("Boris", "Clara"):
        say(game, name, "yes")
        assert game.status == Game.Status.RUNNING
    say(game, "Dora", "yes")
    assert game.status == Game.Status.CANCELLED
    assert "This game was cancelled" in page_of(game, "Anna")
    assert not Vote.objects.filter(closed_at=None).exists()


@pytest.mark.full
def test_one_no_ends_the_vote_for_the_end(game):
    call(game, "Anna", "end")
    say(game, "Boris", "no")
    assert Vote.objects.get().passed is False
    assert game.status == Game.Status.RUNNING


@pytest.mark.full
def test_a_mind_may_be_changed_while_the_vote_is_open(game):
    call(game, "Anna", "pause", days=5)
    say(game, "Boris", "no")
    say(game, "Boris", "yes")
    vote = Vote.objects.get()
    assert vote.ballots.count() == 2
    assert vote.closed_at is None


@pytest.mark.full
def test_strangers_have_no_say_and_see_no_buttons(game):
    call(game, "Anna", "pause", days=5)
    emil = browser(person("Emil"))
    page = emil.get(game.get_absolute_url()).content.decode()
    assert "Pause the game for 5 days?" in page
    assert "/votes/" not in page
    vote = Vote.objects.get()
    emil.post(f"{game.get_absolute_url()}votes/{vote.pk}/", {"say": "yes"})
    emil.post(f"{game.get_absolute_url()}votes/", {"kind": "end", "sure": "yes"})
    assert vote.ballots.count() == 1
    assert Vote.objects.count() == 1


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("pause", {}),
        ("pause", {"days": 0}),
        ("pause", {"days": 99}),
        ("extend", {"hours": "x"}),
        ("replace", {}),
        ("rewind", {"to_seq": 1}),
        ("dance", {}),
        ("resume", {}),
    ],
)
def test_what_cannot_be_asked(game, kind, more):
    call(game, "Anna", kind, **more)
    assert not Vote.objects.exists()


@pytest.mark.full
def test_the_same_question_is_asked_once_at_a_time(game):
    call(game, "Anna", "pause", days=5)
    assert "There&#39;s already a vote on this." in call(game, "Boris", "pause", days=7)


@pytest.mark.full
def test_the_mail_asks_and_is_dropped_once_it_was_answered(game, smtp):
    delivery.drain(now=timezone.now())
    call(game, "Anna", "pause", days=5)
    say(game, "Boris", "no")
    before = len(smtp.messages)
    delivery.drain(now=timezone.now() + NEWS_WAITS)
    emails = smtp.messages[before:]
    assert {mail["To"] for mail in emails} == {"clara@example.org", "dora@example.org"}
    for part in ("plain", "html"):
        text = emails[0].get_body((part,)).get_content()
        assert "Pause the game for 5 days?" in text


@pytest.mark.full
def test_a_game_that_ends_closes_its_votes_without_doing_them(game):
    call(game, "Anna", "pause", days=5)
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        game.refresh_from_db()
    assert "Pause the game for" not in page_of(game, "Boris").split("Game log")[0]
    vote = Vote.objects.get()
    tick(vote.closes_at)
    clock.sweep(now=vote.closes_at)
    vote.refresh_from_db()
    assert vote.passed is False


@pytest.mark.full
def test_my_games_tell_of_it_who_has_said_nothing_yet(game):
    text = "The table is voting: cast your vote"
    home = {name: browser(seat_of(game, name).user) for name in PEOPLE}
    clara = seat_of(game, "Clara")
    seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
    assert text not in home["Boris"].get("/").content.decode()
    call(game, "Anna", "pause", days=5)
    pages = {name: client.get("/").content.decode() for name, client in home.items()}
    assert [name for name in PEOPLE if text in pages[name]] == ["Boris", "Dora"]
    assert f'href="{game.get_absolute_url()}#votes"' in pages["Boris"]
    say(game, "Boris", "no")
    assert text not in home["Boris"].get("/").content.decode()
    Game.objects.filter(pk=game.pk).update(parked_at=timezone.now(), deadline_at=None)
    assert text not in home["Dora"].get("/").content.decode()


@pytest.mark.full
def test_an_open_vote_follows_the_decision_and_calling_one_is_further_down(game):
    call(game, "Anna", "pause", days=5)
    page = browser(seat_of(game, "Boris").user).get(game.get_absolute_url()).content.decode()
    parts = ('class="decision card"', 'id="votes"', 'id="promises"', 'id="chat"', 'id="call-vote"')
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert page.count('name="say"') == 2
    say(game, "Boris", "no")


@pytest.mark.full
def test_the_panel_costs_few_queries(game, django_assert_max_num_queries):
    call(game, "Anna", "pause", days=5)
    boris = browser(seat_of(game, "Boris").user)
    boris.get(game.get_absolute_url())
    with django_assert_max_num_queries(15):
        boris.get(game.get_absolute_url())


@pytest.mark.full
def test_everybody_reads_their_own_new_deadline_when_the_table_gives_more_time(smtp):
    game = open_table(*PEOPLE[:3], options={"bribing": "simultaneous"}, now=timezone.now())
    while len(seats_to_move(game)) < 2:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    asked = seats_to_move(game)
    game.seats.filter(pk=asked[1].pk).update(deadline_at=asked[1].deadline_at + 3 * DAY)
    call(game, "Anna", "extend", hours=24)
    say(game, "Boris", "yes")
    delivery.drain(now=timezone.now())
    news = [mail for mail in smtp.messages if mail["To"] and "News from" in str(mail)]
    texts = {mail["To"]: mail.get_body(("plain",)).get_content() for mail in news}
    assert len(texts) == 3
    for seat in seats_to_move(game):
        own = moment(seat.deadline_at, "UTC")
        yours = texts.pop(seat.user.email)
        assert f"Please move by {own}" in yours
        assert f"Your deadline is now {own}" in yours
        assert all(f"{seat.user.name}'s deadline is now {own}" in text for text in texts.values())
        texts[seat.user.email] = yours


@pytest.mark.full
def test_one_person_calls_two_votes_in_a_day_and_then_no_more(smtp):
    game = open_table(*PEOPLE)
    anna, boris = seat_of(game, "Anna").user, seat_of(game, "Boris").user
    MutedGame.objects.create(user=boris, game=game)
    anna.time_zone = "Europe/Vienna"
    anna.save()

    def end(user, now):
        proposal = Proposal(Vote.Kind.END)
        vote = votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=now)
        delivery.drain(now=now + NEWS_WAITS)
        return vote

    def say_no(vote, now):
        votes.cast(game_id=game.pk, user=anna, vote_id=vote.pk, yes=False, now=now)

    for now in (MONDAY, MONDAY + HOUR):
        say_no(end(anna, now), now)
    for now in (MONDAY + 2 * HOUR, MONDAY + DAY - SECOND):
        with pytest.raises(Refused) as refused:
            end(anna, now)
        assert str(refused.value) == (
            "You can call up to 2 votes at a table in 24 hours. You can call another one "
            "after Tue 3 Mar, 10:01 (Europe/Vienna)."
        )
    asked = [mail["To"] for mail in smtp.messages if "Your vote is needed at" in plain_text(mail)]
    others = [f"{name}@example.org" for name in ("clara", "dora")]  # Boris has muted the table
    assert sorted(asked) == sorted(2 * others)
    say_no(end(boris, MONDAY + 2 * HOUR), MONDAY + 3 * HOUR)  # another person may
    assert end(anna, MONDAY + DAY + timedelta(minutes=1)).closed_at is None


@pytest.mark.full
def test_whose_ballot_decides_is_told_how_the_vote_has_ended(game):
    call(game, "Anna", "pause", days=5)
    assert "You can change your vote as long as voting is open." in say(game, "Boris", "yes")
    text = say(game, "Clara", "yes")
    assert "The vote to pause the game has passed." in text.split('class="game-head"')[0]
    assert "You can change your vote" not in text
