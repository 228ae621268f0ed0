"""A case as one archive, for a court or a lawyer: a report with all that belongs to it.

It has what moderators may read, and nothing else: of private talk the copy that came with the
report, of games no secret. Who made the report is in a file of its own, which can be left out.
"""

import io
import json
import zipfile
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import AuditLine, Message, Report, Sanction, SignIn, User
from games.services.moderation.audit.queries import lines_for
from games.services.moderation.queries.person import sanctions_for
from games.services.moderation.queries.reports import read_case
from games.services.reports.queries import about_text, frozen_lines

MOST_LINES: Final = 2000
"""How many lines of the audit log, or sign-ins, an archive has at most, the latest ones."""

type Json = dict[str, Any]


class Archive(NamedTuple):
    """A file to download."""

    name: str
    content: bytes


class Days(NamedTuple):
    """Days in UTC, both included."""

    first: date
    last: date


def archive(report: Report, reader: User, days: Days | None, now: datetime) -> Archive:
    """The case as `reader` may read it; sign-ins only of these days."""
    files: dict[str, Any] = {
        "report.json": _report(report),
        "messages.json": _messages(report, reader),
        "person.json": _person(report.person),
        "sanctions.json": _sanctions(report, reader),
        "audit-log.json": _audit_log(report, reader),
        "reporter.json": {
            "name": _name(report.reporter),
            "told_with_the_decision": report.to_reporter,
        },
    }
    if days is not None:
        files["sign-ins.json"] = _sign_ins(report.person, days)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("README.txt", _read_me(report, days, now))
        for name, data in files.items():
            packed.writestr(name, json.dumps(data, ensure_ascii=False, indent=1))
    return Archive(f"report-{report.pk}-{now.date()}.zip", content.getvalue())


def _read_me(report: Report, days: Days | None, now: datetime) -> str:
    parts = [
        _("Report {number} on {site}, as it stood on {moment} (UTC).").format(
            number=report.pk, site=settings.SITE_URL, moment=f"{now:%Y-%m-%d %H:%M}"
        ),
        _("All times are in UTC. The files are in JSON."),
        _(
            "messages.json contains the reported message and those around it. Private messages "
            "are copies made when they were reported."
        ),
        _(
            "sanctions.json contains everything imposed on the person; of_this_report marks what "
            "came with this decision. The appeal against it and the final decision are in "
            "report.json."
        ),
        _(
            "reporter.json says who made the report and what they were told. Remove it before you "
            "give the files to the person concerned."
        ),
    ]
    if days is not None:
        parts.append(
            _("sign-ins.json contains browsers and IP addresses from {first} to {last}.").format(
                first=days.first, last=days.last
            )
        )
    return "\n\n".join(parts) + "\n"


def _report(report: Report) -> Json:
    return {
        "number": report.pk,
        "about": about_text(report),
        "kind": report.kind,
        "table": None if report.game is None else report.game.name,
        "name_when_reported": report.person_name,
        "words_of_the_table": report.table_words,
        "why": report.text,
        "at": _instant(report.at),
        "state": report.state,
        "owner": _name(report.owner),
        "decision": report.outcome,
        "decided_at": _instant(report.decided_at),
        "appeal": report.appeal,
        "appealed_at": _instant(report.appealed_at),
        "final_decision": report.last_word,
        "closed_by": _name(report.closed_by),
        "closed_at": _instant(report.closed_at),
    }


def _messages(report: Report, reader: User) -> list[Json]:
    """The reported message and those around it, as moderators read them."""
    lines = read_case(report, reader).messages
    numbers = [line.number for line in lines]
    if frozen := frozen_lines(report):
        times = {line["number"]: str(line["at"]) for line in frozen}
    else:
        rows = Message.objects.filter(pk__in=numbers).values_list("pk", "at")
        times = {number: str(_instant(at)) for number, at in rows}
    return [
        {
            "from": line.name,
            "at": times.get(line.number),
            "text": line.text,
            "reported": line.reported,
        }
        for line in lines
    ]


def _person(person: User | None) -> Json | None:
    if person is None:
        return None
    return {"name": person.name, "address": person.email, "since": _instant(person.date_joined)}


def _sanctions(report: Report, reader: User) -> list[Json]:
    """What was imposed on the person, whatever for, as far as the reader may know of it."""
    person = report.person
    rows = sanctions_for(reader, Sanction.objects.filter(person=person))
    return [
        {
            "kind": one.kind,
            "reason": one.reason,
            "by": _name(one.by),
            "at": _instant(one.at),
            "until": _instant(one.until),
            "ended_at": _instant(one.ended_at),
            "appeal": one.appeal,
            "appealed_at": _instant(one.appealed_at),
            "answer": one.answer,
            "answered_at": _instant(one.answered_at),
            "of_this_report": one.report_id == report.pk,
        }
        for one in (rows.select_related("by").order_by("pk") if person is not None else ())
    ]


def _audit_log(report: Report, reader: User) -> list[Json]:
    """What moderators did to the person, and about this report."""
    about = Q(person=report.person_id) if report.person_id is not None else Q(pk=None)
    if report.game_id is not None:
        of_report = Q(before__report=report.pk) | Q(after__report=report.pk)
        about |= Q(game=report.game_id) & of_report
    rows = lines_for(reader).filter(about).select_related("game").order_by("-pk")
    return [_line(line) for line in _oldest_first(rows[:MOST_LINES])]


def _line(line: AuditLine) -> Json:
    return {
        "at": _instant(line.at),
        "who": line.who,
        "what": line.action,
        "table": None if line.game is None else line.game.name,
        "reason": line.reason,
        "before": line.before,
        "after": line.after,
    }


def _sign_ins(person: User | None, days: Days) -> list[Json]:
    """With which browsers and from where the person was signed in on any of these days."""
    if person is None:
        return []
    after = days.last + timedelta(days=1)
    rows = SignIn.objects.filter(
        user=person, last_at__date__gte=days.first, first_at__date__lt=after
    )
    return [
        {
            "browser": one.agent,
            "address": one.address,
            "first_at": _instant(one.first_at),
            "last_at": _instant(one.last_at),
        }
        for one in _oldest_first(rows.order_by("-last_at")[:MOST_LINES])
    ]


def _oldest_first[T](rows: Iterable[T]) -> list[T]:
    return list(rows)[::-1]


def _name(person: User | None) -> str | None:
    return None if person is None else person.name


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")
