"""What an email has to say that its reader need not ask: what silence does, who won, the unit."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Game, Vote
from games.services.chat import messages
from games.services.email import delivery
from games.services.game import seats, votes
from games.services.game.votes import Proposal
from games.services.operations import clock
from tests.support.client import browser
from tests.support.sent_emails import plain_text
from tests.support.tables import open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]

NOBODY = "Not voting counts as neither."


def emailed(smtp, name):
    """All that somebody was emailed, as text, the latest last."""
    delivery.drain(now=timezone.now() + timedelta(days=30))
    return [plain_text(one) for one in smtp.messages if one["To"] == f"{name.lower()}@example.org"]


def played_to_the_end(**more):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now(), **more)
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        game.refresh_from_db()
    return game


@pytest.mark.parametrize(("edition", "unit"), [("mayfair-2005", "{} ducats"), ("russian", "${}")])
def test_the_end_of_a_game_says_who_has_won_and_counts_in_the_games_money(smtp, edition, unit):
    game = played_to_the_end(edition=edition)
    state = game.decoded()
    winners = {seat for seat, cash in enumerate(state.cash) if cash == max(state.cash)}
    for seat in game.seats.select_related("user"):
        text = emailed(smtp, seat.user.name)[-1]
        victory = "You won!" if len(winners) == 1 else "You share the victory with"
        assert (victory in text) == (seat.number in winners)
        assert ("won." in text) == (seat.number not in winners)
        assert f"{seat.user.name}: {unit.format(f'{state.cash[seat.number]:,}')}" in text


def test_a_call_for_a_vote_says_what_silence_does(smtp):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna = seat_of(game, "Anna").user
    call = {"game_id": game.pk, "user": anna, "now": timezone.now()}
    votes.call_vote(proposal=Proposal(Vote.Kind.PAUSE, amount=3), **call)
    assert NOBODY in emailed(smtp, "Boris")[-1]
    votes.call_vote(proposal=Proposal(Vote.Kind.END), **call)
    assert NOBODY not in emailed(smtp, "Boris")[-1]


@pytest.mark.parametrize("closed", [False, True])
def test_who_is_marked_absent_reads_of_a_substitute_only_where_one_may_come(smtp, closed):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    Game.objects.filter(pk=game.pk).update(closed_to_newcomers=closed)
    while not game.seats.filter(absent_since__isnull=False).exists():
        game.refresh_from_db()
        tick(game.deadline_at)
        clock.sweep(now=game.deadline_at)
    absent = game.seats.select_related("user").get(absent_since__isnull=False)
    text = next(
        one for one in emailed(smtp, absent.user.name) if "you've been marked absent" in one
    )
    assert ("We're looking for a substitute." in text) != closed
    assert ("Until a substitute takes your seat, you can return" in text) != closed
    assert ("You can return with one click" in text) == closed


def test_emails_of_votes_and_of_talk_lead_to_that_part_of_the_page(smtp):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna, boris = seat_of(game, "Anna").user, seat_of(game, "Boris").user
    votes.call_vote(
        game_id=game.pk, user=anna, proposal=Proposal(Vote.Kind.END), now=timezone.now()
    )
    messages.say(game_id=game.pk, user=anna, text="@Boris, yes?", token=uuid4(), now=timezone.now())
    text = emailed(smtp, "Boris")
    page = browser(boris).get(game.get_absolute_url()).content.decode()
    for part in ("votes", "chat"):
        assert any(f"{game.get_absolute_url()}#{part}" in one for one in text)
        assert f'id="{part}"' in page


def test_a_vote_that_waits_is_told_at_the_head_of_the_page_until_one_has_spoken():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna, boris, clara = (seat_of(game, name).user for name in ("Anna", "Boris", "Clara"))
    seats.step_aside(game_id=game.pk, user=clara, now=timezone.now())
    votes.call_vote(
        game_id=game.pk, user=anna, proposal=Proposal(Vote.Kind.END), now=timezone.now()
    )
    text = '<a href="#votes"><strong>The table is voting: cast your vote</strong></a>'
    waiting = [text in page_of(game, user) for user in (anna, boris, clara)]
    assert waiting == [False, True, False]
    vote = game.votes.get()
    votes.cast(game_id=game.pk, user=boris, vote_id=vote.pk, yes=False, now=timezone.now())
    assert text not in page_of(game, boris)


def page_of(game, user):
    return browser(user).get(game.get_absolute_url()).content.decode()
