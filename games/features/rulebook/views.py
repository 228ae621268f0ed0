"""Pages about the rules, open to everybody: what the game is, and the rules of each edition.

Their text is the same for everyone. It is rendered once per language, without the request, so that
nothing personal can be in what is kept.
"""

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.engine import EDITIONS
from games.engine.editions import MAYFAIR, Edition, with_options
from games.features.rulebook.examples import examples
from games.features.rulebook.facts import editions_compared, set_up_text, terms_text, variants_text
from games.features.rulebook.text import rules_text
from games.models import Game
from games.services.game import absence
from games.views.access import GUESTS, open_to
from games.views.guards import for_members

KEPT = 200
"""How many texts are kept: tables with options of their own have texts of their own."""


@open_to(GUESTS)
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What the game is in a minute, how it is played over days, and the editions compared."""
    context = {"text": _kept(_in_a_minute), "back": _back(request)}
    return render(request, "rulebook/rules.html", context)


@open_to(GUESTS)
@require_safe
def edition_rules(request: HttpRequest, edition: str) -> HttpResponse:
    """The complete rules of an edition as it is."""
    if edition not in EDITIONS:
        raise Http404
    return _rules_page(request, EDITIONS[edition])


@open_to(GUESTS)
@for_members
@require_safe
def table_rules(request: HttpRequest, token: str) -> HttpResponse:
    """The complete rules of a table, its options applied."""
    game = get_object_or_404(Game, token=token)
    return _rules_page(request, with_options(EDITIONS[game.edition], game.options), game)


def _rules_page(request: HttpRequest, edition: Edition, game: Game | None = None) -> HttpResponse:
    context = {
        "edition": edition,
        "game": game,
        "back": _back(request),
        "changed": [one for one in variants_text(edition) if one.changed] if game else [],
        "text": _kept(_of_an_edition, edition),
    }
    return render(request, "rulebook/edition.html", context)


def _back(request: HttpRequest) -> str:
    """The page that the reader has come from, if it is the table's or an invitation."""
    page = request.GET.get("back", "")
    try:
        name = resolve(page).view_name
    except Resolver404:
        return ""
    return page if name in {"games:table", "games:invitation"} else ""


def _kept(text: Callable[..., SafeString], *about: Edition) -> SafeString:
    """The text in the reader's language; a developer's server renders it each time."""
    return text(*about) if settings.DEBUG else _rendered(get_language(), text, *about)


@lru_cache(maxsize=KEPT)
def _rendered(
    _language: str | None, text: Callable[..., SafeString], *about: Edition
) -> SafeString:
    return text(*about)


def _in_a_minute() -> SafeString:
    context = {
        "editions": EDITIONS.values(),
        "compared": editions_compared(),
        "example": examples(MAYFAIR)["external"],
        **absence.RULE._asdict(),
    }
    return SafeString(render_to_string("rulebook/rules_text.html", context))


def _of_an_edition(edition: Edition) -> SafeString:
    drawn = examples(edition)
    context = {
        "set_up": set_up_text(edition),
        "sections": [(section, drawn.get(section.anchor)) for section in rules_text(edition)],
        "variants": variants_text(edition),
        "terms": terms_text(edition),
    }
    return SafeString(render_to_string("rulebook/edition_text.html", context))
