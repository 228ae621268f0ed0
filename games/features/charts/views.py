"""The page with the charts of a finished game."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.features.charts.charts import charts
from games.models import Game
from games.services.game.position import read_position
from games.services.game.replay import event_rows, events_with_states
from games.views.access import GUESTS, open_to
from games.views.guards import table_of
from games.views.strangers import open_to_strangers


@open_to(GUESTS)
@open_to_strangers
def page(request: HttpRequest, token: str) -> HttpResponse:
    """The charts; not while the game is going on, for they show everybody's money."""
    game, _notebook = table_of(request, token)
    if game.state is None:
        raise Http404
    if game.status != Game.Status.FINISHED:
        if request.user.is_authenticated:  # strangers get no message: it would be a cookie
            messages.error(request, _("The charts will be available once the game is over."))
        return redirect(game)
    people = read_position(game, None).people
    drawn = charts(people, list(events_with_states(event_rows(game))))
    return render(request, "charts/charts.html", {"game": game, "charts": drawn})
