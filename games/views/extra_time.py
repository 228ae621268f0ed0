"""What the host of a table does in a running game; by POST, and back to the table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.extra_time import MoreTimeForm
from games.models import Game
from games.services.game import extra_time
from games.views.guards import act_and_tell, act_at_table, signed_in


@act_at_table
def give_time(request: HttpRequest, token: str) -> HttpResponse:
    """Give everybody who is asked more time."""
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    form = MoreTimeForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Please enter how many hours to add."))
        return redirect(game)
    return act_and_tell(
        request,
        game,
        lambda: extra_time.give_time(
            game_id=game.pk,
            user=user,
            phase_no=form.cleaned_data["phase_no"],
            time=form.time,
            now=timezone.now(),
        ),
        _("The players to move now have extra time. They are notified by email, except you."),
    )
