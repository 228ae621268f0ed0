"""Acts of moderators, players and clocks at the same moment: one wins, nothing is doubled."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from games.models import AuditLine, Game, Move, Vote
from games.services import rewinding, votes
from games.services.log_reading import event_rows
from games.services.moderation import rewind_acts, time_acts
from games.services.moderation.acting import Ask, seen_now
from games.services.verify import verify_game
from tests.moderators import moderator
from tests.races import assert_whole, do, hand_in, sweep
from tests.tables import DAY, answer, awaited_seats, open_table, tick

EACH = 6
ROUNDS = 4


ACTS = {
    "default": lambda seat, now: (time_acts.play_default, {"seat": seat.number}),
    "extend": lambda seat, now: (time_acts.extend, {"time": DAY}),
    "pause": lambda seat, now: (time_acts.pause, {}),
    "cancel": lambda seat, now: (time_acts.cancel, {}),
}


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.django_db(transaction=True)
def test_moderators_players_and_clocks_at_once(name):
    marta = moderator()
    for number in range(ROUNDS):
        game = open_table(*(f"{who}{number}" for who in ("Anna", "Boris", "Clara")))
        seat = awaited_seats(game)[0]
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        act, more = ACTS[name](seat, now)
        ask = Ask(game.pk, marta, "Because.", seen_now(game), now - timedelta(seconds=1))
        with ThreadPoolExecutor(3 * EACH) as pool:
            gate = Barrier(3 * EACH)
            acted = [pool.submit(do, gate, act, ask, **more) for _ in range(EACH)]
            played = [pool.submit(hand_in, gate, game, seat, phase, now) for _ in range(EACH)]
            swept = [pool.submit(sweep, gate, now) for _ in range(EACH)]
            done = sum(future.result() for future in acted)
            [future.result() for future in [*played, *swept]]
        assert done <= 1
        assert AuditLine.objects.filter(game=game).count() == done
        assert Move.objects.filter(game=game, phase_no=phase, seat=seat).count() <= 1
        game.refresh_from_db()
        moves = Move.objects.filter(game=game).exclude(cause="rules").count()
        if name in {"pause", "cancel"}:
            stopped = game.paused_at is not None or game.status == Game.Status.CANCELLED
            assert stopped == bool(done)
        if name == "default":
            assert moves == 1
        assert_whole(game)
        assert verify_game(game.pk) == []


@pytest.mark.django_db(transaction=True)
def test_all_vote_at_once_while_the_clock_closes_and_somebody_plays():
    for number in range(ROUNDS):
        game = open_table(*(f"{who}{number}" for who in ("Anna", "Boris", "Clara", "Dora")))
        seat = awaited_seats(game)[0]
        anna, *others = [one.user for one in game.seats.select_related("user").order_by("pk")]
        proposal = votes.Proposal(Vote.Kind.PAUSE, amount=3)
        votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=game.started_at)
        vote = Vote.objects.get(game=game)
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        with ThreadPoolExecutor(9) as pool:
            gate = Barrier(9)
            said = [
                pool.submit(
                    do,
                    gate,
                    votes.cast,
                    game_id=game.pk,
                    user=user,
                    vote_id=vote.pk,
                    yes=True,
                    now=vote.opened_at,
                )
                for user in others
            ]
            played = [pool.submit(hand_in, gate, game, seat, phase, now) for _ in range(3)]
            swept = [pool.submit(sweep, gate, now) for _ in range(3)]
            for future in [*said, *played, *swept]:
                future.result()
        vote.refresh_from_db()
        game.refresh_from_db()
        assert vote.closed_at is not None
        assert game.events.filter(kind="VoteClosed").count() == 1
        assert game.events.filter(kind="GamePaused").count() == vote.passed
        assert bool(game.paused_at) == vote.passed
        assert_whole(game)
        assert verify_game(game.pk) == []


@pytest.mark.django_db(transaction=True)
def test_a_rewind_while_players_and_clocks_go_on():
    marta = moderator()
    for number in range(ROUNDS):
        game = open_table(*(f"{who}{number}" for who in ("Anna", "Boris", "Clara")))
        for _ in range(4):
            answer(game, awaited_seats(game)[0].user, game.started_at)
        game.refresh_from_db()
        seat = awaited_seats(game)[0]
        phase, now = game.phase_no, game.deadline_at
        tick(now)
        boundary = rewinding.boundaries(game, event_rows(game))[1]
        ask = Ask(game.pk, marta, "Because.", seen_now(game), now - timedelta(seconds=1))
        with ThreadPoolExecutor(3 * EACH) as pool:
            gate = Barrier(3 * EACH)
            more = {"to_seq": boundary.seq}
            acted = [pool.submit(do, gate, rewind_acts.rewind, ask, **more) for _ in range(EACH)]
            played = [pool.submit(hand_in, gate, game, seat, phase, now) for _ in range(EACH)]
            swept = [pool.submit(sweep, gate, now) for _ in range(EACH)]
            done = sum(future.result() for future in acted)
            for future in [*played, *swept]:
                future.result()
        assert done <= 1
        assert game.events.filter(kind="Rewound").count() == done
        assert_whole(game)
        assert verify_game(game.pk) == []
