"""Email about what administrators do to accounts: the context of its templates."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import AuditLine, FactorReset, OutboxEmail, Seat
from games.presentation.text.account_changes import APPOINTED, RESET_REQUESTED, change_by
from games.presentation.text.words import moment
from games.services import legal
from games.services.people.reset_links import token_for


def account_changed(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """What was changed, and why; `email.about` is the line of the audit log."""
    line = AuditLine.objects.get(pk=email.about)
    change = change_by(line.action, line.after.get("role", ""))
    until = ""
    if "until" in line.after and email.person is not None:
        until = moment(datetime.fromisoformat(line.after["until"]), email.person.time_zone)
    sentence = str(change.sentence).format(until=until)
    return {
        "subject": change.subject,
        "sentence": sentence,
        "preheader": sentence,
        "reason": line.reason,
        "advice": change.advice,
        **_button(line, email),
    }


def _button(line: AuditLine, email: OutboxEmail) -> dict[str, Any]:
    """Where the email leads; nothing for the front page."""
    if line.action == RESET_REQUESTED:
        reset = FactorReset.objects.get(person=email.person_id)
        page = reverse("games:stop_reset", args=[token_for(reset)])
        return {"link_text": _("Stop the reset"), "link": settings.SITE_URL + page}
    if line.action == APPOINTED:
        link = settings.SITE_URL + reverse("admin:index")
        return {"link_text": _("Moderator dashboard"), "link": link}
    if "imprint" in legal.available():
        link = settings.SITE_URL + reverse("imprint")
        return {"link_text": legal.TITLES["imprint"], "link": link}
    return {}


def still_stands(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether it is still true: a reset that was stopped or done announces nothing any more."""
    line = AuditLine.objects.get(pk=email.about)
    if line.action != RESET_REQUESTED:
        return True
    return FactorReset.objects.filter(person=email.person_id, at=line.at).exists()


def language_then(email: OutboxEmail) -> str:
    """The language of the person when it was done; they may be gone since."""
    lines = AuditLine.objects.filter(pk=email.about).values_list("after", flat=True)
    return str((lines.first() or {}).get("language", ""))
