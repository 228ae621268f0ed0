"""Votes of a table: calling one, and voting yes or no."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.votes import ProposalForm
from games.models import Game, User, Vote
from games.presentation.log.table_story import vote_outcome
from games.services.game import votes
from games.services.refused import Refused
from games.views.actions import player_action, token_of
from games.views.confirm import ask_to_confirm


@player_action("games:table")
def call_vote(request: HttpRequest, game: Game, user: User) -> HttpResponse | str:
    form = ProposalForm(request.POST)
    if not form.is_valid():
        raise Refused(
            _(
                "Please choose what to vote on, and add a length of time or a player if the vote "
                "needs one."
            )
        )
    if form.proposal.kind == Vote.Kind.END:
        page = ask_to_confirm(
            request,
            title=_("End the game now, without a winner?"),
            explanation=_(
                "The other players will vote on this. If the vote passes, the game is over for "
                "good."
            ),
            button=_("Call a vote to end the game"),
            back=game.get_absolute_url(),
        )
        if page is not None:
            return page
    vote = votes.call_vote(
        game_id=game.pk,
        user=user,
        proposal=form.proposal,
        now=timezone.now(),
        token=token_of(request),
    )
    return _outcome(vote) or _("The vote is open, and you've voted yes.")


@player_action("games:table")
def cast(request: HttpRequest, game: Game, user: User, vote_id: int) -> str:
    choice = request.POST.get("say", "")
    if choice not in {"yes", "no"}:
        raise Refused(_("Please vote yes or no."))
    vote = votes.cast(
        game_id=game.pk,
        user=user,
        vote_id=vote_id,
        yes=choice == "yes",
        now=timezone.now(),
        token=token_of(request),
    )
    return _outcome(vote) or _("Thank you. You can change your vote as long as voting is open.")


def _outcome(vote: Vote) -> str | None:
    """How the vote has ended by this ballot; None while it is open."""
    return None if vote.passed is None else vote_outcome(vote.kind, passed=vote.passed)
