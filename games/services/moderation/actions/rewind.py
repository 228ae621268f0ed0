"""Taking a game back: at once, or where sealed bribes were opened, when every player agrees."""

from games.models import Cause, Vote
from games.services.game import rewind as game_rewind
from games.services.game import votes
from games.services.game.replay import event_rows
from games.services.moderation.actions.on_games import Acting, Ask, acting


def rewind(ask: Ask, *, to_seq: int) -> None:
    """Take a game back to the boundary after this event; the whole table is told, and why.

    Where sealed bribes were opened since, every present player is asked first.
    """
    with acting("rewind", ask, exactly=True) as act:
        game = act.writer.game
        rows = event_rows(game)
        game_rewind.boundary_at(game, rows, to_seq)
        if game_rewind.opened_since(game, rows, to_seq):
            _ask_players(act, to_seq)
            return
        last = rows[-1].seq
        number = game_rewind.rewind(act.writer, to_seq, Cause.MODERATOR)
        act.explain(number)
        act.mail_table(number)
        act.audit(before=last, after=to_seq)


def _ask_players(act: Acting, to_seq: int) -> None:
    proposal = votes.Proposal(Vote.Kind.REWIND, to_seq=to_seq)
    votes.open_vote(act.writer, proposal, act.ask.moderator, None)
    act.explain(act.writer.events[-1].seq)
    act.audit(after=f"asked for {to_seq}")
