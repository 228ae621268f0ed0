"""An administrator takes a case along as one archive; the audit log has that and for which days."""

from datetime import UTC, date, datetime, time

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Report
from games.services.audit import Values
from games.services.moderation.actions.accounts import only_administrators
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.moderation.actions.site import may_administer
from games.services.moderation.cases import Archive, Days, archive
from games.services.refused import Refused
from games.services.reports.rights import refuse_unless_may_handle


def export_case(
    request: ActionRequest, *, report_id: int, since: date | None, until: date | None
) -> Archive:
    """The archive of a report, with the person's sign-ins of these days if there are any."""
    if not may_administer(request.moderator):
        raise Refused(only_administrators())
    with transaction.atomic(durable=True):
        report = Report.objects.select_for_update(no_key=True).filter(pk=report_id).first()
        if report is None:
            raise Refused(_("There's no such report."))
        refuse_unless_may_handle(request.moderator, report)
        days = None if since is None or until is None else Days(since, until)
        made = archive(report, request.moderator, days, request.now)
        after: Values = {} if days is None else {"period": (_begin(days.first), _begin(days.last))}
        write_audit_line(
            "report.export", request, game=report.game, person=report.person,
            before={"report": report.pk}, after=after,
        )  # fmt: skip
    return made


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
