"""Keeping what people write for themselves at a table: their notes, and drafts.

Scripts ask for JSON and get the sentence that the page shows; a form comes back to the table.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.notes import DraftForm, NotesForm
from games.models import Game
from games.presentation.text.time_left import clock_told
from games.services.game import notes as game_notes
from games.services.refused import Refused
from games.views.guards import act_at_table, signed_in


@act_at_table
def notes(request: HttpRequest, token: str) -> HttpResponse:
    """Keep one's notes about a game."""
    game = get_object_or_404(Game, token=token)
    form = NotesForm(request.POST, prefix="notes")
    if not form.is_valid():
        return _answer(request, game, _("These notes can't be saved."), kept=False)
    text, now = form.cleaned_data["text"], timezone.now()
    try:
        game_notes.keep_notes(game=game, user=signed_in(request), text=text, now=now)
    except Refused as reason:
        return _answer(request, game, str(reason), kept=False)
    return _answer(request, game, _("Notes saved, {time}").format(time=_clock(request)), kept=True)


@act_at_table
def draft(request: HttpRequest, token: str) -> HttpResponse:
    """Keep what is typed into a form of the game's page and not sent yet."""
    game = get_object_or_404(Game, token=token)
    form = DraftForm(request.POST)
    if not form.is_valid():
        return _answer(request, game, _("This draft can't be saved."), kept=False)
    try:
        game_notes.keep_draft(
            game=game,
            user=signed_in(request),
            about=form.cleaned_data["about"],
            phase_no=form.cleaned_data["phase_no"] or 0,
            fields=form.typed,
            now=timezone.now(),
        )
    except Refused as reason:
        return _answer(request, game, str(reason), kept=False)
    return _answer(request, game, _("Draft saved, {time}").format(time=_clock(request)), kept=True)


def _clock(request: HttpRequest) -> str:
    return clock_told(timezone.now(), signed_in(request).time_zone)


def _answer(request: HttpRequest, game: Game, told: str, *, kept: bool) -> HttpResponse:
    if request.accepts("text/html"):
        (messages.success if kept else messages.error)(request, told)
        return redirect(game)
    return JsonResponse({"told": told, "kept": kept}, status=200 if kept else 409)
