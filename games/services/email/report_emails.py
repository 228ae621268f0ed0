"""Email about reports: the contexts of its templates, and whether it still applies.

A reported person never learns from them who made the report.
"""

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import OutboxEmail, Report, Seat
from games.presentation.text.words import moment
from games.services.public_ids import public_id
from games.services.reports.queries import (
    APPEAL_WITHIN,
    about_text,
    about_you_text,
    may_appeal,
    message_text,
    own_words,
    was_removed,
)

type Context = dict[str, Any]


def _report_of(email: OutboxEmail) -> Report:
    rows = Report.objects.select_related("person", "reporter", "game", "message__redaction")
    return rows.get(pk=email.about)


def report(email: OutboxEmail, _seat: Seat | None) -> Context:
    """A report and its reporter, for a moderator."""
    row = _report_of(email)
    return {
        "what": about_text(row),
        "kind": capfirst(row.get_kind_display()),
        "message": message_text(row),
        "reporter": row.reporter.name if row.reporter is not None else "",
        "text": row.text,
        "preheader": f"{_('Reason for the report:')} {row.text}" if row.text else about_text(row),
        "link": _link("admin:games_report_change", row.pk),
    }


def report_is_open(email: OutboxEmail, _seat: Seat | None) -> bool:
    """No moderator has taken the report yet, and the reader is still one."""
    return _report_is(Report.State.OPEN, email)


def appeal(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The decision, and the appeal, for a moderator."""
    row = _report_of(email)
    return {
        "what": about_text(row),
        "outcome": row.outcome,
        "text": row.appeal,
        "preheader": f"{_('The appeal:')} {row.appeal}",
        "link": _link("admin:games_report_change", row.pk),
    }


def report_is_appealed(email: OutboxEmail, _seat: Seat | None) -> bool:
    return _report_is(Report.State.APPEALED, email)


def report_decided(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The decision; for the reported person, also until when they may appeal."""
    row = _report_of(email)
    zone = email.person.time_zone if email.person is not None else "UTC"
    own = email.person_id != row.person_id
    decided_at = row.decided_at or email.created_at
    appeal_until = "" if own else moment(decided_at + APPEAL_WITHIN, zone)
    appeal = not own and may_appeal(row, decided_at)
    removed = _("The message was removed.") if was_removed(row) else ""
    verdict = (
        _("The moderators agree with you.")
        if row.was_upheld
        else _("The moderators see it differently.")
    )
    return {
        "own": own,
        "what": about_text(row) if own else about_you_text(row),
        "said": "" if own else own_words(row),
        "removed": removed,
        "verdict": verdict,
        "outcome": row.outcome,
        "preheader": f"{verdict if own else removed or _('The moderators wrote:')} {row.outcome}",
        "appeal_until": appeal_until if appeal else "",
        "link": _link("games:appeal", public_id("report", row.pk))
        if appeal
        else _link("games:reports"),
        "link_text": _("Appeal") if appeal else _("My reports"),
    }


def appeal_decided(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The final decision on a report, for both sides."""
    row = _report_of(email)
    own = email.person_id != row.person_id
    decision = _("The decision stands and is final.")
    if row.state == Report.State.TAKEN_BACK:
        decision = _(
            "The moderators have reversed their decision. Any message removed because of it is "
            "visible again."
        )
    return {
        "own": own,
        "what": about_text(row) if own else about_you_text(row),
        "appealed": row.appealed_at is not None,
        "decision": decision,
        "last_word": row.last_word,
        "preheader": f"{decision} {row.last_word}",
        "link": _link("games:reports"),
    }


def _link(name: str, *arguments: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=arguments)}"


def _report_is(state: Report.State, email: OutboxEmail) -> bool:
    is_moderator = email.person is not None and email.person.is_staff
    return is_moderator and Report.objects.filter(pk=email.about, state=state).exists()
