"""The forms of a moderator's actions on reports and on messages."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.base import ActionForm
from games.forms.moderation.lengths import ShorterForm
from games.models import Message, Report, User
from games.presentation.text.words import listed
from games.services.moderation.actions.requests import ActionRequest
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
AFTER_AN_APPEAL: Final[tuple[Promise, ...]] = (
    _("We took another look and came to the same conclusion."),
    _("We took another look and found that the decision was wrong."),
)


def emailed_text(people: Iterable[User | None]) -> str:
    """Which of these people get an email, in a sentence."""
    names = [person.name for person in people if person is not None]
    if not names:
        return gettext("Nobody is emailed.")
    text = ngettext("{names} gets an email.", "{names} get an email.", len(names))
    return text.format(names=listed(names))


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


class RejectForm(ReportActionForm):
    templates = NOT_WRONG
    reason_help: ClassVar[Promise] = _("Shown to the person who made the report.")

    def notified(self) -> list[User | None]:
        return [self.report.reporter]


class ShortenForm(ShorterForm, ReportActionForm):
    """A shorter sanction; the reason answers the appeal."""

    reason_help: ClassVar[Promise] = _("Both sides see this. Don't say who made the report.")


class LastWordForm(ReportActionForm):
    templates = AFTER_AN_APPEAL
    reason_help: ClassVar[Promise] = _("Both sides see this. Don't say who made the report.")


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


class RemoveForm(MessageActionForm):
    templates = WRONG
    reason_help: ClassVar[Promise] = _("Shown in place of the message.")
