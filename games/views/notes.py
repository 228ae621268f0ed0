"""Saving what players write for themselves at a table: their notes, and drafts."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.notes import DraftForm, NotesForm
from games.models import Game, User
from games.presentation.text.time_left import clock_text
from games.services.game import notes as game_notes
from games.services.refused import Refused
from games.views.access import GUESTS, OWING_TERMS, SUSPENDED, open_to
from games.views.actions import player_action


@player_action("games:table")
def notes(request: HttpRequest, game: Game, user: User) -> str:
    """Save one's notes about a game."""
    form, now = NotesForm(request.POST), timezone.now()
    if not form.is_valid():
        raise Refused(_("These notes can't be saved."))
    game_notes.keep_notes(
        game=game,
        user=user,
        text=form.cleaned_data["text"],
        now=now,
        from_absent=form.cleaned_data["absent"],
    )
    return _("Notes saved, {time}").format(time=clock_text(now, user.time_zone))


@open_to(GUESTS, SUSPENDED, OWING_TERMS)
@player_action("games:table")
def draft(request: HttpRequest, game: Game, user: User) -> str:
    """Save what is typed into a form of the game's page and not submitted yet."""
    form, now = DraftForm(request.POST), timezone.now()
    if not form.is_valid():
        raise Refused(_("This draft can't be saved."))
    game_notes.keep_draft(
        game=game,
        user=user,
        about=form.cleaned_data["about"],
        phase_no=form.cleaned_data["phase_no"] or 0,
        fields=form.entered,
        now=now,
        token=form.token,
        conversation=form.cleaned_data["conversation"],
        from_absent=form.cleaned_data["absent"],
    )
    return _("Draft saved, {time}").format(time=clock_text(now, user.time_zone))
