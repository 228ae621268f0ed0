"""The forms by which moderators decide several reports at once."""

from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.base import ActionForm
from games.forms.moderation.report_actions import NOT_WRONG, WRONG
from games.models import Report
from games.services.chat.queries import redaction_of


class SeveralForm(ActionForm):
    """One reason for all reports, its `subject`; `sent` says that the form itself was sent."""

    not_passed: ClassVar[frozenset[str]] = ActionForm.not_passed | {"act", "sent"}

    act = forms.CharField(widget=forms.HiddenInput)
    reports = forms.CharField(widget=forms.HiddenInput)
    sent = forms.CharField(widget=forms.HiddenInput, initial="1")

    def clean_reports(self) -> list[int]:
        """The numbers of those that the moderator may handle."""
        return [report.pk for report in self.chosen]

    @property
    def chosen(self) -> list[Report]:
        reports: list[Report] = self.subject
        return reports


class TakeSeveralForm(SeveralForm):
    wants_reason = False


class UpholdSeveralForm(SeveralForm):
    templates = WRONG
    reason_help: ClassVar[Promise] = _(
        "Both sides see this, and so does everyone at the table if the message is removed. Don't "
        "say who reported it."
    )

    remove_message = forms.BooleanField(
        label=_("Remove the reported messages"), required=False,
        help_text=_(
            "Your reason is shown in place of each message, which can be restored after an appeal."
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        said: list[Any] = [report.said for report in self.chosen if report.said is not None]
        if all(redaction_of(message) is not None for message in said):
            del self.fields["remove_message"]


class RejectSeveralForm(SeveralForm):
    templates = NOT_WRONG
    reason_help: ClassVar[Promise] = _("Shown to the people who made the reports.")
