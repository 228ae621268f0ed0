"""The audit log as moderators read and search it."""

from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import AuditLine, Vote
from games.services.moderation import finding

ACTS: Final[dict[str, Promise]] = {
    "pause": _("Pause"),
    "resume": _("Resume"),
    "extend": _("Give more time"),
    "set deadline": _("Set a deadline"),
    "play default": _("Play the default now"),
    "excuse": _("Excuse missed turns"),
    "mark absent": _("Mark absent"),
    "mark present": _("Mark present"),
    "house player": _("Replace by a house player"),
    "reopen seat": _("Free a seat"),
    "close to newcomers": _("Close to newcomers"),
    "open to newcomers": _("Open to newcomers"),
    "rewind": _("Rewind"),
    "change pace": _("Change the pace"),
    "referee": _("Write as the referee"),
    "send again": _("Send a mail again"),
    "record": _("Download the record"),
    "retry": _("Try again"),
    "cancel": _("Cancel the game"),
    "break glass": _("Break the glass"),
    "more time": _("More time, by the host"),
    **{f"vote: {kind.value}": kind.label for kind in Vote.Kind},
}
"""What the lines call each act, and what moderators call it."""


class AuditSearch(NamedTuple):
    """What is looked for: everything that is given has to fit.

    `who` is the whole name of who acted, `game` and `person` are found as everywhere, `words` stand
    in the reason; the days are those of `zone`, both included.
    """

    who: str = ""
    act: str = ""
    game: str = ""
    person: str = ""
    words: str = ""
    since: date | None = None
    until: date | None = None
    zone: str = "UTC"


def act_told(act: str) -> str:
    """An act in words."""
    return str(ACTS.get(act, act))


def find_lines(rows: QuerySet[AuditLine], search: AuditSearch, most: int) -> QuerySet[AuditLine]:
    """The lines that fit, of those with certain words at most the newest `most`."""
    if search.who:
        rows = rows.alias(actor=Lower("who")).filter(actor=search.who.strip().lower())
    if search.act:
        rows = rows.filter(act=search.act)
    if search.game:
        rows = rows.filter(finding.of_games("game", search.game))
    if search.person:
        rows = rows.filter(finding.of_people("person", search.person))
    if search.since:
        rows = rows.filter(at__gte=_begin(search.since, search.zone))
    if search.until:
        rows = rows.filter(at__lt=_begin(search.until + timedelta(days=1), search.zone))
    if search.words:
        keys = finding.newest_with_words(rows, ["reason"], search.words, most)
        rows = rows.filter(pk__in=keys)
    return rows


def _begin(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone))
