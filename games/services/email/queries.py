"""Which email moderators may see in the admin."""

from django.db.models import Q, QuerySet

from games.models import OutboxMail, User
from games.services.email.kinds import EMAIL_KINDS
from games.services.reports.rights import reports_for


def visible_to(moderator: User, rows: QuerySet[OutboxMail]) -> QuerySet[OutboxMail]:
    """The rows without email about reports that the moderator may not read."""
    about_reports = [kind.key for kind in EMAIL_KINDS if kind.about_a_report]
    readable = reports_for(moderator).values("pk")
    return rows.filter(~Q(kind__in=about_reports) | Q(about__in=readable))
