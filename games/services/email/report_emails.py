"""Email about reports: the contexts of its templates, and whether it still applies.

A reported person never learns from them who made the report.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import OutboxEmail, Report, Sanction, Seat, User
from games.presentation.text.sanctions import decided
from games.presentation.text.words import moment
from games.services.people import sanctions
from games.services.people.queries.sanctions import LIFTED_BY, is_in_force
from games.services.public_ids import public_id
from games.services.reports.consequences import Consequence, in_words, of_report, of_sanction
from games.services.reports.queries import (
    APPEAL_WITHIN,
    about_text,
    about_you_text,
    may_appeal,
    message_text,
    own_words,
    was_removed,
    words_to_reporter,
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
    """The decision; for the reported person, also what follows and until when they may appeal."""
    row = _report_of(email)
    if email.person_id != row.person_id:
        return decided_for_reporter(row)
    decided_at = row.decided_at or email.created_at
    return decided_for_person(
        row, email.person, decided_at, of_report(row), may_appeal=may_appeal(row, decided_at)
    )


def report_reopened(email: OutboxEmail, _seat: Seat | None) -> Context:
    """A dismissed report that moderators look at again, for who made it."""
    return reopened_for_reporter(_report_of(email))


def reopened_for_reporter(row: Report) -> Context:
    """The same of a report that isn't open again yet."""
    text = _("We'll look at your report again. You'll get another email once we've decided.")
    return {"what": about_text(row), "decision": text, "preheader": text, "link": _own_reports()}


def report_is_undecided(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Nobody has decided on the report, or not since it was opened again."""
    return Report.objects.filter(pk=email.about, state__in=Report.WITHOUT_DECISION).exists()


def decided_for_reporter(row: Report) -> Context:
    """The decision as the email tells it to who reported."""
    verdict = (
        _("The moderators agree with you.")
        if row.was_upheld
        else _("The moderators see it differently.")
    )
    words = words_to_reporter(row)
    return {
        "own": True,
        "reported": True,
        "what": about_text(row),
        "done": [_("The message was removed.")] if was_removed(row) else [],
        "verdict": verdict,
        "outcome": words,
        "preheader": f"{verdict} {words}",
        "link": _link("games:reports"),
        "link_text": _("My reports"),
    }


def decided_for_person(
    row: Report,
    person: User | None,
    decided_at: datetime,
    followed: Sequence[Consequence],
    *,
    may_appeal: bool,
) -> Context:
    """The decision as the email tells it to who was reported, with what followed."""
    zone = person.time_zone if person is not None else "UTC"
    banned = any(one.action == "person.ban" for one in followed)
    can_sign_in = not banned and (person is None or person.is_active)
    done = [in_words(one, zone, can_sign_in=can_sign_in) for one in followed]
    appeal_until = moment(decided_at + APPEAL_WITHIN, zone) if may_appeal else ""
    return {
        "own": False,
        "reported": not row.is_without_report,
        "what": about_you_text(row),
        "said": own_words(row),
        "done": done,
        "outcome": row.outcome,
        "preheader": f"{' '.join(done) or _('The moderators wrote:')} {row.outcome}",
        "appeal_until": appeal_until,
        "link": _page_of_decision(row, person, may_appeal=may_appeal),
        "link_text": _("Appeal") if may_appeal else _("My reports"),
    }


def _page_of_decision(row: Report, person: User | None, *, may_appeal: bool) -> str:
    """Where the person reads it and appeals; by a signed link if they can't sign in."""
    if person is not None and not person.is_active:
        return _link("games:conduct_by_link", sanctions.token_for(person))
    return _link("games:appeal", public_id("report", row.pk)) if may_appeal else _own_reports()


def report_is_decided(email: OutboxEmail, seat: Seat | None) -> bool:
    """The decision stands: the report wasn't reopened, nor decided once more since."""
    later = OutboxEmail.objects.filter(
        person=email.person_id, kind=email.kind, about=email.about, pk__gt=email.pk
    )
    undecided = Report.objects.filter(pk=email.about, state__in=Report.WITHOUT_DECISION)
    if later.exists() or undecided.exists():
        return False
    return is_read_where_it_leads(email, seat)


def is_read_where_it_leads(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether it goes to somebody who can sign in, or about what they are banned for."""
    person = email.person
    if person is None or person.is_active:
        return True
    return Report.objects.filter(pk=email.about, sanctions__person=person).exists()


def appeal_decided(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The final decision on a report, for both sides."""
    row = _report_of(email)
    zone = email.person.time_zone if email.person is not None else "UTC"
    if email.person_id != row.person_id:
        return last_word_for_reporter(row)
    link = _page_of_decision(row, email.person, may_appeal=False)
    return last_word_for_person(row, _what_holds_now(row, zone)) | {"link": link}


def last_word_for_reporter(row: Report) -> Context:
    """The final decision as the email tells it to who reported."""
    return _last_word(row) | {"own": True, "what": about_text(row), "now": []}


def last_word_for_person(row: Report, holds: Sequence[str]) -> Context:
    """The same for whom it is about, with what holds now, or no longer does."""
    return _last_word(row) | {"own": False, "what": about_you_text(row), "now": holds}


def _last_word(row: Report) -> Context:
    decision = _("The decision stands and is final.")
    if row.state == Report.State.TAKEN_BACK:
        decision = _(
            "The moderators have reversed their decision. Any message removed because of it is "
            "visible again."
        )
    if row.state == Report.State.SHORTENED:
        decision = _("The decision stands, but its consequences are now milder.")
    return {
        "appealed": row.appealed_at is not None,
        "reported": not row.is_without_report,
        "decision": decision,
        "last_word": row.last_word,
        "preheader": f"{decision} {row.last_word}",
        "link": _own_reports(),
    }


def _what_holds_now(row: Report, zone: str) -> list[str]:
    """After an appeal: what holds, or no longer holds, because of the decision."""
    found = [one for one in row.sanctions.order_by("pk") if one.kind != Sanction.Kind.WARNING]
    now = row.closed_at
    if now is None:
        return []
    held = [one for one in found if is_in_force(one, now)]
    if row.state == Report.State.TAKEN_BACK:
        lifted = [one for one in found if one.ended_at == now]
        return [decided(LIFTED_BY[Sanction.Kind(one.kind)]) for one in lifted]
    return [in_words(of_sanction(one), zone) for one in held]


def _own_reports() -> str:
    return _link("games:reports")


def _link(name: str, *arguments: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=arguments)}"


def _report_is(state: Report.State, email: OutboxEmail) -> bool:
    is_moderator = email.person is not None and email.person.is_staff
    return is_moderator and Report.objects.filter(pk=email.about, state=state).exists()
