"""The forms of a moderator's actions on reports and on messages."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.base import ActionForm
from games.models import Report
from games.services.chat.queries import redaction_of
from games.services.moderation.actions.requests import ActionRequest
from games.services.people.display_names import speaker
from games.services.reports.queries import about_text

WRONG: Final[tuple[Promise, ...]] = (
    _("Insults and personal threats have no place here."),
    _("Advertising has no place here."),
    _("Other people's private information has no place here."),
    _("Pressuring other players by means outside the game has no place here."),
    _("Each person may use only one account."),
)
NOT_WRONG: Final[tuple[Promise, ...]] = (
    _("This is part of the game, in which players may threaten, promise and deceive."),
    _("We couldn't find what was reported."),
    _("It wasn't kind, but it didn't break any rules."),
)
AFTER_AN_APPEAL: Final[tuple[Promise, ...]] = (
    _("We took another look and came to the same conclusion."),
    _("We took another look and found that the decision was wrong."),
)


class ReportActionForm(ActionForm):
    @property
    def report(self) -> Report:
        report: Report = self.subject
        return report

    def whom(self) -> str:
        return about_text(self.report)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, report_id=self.report.pk, **self.arguments())


class TakeForm(ReportActionForm):
    wants_reason = False


class TakeOverForm(ReportActionForm):
    """It names who had the report when the page was opened."""

    owner = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self.initial["owner"] = self.report.owner_id

    def arguments(self) -> dict[str, Any]:
        return {"owner_id": self.cleaned_data["owner"]}


class UpholdForm(ReportActionForm):
    templates = WRONG
    reason_help: ClassVar[Promise] = _(
        "Both sides see this, and so does everyone at the table if the message is removed. Don't "
        "say who reported it."
    )

    remove_message = forms.BooleanField(
        label=_("Remove the message"), required=False,
        help_text=_(
            "Your reason is shown in place of the message, which can be restored after an appeal."
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        message = self.report.said
        if message is None or redaction_of(message) is not None:
            del self.fields["remove_message"]


class RejectForm(ReportActionForm):
    templates = NOT_WRONG
    reason_help: ClassVar[Promise] = _("Shown to the person who made the report.")


class LastWordForm(ReportActionForm):
    templates = AFTER_AN_APPEAL
    reason_help: ClassVar[Promise] = _("Both sides see this. Don't say who made the report.")


class MessageActionForm(ActionForm):
    def whom(self) -> str:
        return speaker(self.subject)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, message_id=self.subject.pk, **self.arguments())


class RemoveForm(MessageActionForm):
    templates = WRONG
    reason_help: ClassVar[Promise] = _("Shown to the table in place of the message.")
