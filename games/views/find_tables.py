"""Finding tables: open ones to join, running ones to watch, finished ones."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games.forms.chat import before_of
from games.forms.find import FindForm, FindOpenForm
from games.services.lobby import lists
from games.services.lobby.queries import tables_wanting_substitutes
from games.services.public_ids import public_id
from games.views.access import STRANGERS, open_to
from games.views.guards import reader_of
from games.views.sanctions import muted_context_of
from games.views.strangers import list_for_strangers


@open_to(STRANGERS)
@list_for_strangers
def tables(request: HttpRequest) -> HttpResponse:
    """The open tables that anybody may join; for strangers those that they may find."""
    (user, _zone), form = reader_of(request), FindOpenForm(request.GET)
    context = {
        "form": form,
        "tables": lists.open_tables(user, form.wanted, timezone.now(), form.order_wanted),
        "wanting": [] if user is None else tables_wanting_substitutes(user),
        **muted_context_of(request),
    }
    return render(request, "lobby/tables.html", context)


@open_to(STRANGERS)
@list_for_strangers
def watch(request: HttpRequest) -> HttpResponse:
    """The running games that anybody may watch."""
    form = FindForm(request.GET)
    games = lists.games_to_watch(reader_of(request)[0], form.wanted)
    return render(request, "lobby/watch.html", {"form": form, "games": games})


@open_to(STRANGERS)
@list_for_strangers
def finished(request: HttpRequest) -> HttpResponse:
    """The finished games that anybody may look at, page by page."""
    form = FindForm(request.GET)
    games = lists.finished_games(reader_of(request)[0], form.wanted, before_of(request.GET, "game"))
    older = ""
    if len(games) > lists.SHOWN:
        games = games[: lists.SHOWN]
        older = urlencode({**request.GET.dict(), "before": public_id("game", games[-1].game.pk)})
    return render(request, "lobby/finished.html", {"form": form, "games": games, "older": older})
