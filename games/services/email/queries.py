"""The email that moderators may see in the admin."""

from django.db.models import Q, QuerySet

from games.models import OutboxEmail, User
from games.services.email.kinds import EMAIL_KINDS, TELLS_WHO_TALKS
from games.services.reports.rights import reports_for


def visible_to(moderator: User, rows: QuerySet[OutboxEmail]) -> QuerySet[OutboxEmail]:
    """The rows without what moderators may not know of.

    That is email about reports that aren't for this one, and about private messages.
    """
    about_reports = [kind.key for kind in EMAIL_KINDS if kind.about_a_report]
    readable = reports_for(moderator).values("pk")
    return rows.exclude(kind__in=TELLS_WHO_TALKS).filter(
        ~Q(kind__in=about_reports) | Q(about__in=readable)
    )
