"""The email that moderators may see in the admin."""

from django.db.models import Q, QuerySet

from games.models import Game, OutboxEmail, User
from games.services.email.kinds import EMAIL_KINDS, TELLS_WHO_TALKS
from games.services.reports.rights import reports_for
from games.services.roles import own_tables


def visible_to(moderator: User, rows: QuerySet[OutboxEmail]) -> QuerySet[OutboxEmail]:
    """The rows without what moderators may not know of.

    That is email about reports and questions that aren't for this one, about private messages, and
    of games at which they play: who isn't asked for a move has left a standing order.
    """
    about_reports = [kind.key for kind in EMAIL_KINDS if kind.about_a_report]
    readable = reports_for(moderator).values("pk")
    playing = Game.objects.filter(pk__in=own_tables(moderator), status=Game.Status.RUNNING)
    known = {kind.key: kind.about_for for kind in EMAIL_KINDS if kind.about_for is not None}
    rows = rows.exclude(kind__in=TELLS_WHO_TALKS - known.keys()).exclude(game__in=playing)
    for key, about_for in known.items():
        rows = rows.filter(~Q(kind=key) | Q(about__in=about_for(moderator)))
    return rows.filter(~Q(kind__in=about_reports) | Q(about__in=readable))
