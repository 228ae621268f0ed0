"""Votes of a table: asking, and saying yes or no; by POST, and back to the table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.votes import ProposalForm
from games.models import Game, Vote
from games.presentation.log.table_story import vote_outcome
from games.services.game import votes
from games.views.confirm import Question, asked_first
from games.views.guards import act_and_tell, act_at_table, signed_in


@act_at_table
def call_vote(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    form = ProposalForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Please choose what the vote is about, and for how long or for whom.")
        )
        return redirect(game)
    proposal = form.proposal
    if proposal.kind == Vote.Kind.END and (page := asked_first(request, _end(game))) is not None:
        return page
    return act_and_tell(
        request,
        game,
        lambda: _outcome(
            votes.call_vote(game_id=game.pk, user=user, proposal=proposal, now=timezone.now())
        ),
        _("The vote is open, and you have voted yes."),
    )


def _end(game: Game) -> Question:
    return Question(
        title=_("End the game now, without a winner?"),
        told=_("The other players vote on it. If the vote passes, the game ends permanently."),
        button=_("Call a vote to end the game"),
        back=game.get_absolute_url(),
    )


@act_at_table
def cast(request: HttpRequest, token: str, vote_id: int) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    said = request.POST.get("say", "")
    if said not in {"yes", "no"}:
        messages.error(request, _("Please vote yes or no."))
        return redirect(game)
    return act_and_tell(
        request,
        game,
        lambda: _outcome(
            votes.cast(
                game_id=game.pk, user=user, vote_id=vote_id, yes=said == "yes", now=timezone.now()
            )
        ),
        _("Thank you. You can change your vote while the vote is open."),
    )


def _outcome(vote: Vote) -> str | None:
    """How the vote has ended by this ballot; None while it is open."""
    return None if vote.passed is None else vote_outcome(vote.kind, passed=vote.passed)
