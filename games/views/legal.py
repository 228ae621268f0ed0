"""Pages that the host fills in, and the contact for security holes."""

from datetime import timedelta
from email.utils import parseaddr
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.services import legal
from games.views.access import GUESTS, OWING_NAME, OWING_TERMS, open_to

CONTACT_HOLDS: Final = timedelta(days=180)


@open_to(GUESTS, OWING_TERMS, OWING_NAME)
@require_safe
def page(request: HttpRequest, kind: str) -> HttpResponse:
    """What the host has written; 404 if nothing."""
    text = legal.text_of(kind)
    if not text:
        raise Http404
    return render(request, "site/legal.html", {"title": legal.TITLES[kind], "text": text})


@open_to(GUESTS)
@require_safe
@cache_control(max_age=24 * 3600, public=True)
def security(_request: HttpRequest) -> HttpResponse:
    """The contact for security holes (RFC 9116): the address of MAIL_FROM."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    until = (timezone.now() + CONTACT_HOLDS).replace(microsecond=0)
    own = f"{settings.SITE_URL}/.well-known/security.txt"
    lines = [
        f"Contact: mailto:{quote(address, safe='@')}",
        f"Expires: {until.isoformat().replace('+00:00', 'Z')}",
        # Addresses of the web begin with https there.
        *([f"Canonical: {own}"] if own.startswith("https:") else []),
        f"Preferred-Languages: {', '.join(language for language, _name in settings.LANGUAGES)}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
