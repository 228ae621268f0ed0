"""Pages about the rules, open to everybody: what the game is, and the rules of each edition."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from games.engine import EDITIONS
from games.engine.editions import MAYFAIR, Edition, with_options
from games.models import Game
from games.presentation.rules.examples import examples
from games.presentation.rules.facts import editions_compared, set_up_text, terms_text, variants_text
from games.presentation.rules.text import rules_text
from games.views.guards import for_members


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What the game is in a minute, how it is played over days, and the editions compared."""
    context = {
        "editions": EDITIONS.values(),
        "compared": editions_compared(),
        "example": examples(MAYFAIR)["external"],
    }
    return render(request, "rules/rules.html", context)


@require_safe
def edition_rules(request: HttpRequest, edition: str) -> HttpResponse:
    """The complete rules of an edition as it is."""
    if edition not in EDITIONS:
        raise Http404
    return _rules_page(request, EDITIONS[edition])


@for_members
@require_safe
def table_rules(request: HttpRequest, token: str) -> HttpResponse:
    """The complete rules of a table, its options applied."""
    game = get_object_or_404(Game, token=token)
    return _rules_page(request, with_options(EDITIONS[game.edition], game.options), game)


def _rules_page(request: HttpRequest, edition: Edition, game: Game | None = None) -> HttpResponse:
    drawn = examples(edition)
    variants = variants_text(edition)
    context = {
        "edition": edition,
        "game": game,
        "set_up": set_up_text(edition),
        "sections": [(section, drawn.get(section.anchor)) for section in rules_text(edition)],
        "variants": variants,
        "changed": [variant for variant in variants if variant.changed],
        "terms": terms_text(edition),
    }
    return render(request, "rules/edition.html", context)
