"""Acts of moderators, players and clocks at the same moment: one wins, nothing is doubled."""

from datetime import timedelta

import pytest

from games.models import AuditLine, Game, Move, Vote
from games.services.game import rewind as game_rewind
from games.services.game import votes
from games.services.game.replay import event_rows
from games.services.game.verify import verify_game
from games.services.moderation.actions import rewind as rewind_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from tests.support.moderators import moderator
from tests.support.races import assert_whole, doing, handing_in, race, rounds_of, sweeping
from tests.support.tables import DAY, open_table, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]

EACH = 6
ROUNDS = 4


ACTS = {
    "default": lambda seat: (timing.play_default, {"seat": seat.number}),
    "extend": lambda seat: (timing.extend, {"time": DAY}),
    "pause": lambda seat: (timing.pause, {}),
    "cancel": lambda seat: (timing.cancel, {}),
}


def new_table(number, *names):
    return open_table(*(f"{who}{number}" for who in names or ("Anna", "Boris", "Clara")))


@pytest.mark.parametrize("name", ACTS)
def test_moderators_players_and_clocks_at_once(name):
    marta = moderator()
    for number, (chance, wins) in enumerate(
        rounds_of("moderator", "player", "clock", least=ROUNDS)
    ):
        game = new_table(number)
        seat = seats_to_move(game)[0]
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        act, more = ACTS[name](seat)
        request = GameRequest(
            game.pk, marta, "Because.", seen_now(game), now - timedelta(seconds=1)
        )
        sides = {
            "moderator": [doing(act, request, **more)] * EACH,
            "player": [handing_in(game, seat, phase, now) for _ in range(EACH)],
            "clock": [sweeping(now)] * EACH,
        }
        gave = race(sides, chance)
        done = sum(gave["moderator"])
        assert done <= 1
        assert AuditLine.objects.filter(game=game).count() == done
        played = Move.objects.filter(game=game, phase_no=phase, seat=seat)
        causes = [move.cause for move in played]
        assert sum(gave["player"]) == causes.count("player") <= 1
        game.refresh_from_db()
        if name in {"pause", "cancel"}:
            stopped = game.paused_at is not None or game.status == Game.Status.CANCELLED
            assert stopped == bool(done)
        if name == "extend":  # an answer may come after it, a default may not
            assert causes in (["player"], ["clock"][done:], [])
            assert causes or done
        else:
            assert len(causes) + done == 1 + (name == "default" and bool(done))
        wins["moderator"] += done
        wins.update(cause for cause in causes if cause in wins or cause in sides)
        assert_whole(game)
        assert verify_game(game.pk) == []


def test_all_vote_at_once_while_the_clock_closes_and_somebody_plays():
    """The vote passes, or its time runs out first: "voters" or "clock" have closed it."""
    for number, (chance, wins) in enumerate(rounds_of("voters", "clock", least=ROUNDS)):
        game = new_table(number, "Anna", "Boris", "Clara", "Dora")
        seat = seats_to_move(game)[0]
        anna, *others = [one.user for one in game.seats.select_related("user").order_by("pk")]
        proposal = votes.Proposal(Vote.Kind.PAUSE, amount=3)
        votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=game.started_at)
        vote = Vote.objects.get(game=game)
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        about = {"game_id": game.pk, "vote_id": vote.pk, "yes": True, "now": vote.opened_at}
        sides = {
            "voters": [doing(votes.cast, user=user, **about) for user in others],
            "player": [handing_in(game, seat, phase, now) for _ in range(3)],
            "clock": [sweeping(now)] * 3,
        }
        race(sides, chance)
        vote.refresh_from_db()
        game.refresh_from_db()
        assert vote.closed_at is not None
        assert game.events.filter(kind="VoteClosed").count() == 1
        assert game.events.filter(kind="GamePaused").count() == vote.passed
        assert bool(game.paused_at) == vote.passed
        wins["voters" if vote.passed else "clock"] += 1
        assert_whole(game)
        assert verify_game(game.pk) == []


def test_a_rewind_while_players_and_clocks_go_on():
    marta = moderator()
    for number, (chance, wins) in enumerate(
        rounds_of("moderator", "player", "clock", least=ROUNDS)
    ):
        game = new_table(number)
        for _ in range(4):
            submit_move(game, seats_to_move(game)[0].user, game.started_at)
        game.refresh_from_db()
        seat = seats_to_move(game)[0]
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        boundary = game_rewind.boundaries(game, event_rows(game))[1]
        request = GameRequest(
            game.pk, marta, "Because.", seen_now(game), now - timedelta(seconds=1)
        )
        sides = {
            "moderator": [doing(rewind_actions.rewind, request, to_seq=boundary.seq)] * EACH,
            "player": [handing_in(game, seat, phase, now) for _ in range(EACH)],
            "clock": [sweeping(now)] * EACH,
        }
        gave = race(sides, chance)
        done = sum(gave["moderator"])
        assert done <= 1
        assert game.events.filter(kind="Rewound").count() == done
        causes = [move.cause for move in game.moves.filter(phase_no=phase, seat=seat)]
        assert len(causes) + done == 1
        wins.update(["moderator"] if done else causes)
        assert_whole(game)
        assert verify_game(game.pk) == []
