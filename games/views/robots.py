"""What programs that fetch pages by themselves are asked not to fetch."""

from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

OWN: Final = (
    "/accounts/", "/admin/", "/conduct/", "/invitations/", "/keep/", "/kept/", "/people/",
    "/reports/", "/unsubscribe/",
)  # fmt: skip
"""Pages that are only for those who have an account, or a link of their own."""

INVITATIONS: Final = ("/tables/*/seat/", "/tables/*/invitation.png")
"""Tables that wait are in no search engine, even where finished games are."""

PREVIEWS: Final = (
    "Discordbot", "LinkedInBot", "Mattermost-Bot", "SkypeUriPreview", "Slackbot-LinkExpanding",
    "TelegramBot", "Twitterbot", "WhatsApp", "facebookexternalhit",
)  # fmt: skip
"""Programs that fetch the one page whose link somebody has sent: they read as any stranger."""

ABOUT: Final = "# What may be fetched says by itself whether it may be listed."


@cache_control(max_age=3600, public=True)
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """The file robots.txt: tables too are closed, unless the site wants its games to be found."""
    everybody = (*OWN, *(INVITATIONS if settings.ROBOTS else ("/tables/",)))
    lines = [ABOUT, *_group(["*"], everybody), "", *_group(PREVIEWS, OWN), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def _group(programs: Iterable[str], closed: Iterable[str]) -> list[str]:
    return [
        *(f"User-agent: {name}" for name in programs),
        *(f"Disallow: {address}" for address in closed),
    ]
