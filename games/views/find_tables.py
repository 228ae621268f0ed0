"""Finding tables: open ones to join, running ones to watch, finished ones."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.forms.chat import before_of
from games.forms.find import FindForm, FindOpenForm
from games.services.lobby import lists
from games.services.lobby.queries import tables_wanting_substitutes
from games.services.public_ids import public_id
from games.views.guards import for_members, signed_in
from games.views.sanctions import muted_context


@for_members
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """The open tables that anybody may join."""
    user, form = signed_in(request), FindOpenForm(request.GET)
    context = {
        "form": form,
        "tables": lists.open_tables(user, form.wanted, timezone.now(), form.order_wanted),
        "wanting": tables_wanting_substitutes(user),
        **muted_context(user),
    }
    return render(request, "lobby/tables.html", context)


@for_members
@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The running games that anybody may watch."""
    form = FindForm(request.GET)
    games = lists.games_to_watch(signed_in(request), form.wanted)
    return render(request, "lobby/watch.html", {"form": form, "games": games})


@for_members
@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """The finished games that anybody may look at, page by page."""
    form = FindForm(request.GET)
    games = lists.finished_games(signed_in(request), form.wanted, before_of(request.GET, "game"))
    older = ""
    if len(games) > lists.SHOWN:
        games = games[: lists.SHOWN]
        older = urlencode({**request.GET.dict(), "before": public_id("game", games[-1].game.pk)})
    return render(request, "lobby/finished.html", {"form": form, "games": games, "older": older})
