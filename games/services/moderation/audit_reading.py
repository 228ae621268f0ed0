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
from games.services.moderation.audit_words import actor_meant

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
    "rename table": _("Rename the table"),
    "remove note": _("Remove the note"),
    "send again": _("Send a mail again"),
    "record": _("Download the record"),
    "retry": _("Try again"),
    "cancel": _("Cancel the game"),
    "abandon": _("End a game that nobody came back to"),
    "break glass": _("Break the glass"),
    "more time": _("More time, by the host"),
    "take report": _("Take the report"),
    "uphold report": _("Uphold the report"),
    "reject report": _("Reject the report"),
    "give back report": _("Give the report back"),
    "take over report": _("Take the report over"),
    "grant appeal": _("Grant the appeal"),
    "deny appeal": _("Deny the appeal"),
    "take back decision": _("Take the decision back"),
    "redact": _("Remove the message"),
    "restore": _("Show the message again"),
    "clear pair": _("Clear two people of being one"),
    "notice": _("Notice on every page"),
    "stop new games": _("Stop new games"),
    "allow new games": _("Allow new games"),
    "begin maintenance": _("Begin maintenance"),
    "end maintenance": _("End maintenance"),
    "give time: hours": _("More hours for all games"),
    "give time: downtime": _("Excuse downtime"),
    "give time: maintenance": _("Time back after maintenance"),
    "note": _("Write a note"),
    "warn": _("Warn"),
    "take back warning": _("Take back the last warning"),
    "mute": _("Mute"),
    "unmute": _("End the mute"),
    "suspend": _("Suspend"),
    "lift suspension": _("End the suspension"),
    "ban": _("Ban"),
    "lift ban": _("Lift the ban"),
    "answer objection": _("Answer the objection"),
    "rename": _("Rename"),
    "end sessions": _("End all sessions"),
    "require second factor": _("Require a second factor"),
    "no second factor": _("Require no second factor any more"),
    **{f"vote: {kind.value}": kind.label for kind in Vote.Kind},
}
"""What the lines call each act, and what moderators call it."""


OUT_OF_ORDER: Final = 10_000
"""How many lines may be written between an act's moment and its own line."""


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
        rows = rows.alias(actor=Lower("who")).filter(actor=actor_meant(search.who))
    if search.act:
        rows = rows.filter(act=search.act)
    if search.game:
        rows = rows.filter(finding.of_games("game", search.game))
    if search.person:
        rows = rows.filter(finding.of_people("person", search.person))
    if search.since:
        rows = _from(rows, _begin(search.since, search.zone))
    if search.until:
        rows = _before(rows, _begin(search.until + timedelta(days=1), search.zone))
    if search.words:
        keys = finding.newest_with_words(rows, ["reason"], search.words, most)
        rows = rows.filter(pk__in=keys)
    return rows


def _from(rows: QuerySet[AuditLine], begin: datetime) -> QuerySet[AuditLine]:
    """The lines from this moment on: their keys say nearly as much, and lists go by keys."""
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
    return datetime.combine(day, time(), ZoneInfo(zone))
