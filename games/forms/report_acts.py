"""The forms of a moderator's acts on reports, and on messages."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.reasons import ReasonForm
from games.models import Report
from games.services.talk_reading import redaction_of

WRONG: Final[tuple[Promise, ...]] = (
    _("Insults and threats have no place here."),
    _("Advertising has no place here."),
    _("What is private about others is not told here."),
    _("Pressure from outside the game has no place here."),
    _("One person plays with one account only."),
)
NOT_WRONG: Final[tuple[Promise, ...]] = (
    _("This belongs to the game: one may threaten, promise and deceive in it."),
    _("We could not find what was reported."),
    _("It was not kind, but it breaks no rule."),
)
AFTER_AN_APPEAL: Final[tuple[Promise, ...]] = (
    _("We have looked at it again and see it in the same way."),
    _("We have looked at it again, and it was wrong to decide so."),
)


class ReportActForm(ReasonForm):
    """An act on a report."""

    def __init__(
        self, data: Any = None, *, report: Report, given: Mapping[str, str] | None = None
    ) -> None:
        self.report = report
        super().__init__(data, given=given)


class TakeForm(ReportActForm):
    wants_reason = False


class TakeOverForm(ReportActForm):
    """It names who had the report when the page was opened."""

    owner = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self.initial["owner"] = self.report.owner_id

    def arguments(self) -> dict[str, Any]:
        return {"owner_id": self.cleaned_data["owner"]}


class UpholdForm(ReportActForm):
    templates = WRONG
    reads: ClassVar[Promise] = _(
        "Both sides read it, and where the message is removed the table too. Do not say who "
        "reported."
    )

    remove_message = forms.BooleanField(
        label=_("Remove the message"), required=False,
        help_text=_("Its place stays, with your reason. After an appeal it can be shown again."),
    )  # fmt: skip

    def prepare(self) -> None:
        message = self.report.message
        if message is None or redaction_of(message) is not None:
            del self.fields["remove_message"]

    def arguments(self) -> dict[str, Any]:
        return {"remove_message": self.cleaned_data.get("remove_message", False)}


class RejectForm(ReportActForm):
    templates = NOT_WRONG
    reads: ClassVar[Promise] = _("Who reported reads it.")


class LastWordForm(ReportActForm):
    templates = AFTER_AN_APPEAL
    reads: ClassVar[Promise] = _("Both sides read it. Do not say who reported.")


class RemoveForm(ReasonForm):
    templates = WRONG
    reads: ClassVar[Promise] = _("The table reads it in place of the message.")


class ShowAgainForm(ReasonForm):
    pass
