"""What the decision on a report brought the person, in words for that person."""

from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import AuditLine, Report, Sanction
from games.presentation.text.sanctions import decided
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of
from games.services.people.queries.sanctions import IMPOSED_BY

RENAMING: Final = ("person.rename", "game.rename", "game.remove-note")


THE_REPORTED_ONE: Final = 0


class Consequence(NamedTuple):
    """One thing that was done: the key of its action, its end, a new name, how many messages.

    `messages` is `THE_REPORTED_ONE` where only that was removed; `everywhere` says that they
    were at other tables too.
    """

    action: str
    until: datetime | None = None
    called: str = ""
    messages: int = 0
    everywhere: bool = False


def in_words(one: Consequence, zone: str, *, can_sign_in: bool = True) -> str:
    """What it means for the person, its end on the clock of `zone`."""
    until = moment(one.until, zone) if one.until is not None else ""
    match one.action:
        case "game.rename":
            return _("The table is now called “{name}”.").format(name=one.called)
        case "game.remove-note":
            return _("The description of the table was removed.")
        case "message.remove" if one.messages == THE_REPORTED_ONE:
            return _("The message was removed.")
        case "message.remove" if one.everywhere:
            text = ngettext(
                "{count} of your messages was removed.",
                "{count} of your messages were removed.",
                one.messages,
            )
            return text.format(count=one.messages)
        case "message.remove":
            text = ngettext(
                "{count} of your messages at this table was removed.",
                "{count} of your messages at this table were removed.",
                one.messages,
            )
            return text.format(count=one.messages)
        case _:
            return decided(one.action, until, one.called, can_sign_in=can_sign_in)


def of_report(report: Report) -> list[Consequence]:
    """What was done with the decision on a report, read from the database."""
    return [
        *(of_sanction(one) for one in report.sanctions.order_by("pk")),
        *(_of_line(line) for line in lines_of_report(report)),
        *removed(report),
    ]


def of_sanction(sanction: Sanction) -> Consequence:
    """A sanction among what was done."""
    return Consequence(IMPOSED_BY[Sanction.Kind(sanction.kind)], sanction.until)


def _of_line(line: AuditLine) -> Consequence:
    return Consequence(line.action, called=line.after.get("name", ""))


def removed(report: Report) -> list[Consequence]:
    """That the message was removed, or how many messages were."""
    count = report.redactions.count()
    if report.said is not None and redaction_of(report.said) is not None and count <= 1:
        return [Consequence("message.remove", messages=THE_REPORTED_ONE)]
    elsewhere = report.redactions.exclude(message=None).exclude(message__game=report.game_id)
    everywhere = elsewhere.exists()
    return [Consequence("message.remove", messages=count, everywhere=everywhere)] if count else []


def lines_of_report(report: Report) -> list[AuditLine]:
    """The lines of the audit log about names and words that were taken away on a report."""
    lines = AuditLine.objects.filter(action__in=RENAMING, after__report=report.pk)
    if report.table_words:
        return list(lines.filter(game=report.game_id).order_by("pk"))
    return list(lines.filter(person=report.person_id).order_by("pk")) if report.person_id else []
