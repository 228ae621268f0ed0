"""What moderators read of reports: those that wait, and one with all that belongs to it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from games.models import Message, Report, User
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of, shown_text
from games.services.people.display_names import speaker
from games.services.reports.queries import about_text, frozen_lines
from games.services.reports.rights import reports_for

AROUND: Final = 5
"""How many messages before and after the reported one are shown."""

LONGEST_ON_DASHBOARD: Final = 120
"""How many characters of a report or an appeal are shown on the dashboard."""

MOST_EARLIER: Final = 20
"""How many other reports about the same person are shown, the latest ones."""


class MessageLine(NamedTuple):
    """A message as moderators read it; `reported` is the one that the report is about."""

    number: int
    name: str
    at: str
    text: str
    reported: bool


class ReportPage(NamedTuple):
    """What belongs to a report: the messages around it, and other reports about the person."""

    messages: list[MessageLine]
    earlier: list[Report]


def read_case(report: Report, moderator: User) -> ReportPage:
    """What a moderator should know before they decide."""
    earlier = Report.objects.none()
    if report.person_id is not None:
        others = reports_for(moderator).filter(person=report.person_id).exclude(pk=report.pk)
        earlier = others.select_related("game", "person", "message").order_by("-pk")
    zone = moderator.time_zone
    return ReportPage(
        _frozen(report, zone)
        or [_message_line(message, report, zone) for message in _around(report)],
        list(earlier[:MOST_EARLIER]),
    )


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
    if report.game is None or report.table_words or report.private_message_id is not None:
        return []
    messages = report.game.messages.select_related("author", "redaction")
    if report.message_id is None:
        before: QuerySet[Message] = messages.filter(at__lte=report.at).order_by("-pk")
        return list(reversed(before[: 2 * AROUND]))
    before = messages.filter(pk__lt=report.message_id).order_by("-pk")[:AROUND]
    after = messages.filter(pk__gte=report.message_id).order_by("pk")[: AROUND + 1]
    return [*reversed(before), *after]


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


class WaitingReport(NamedTuple):
    """A report on the dashboard: in words, and the slug of the next action; "" for none.

    The next step of somebody else's report is theirs.
    """

    number: int
    text: str
    next_step: str


def waiting_reports(moderator: User, most: int) -> Iterator[WaitingReport]:
    """The reports that wait, at most so many: not taken, appealed, then taken; oldest first."""
    order = Case(
        When(state=Report.State.OPEN, then=Value(0)),
        When(state=Report.State.APPEALED, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    waiting = reports_for(moderator).filter(state__in=Report.WAITING)
    rows = waiting.select_related("person", "game", "owner", "message")
    for report in rows.order_by(order, "at", "pk")[:most]:
        yield WaitingReport(
            report.pk, _waits_text(report, moderator), _next_step(report, moderator)
        )


def _waits_text(report: Report, moderator: User) -> str:
    about, since = about_text(report), moment(report.at, moderator.time_zone)
    if report.state == Report.State.APPEALED:
        text = _("{about}: the decision is being appealed. “{text}”")
        return text.format(about=about, text=_short(report.appeal))
    if report.owner is not None:
        text = _("{about}: reported on {moment}, taken by {name}.")
        return text.format(about=about, moment=since, name=report.owner.name)
    text = _("{about}: reported on {moment}. “{text}”")
    return text.format(about=about, moment=since, text=_short(report.text))


def _short(text: str) -> str:
    return Truncator(text).chars(LONGEST_ON_DASHBOARD)


def _next_step(report: Report, moderator: User) -> str:
    if report.state == Report.State.APPEALED:
        return "" if report.owner == moderator else "grant-appeal"
    if report.owner is None:
        return "take"
    return "uphold" if report.owner == moderator else ""
