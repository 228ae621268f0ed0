"""The pictures of the characters of computer players."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.engine.characters import Role
from games.features.characters.portraits import PORTRAITS, drawn
from games.views.access import GUESTS, OWING, open_to

A_WEEK: Final = 7 * 24 * 3600


@open_to(GUESTS, *OWING)
@require_safe
def portrait(_request: HttpRequest, role: str) -> HttpResponse:
    """The portrait of a character, which browsers keep for a while."""
    try:
        svg = drawn(PORTRAITS[Role(role)])
    except ValueError:
        raise Http404 from None
    return HttpResponse(
        svg,
        content_type="image/svg+xml",
        headers={"Cache-Control": f"public, max-age={A_WEEK}"},
    )
