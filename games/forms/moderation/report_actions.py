"""The forms of a moderator's acts on reports, and on messages."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.reasons import ReasonForm
from games.models import Report
from games.services.chat.queries import redaction_of

WRONG: Final[tuple[Promise, ...]] = (
    _("Insults and threats have no place here."),
    _("Advertising has no place here."),
    _("Other people's private information has no place here."),
    _("Pressure from outside the game has no place here."),
    _("Each person may use only one account."),
)
NOT_WRONG: Final[tuple[Promise, ...]] = (
    _("This is part of the game, in which players may threaten, promise and deceive."),
    _("We could not find what was reported."),
    _("It wasn't kind, but it breaks no rule."),
)
AFTER_AN_APPEAL: Final[tuple[Promise, ...]] = (
    _("We looked at it again and came to the same conclusion."),
    _("We looked at it again, and the decision was wrong."),
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
        "Both sides see this, and so does the table if the message is removed. Don't say who "
        "reported it."
    )

    remove_message = forms.BooleanField(
        label=_("Remove the message"), required=False,
        help_text=_("Your reason is shown in its place. The message can be shown again after an "
                "appeal."),
    )  # fmt: skip

    def prepare(self) -> None:
        message = self.report.message
        if message is None or redaction_of(message) is not None:
            del self.fields["remove_message"]

    def arguments(self) -> dict[str, Any]:
        return {"remove_message": self.cleaned_data.get("remove_message", False)}


class RejectForm(ReportActForm):
    templates = NOT_WRONG
    reads: ClassVar[Promise] = _("Shown to the person who reported it.")


class LastWordForm(ReportActForm):
    templates = AFTER_AN_APPEAL
    reads: ClassVar[Promise] = _("Both sides see this. Don't say who reported it.")


class RemoveForm(ReasonForm):
    templates = WRONG
    reads: ClassVar[Promise] = _("Shown to the table in place of the message.")


class ShowAgainForm(ReasonForm):
    pass
