"""The forms of a moderator's actions on reports and on messages."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.base import ActionForm, Letter
from games.forms.moderation.coming_back import what_is_left
from games.forms.moderation.emailing import EmailingForm, emailed_text
from games.forms.moderation.lengths import ShorterForm
from games.models import Message, Report, User
from games.services.moderation.actions.consequences import NONE, Consequences, Removal
from games.services.moderation.actions.requests import ActionRequest, Results
from games.services.moderation.queries.letters import (
    NOT_YET,
    preview_of_decision,
    preview_of_last_word,
    preview_of_reopening,
)
from games.services.people.display_names import speaker
from games.services.reports.queries import about_text

WRONG: Final[tuple[Promise, ...]] = (
    _("Insults and personal threats have no place here."),
    _("Advertising has no place here."),
    _("Other people's private information has no place here."),
    _("Pressuring other players by means outside the game has no place here."),
    _("Each person may use only one account."),
    _("Offensive names have no place here."),
)
WRONG_BY_KIND: Final[Mapping[str, Promise]] = {
    Report.Kind.THREAT: WRONG[0],
    Report.Kind.INSULT: WRONG[0],
    Report.Kind.ADVERTISING: WRONG[1],
    Report.Kind.ACCOUNTS: WRONG[4],
    Report.Kind.NAME: WRONG[5],
}
"""The reason that fits what the reporter chose."""

NOT_WRONG: Final[tuple[Promise, ...]] = (
    _("This is part of the game, in which players may threaten, promise and deceive."),
    _("We found nothing to support this report."),
    _("It wasn't kind, but it didn't break any rules."),
)
SAME_AGAIN: Final[tuple[Promise, ...]] = (
    _("We took another look and came to the same conclusion."),
)
OUR_MISTAKE: Final[tuple[Promise, ...]] = (
    _("It was our mistake."),
    _("We took another look and found that the decision was wrong."),
)


class ReportActionForm(ActionForm):
    @property
    def report(self) -> Report:
        report: Report = self.subject
        return report

    def whom(self) -> str:
        return about_text(self.report)

    def notified(self) -> list[User | None]:
        return [self.report.person, self.report.reporter]

    def values(self) -> dict[str, Any]:
        """Also who gets an email."""
        return super().values() | {"told": emailed_text(self.notified())}

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, report_id=self.report.pk, **self.arguments())


class TakeForm(ReportActionForm):
    wants_reason = False

    def notified(self) -> list[User | None]:
        return []


class TakeOverForm(ReportActionForm):
    """It names who had the report when the page was opened."""

    owner = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def notified(self) -> list[User | None]:
        return []

    def prepare(self) -> None:
        self.initial["owner"] = self.report.owner_id

    def arguments(self) -> dict[str, Any]:
        return {"owner_id": self.cleaned_data["owner"]}


class ReportEmailingForm(EmailingForm, ReportActionForm):
    """An action on a report that emails one side, or both."""

    def as_decided(self, state: Report.State) -> Report:
        """The report as it will be, in memory."""
        report, now = copy(self.report), timezone.now()
        if report.state in Report.WITHOUT_DECISION:
            report.state, report.outcome, report.decided_at = state, self.full_reason, now
        else:
            report.state, report.last_word, report.closed_at = state, self.full_reason, now
        return report


class RejectForm(ReportEmailingForm):
    templates = NOT_WRONG
    reason_help: ClassVar[Promise] = _("Shown to the person who made the report.")

    def notified(self) -> list[User | None]:
        return [self.report.reporter]

    def what_happens(self) -> list[str]:
        return [gettext("No action is taken.")]

    def letters(self) -> list[Letter]:
        report = self.as_decided(Report.State.REJECTED)
        return [
            Letter(person.name, *preview_of_decision(report, person, NONE))
            for person in self.readers()
        ]


class ReopenForm(RejectForm):
    """The reporter hears that it was decided too soon, in words that are always the same."""

    templates = (_("Decided by mistake."),)
    reason_help = ActionForm.reason_help

    def what_happens(self) -> list[str]:
        return [gettext("The report becomes yours and is undecided again.")]

    def letters(self) -> list[Letter]:
        return [
            Letter(person.name, *preview_of_reopening(self.report, person))
            for person in self.readers()
        ]


class LastWordForm(ReportEmailingForm):
    """What both sides read once a decision stands for good, or is reversed."""

    state: ClassVar[Report.State] = Report.State.TAKEN_BACK
    templates = OUR_MISTAKE
    reason_help: ClassVar[Promise] = _("Both sides see this. Don't say who made the report.")

    def what_happens(self) -> list[str]:
        person = self.report.person
        if person is None or self.state != Report.State.TAKEN_BACK:
            return []
        return what_is_left(person, self.report.sanctions.in_force(timezone.now()), self.reader)

    def letters(self) -> list[Letter]:
        report, days = self.as_decided(self.state), self.cleaned_data.get("ends_in", 0)
        return [
            Letter(person.name, *preview_of_last_word(report, person, days))
            for person in self.readers()
        ]

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        left = self.what_happens()
        super().run(do, request)
        return Results(left, [])


class DenyForm(LastWordForm):
    state = Report.State.CONFIRMED
    templates = SAME_AGAIN


class ShortenForm(ShorterForm, LastWordForm):
    """A shorter sanction; the reason answers the appeal."""

    state = Report.State.SHORTENED
    templates = ShorterForm.templates


class MessageActionForm(ActionForm):
    def whom(self) -> str:
        return speaker(self.subject)

    def notified(self) -> list[User | None]:
        message: Message = self.subject
        return [None if message.by_referee else message.author]

    def values(self) -> dict[str, Any]:
        return super().values() | {"told": emailed_text(self.notified())}

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, message_id=self.subject.pk, **self.arguments())


class RemoveForm(EmailingForm, MessageActionForm):
    templates = WRONG
    reason_help: ClassVar[Promise] = _("Shown in place of the message.")

    def what_happens(self) -> list[str]:
        return [gettext("The message is removed.")]

    def letters(self) -> list[Letter]:
        message, now = self.subject, timezone.now()
        report = Report(
            pk=NOT_YET,
            message=message,
            game=message.game,
            person=message.author,
            state=Report.State.UPHELD,
            outcome=self.full_reason,
            decided_at=now,
        )
        wanted = Consequences(removal=Removal.THIS)
        return [
            Letter(person.name, *preview_of_decision(report, person, wanted))
            for person in self.readers()
        ]
