"""Pages of tables: the list of one's games, opening, joining, leaving and starting one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.forms.table import StartForm, TableForm
from games.models import Game
from games.services import lobby
from games.services.reading import games_of
from games.services.refused import Refused
from games.views.game import game_page
from games.views.people import signed_in


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """One's own games, those that wait for an answer first."""
    if not request.user.is_authenticated:
        return render(request, "games/welcome.html")
    return render(request, "games/home.html", {"games": games_of(request.user)})


@login_required
@require_http_methods(["GET", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        host = signed_in(request)
        try:
            game = lobby.open_table(
                host=host,
                name=form.cleaned_data["name"] or f"{host.name}'s table",
                edition=form.cleaned_data["edition"],
                options=form.options,
                size=form.cleaned_data["size"],
                answer_time=form.answer_time,
                now=timezone.now(),
            )
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            return redirect(game)
    return render(request, "games/open_table.html", {"form": form})


@login_required
@require_GET
def table(request: HttpRequest, token: str) -> HttpResponseBase:
    """The one page of a table: who sits there, or the game once it has started."""
    game = get_object_or_404(Game.objects.select_related("host"), token=token)
    if game.state is not None:
        return game_page(request, game)
    seats = list(game.seats.select_related("user").order_by("pk"))
    context = {
        "game": game,
        "seats": seats,
        "free": range(game.size - len(seats)),
        "seated": any(seat.user == request.user for seat in seats),
        "is_host": game.host == request.user,
        "start_form": StartForm(),
        "link": request.build_absolute_uri(game.get_absolute_url()),
    }
    return render(request, "games/lobby.html", context)


@login_required
@require_POST
def join(request: HttpRequest, token: str) -> HttpResponse:
    game = get_object_or_404(Game, token=token)
    try:
        lobby.join(game_id=game.pk, user=signed_in(request), now=timezone.now())
    except Refused as reason:
        messages.error(request, str(reason))
    return redirect(game)


@login_required
@require_POST
def leave(request: HttpRequest, token: str) -> HttpResponse:
    game = get_object_or_404(Game, token=token)
    try:
        lobby.leave(game_id=game.pk, user=signed_in(request))
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(game)
    messages.success(request, f"You have left {game.name}.")
    return redirect("games:home")


@login_required
@require_POST
def start(request: HttpRequest, token: str) -> HttpResponse:
    game = get_object_or_404(Game, token=token)
    form = StartForm(request.POST)
    try:
        lobby.start_with_house_players(
            game_id=game.pk,
            user=signed_in(request),
            house_player=form.data.get("house_player", ""),
            now=timezone.now(),
        )
    except Refused as reason:
        messages.error(request, str(reason))
    return redirect(game)
