"""The audit log as moderators read and search it."""

from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import AuditLine, Vote
from games.services.moderation import search as moderation_search
from games.services.moderation.audit.words import actor_meant

ACTS: Final[dict[str, Promise]] = {
    "pause": _("Pause"),
    "resume": _("Resume"),
    "extend": _("Give more time"),
    "set deadline": _("Set a deadline"),
    "play default": _("Play the default move now"),
    "excuse": _("Excuse missed deadlines"),
    "mark absent": _("Mark absent"),
    "mark present": _("Mark present"),
    "house player": _("Replace with a house player"),
    "reopen seat": _("Free a seat"),
    "close to newcomers": _("Close to newcomers"),
    "open to newcomers": _("Open to newcomers"),
    "rewind": _("Rewind"),
    "change pace": _("Change the pace"),
    "referee": _("Write as the referee"),
    "rename table": _("Rename the table"),
    "remove note": _("Remove the description"),
    "send again": _("Resend an email"),
    "record": _("Download the record"),
    "retry": _("Retry"),
    "cancel": _("Cancel the game"),
    "abandon": _("End an abandoned game"),
    "break glass": _("Reveal secrets"),
    "more time": _("Extra time from the host"),
    "take report": _("Take the report"),
    "uphold report": _("Uphold the report"),
    "reject report": _("Dismiss the report"),
    "give back report": _("Return the report"),
    "take over report": _("Take over the report"),
    "grant appeal": _("Grant the appeal"),
    "deny appeal": _("Deny the appeal"),
    "take back decision": _("Reverse the decision"),
    "redact": _("Remove the message"),
    "restore": _("Restore the message"),
    "clear pair": _("Dismiss a possible duplicate account"),
    "notice": _("Announcement on every page"),
    "stop new games": _("Stop new games"),
    "allow new games": _("Allow new games"),
    "begin maintenance": _("Begin maintenance"),
    "end maintenance": _("End maintenance"),
    "give time: hours": _("Give all games more time"),
    "give time: downtime": _("Excuse downtime"),
    "give time: maintenance": _("Give time back after maintenance"),
    "note": _("Write a staff note"),
    "warn": _("Warn"),
    "take back warning": _("Withdraw the last warning"),
    "mute": _("Mute"),
    "unmute": _("Unmute"),
    "suspend": _("Suspend"),
    "lift suspension": _("Lift the suspension"),
    "ban": _("Ban"),
    "lift ban": _("Lift the ban"),
    "answer objection": _("Answer the appeal"),
    "rename": _("Rename"),
    "end sessions": _("End all sessions"),
    "require second factor": _("Require two-factor authentication"),
    "no second factor": _("Stop requiring two-factor authentication"),
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
        rows = rows.filter(moderation_search.of_games("game", search.game))
    if search.person:
        rows = rows.filter(moderation_search.of_people("person", search.person))
    if search.since:
        rows = _from(rows, _begin(search.since, search.zone))
    if search.until:
        rows = _before(rows, _begin(search.until + timedelta(days=1), search.zone))
    if search.words:
        keys = moderation_search.newest_with_words(rows, ["reason"], search.words, most)
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
