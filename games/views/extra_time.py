"""What the host of a table does in a running game."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.extra_time import MoreTimeForm
from games.models import Game, User
from games.services.game import extra_time
from games.services.refused import Refused
from games.views.actions import player_action


@player_action("games:table")
def give_time(request: HttpRequest, game: Game, user: User) -> str:
    """Give everybody who is to move more time."""
    form = MoreTimeForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Please enter how many hours to add."))
    extra_time.give_time(
        game_id=game.pk,
        user=user,
        phase_no=form.cleaned_data["phase_no"],
        time=form.time,
        now=timezone.now(),
    )
    return _(
        "You've given extra time to everyone who still has to move. They'll be notified by email."
    )
