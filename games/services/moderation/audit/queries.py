"""The search of the audit log."""

from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Lower

from games import extensions
from games.models import AuditLine, Game, User
from games.services.moderation import search as moderation_search
from games.services.moderation.audit.words import actor_meant
from games.services.reports.rights import reports_not_for
from games.zones import zone_of

ABOUT_MESSAGES: Final = ("message.remove", "message.show")
KEPT_FROM_THE_PERSON: Final = ("person.note", "pair.clear")

OUT_OF_ORDER: Final = 10_000
"""How many lines may be written between the moment of an action and its line."""


class AuditSearch(NamedTuple):
    """What is searched for: everything that is given has to fit.

    `who` is the whole name of who acted, `game` and `person` are found as everywhere, `words` stand
    in the reason; the days are those of `zone`, both included.
    """

    who: str = ""
    action: str = ""
    game: str = ""
    person: str = ""
    words: str = ""
    since: date | None = None
    until: date | None = None
    zone: str = "UTC"


def lines_for(reader: User, rows: QuerySet[AuditLine] | None = None) -> QuerySet[AuditLine]:
    """The lines, or those of these `rows`, that a moderator may read.

    Not those about reports that aren't for them, nor what a page about themselves keeps from them:
    staff notes and possible duplicate accounts. Nor, while the game runs, that somebody has looked
    at the secrets of a table of theirs. Features leave out what isn't for them either.
    """
    hidden = list(reports_not_for(reader).values_list("pk", "message", "private_message"))
    reports = [pk for pk, _message, _private in hidden]
    messages = {key for _pk, *keys in hidden for key in keys if key is not None}
    own_tables = Game.objects.filter(seats__sittings__user=reader, status=Game.Status.RUNNING)
    lines = (
        (AuditLine.objects.all() if rows is None else rows)
        .exclude(before__has_key="report", before__report__in=reports)
        .exclude(after__has_key="report", after__report__in=reports)
        # Older lines name the message alone.
        .exclude(action__in=ABOUT_MESSAGES, after__message__in=[*messages])
        .exclude(action__in=KEPT_FROM_THE_PERSON, person=reader)
        .exclude(action="pair.clear", after__person=reader.pk)
        .exclude(action="secrets.reveal", game__in=own_tables)
    )
    for of_feature in extensions.audit_lines():
        lines = of_feature(reader, lines)
    return lines


def find_lines(
    rows: QuerySet[AuditLine], search: AuditSearch, reader: User, most: int
) -> QuerySet[AuditLine]:
    """The lines that fit, of those with certain words at most the newest `most`."""
    if search.who:
        rows = rows.alias(actor=Lower("who")).filter(actor=actor_meant(search.who))
    if search.action:
        rows = rows.filter(action=search.action)
    if search.game:
        rows = rows.filter(moderation_search.of_games("game", search.game))
    if search.person:
        rows = rows.filter(moderation_search.of_people("person", search.person, reader))
    if search.since:
        rows = _from(rows, _begin(search.since, search.zone))
    if search.until:
        rows = _before(rows, _begin(search.until + timedelta(days=1), search.zone))
    if search.words:
        keys = moderation_search.newest_with_words(rows, ["reason"], search.words, most)
        renamed = moderation_search.renamings(search.words).values_list("pk", flat=True)
        rows = rows.filter(pk__in=[*keys, *renamed[:most]])
    return rows


def _from(rows: QuerySet[AuditLine], begin: datetime) -> QuerySet[AuditLine]:
    """The lines from this moment on, by their keys, which rise with time: lists go by keys."""
    later = AuditLine.objects.filter(at__gte=begin).order_by("at").values_list("pk", flat=True)
    first = later.first()
    if first is None:
        return rows.none()
    return rows.filter(at__gte=begin, pk__gte=first - OUT_OF_ORDER)


def _before(rows: QuerySet[AuditLine], end: datetime) -> QuerySet[AuditLine]:
    """The lines before this moment."""
    earlier = AuditLine.objects.filter(at__lt=end).order_by("-at").values_list("pk", flat=True)
    last = earlier.first()
    if last is None:
        return rows.none()
    return rows.filter(at__lt=end, pk__lte=last + OUT_OF_ORDER)


def _begin(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), zone_of(zone))
