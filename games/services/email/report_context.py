"""What the mails about reports tell: one function a kind, for the templates in templates/mail.

Who is reported never learns from them who reported.
"""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

from games.models import OutboxMail, Report, Seat
from games.presentation.text.words import moment
from games.services.reports.queries import (
    APPEAL_WITHIN,
    about_told,
    about_you_told,
    may_appeal,
    message_told,
    own_words,
    was_removed,
)

type Context = dict[str, Any]


def _report_of(mail: OutboxMail) -> Report:
    rows = Report.objects.select_related("person", "reporter", "game", "message__redaction")
    return rows.get(pk=mail.about)


def _report(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What was reported by whom, for a moderator."""
    report = _report_of(mail)
    return {
        "what": about_told(report),
        "message": message_told(report),
        "reporter": report.reporter.name if report.reporter is not None else "",
        "text": report.text,
        "link": _link("admin:games_report_change", report.pk),
    }


def _appeal(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What was decided, and the appeal, for a moderator."""
    report = _report_of(mail)
    return {
        "what": about_told(report),
        "outcome": report.outcome,
        "text": report.appeal,
        "link": _link("admin:games_report_change", report.pk),
    }


def _report_decided(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What was decided; for the person against whom it was, also until when they may appeal."""
    report = _report_of(mail)
    zone = mail.person.time_zone if mail.person is not None else "UTC"
    own = mail.person_id != report.person_id
    decided_at = report.decided_at or mail.created_at
    appeal_until = "" if own else moment(decided_at + APPEAL_WITHIN, zone)
    appeal = not own and may_appeal(report, decided_at)
    return {
        "own": own,
        "what": about_told(report) if own else about_you_told(report),
        "said": "" if own else own_words(report),
        "removed": was_removed(report),
        "upheld": report.was_upheld,
        "outcome": report.outcome,
        "appeal_until": appeal_until if appeal else "",
        "link": _link("games:appeal", report.pk) if appeal else _link("games:reports"),
    }


def _appeal_decided(mail: OutboxMail, _seat: Seat | None) -> Context:
    """The last word on a report, for both sides."""
    report = _report_of(mail)
    own = mail.person_id != report.person_id
    return {
        "own": own,
        "what": about_told(report) if own else about_you_told(report),
        "appealed": report.appealed_at is not None,
        "taken_back": report.state == Report.State.TAKEN_BACK,
        "last_word": report.last_word,
        "link": _link("games:reports"),
    }


def _link(name: str, *arguments: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=arguments)}"


CONTEXTS: Final[dict[OutboxMail.Kind, Callable[[OutboxMail, Seat | None], Context]]] = {
    OutboxMail.Kind.REPORT: _report,
    OutboxMail.Kind.APPEAL: _appeal,
    OutboxMail.Kind.REPORT_DECIDED: _report_decided,
    OutboxMail.Kind.APPEAL_DECIDED: _appeal_decided,
}
