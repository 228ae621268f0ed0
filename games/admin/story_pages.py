"""The decisions of a game, and the story of each: why the clock played."""

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.admin.actions import address_of
from games.admin.game_pages import refuse_own_table
from games.admin.subjects import Shared, signed_in_moderator
from games.models import Game, User
from games.presentation.text.words import capital
from games.services.email.decision_story import read_story
from games.services.game.queries.decisions import DecisionLine, read_decisions
from games.services.game.unreadable import cannot_be_read, damaged

FAULT: Final = "game.our-fault"


def decisions(request: HttpRequest, game_id: int, shared: Shared) -> HttpResponseBase:
    """All decisions of a game that are open or weren't made by the players themselves."""
    game, moderator = _game(request, game_id)
    if cannot_be_read(game):
        return _damaged(request, game)
    context = {
        **shared(request),
        "title": _("Decisions"),
        "game": game,
        "decisions": [
            _line(game, decision) for decision in read_decisions(game, moderator.time_zone)
        ],
        "zone": moderator.time_zone,
    }
    return TemplateResponse(request, "admin/games/decisions.html", context)


def decision(
    request: HttpRequest, game_id: int, seat: int, phase_no: int, shared: Shared
) -> HttpResponseBase:
    """The story of one decision, with what can be done about it."""
    game, moderator = _game(request, game_id)
    if cannot_be_read(game):
        return _damaged(request, game)
    story = read_story(game, seat, phase_no, moderator.time_zone)
    if story is None:
        raise Http404
    fault = "" if story.decision.move is None else address_of(FAULT, game.pk)
    context = {
        **shared(request),
        "title": _("{name}'s decision").format(name=story.decision.who),
        "game": game,
        "story": story,
        "fault": f"{fault}?move={story.decision.move}" if fault else "",
        "zone": moderator.time_zone,
    }
    return TemplateResponse(request, "admin/games/decision.html", context)


def address(game_id: int, seat: int, phase_no: int) -> str:
    """The page of a decision."""
    return reverse("admin:decision", args=[game_id, seat, phase_no])


def _line(game: Game, decision: DecisionLine) -> dict[str, Any]:
    return {
        "link": address(game.pk, decision.seat, decision.phase_no),
        "text": f"{decision.when}: {decision.why}" if decision.when else decision.why,
        "name": decision.who,
        "colour": capital(decision.colour_text),
    }


def _game(request: HttpRequest, game_id: int) -> tuple[Game, User]:
    """A game that has started, unless the moderator has a part in it."""
    moderator = signed_in_moderator(request)
    game = get_object_or_404(Game, pk=game_id, started_at__isnull=False)
    refuse_own_table(moderator, game)
    return game, moderator


def _damaged(request: HttpRequest, game: Game) -> HttpResponse:
    messages.error(request, damaged())
    return redirect("admin:games_game_change", game.pk)
