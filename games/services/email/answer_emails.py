"""Email that answers an email: what the templates show."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import InboundMail, OutboxMail, Seat

TITLES: Final[Mapping[str, Promise]] = {
    "confirm": gettext_lazy("Please confirm"),
    "done": gettext_lazy("Done"),
    "status": gettext_lazy("How things stand"),
    "help": gettext_lazy("What you can reply with"),
    "refused": gettext_lazy("Nothing was done"),
}
"""What the subject says; nothing of what was written."""


def answer(email: OutboxMail, _seat: Seat | None) -> dict[str, Any]:
    """What was answered, as it is stored with the message."""
    row = InboundMail.objects.get(pk=email.about)
    lines = row.answer["lines"]
    return {
        "title": TITLES[row.answer["title"]],
        "lines": lines,
        "preheader": lines[0] if lines else "",
    }


def is_kept(email: OutboxMail, _seat: Seat | None) -> bool:
    """The message is still there, and nobody else's."""
    return InboundMail.objects.filter(pk=email.about, person=email.person).exists()
