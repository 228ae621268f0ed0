"""Pages of tables: one's own, the open ones, opening one, and all that comes before the start."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.table import InviteForm, StartForm, TableForm
from games.models import Game
from games.services.accounts.queries.home import read_home
from games.services.lobby import invitations
from games.services.lobby import tables as lobby_tables
from games.services.lobby.queries import listed_tables, read_table, tables_wanting_substitutes
from games.services.people import sanctions
from games.services.people.display_names import player_name
from games.services.refused import Refused
from games.views.chat import mark_read, talk_context
from games.views.confirm import Question, asked_first
from games.views.game import game_page
from games.views.guards import desk_page_of, for_members, open_when_finished, signed_in
from games.views.kept import forget_what_is_sent, sign_in_first
from games.views.sanctions import muted_context


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One's own games, those that wait for an answer first."""
    if not request.user.is_authenticated:
        return render(request, "people/welcome.html")
    user = signed_in(request)
    home = read_home(user, timezone.now())
    first = home.awaited[0].game if home.awaited else None
    context = {
        "home": home,
        "waiting_count": len(home.awaited),
        "next_game": first,
        "warnings": sanctions.unread_warnings(user),
        **muted_context(user),
    }
    return render(request, "people/home.html", context)


@for_members
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """The open tables that anybody may join."""
    user = signed_in(request)
    context = {
        "tables": listed_tables(user),
        "wanting": tables_wanting_substitutes(user),
        **muted_context(user),
    }
    return render(request, "lobby/tables.html", context)


@for_members
@require_http_methods(["GET", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    host = signed_in(request)
    form = TableForm(request.POST or None, host=host)
    if request.method == "POST" and form.is_valid():
        try:
            game = lobby_tables.open_table(
                host=host,
                settings=form.settings,
                token=form.cleaned_data["opening_token"],
                now=timezone.now(),
            )
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            return redirect(game)
    status = 422 if form.errors else 200
    context = {"form": form, **muted_context(host)}
    return render(request, "lobby/open_table.html", context, status=status)


def posted(view: Callable[[HttpRequest, str], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Only by POST. Who is not signed in (any more) comes to the table's page after signing in.

    What they typed is kept until then.
    """

    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest, token: str) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return sign_in_first(request, then=reverse("games:table", args=[token]))
        forget_what_is_sent(request)
        return view(request, token)

    return guarded


@open_when_finished
def table(request: HttpRequest, token: str) -> HttpResponseBase:
    """The one page of a table: who sits there, or the game once it has started."""
    game = get_object_or_404(Game.objects.select_related("host", "again_of"), token=token)
    return table_page(request, game)


def table_page(
    request: HttpRequest, game: Game, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponseBase:
    """The page of a table, whether its game has started or not; with `more` to show on it."""
    if game.state is not None:
        return game_page(request, game, status=status, more=more)
    return _waiting_page(request, game, status=status, more=more)


@never_cache
def _waiting_page(
    request: HttpRequest, game: Game, status: int = 200, more: dict[str, Any] | None = None
) -> HttpResponse:
    user = signed_in(request)
    context = {
        "game": game,
        "reading": read_table(game, user),
        "at_the_desk": desk_page_of(game, user),
        "start_form": StartForm(label_suffix=""),
        "invite_form": InviteForm(label_suffix=""),
        "link": request.build_absolute_uri(game.get_absolute_url()),
        **talk_context(game, user, user.time_zone),
        **(more or {}),
    }
    page = render(request, "lobby/lobby.html", context, status=status)
    mark_read(game, user, context)
    return page


@posted
def join(request: HttpRequest, token: str) -> HttpResponse:
    return _act(request, token, lobby_tables.join, now=timezone.now())


@posted
def leave(request: HttpRequest, token: str) -> HttpResponse:
    game = get_object_or_404(Game, token=token)
    question = Question(
        title=_("Leave this table?"),
        told=_("Someone else can then take your seat. If nobody is left, the table closes."),
        button=_("Leave the table"),
        back=game.get_absolute_url(),
    )
    return asked_first(request, question) or _act(
        request, token, lobby_tables.leave, said=_("You are no longer seated at this table.")
    )


@posted
def cancel(request: HttpRequest, token: str) -> HttpResponse:
    game = get_object_or_404(Game, token=token)
    question = Question(
        title=_("Close this table?"),
        told=_("Nobody can join it after that, and everyone at the table is notified by email."),
        button=_("Close the table"),
        back=game.get_absolute_url(),
    )
    return asked_first(request, question) or _act(
        request, token, lobby_tables.cancel, now=timezone.now()
    )


@posted
def set_listed(request: HttpRequest, token: str) -> HttpResponse:
    """The host lets everybody find the table, or only those with its link."""
    listed = request.POST.get("listed") == "yes"
    told = _("Anyone can find this table now.") if listed else _("This table is now unlisted.")
    return _act(
        request, token, lobby_tables.set_listed, said=told, listed=listed, now=timezone.now()
    )


@posted
def remove(request: HttpRequest, token: str) -> HttpResponse:
    """Send away whoever sits at the seat with the id that was posted."""
    game = get_object_or_404(Game, token=token)
    number = request.POST.get("seat", "")
    seat_id = int(number) if number.isascii() and number.isdigit() and len(number) < 18 else 0
    seat = game.seats.filter(pk=seat_id).select_related("user").first()
    if seat is not None:
        name = player_name(seat)
        question = Question(
            title=_("Remove {name} from this table?").format(name=name),
            told=_("This frees the seat. {name} can come back with the link.").format(name=name),
            button=_("Remove {name}").format(name=name),
            back=game.get_absolute_url(),
        )
        if (page := asked_first(request, question)) is not None:
            return page
    return _act(request, token, lobby_tables.remove, seat_id=seat_id)


@posted
def start(request: HttpRequest, token: str) -> HttpResponse:
    return _act(
        request,
        token,
        lobby_tables.start_with_house_players,
        house_player=request.POST.get("house_player", ""),
        now=timezone.now(),
    )


@posted
def invite(request: HttpRequest, token: str) -> HttpResponseBase:
    """Invite by address; what is no address comes back with what was typed."""
    game = get_object_or_404(Game.objects.select_related("host", "again_of"), token=token)
    form = InviteForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            asked = invitations.invite(
                game_id=game.pk,
                user=signed_in(request),
                addresses=form.cleaned_data["addresses"],
                now=timezone.now(),
            )
        except Refused as reason:
            messages.error(request, str(reason))
        else:
            messages.success(request, _invited_told(asked))
            return redirect(game)
    game.refresh_from_db()
    if game.state is not None:
        return redirect(game)
    return _waiting_page(request, game, status=422, more={"invite_form": form})


def _invited_told(asked: int) -> str:
    if not asked:
        return _("They were already invited.")
    return ngettext("The invitation is on its way.", "The invitations are on their way.", asked)


@posted
def again(request: HttpRequest, token: str) -> HttpResponse:
    """The same again: the new table, or the one that somebody else has opened already."""
    game = get_object_or_404(Game, token=token)
    try:
        newer = invitations.again(game_id=game.pk, user=signed_in(request), now=timezone.now())
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(game)
    return redirect(newer)


def _act(
    request: HttpRequest, token: str, act: Callable[..., None], *, said: str = "", **more: Any
) -> HttpResponse:
    """Let a service do it, and show the table with what came of it."""
    game = get_object_or_404(Game, token=token)
    try:
        act(game_id=game.pk, user=signed_in(request), **more)
    except Refused as reason:
        messages.error(request, str(reason))
    else:
        if said:
            messages.success(request, said)
    return redirect(game)
