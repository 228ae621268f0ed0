"""Reports and messages as moderators see them."""

from typing import assert_never

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.admin.game_pages import refuse_own_table
from games.admin.subjects import Subject
from games.models import Message, Report, User
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of
from games.services.moderation.queries.reports import read_case, text_for_moderators
from games.services.people.display_names import name_since, speaker
from games.services.reports.about import (
    AboutMessage,
    AboutPerson,
    AboutPrivateMessage,
    AboutTable,
    about,
)
from games.services.reports.queries import about_text, message_text
from games.services.reports.rights import reports_for

State = Report.State


def report_subject(moderator: User, report_id: int) -> Subject:
    """The report with its message; not there for whom it concerns."""
    rows = reports_for(moderator).select_related(
        "message__redaction", "private_message__redaction", "person", "reporter", "game", "owner"
    )
    report = get_object_or_404(rows, pk=report_id)
    facts = report_facts(report)
    facts += _message_facts(report)
    facts += _case_facts(report, moderator)
    if report.person is not None:
        page = reverse("admin:games_user_change", args=[report.person.pk])
        facts.append(format_html('{}: <a href="{}">{}</a>', _("Person"), page, report.person.name))
    return Subject(
        row=report,
        state=report,
        name=report_name(report),
        link=reverse("admin:games_report_change", args=[report.pk]),
        list_name=_("Reports"),
        list_link=reverse("admin:games_report_changelist"),
        facts=facts,
    )


def _message_facts(report: Report) -> list[str]:
    """The reported message as moderators read it, if it is about one."""
    match about(report):
        case AboutMessage():
            if report.message is None:
                return []
            text = text_for_moderators(report.message)
            if redaction_of(report.message) is not None:
                return [text]
        case AboutPrivateMessage():
            text = message_text(report)
        case AboutTable() | AboutPerson():
            return []
        case _ as unknown:
            assert_never(unknown)
    return [_("The message: {text}").format(text=text)]


def _case_facts(report: Report, moderator: User) -> list[str]:
    """What was said around it, and what else was reported about the person."""
    case, facts = read_case(report, moderator), []
    if case.messages:
        said = [f"{line.name}, {line.at}: {line.text}" for line in case.messages]
        facts.append("\n".join([f"{_('Chat messages for context')}:", *said]))
    if case.earlier:
        others = [f"{one.name}, {one.at}" for one in case.earlier]
        facts.append("\n".join([f"{_('Other reports about the same person')}:", *others]))
    return facts


def report_name(report: Report) -> str:
    """What a report is called on its pages."""
    return _("Report {number}").format(number=report.pk)


def report_facts(report: Report) -> list[str]:
    """How a report stands: about whom, who has it, why it is reported, and what came of it."""
    facts = [about_text(report), f"{capfirst(report.get_state_display())}."]
    if report.state == State.TAKEN and report.owner is not None:
        facts[1] = _("{name} is handling this report.").format(name=report.owner.name)
    if name := name_since(report):
        facts.append(_("This person is now called {name}.").format(name=name))
    if report.is_without_report:
        facts.append(_("Nobody reported this: a moderator acted on their own initiative."))
    reporter = report.reporter.name if report.reporter is not None else ""
    said = (
        (_("Table name and description: {text}"), report.table_words),
        (_("Reported by {text}."), reporter),
        (_("Reason for the report: {text}"), report.text),
        (_("Decision: {text}"), report.outcome),
        (_("To the reporter: {text}"), report.to_reporter),
        (_("Appeal: {text}"), report.appeal),
    )
    return [*facts, *(label.format(text=text) for label, text in said if text)]


def message_subject(moderator: User, message_id: int) -> Subject:
    """The message, with who wrote it where and when; not at a table of one's own."""
    rows = Message.objects.select_related("game", "author", "redaction")
    message = get_object_or_404(rows, pk=message_id)
    refuse_own_table(moderator, message.game)
    written = _("{name} at “{table}”, {moment}").format(
        name=speaker(message),
        table=message.game.name,
        moment=moment(message.at, moderator.time_zone),
    )
    return Subject(
        row=message,
        state=message,
        name=_("Message {number}").format(number=message.pk),
        link=reverse("admin:games_message_change", args=[message.pk]),
        list_name=_("Messages"),
        list_link=reverse("admin:games_message_changelist"),
        facts=[written, text_for_moderators(message)],
    )
