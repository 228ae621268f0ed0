"""Talking privately: saying something in a conversation, and the addresses it had before."""

from collections.abc import Collection

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.forms.chat import ThreadForm, WhisperForm
from games.models import Game
from games.services.chat import threads
from games.services.chat.messages import out_of_date
from games.services.game.holders import Holders
from games.services.refused import Refused
from games.views.chat import NEW, address_of, others_of, read_tabs
from games.views.game_page import game_page
from games.views.guards import for_members, signed_in


@require_safe
def earlier_address(_request: HttpRequest, token: str, thread: str = NEW) -> HttpResponseBase:
    """Where a conversation was read before it was a tab of the chat, as in email of then.

    It leads to the same place whether there is such a conversation or not.
    """
    return redirect(address_of(Game(token=token), thread))


@never_cache
@for_members
@require_POST
def begin(request: HttpRequest, token: str) -> HttpResponseBase:
    """Write to the players chosen: in their conversation, a new one if there is none."""
    game = _table(token)
    tabs = read_tabs(game, signed_in(request), Holders.of(game), NEW)
    form = ThreadForm(request.POST, others=others_of(tabs))
    if not tabs.is_new:
        return _nowhere(request, game, form)
    chosen = form.cleaned_data["others"] if form.is_valid() else ()
    to = {line.user_id for line in tabs.others if line.person_id in chosen}
    return _say(request, game, form, NEW, to)


@never_cache
@for_members
@require_POST
def say(request: HttpRequest, token: str, thread: str) -> HttpResponseBase:
    """Write in a conversation. A refused message comes back with what was typed."""
    game, form = _table(token), WhisperForm(request.POST)
    shown = read_tabs(game, signed_in(request), Holders.of(game), thread).shown
    if shown is None:
        return _nowhere(request, game, form)
    to = {shown.user_id} if shown.thread is None else shown.token
    return _say(request, game, form, thread, to)


def _say(
    request: HttpRequest, game: Game, form: WhisperForm, key: str, to: str | Collection[int]
) -> HttpResponseBase:
    if form.is_valid():
        text, token = form.cleaned_data["text"], form.cleaned_data["token"]
        try:
            message = threads.say(
                game_id=game.pk, user=signed_in(request), to=to, text=text, token=token,
                now=timezone.now(),
            )  # fmt: skip
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect(address_of(game, message.thread.token))
    elif "token" in form.errors:
        form.add_error("text", out_of_date())
    form.fields["text"].widget.attrs["autofocus"] = True
    return game_page(request, game, chat_form=form, talk=key, status=422)


def _nowhere(request: HttpRequest, game: Game, form: WhisperForm) -> HttpResponseBase:
    """Say that there is no such conversation for this person, with what was typed."""
    messages.error(request, _("There is no such conversation at this table."))
    typed = request.POST.get(form.add_prefix("text"), "")
    messages.info(request, _("You entered: {typed}").format(typed=typed))
    return game_page(request, game, status=404)


def _table(token: str) -> Game:
    """A started table with private conversations."""
    rows = Game.objects.select_related("host")
    return get_object_or_404(rows, token=token, state__isnull=False, press=Game.Press.PRIVATE)
