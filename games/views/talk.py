"""Table talk: the part of a table's page, and saying something."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.talk import TalkForm
from games.models import Game, Seat, User
from games.presentation.time_left import clock_told
from games.services import talk
from games.services.notebook_reading import Kept, Notebook, read_notebook
from games.services.refused import Refused
from games.services.talk_reading import messages_of
from games.views.conduct import muted_context
from games.views.guards import for_members, signed_in

SHOWN_ON_THE_TABLE = 50
"""How many messages the table's page shows; all of them are on the page of the talk."""


def talk_context(
    game: Game,
    user: User | None,
    zone: str,
    most: int | None = SHOWN_ON_THE_TABLE,
    *,
    seats: list[Seat] | None = None,
    notebook: Notebook | None = None,
) -> dict[str, Any]:
    """What games/_talk.html needs besides `game`: the messages, and the form of who sits there.

    Who has read the `seats` and the reader's `notebook` gives them and spares their queries.
    `last_message` is for `mark_read`, after the page was rendered.
    """
    seats = list(game.seats.select_related("user")) if seats is None else seats
    notebook = read_notebook(game, user) if notebook is None else notebook
    lines = messages_of(game, user, zone, most, seats=seats, last_read=notebook.last_message)
    people = [seat.user for seat in seats if seat.user is not None]
    sits_here = user in people
    muted = muted_context(user) if user is not None else {"muted": ""}
    return {
        "talk": lines,
        "talk_unread": sum(line.unread for line in lines),
        "talk_cut": most is not None and len(lines) == most,
        "talk_form": _new_form(notebook.talk) if sits_here and not muted["muted"] else None,
        "talk_member": sits_here,
        **muted,
        "talk_draft_at": notebook.talk and clock_told(notebook.talk.at, zone),
        "talk_names": [f"@{person.name}" for person in people if person != user],
        "last_message": lines[0].number if lines else 0,
    }


def mark_read(
    game: Game,
    user: User | None,
    context: dict[str, Any],
    *,
    notebook: Notebook | None = None,
    last_event: int = 0,
) -> None:
    """After the page was rendered: note that the reader has seen what it shows."""
    if user is None or not context["talk_member"]:
        return
    talk.visited(
        game,
        user,
        timezone.now(),
        last_message=context["last_message"],
        last_event=last_event,
        is_first=notebook is not None and not notebook.visited,
    )


def _new_form(draft: Kept | None) -> TalkForm:
    text = draft.fields.get("talk-text", "") if draft is not None else ""
    return TalkForm(initial={"token": uuid4(), "text": text}, prefix="talk")


@never_cache
@for_members
@require_http_methods(["GET", "POST"])
def table_talk(request: HttpRequest, token: str) -> HttpResponse:
    """All that was said; on POST say something, then back to the table.

    What cannot be said comes back on this page with what was typed.
    """
    game = get_object_or_404(Game, token=token)
    user = signed_in(request)
    if request.method != "POST":
        return _page(request, game, user)
    form = TalkForm(request.POST, prefix="talk")
    if form.is_valid():
        try:
            talk.say(game_id=game.pk, user=user, now=timezone.now(), **form.cleaned_data)
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect(f"{game.get_absolute_url()}#talk")
    elif "token" in form.errors:
        old = _("This page is old. Please load it again and send your text once more.")
        form.add_error("text", old)
    return _page(request, game, user, form)


def _page(
    request: HttpRequest, game: Game, user: User, form: TalkForm | None = None
) -> HttpResponse:
    context = {"game": game, **talk_context(game, user, user.time_zone, most=None)}
    if form is not None:
        context["talk_form"] = form
    page = render(request, "games/talk.html", context, status=200 if form is None else 422)
    mark_read(game, user, context)
    return page
