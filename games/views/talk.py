"""Table talk: the part of a table's page, and saying something."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.talk import TalkForm
from games.models import Game, User
from games.services import talk
from games.services.refused import Refused
from games.services.talk_reading import messages_of
from games.views.people import for_members, signed_in

SHOWN_ON_THE_TABLE = 50
"""How many messages the table's page shows; all of them are on the page of the talk."""


def talk_context(
    game: Game, user: User | None, zone: str, most: int | None = SHOWN_ON_THE_TABLE
) -> dict[str, Any]:
    """What games/_talk.html needs besides `game`: the messages, and the form of who sits there.

    `last_message` is for `mark_read`, after the page was rendered.
    """
    lines = messages_of(game, user, zone, most)
    seated = user is not None and game.seats.filter(user=user).exists()
    return {
        "talk": lines,
        "talk_unread": sum(line.unread for line in lines),
        "talk_cut": most is not None and len(lines) == most,
        "talk_form": _new_form() if seated else None,
        "last_message": lines[0].number if lines else 0,
    }


def mark_read(game: Game, user: User | None, context: dict[str, Any], last_event: int = 0) -> None:
    """After the page was rendered: note that the reader has seen what it shows."""
    if user is not None and context["talk_form"] is not None:
        last_message = context["last_message"]
        now = timezone.now()
        talk.visited(game, user, now, last_message=last_message, last_event=last_event)


def _new_form() -> TalkForm:
    return TalkForm(initial={"token": uuid4()}, prefix="talk")


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
        form.add_error("text", "This page is old. Please load it again and send your text anew.")
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
