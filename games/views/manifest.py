"""What makes the site an app on the home screen."""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.views.access import GUESTS, OWING, open_to

AN_HOUR: Final = 3600


@open_to(GUESTS, *OWING)
@require_safe
@cache_control(public=True, max_age=AN_HOUR)
def manifest(_request: HttpRequest) -> HttpResponse:
    """Its name, colours and icons."""
    icons = [
        {"src": static("games/icon.svg"), "type": "image/svg+xml", "sizes": "any"},
        *(
            {
                "src": static(f"games/icon-{size}.png"),
                "type": "image/png",
                "sizes": f"{size}x{size}",
            }
            for size in (192, 512)
        ),
    ]
    about = {
        "name": "Intrigue",
        "short_name": "Intrigue",
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f6f1e7",
        "theme_color": "#f6f1e7",
        "icons": icons,
    }
    return JsonResponse(about, content_type="application/manifest+json")
