"""Rewinding a game: at once, or if sealed bribes were opened, when every player agrees."""

from django.utils.translation import gettext as _

from games.models import Cause, Seat, Vote
from games.services.game import absence, interventions, votes
from games.services.game import rewind as game_rewind
from games.services.game.queries.decisions import made_by_the_clock
from games.services.game.replay import event_rows
from games.services.moderation.actions.game_action import GameAction, game_action
from games.services.moderation.actions.requests import GameRequest
from games.services.moderation.queries.rewind import why_not_fault
from games.services.refused import Refused


def rewind(request: GameRequest, *, to_seq: int) -> None:
    """Take a game back to the boundary after this event; the table gets email and reads why.

    If sealed bribes were opened since, every present player has to agree first.
    """
    with game_action("game.rewind", request, exactly=True) as action:
        _take_back(action, to_seq)


def was_our_fault(request: GameRequest, *, move: int) -> None:
    """Take a game back to before a move that the clock made, and excuse the missed deadline.

    Whoever is next to move then has the full time again; the player of that move is present again.
    If sealed bribes were opened since, both are done at once, and every present player has to agree
    to the rest. `Refused` where nobody could be waited for.
    """
    with game_action("game.our-fault", request, exactly=True) as action:
        game = action.writer.game
        row = made_by_the_clock(game.moves.all()).filter(pk=move).select_related("seat").first()
        if row is None:
            raise Refused(_("This move has already been taken back."))
        rows, seat = event_rows(game), action.seat(row.seat.drawn_number)
        if reason := why_not_fault(seat):
            raise Refused(reason)
        step = game_rewind.step_before(game, rows, row)
        if game_rewind.opened_since(game, rows, step):
            absence.forget_misses(seat, row.at, row.at)
            _call_back(action, seat)
            _take_back(action, step)
        else:
            _take_back(action, step)
            _call_back(action, seat)


def _call_back(action: GameAction, seat: Seat) -> None:
    """Mark a player present again who is absent; the table reads why."""
    if seat.absent_since is not None:
        action.explain(interventions.return_seat(action.writer, seat, Cause.MODERATOR))


def _take_back(action: GameAction, to_seq: int) -> None:
    game = action.writer.game
    rows = event_rows(game)
    game_rewind.boundary_at(game, rows, to_seq)
    if game_rewind.opened_since(game, rows, to_seq):
        _call_vote(action, to_seq)
        return
    last = rows[-1].seq
    number = game_rewind.rewind(action.writer, to_seq, Cause.MODERATOR)
    action.notify_table(number)
    action.audit(before={"step": last}, after={"step": to_seq})


def _call_vote(action: GameAction, to_seq: int) -> None:
    proposal = votes.Proposal(Vote.Kind.REWIND, to_seq=to_seq)
    votes.open_vote(action.writer, proposal, action.request.moderator, None)
    action.explain(action.writer.events[-1].seq)
    action.audit(after={"vote_on_step": to_seq})
