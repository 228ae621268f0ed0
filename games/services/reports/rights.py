"""Who may deal with which report: no moderator whom it concerns, nor one of that table."""

from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Redaction, Report, User
from games.services import roles
from games.services.refused import Refused
from games.services.roles import (
    has_own_part,
    may_moderate,
    own_tables,
    refuse_non_moderators,
)

WITHOUT_REPORT: Final = Q(reporter=None, text="")
"""The decisions of moderators about what nobody has reported (`Report.is_without_report`)."""


def may_handle(moderator: User, report: Report) -> bool:
    """Whether a moderator may read and decide a report."""
    if moderator.pk in {report.reporter_id, report.person_id}:
        return False
    if not may_moderate(moderator):
        return False
    if report.was_upheld and _removed_at_own_tables(moderator, report):
        return False
    return report.game is None or not has_own_part(moderator, report.game)


def _removed_at_own_tables(moderator: User, report: Report) -> bool:
    return report.redactions.filter(message__game__in=own_tables(moderator)).exists()


def refuse_unless_may_handle(moderator: User, report: Report) -> None:
    refuse_non_moderators(moderator)
    if not may_handle(moderator, report):
        raise Refused(
            _(
                "This report is about you or one of your tables, so another moderator has to handle"
                " it."
            )
        )


def reports_for(moderator: User, rows: QuerySet[Report] | None = None) -> QuerySet[Report]:
    """Those of the reports, or of these `rows`, that a moderator may read.

    Where messages at all tables were removed, that is none with one at a table of theirs.
    """
    own = own_tables(moderator)
    removed_there = Redaction.objects.filter(report__isnull=False, message__game__in=own)
    return (
        (Report.objects.all() if rows is None else rows)
        .exclude(person=moderator)
        .exclude(reporter=moderator)
        .exclude(game__in=own)
        .exclude(pk__in=removed_there.values("report"))
    )


def reports_not_for(moderator: User) -> QuerySet[Report]:
    """The others: those that a moderator may not know of."""
    return Report.objects.exclude(pk__in=reports_for(moderator).values("pk"))


def moderators_for(report: Report) -> list[User]:
    """All moderators who may deal with a report."""
    moderators = roles.moderators()
    return [moderator for moderator in moderators if may_handle(moderator, report)]


def moderators_for_appeal(report: Report) -> list[User]:
    """The moderators who may decide an appeal: others than decided the report, if there are any."""
    all_of_them = moderators_for(report)
    others = [moderator for moderator in all_of_them if moderator.pk != report.owner_id]
    return others or all_of_them
