"""The email that the file with all data of its reader is there."""

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.features.export.requests import token_for
from games.models import Export, OutboxEmail, Seat, User
from games.presentation.text.words import moment
from games.services.email.kind import EmailKind


def export_ready(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The end of the time in which the file is there; the link leads to its page."""
    export = Export.objects.defer("content").select_related("user").get(pk=email.about)
    page = reverse("export")
    if not export.user.is_active:
        page = reverse("export_by_link", args=[token_for(export)])
    until = "" if export.until is None else moment(export.until, export.user.time_zone)
    return {
        "until": until,
        "preheader": _("Sign in to download the file before it's deleted."),
        "link": settings.SITE_URL + page,
        **_for_banned(export.user),
    }


def _for_banned(person: User) -> dict[str, Any]:
    """What is different for somebody who can't sign in."""
    if person.is_active:
        return {}
    return {"preheader": _("Download the file before it's deleted."), "by_link": True}


def export_is_there(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether the file is still stored: `trim` deletes it after a day."""
    return Export.objects.filter(pk=email.about, made_at__isnull=False).exists()


KINDS: Final = (
    EmailKind(
        key="export_ready",
        label=gettext_lazy("your data is ready to download"),
        link_text=gettext_lazy("Go to the download"),
        context=export_ready,
        is_relevant=export_is_there,
        to_banned_people=True,
    ),
)
