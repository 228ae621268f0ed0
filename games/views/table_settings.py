"""The settings of a table that waits: its host changes them, and the others agree."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.seats import settings_seen
from games.forms.table import TableForm
from games.models import Game, User
from games.services.lobby import changed_settings
from games.services.lobby.settings import settings_of
from games.services.refused import Refused
from games.views.actions import player_action
from games.views.guards import for_members, signed_in, table_of
from games.views.sanctions import muted_context


@for_members
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, token: str) -> HttpResponse:
    """The form of the table, with its settings as they are; by POST they become others."""
    game, _notebook = table_of(request, token)
    host = signed_in(request)
    try:
        changed_settings.refuse_who_may_not_change(game, host)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(game)
    form = TableForm(request.POST or None, host=host, settings=settings_of(game))
    if request.method == "POST" and form.is_valid() and _is_settled(request, game, form):
        return redirect(game)
    context = {"form": form, "game": game, **muted_context(host)}
    status = 422 if form.errors else 200
    return render(request, "lobby/change_settings.html", context, status=status)


def _is_settled(request: HttpRequest, game: Game, form: TableForm) -> bool:
    """Change the settings and say so, or that it is too late; or add why not to the form."""
    try:
        changed_settings.change(
            game_id=game.pk, user=signed_in(request), settings=form.settings, now=timezone.now()
        )
    except Refused as reason:
        game.refresh_from_db(fields=["status"])
        if game.status != Game.Status.WAITING:
            messages.error(request, str(reason))
            return True
        form.add_error(None, str(reason))
        return False
    if game.seats.filter(agreed_settings__isnull=False).exists():
        text = _(
            "The settings have been changed. The game starts once everyone at the table has agreed."
        )
    else:
        text = _("The settings have been changed.")
    messages.success(request, text)
    return True


@player_action("games:table")
def stay(request: HttpRequest, game: Game, user: User) -> str:
    """Agree to the settings that the page has shown."""
    seen = settings_seen(request.POST)
    changed_settings.stay(game_id=game.pk, user=user, seen=seen, now=timezone.now())
    return _("You keep your seat.")
