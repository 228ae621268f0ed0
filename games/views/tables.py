"""Pages of tables: one's own, the open ones, opening one, and all that comes before the start."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.forms.chat import MessageForm
from games.forms.invite import InviteForm
from games.forms.presets import PRESETS, USUAL
from games.forms.seats import SeatForm, settings_seen
from games.forms.table import StartForm, TableForm
from games.models import Game, User
from games.services.accounts.guests import own_game
from games.services.accounts.queries.home import read_home
from games.services.email.reachability import TURN_SWITCH, gets_email
from games.services.game.queries.own_notes import Notebook, read_notebook
from games.services.lobby import against_computers, invitations, strangers
from games.services.lobby import tables as lobby_tables
from games.services.lobby.queries import read_table, seat_taken_text
from games.services.people import sanctions
from games.services.people.display_names import player_name
from games.services.public_ids import public_id
from games.services.refused import Refused
from games.views.access import GUESTS, open_to
from games.views.actions import player_action, token_of
from games.views.chat import mark_read, read_chat, sees_chat
from games.views.confirm import ask_to_confirm
from games.views.game_page import game_page
from games.views.guards import (
    admin_link,
    for_members,
    signed_in,
    table_of,
)
from games.views.invitations import open_invitation
from games.views.sanctions import muted_context
from games.views.strangers import open_to_strangers, show_to_stranger
from games.views.welcome import welcome


@open_to(GUESTS)
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One's own games; for who isn't signed in, what this site is."""
    return _own_games(request) if request.user.is_authenticated else welcome(request)


@never_cache
def _own_games(request: HttpRequest) -> HttpResponse:
    """One's own games, those in which one is to move first."""
    user = signed_in(request)
    if user.is_guest:
        game = own_game(user)
        return redirect(game) if game is not None else welcome(request)
    home = read_home(user, timezone.now())
    request.waiting_games = [line.game for line in home.to_move]  # type: ignore[attr-defined]
    context = {
        "home": home,
        "warnings": [
            {"id": public_id("sanction", one.pk), "reason": one.reason}
            for one in sanctions.unread_warnings(user)
        ],
        **muted_context(user),
    }
    return render(request, "people/home.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    host, now = signed_in(request), timezone.now()
    preset = request.GET.get("preset", "")
    preset = preset if preset in PRESETS else USUAL
    form = TableForm(request.POST or None, host=host, preset=preset)
    if request.method == "POST" and form.is_valid():
        token = form.cleaned_data["opening_token"]
        try:
            if "alone" in request.POST:
                game = against_computers.play(
                    user=host, settings=form.settings, token=token, now=now
                )
            else:
                game = lobby_tables.open_table(
                    host=host, settings=form.settings, token=token, now=now
                )
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            return redirect(game)
    status = 422 if form.errors else 200
    context = {"form": form, "presets": PRESETS, "preset": preset, **muted_context(host)}
    return render(request, "lobby/open_table.html", context, status=status)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def play_against_computer_players(request: HttpRequest) -> HttpResponse:
    """Begin the usual game against computer players, and go there. A GET leads to My games."""
    if request.method != "POST":
        return redirect("games:home")
    try:
        return redirect(
            against_computers.play_as_usual(
                user=signed_in(request), now=timezone.now(), token=token_of(request)
            )
        )
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("games:home")


@open_to(GUESTS)
def table(request: HttpRequest, token: str) -> HttpResponseBase:
    """The one page of a table: who sits there, or the game once it has started."""
    unstarted = Game.objects.filter(token=token, state__isnull=True)
    if not request.user.is_authenticated and unstarted.exists():
        return show_to_stranger(request, open_invitation, token=token)
    return _table_or_game(request, token=token)


@open_to_strangers
def _table_or_game(request: HttpRequest, token: str) -> HttpResponseBase:
    game, notebook = table_of(request, token)
    return table_page(request, game, notebook=notebook)


def table_page(
    request: HttpRequest,
    game: Game,
    *,
    chat_form: MessageForm | None = None,
    invite_form: InviteForm | None = None,
    notebook: Notebook | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a table, whether its game has started or not, perhaps with a refused form.

    `notebook` is the reader's, if it has been read already.
    """
    if game.state is not None:
        return game_page(request, game, chat_form=chat_form, notebook=notebook, status=status)
    notebook = notebook or read_notebook(game, signed_in(request))
    return _open_table_page(request, game, notebook, chat_form, invite_form, status)


@never_cache
def _open_table_page(
    request: HttpRequest,
    game: Game,
    notebook: Notebook,
    chat_form: MessageForm | None,
    invite_form: InviteForm | None,
    status: int,
) -> HttpResponse:
    user = signed_in(request)
    chat = read_chat(game, user, notebook, request.GET, form=chat_form)
    context = {
        "game": game,
        "reading": read_table(game, user, timezone.now()),
        "is_emailed": gets_email(user, "game_started", TURN_SWITCH),
        "admin_link": admin_link(game, user),
        "start_form": StartForm(),
        "invite_form": invite_form or InviteForm(),
        "link": request.build_absolute_uri(game.get_absolute_url()),
        "chat": chat,
        **muted_context(user),
    }
    page = render(request, "lobby/lobby.html", context, status=status)
    mark_read(game, user, chat, notebook, sees_chat=sees_chat(request))
    return page


@player_action("games:table")
def join(request: HttpRequest, game: Game, user: User) -> str:
    seen = settings_seen(request.POST)
    lobby_tables.join(game_id=game.pk, user=user, now=timezone.now(), seen=seen)
    game.refresh_from_db(fields=["status"])
    return seat_taken_text(game)


@player_action("games:table")
def leave(request: HttpRequest, game: Game, user: User) -> HttpResponse | str:
    page = ask_to_confirm(
        request,
        title=_("Leave this table?"),
        explanation=_("Someone else can then take your seat. If nobody is left, the table closes."),
        button=_("Leave the table"),
        back=game.get_absolute_url(),
    )
    if page is not None:
        return page
    lobby_tables.leave(game_id=game.pk, user=user)
    return _("You no longer have a seat at this table.")


@player_action("games:table")
def cancel(request: HttpRequest, game: Game, user: User) -> HttpResponse | None:
    page = ask_to_confirm(
        request,
        title=_("Close this table?"),
        explanation=_(
            "Nobody can join it after that. Everyone at the table will be notified by email."
        ),
        button=_("Close the table"),
        back=game.get_absolute_url(),
    )
    if page is None:
        lobby_tables.cancel(game_id=game.pk, user=user, now=timezone.now())
    return page


@player_action("games:table")
def set_listed(request: HttpRequest, game: Game, user: User) -> str:
    """The host lets everybody find the table, or only those with its link."""
    listed = request.POST.get("listed") == "yes"
    lobby_tables.set_listed(game_id=game.pk, user=user, listed=listed, now=timezone.now())
    return (
        _("This table is now listed under Open tables.")
        if listed
        else _("This table is now unlisted.")
    )


@player_action("games:table")
def set_strangers(request: HttpRequest, game: Game, user: User) -> str:
    """The host says when people without an account may look."""
    strangers.choose(game_id=game.pk, user=user, strangers=request.POST.get("strangers", ""))
    return _("Saved.")


@player_action("games:table")
def remove(request: HttpRequest, game: Game, user: User) -> HttpResponse | None:
    """Remove the player of the seat with the submitted id."""
    form = SeatForm(request.POST)
    seat_id = (form.cleaned_data["seat"] if form.is_valid() else None) or 0
    seat = game.seats.filter(pk=seat_id).select_related("user").first()
    if seat is not None:
        name = player_name(seat)
        page = ask_to_confirm(
            request,
            title=_("Remove {name} from this table?").format(name=name),
            explanation=_("This frees up the seat. {name} can rejoin using the link.").format(
                name=name
            ),
            button=_("Remove {name}").format(name=name),
            back=game.get_absolute_url(),
            name=name,
        )
        if page is not None:
            return page
    lobby_tables.remove(game_id=game.pk, user=user, seat_id=seat_id)
    return None


@player_action("games:table")
def start(request: HttpRequest, game: Game, user: User) -> None:
    computer_player = request.POST.get("computer_player", "")
    lobby_tables.start_with_computer_players(
        game_id=game.pk, user=user, computer_player=computer_player, now=timezone.now()
    )


@player_action("games:table")
def invite(request: HttpRequest, game: Game, user: User) -> HttpResponseBase | str:
    """Invite by name or email address. What can't be invited comes back with the reason."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return table_page(request, game, invite_form=form, status=422)
    try:
        done = invitations.invite(
            game_id=game.pk,
            user=user,
            addresses=form.cleaned_data["addresses"],
            names=form.cleaned_data["names"],
            now=timezone.now(),
        )
    except Refused as reason:
        game.refresh_from_db()
        if game.state is not None:
            raise
        messages.error(request, str(reason))
        return table_page(request, game, invite_form=form, status=422)
    text = ngettext(
        "The invitation is on its way.", "The invitations are on their way.", done.fresh
    )
    nobody = _("There's no player called “{name}”.")
    wrong = form.wrong | {name: nobody.format(name=name) for name in done.unknown}
    if not wrong:
        return text if done.fresh else _("Everyone you entered has already been invited.")
    if done.fresh:
        messages.success(request, text)
    return table_page(request, game, invite_form=InviteForm.of_wrong(wrong), status=422)


@player_action("games:table")
def again(request: HttpRequest, game: Game, user: User) -> HttpResponse:
    """Open a rematch, or go to the one that somebody else has opened already."""
    rematch = invitations.again(game_id=game.pk, user=user, now=timezone.now())
    if rematch.seats.filter(user=user).exists():
        messages.success(request, seat_taken_text(rematch))
    return redirect(rematch)
