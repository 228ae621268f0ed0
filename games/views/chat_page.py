"""The page of all that was said at a table, and saying something."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.chat import TalkForm
from games.models import Game, User
from games.services.chat import messages
from games.services.game.queries.own_notes import Notebook
from games.services.refused import Refused
from games.views.chat import mark_read, read_chat
from games.views.guards import for_members, signed_in, table_of
from games.views.sanctions import muted_context
from games.views.tables import table_page


@never_cache
@for_members
@require_http_methods(["GET", "POST"])
def table_talk(request: HttpRequest, token: str) -> HttpResponseBase:
    """What was said, page by page; on POST say something, then back to the table.

    What cannot be said comes back on the table's page with what was typed.
    """
    game, notebook = table_of(request, token)
    user = signed_in(request)
    if request.method != "POST":
        return _page(request, game, user, notebook)
    form = TalkForm(request.POST)
    if form.is_valid():
        try:
            messages.say(game_id=game.pk, user=user, now=timezone.now(), **form.cleaned_data)
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect(f"{game.get_absolute_url()}#chat")
    elif "token" in form.errors:
        old = _("This page is out of date. Please reload it and send your text again.")
        form.add_error("text", old)
    form.fields["text"].widget.attrs["autofocus"] = True
    game.refresh_from_db()
    return table_page(request, game, chat_form=form, status=422)


def _page(request: HttpRequest, game: Game, user: User, notebook: Notebook) -> HttpResponse:
    before = request.GET.get("before", "")
    is_number = before.isascii() and before.isdigit() and len(before) < 18
    chat = read_chat(game, user, notebook, before=int(before) if is_number else None)
    context = {"game": game, "chat": chat, **muted_context(user)}
    page = render(request, "chat/chat.html", context)
    mark_read(game, user, chat, notebook)
    return page
