"""The page that breaks the glass: what is secret is answered to one POST, and stands nowhere."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.admin.action_pages import Shared
from games.admin.game_pages import moderator_of, subject_of
from games.forms.moderation.secrets import GlassForm
from games.forms.submitted import Entry, entries_of
from games.models import Game, User
from games.services.moderation.actions.on_games import Decision
from games.services.moderation.secrets import Opened, Typed, break_glass
from games.services.refused import Refused


class _Act(NamedTuple):
    """What the page says of it."""

    slug: str
    title: Promise
    explains: Promise
    danger: bool = False


ACT = _Act(
    "glass",
    _("Reveal secrets"),
    _(
        "Shows you this game's secrets once. This is recorded in the audit log, the table sees "
        "who looked at what and why once the game is over, and you can't play at this table."
    ),
    danger=True,
)


class _Draft(NamedTuple):
    """Somebody's draft, in labels they know."""

    name: str
    parts: list[Entry]


def glass(request: HttpRequest, game_id: int, shared: Shared) -> HttpResponse:
    """By GET the form; by POST what was asked for, for this once."""
    game = get_object_or_404(Game, pk=game_id)
    moderator = moderator_of(request, game)
    running = game.status == Game.Status.RUNNING
    with timezone.override(moderator.time_zone):
        form = GlassForm(request.POST if request.method == "POST" else None)
        opened = _opened(form, game, moderator) if form.is_valid() else None
        context = {
            **shared(request),
            "title": ACT.title,
            "act": ACT,
            "subject": subject_of(game, moderator.time_zone),
            "why_not": "" if running else _("Only a running game has secrets."),
            "form": form,
            "button": ACT.title,
            "opened": opened,
            "drafts": [] if opened is None else [_draft(one) for one in opened.drafts],
        }
        template = "admin/games/act.html" if opened is None else "admin/games/glass.html"
        status = 422 if form.errors else 200
        return TemplateResponse(request, template, context, status=status).render()


def _opened(form: GlassForm, game: Game, moderator: User) -> Opened | None:
    """What is behind the glass; where that is refused, the form says why."""
    decision = Decision(moderator, form.told_reason, timezone.now())
    try:
        return break_glass(decision, game_id=game.pk, things=form.things)
    except Refused as reason:
        form.add_error(None, str(reason))
        return None


def _draft(one: Typed) -> _Draft:
    data = QueryDict(mutable=True)
    data.update(one.fields)
    return _Draft(one.name, entries_of(data))
