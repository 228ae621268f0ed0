"""The pages of every kind of email, with sample content."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.admin.subjects import Shared, signed_in_moderator
from games.features.previews import previews as email_previews
from games.features.previews.previews import KindOfEmail
from games.services.email.answers import Fate
from games.views.framed_email import framed_email


@require_safe
def emails(request: HttpRequest, shared: Shared) -> HttpResponse:
    """All kinds."""
    context = {
        **shared(request),
        "title": _("Emails with sample content"),
        "kinds": email_previews.kinds(),
        "languages": settings.LANGUAGES,
    }
    return TemplateResponse(request, "previews/emails.html", context).render()


@require_http_methods(["GET", "HEAD", "POST"])
def email(request: HttpRequest, kind: str, language: str, shared: Shared) -> HttpResponse:
    """One kind in one language, as text and as HTML. POST sends it to the reader."""
    moderator, found = signed_in_moderator(request), _kind(kind, language)
    if request.method == "POST":
        outcome = email_previews.send(kind, language, moderator, timezone.now())
        if outcome.fate is Fate.SENT:
            messages.success(request, _("Sent to {address}.").format(address=moderator.email))
        else:
            messages.error(
                request, _("The email couldn't be sent: {error}").format(error=outcome.error)
            )
        return redirect("admin:email_preview", kind, language)
    context = {
        **shared(request),
        "title": found.label,
        "kind": kind,
        "written_in": language,
        "languages": settings.LANGUAGES,
        "email": email_previews.preview(kind, language, moderator, timezone.now()),
        "address": moderator.email,
    }
    return TemplateResponse(request, "previews/email.html", context).render()


@require_safe
@framed_email
def email_html(request: HttpRequest, kind: str, language: str, shared: Shared) -> HttpResponse:
    """Its HTML alone, for the frame on its page."""
    _kind(kind, language)
    shown = email_previews.preview(kind, language, signed_in_moderator(request), timezone.now())
    return HttpResponse(shown.html.replace("<head>", '<head><base target="_top">', 1))


def _kind(key: str, language: str) -> KindOfEmail:
    for found in email_previews.kinds():
        if found.key == key and language in dict(settings.LANGUAGES):
            return found
    raise Http404("There is no such email.")
