"""The page of an act: by GET what it would do, by POST it is done."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.admin import acts
from games.admin.acts import Act
from games.forms.moderation import ActForm
from games.models import Game, User
from games.presentation.words import moment
from games.services import audit
from games.services.moderation.acting import Ask, has_own_part
from games.services.reading import game_record
from games.services.refused import Refused

type Shared = Callable[[HttpRequest], dict[str, Any]]


class Standing(NamedTuple):
    """A seat of the game, and until when it is waited for on the moderator's clock."""

    name: str
    colour: str
    told: str


def act_page(request: HttpRequest, game_id: int, slug: str, shared: Shared) -> HttpResponse:
    """One act on one game. What cannot be done comes back with the reason and what was typed.

    `shared` gives what all pages of the admin need.
    """
    act = acts.BY_SLUG.get(slug)
    if act is None:
        raise Http404
    game = get_object_or_404(Game, pk=game_id)
    moderator = _moderator(request, game)
    with timezone.override(moderator.time_zone):
        posted = request.POST if request.method == "POST" else None
        form = act.form(posted, game=game, given=request.GET.dict())
        preview = form.preview() if form.is_valid() else []
        if form.is_valid() and not preview and _done(request, act, form, moderator):
            return redirect("admin:games_game_change", game.pk)
        context = shared(request) | _context(act, game, form, moderator) | {"preview": preview}
        status = 422 if form.errors else 200
        page = TemplateResponse(request, "admin/games/act.html", context, status=status)
        return page.render()


def _moderator(request: HttpRequest, game: Game) -> User:
    """Who acts; refused at a table of their own."""
    user = request.user
    if not isinstance(user, User) or has_own_part(user, game):
        raise PermissionDenied(
            _("You sit or have sat at this table: another moderator has to do this.")
        )
    return user


def _done(request: HttpRequest, act: Act, form: ActForm, moderator: User) -> bool:
    """Do it; where it is refused, the form says why."""
    ask = Ask(
        game_id=form.game.pk,
        moderator=moderator,
        reason=form.told_reason,
        seen=form.seen,
        now=timezone.now(),
    )
    try:
        act.do(ask, **form.arguments())
    except Refused as reason:
        form.add_error(None, str(reason))
        return False
    messages.success(request, _("Done: {act}.").format(act=act.title))
    return True


def _context(act: Act, game: Game, form: ActForm, moderator: User) -> dict[str, Any]:
    return {
        "title": act.title,
        "act": act,
        "fits": act.fits(game),
        "game": game,
        "form": form,
        "seats": standing(game, moderator.time_zone),
    }


def standing(game: Game, zone: str) -> list[Standing]:
    """The seats of a game, and until when each is waited for."""
    return [
        Standing(seat.player_name, seat.colour, moment(seat.deadline_at, zone))
        for seat in game.seats.select_related("user")
        if seat.deadline_at is not None and seat.number is not None and not seat.is_played_for()
    ]


def record(request: HttpRequest, game_id: int) -> HttpResponse:
    """The record of a game that is over, as a file; noted in the audit log."""
    game = get_object_or_404(Game, pk=game_id, state__isnull=False)
    moderator = _moderator(request, game)
    try:
        answer = game_record(game)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("admin:games_game_change", game.pk)
    audit.note("record", now=timezone.now(), who=moderator, game=game)
    headers = {"Content-Disposition": f'attachment; filename="intrigue-{game.pk}.json"'}
    return JsonResponse(answer, headers=headers)
