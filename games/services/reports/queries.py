"""What players read of reports: their own, and what was decided against them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, assert_never

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Report, Sanction, User
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of, shown_text
from games.services.people.display_names import reported_name
from games.services.people.queries.sanctions import how_long, sanction_text
from games.services.public_ids import public_id
from games.services.refused import Refused
from games.services.reports.about import (
    AboutMessage,
    AboutPerson,
    AboutPrivateMessage,
    AboutTable,
    about,
)

MOST: Final = 50
"""How many reports a page shows, the latest ones."""

APPEAL_WITHIN: Final = timedelta(days=30)

State = Report.State

_FROZEN: Final = frozenset({"number", "name", "at", "text", "earlier", "reported"})

STATES_FOR_REPORTER: Final[dict[str, Promise]] = {
    State.OPEN: gettext_lazy("Your report is waiting for a moderator."),
    State.TAKEN: gettext_lazy("A moderator is looking into your report."),
    State.REJECTED: gettext_lazy("The moderators didn't agree with you."),
    State.UPHELD: gettext_lazy("The moderators agree with you."),
    State.APPEALED: gettext_lazy(
        "The moderators agreed with you, but their decision has been appealed. The appeal is under "
        "review."
    ),
    State.CONFIRMED: gettext_lazy(
        "The moderators agreed with you, and the decision was confirmed on appeal."
    ),
    State.SHORTENED: gettext_lazy(
        "The moderators agreed with you. After an appeal the decision stands, but they have made "
        "its consequences milder."
    ),
    State.TAKEN_BACK: gettext_lazy(
        "The moderators first agreed with you, but later reversed the decision."
    ),
}
STATES_FOR_PERSON: Final[dict[str, Promise]] = {
    State.UPHELD: gettext_lazy("The moderators upheld the report."),
    State.APPEALED: gettext_lazy("Your appeal is waiting for another moderator."),
    State.CONFIRMED: gettext_lazy("Your appeal was reviewed, and the decision stands."),
    State.SHORTENED: gettext_lazy(
        "Your appeal was reviewed. The decision stands, but its consequences are milder."
    ),
    State.TAKEN_BACK: gettext_lazy("The decision was reversed."),
}


class ReportLine(NamedTuple):
    """A report as one side reads it: what it is about, its state, and the words to that side.

    `text` is the reader's own: why they reported, or their appeal. `appeal` is the number of the
    report that they may appeal against until `appeal_until`; None where they may not. `own_words`
    are the reader's that were reported, as long as they are kept; `removed` is the message.
    `names` are those in `what`; `consequences` what the decision brought the reader, in sentences.
    """

    what: str
    at: str
    text: str
    state: str
    outcome: str
    last_word: str
    removed: bool
    own_words: str = ""
    appeal: str = ""
    appeal_until: str = ""
    names: Sequence[str] = ()
    consequences: Sequence[str] = ()


REDACTIONS: Final = ("message__redaction", "private_message__redaction")
"""For `select_related`: the reported message, and whether it was removed."""


def reports_of(user: User, now: datetime) -> tuple[list[ReportLine], list[ReportLine]]:
    """What the person reported, and what was decided against them; each the latest first."""
    made = Report.objects.filter(reporter=user).select_related("person", "game", *REDACTIONS)
    against = Report.objects.filter(person=user, state__in=STATES_FOR_PERSON)
    against = against.select_related("game", *REDACTIONS).prefetch_related("sanctions")
    zone = user.time_zone
    return (
        [_made(report, zone) for report in made.order_by("-pk")[:MOST]],
        [decision_against(report, zone, now) for report in against.order_by("-pk")[:MOST]],
    )


def _made(report: Report, zone: str) -> ReportLine:
    return ReportLine(
        what=about_text(report),
        at=moment(report.at, zone),
        text=report.text,
        state=str(STATES_FOR_REPORTER[report.state]),
        outcome=words_to_reporter(report),
        last_word=report.last_word,
        removed=was_removed(report),
        names=[reported_name(report), *_table_names(report)],
    )


def decision_against(report: Report, zone: str, now: datetime) -> ReportLine:
    """What was decided about a report, as the person reads it against whom it was."""
    decided_at = report.decided_at or now
    open_for_appeal = may_appeal(report, now)
    return ReportLine(
        what=about_you_text(report),
        at=moment(decided_at, zone),
        text=report.appeal,
        state=state_for_person(report),
        outcome=report.outcome,
        last_word=report.last_word,
        removed=was_removed(report),
        own_words=own_words(report),
        appeal=public_id("report", report.pk) if open_for_appeal else "",
        appeal_until=moment(decided_at + APPEAL_WITHIN, zone) if open_for_appeal else "",
        names=_table_names(report),
        consequences=[_sanction_line(one, zone, now) for one in report.sanctions.all()],
    )


def state_for_person(report: Report) -> str:
    """How a decision against somebody stands, for them."""
    if report.is_without_report and report.state == State.UPHELD:
        return _("A moderator decided this.")
    return str(STATES_FOR_PERSON[report.state])


def _sanction_line(sanction: Sanction, zone: str, now: datetime) -> str:
    return f"{sanction_text(sanction, zone)}. {how_long(sanction, zone, now)}".strip()


def words_to_reporter(report: Report) -> str:
    """What the moderators wrote to the reporter."""
    return report.to_reporter or report.outcome


def refuse_unless_may_appeal(report: Report, now: datetime) -> None:
    if report.appealed_at is not None:
        raise Refused(_("You've already appealed. You can appeal only once."))
    if report.state != Report.State.UPHELD or report.decided_at is None:
        raise Refused(_("There's nothing to appeal."))
    if now > report.decided_at + APPEAL_WITHIN and not _bans(report):
        text = _("The {days}-day period for appeals has passed.")
        raise Refused(text.format(days=APPEAL_WITHIN.days))


def _bans(report: Report) -> bool:
    """Whether somebody is banned for it still: against that they may appeal at any time."""
    return any(one.kind == Sanction.Kind.BAN and not one.ended_at for one in report.sanctions.all())


def may_appeal(report: Report, now: datetime) -> bool:
    """Whether the person may ask for another look now."""
    try:
        refuse_unless_may_appeal(report, now)
    except Refused:
        return False
    return True


def about_text(report: Report) -> str:
    """What a report is about, in words."""
    if report.is_about_all_messages:
        text = _("The removal of all public messages from {name}")
        return text.format(name=reported_name(report))
    table = report.game.name if report.game is not None else ""
    match about(report):
        case AboutTable():
            name_then = report.table_words.partition("\n")[0]
            return _("The name and description of “{table}”").format(table=name_then)
        case AboutPrivateMessage():
            text = _("A private message from {name} at “{table}”")
        case AboutMessage():
            text = _("A message from {name} at “{table}”")
        case AboutPerson():
            text = _("{name}, at “{table}”") if table else "{name}"
        case _ as unknown:
            assert_never(unknown)
    return text.format(name=reported_name(report), table=table)


def _table_names(report: Report) -> list[str]:
    """What the table of a report is called, now and when it was reported, if there is one."""
    if report.game is None:
        return []
    return [report.game.name, report.table_words.partition("\n")[0]]


def about_you_text(report: Report) -> str:
    """The same for the person whom it is about."""
    if report.is_about_all_messages:
        return _("The removal of all your public messages")
    table = report.game.name if report.game is not None else ""
    match about(report):
        case AboutTable():
            text = _("The name and description of your table “{table}”")
        case AboutMessage() | AboutPrivateMessage():
            text = _("Your message at “{table}”")
        case AboutPerson():
            text = _("About you, at “{table}”") if table else _("About you")
        case _ as unknown:
            assert_never(unknown)
    return text.format(table=table)


def was_removed(report: Report) -> bool:
    """Whether the reported message is removed now."""
    return report.said is not None and redaction_of(report.said) is not None


def own_words(report: Report) -> str:
    """The person's own words, also where they are removed: for themselves only. "" if not kept."""
    if report.said is None:
        return report.table_words
    removed = redaction_of(report.said)
    return report.said.text if removed is None else removed.text


def frozen_lines(report: Report) -> list[dict[str, Any]]:
    """A private message and those around it, as it was reported; whole lines only."""
    return [line for line in report.frozen if line.keys() >= _FROZEN]


def message_text(report: Report) -> str:
    """The reported message as it is now, or the table's words then; "" where it is about a person.

    A private message is shown as it was when it was reported.
    """
    match about(report):
        case AboutPrivateMessage():
            lines = frozen_lines(report)
            return next((str(line["text"]) for line in lines if line["reported"]), "")
        case AboutMessage():
            return shown_text(report.message) if report.message is not None else ""
        case AboutTable() | AboutPerson():
            return report.table_words
        case _ as unknown:
            assert_never(unknown)
