"""What colleagues did while a moderator had a page open, or had a report."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import AuditLine, Game, Report, User
from games.presentation.text.words import moment
from games.services.moderation.audit.queries import lines_for
from games.services.moderation.audit.words import actor_name

MOST: Final = 10

A_WHILE: Final = timedelta(hours=1)
"""How far back it is looked where nobody knows since when a page has been open."""

TAKING: Final = ("report.take", "report.take-over")


def done_to_person(
    person: User, seen: int, reader: User, title_of: Callable[[str], str]
) -> list[str]:
    """What was done to somebody after the line of the audit log that the reader has seen."""
    rows = AuditLine.objects.filter(person=person, pk__gt=seen)
    return _sentences(rows, reader, title_of)


def done_to_game(
    game: Game, now: datetime, reader: User, title_of: Callable[[str], str]
) -> list[str]:
    """What was done at a game in the last hour."""
    return _sentences(AuditLine.objects.filter(game=game, at__gt=now - A_WHILE), reader, title_of)


def done_about_report(report: Report, reader: User, title_of: Callable[[str], str]) -> list[str]:
    """What others than its owner did about a report, its person or its game since it was taken."""
    if report.owner_id is None or report.state != Report.State.TAKEN:
        return []
    about = Q(pk=None)
    if report.person_id is not None:
        about |= Q(person=report.person_id)
    if report.game_id is not None:
        about |= Q(game=report.game_id)
    lines = AuditLine.objects.filter(about, at__gte=report.at)
    taken = lines.filter(action__in=TAKING, moderator=report.owner_id, before__report=report.pk)
    since = taken.order_by("-pk").values_list("pk", flat=True).first() or 0
    others = lines.filter(pk__gt=since, moderator__isnull=False)
    return _sentences(others.exclude(moderator=report.owner_id), reader, title_of)


def _sentences(
    rows: QuerySet[AuditLine], reader: User, title_of: Callable[[str], str]
) -> list[str]:
    """The newest of the lines that the reader may read, the oldest of them first."""
    lines = list(lines_for(reader, rows).order_by("-pk")[:MOST])
    return [_sentence(line, reader, title_of) for line in reversed(lines)]


def _sentence(line: AuditLine, reader: User, title_of: Callable[[str], str]) -> str:
    return _("{moment}: {act}, by {who}. {reason}").format(
        moment=moment(line.at, reader.time_zone),
        act=title_of(line.action),
        who=actor_name(line.who),
        reason=line.reason,
    )
