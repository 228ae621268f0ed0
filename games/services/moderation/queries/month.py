"""What moderators decided in the last 30 days, how soon, and what of it was reversed."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from statistics import median
from typing import Final, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import AuditLine, Report, Sanction, User
from games.presentation.text.words import moment
from games.services.moderation.audit.queries import lines_for
from games.services.moderation.queries.person import Line, report_of, reports_in, sanctions_for
from games.services.reports.rights import reports_for

SPAN: Final = timedelta(days=30)
MOST: Final = 200
NO_DECISIONS: Final = ("report.take", "report.take-over", "report.give-back", "person.note")


class Month(NamedTuple):
    """The month of a moderator: reports they decided, how soon on the median, and sanctions.

    `reversed_reports` and `lifted_sanctions` are those of which an appeal was granted.
    """

    moderator: User
    reports: int
    within: timedelta | None
    appealed_reports: int
    reversed_reports: int
    sanctions: int
    appealed_sanctions: int
    lifted_sanctions: int


def months(moderators: Iterable[User], reader: User, now: datetime) -> list[Month]:
    """The months of these moderators, in this order, without what `reader` may not know of.

    Two queries.
    """
    people = list(moderators)
    decided = reports_for(reader).filter(owner__in=people, decided_at__gt=now - SPAN)
    reports: dict[int | None, list[Report]] = {}
    for report in decided.only("owner", "at", "decided_at", "state", "appealed_at"):
        reports.setdefault(report.owner_id, []).append(report)
    imposed = sanctions_for(reader, Sanction.objects.filter(by__in=people, at__gt=now - SPAN))
    sanctions: dict[int | None, list[Sanction]] = {}
    for sanction in imposed.only("by", "appealed_at", "ended_at", "until"):
        sanctions.setdefault(sanction.by_id, []).append(sanction)
    return [_month(one, reports.get(one.pk, []), sanctions.get(one.pk, [])) for one in people]


def decisions_of(moderator: User, now: datetime, title_of: Callable[[str], str]) -> list[Line]:
    """What a moderator did to people, messages and reports in this time, the latest first.

    Each leads to where it can be looked at and mended. `title_of` says what an action is called.
    """
    kinds = Q()
    for kind in ("report", "person", "message"):
        kinds |= Q(action__startswith=f"{kind}.")
    rows = AuditLine.objects.filter(kinds, moderator=moderator, at__gt=now - SPAN)
    rows = lines_for(moderator, rows.exclude(action__in=NO_DECISIONS)).select_related("person")
    lines = list(rows.order_by("-pk")[:MOST])
    reports = reports_in(lines, moderator)
    return [
        Line(
            " · ".join(filter(None, [moment(one.at, moderator.time_zone), _whom(one)])),
            _page_of(one, reports),
            (f"{title_of(one.action)}. {one.reason}".strip(),),
        )
        for one in lines
    ]


def _whom(line: AuditLine) -> str:
    return line.person.name if line.person is not None else _("a deleted account")


def _page_of(line: AuditLine, reports: set[int]) -> str:
    if (number := report_of(line)) in reports:
        return reverse("admin:games_report_change", args=[number])
    if line.person_id is None:
        return ""
    return reverse("admin:games_user_change", args=[line.person_id])


def _month(moderator: User, reports: list[Report], sanctions: list[Sanction]) -> Month:
    took = [
        (one.decided_at - one.at).total_seconds() for one in reports if one.decided_at is not None
    ]
    appealed = [one for one in reports if one.appealed_at is not None]
    objected = [one for one in sanctions if one.appealed_at is not None]
    return Month(
        moderator,
        reports=len(reports),
        within=timedelta(seconds=median(took)) if took else None,
        appealed_reports=len(appealed),
        reversed_reports=sum(one.state == Report.State.TAKEN_BACK for one in appealed),
        sanctions=len(sanctions),
        appealed_sanctions=len(objected),
        lifted_sanctions=sum(_was_lifted(one) for one in objected),
    )


def _was_lifted(sanction: Sanction) -> bool:
    """Whether it ended after the appeal, and before it would have ended by itself."""
    if sanction.ended_at is None or sanction.appealed_at is None:
        return False
    in_time = sanction.until is None or sanction.ended_at < sanction.until
    return sanction.ended_at > sanction.appealed_at and in_time
