"""What moderators read of a report: all that belongs to it."""

from datetime import datetime
from typing import Final, NamedTuple, assert_never

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Message, Report, Sanction, User
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of, shown_text
from games.services.people.display_names import speaker
from games.services.people.queries.sanctions import how_long, sanction_text
from games.services.reports.about import (
    AboutMessage,
    AboutPerson,
    AboutPrivateMessage,
    AboutTable,
    about,
)
from games.services.reports.queries import frozen_lines
from games.services.reports.rights import WITHOUT_REPORT, reports_for

AROUND: Final = 5
"""How many messages before and after the reported one are shown."""

MOST_EARLIER: Final = 20
"""How many other reports about the same person are shown, the latest ones."""


class MessageLine(NamedTuple):
    """A message as moderators read it; `reported` is the one that the report is about."""

    number: int
    name: str
    at: str
    text: str
    reported: bool


class EarlierReport(NamedTuple):
    """Another report about the same person: what it is called, at which game, and since when."""

    number: int
    name: str
    at: str


class ReportPage(NamedTuple):
    """What belongs to a report: the messages around it, other reports, and what came of it.

    `came_of_it` are the sanctions that were imposed for it, in words.
    """

    messages: list[MessageLine]
    earlier: list[EarlierReport]
    came_of_it: list[str]


def read_case(report: Report, moderator: User) -> ReportPage:
    """What a moderator should know before they decide."""
    earlier = Report.objects.none()
    if report.person_id is not None:
        others = reports_for(moderator).filter(person=report.person_id).exclude(pk=report.pk)
        earlier = (
            others.exclude(WITHOUT_REPORT)
            .select_related("game", "person", "message")
            .order_by("-pk")
        )
    zone = moderator.time_zone
    return ReportPage(
        _frozen(report, zone)
        or [_message_line(message, report, zone) for message in _around(report)],
        [_earlier_report(one, zone) for one in earlier[:MOST_EARLIER]],
        [_sanction_text(one, zone) for one in report.sanctions.order_by("pk")],
    )


def _sanction_text(sanction: Sanction, zone: str) -> str:
    return f"{sanction_text(sanction, zone)}. {how_long(sanction, zone, timezone.now())}".strip()


def _earlier_report(report: Report, zone: str) -> EarlierReport:
    name = str(report) if report.game is None else f"{report}, {report.game}"
    return EarlierReport(report.pk, name, moment(report.at, zone))


def _frozen(report: Report, zone: str) -> list[MessageLine]:
    """A private message and those around it, as they were when it was reported."""
    return [
        MessageLine(
            number=line["number"],
            name=line["name"],
            at=moment(datetime.fromisoformat(line["at"]), zone),
            text=_with_earlier(line["text"], line["earlier"]),
            reported=line["reported"],
        )
        for line in frozen_lines(report)
    ]


def _with_earlier(text: str, earlier: list[str]) -> str:
    """The text of a message, and below that its texts before it was edited."""
    versions = [_("Before it was edited: {text}").format(text=one) for one in reversed(earlier)]
    return "\n".join([text, *versions])


def _around(report: Report) -> list[Message]:
    """The messages around the message; for a person, the last ones before the report."""
    if report.game is None:
        return []
    messages = report.game.messages.select_related("author", "redaction")
    match about(report):
        case AboutMessage(message_id):
            before: QuerySet[Message] = messages.filter(pk__lt=message_id).order_by("-pk")
            after = messages.filter(pk__gte=message_id).order_by("pk")[: AROUND + 1]
            return [*reversed(before[:AROUND]), *after]
        case AboutPerson():
            before = messages.filter(at__lte=report.at).order_by("-pk")
            return list(reversed(before[: 2 * AROUND]))
        case AboutTable() | AboutPrivateMessage():
            return []
        case _ as unknown:
            assert_never(unknown)


def _message_line(message: Message, report: Report, zone: str) -> MessageLine:
    return MessageLine(
        number=message.pk,
        name=speaker(message),
        at=moment(message.at, zone),
        text=text_for_moderators(message),
        reported=message.pk == report.message_id,
    )


def text_for_moderators(message: Message) -> str:
    """The text of the message; below that the texts before it was edited or removed, if kept."""
    redaction = redaction_of(message)
    if redaction is None:
        return _with_earlier(shown_text(message), message.earlier)
    if not redaction.text:
        return shown_text(message)
    removed = _("The message: {text}").format(text=redaction.text)
    return f"{shown_text(message)}\n{_with_earlier(removed, message.earlier)}"
