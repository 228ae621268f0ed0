"""The email that the file with all data of its reader is there."""

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Export, OutboxEmail, Seat
from games.presentation.text.words import moment
from games.services.email.kind import EmailKind


def export_ready(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The end of the time in which the file is there; the link leads to its page."""
    export = Export.objects.defer("content").select_related("user").get(pk=email.about)
    until = "" if export.until is None else moment(export.until, export.user.time_zone)
    return {
        "until": until,
        "preheader": _("Sign in to download the file before it's deleted."),
        "link": settings.SITE_URL + reverse("export"),
    }


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
    ),
)
