"""The form with which an administrator takes a case along."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.instants import DayField
from games.forms.moderation.base import PreviewedForm
from games.forms.moderation.report_actions import ReportActionForm


class ExportCaseForm(PreviewedForm, ReportActionForm):
    """Why, and of which days the sign-ins are in it: none unless both days are given."""

    templates = (
        gettext_lazy("A court or the police have asked for it."),
        gettext_lazy("The site's lawyer has asked for it."),
        gettext_lazy("Somebody involved has asked for it through a lawyer."),
    )

    since = DayField(
        label=gettext_lazy("Sign-ins from"),
        required=False,
        help_text=gettext_lazy("Leave both dates blank to exclude sign-ins."),
    )
    until = DayField(label=gettext_lazy("Sign-ins until"), required=False)

    def clean(self) -> dict[str, object]:
        """Refuse half a period, and one that ends before it begins."""
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        if bool(since) != bool(until):
            raise ValidationError(_("Please enter both dates, or neither."))
        if since and until and until < since:
            raise ValidationError(_("The first day must not be after the last."))
        return cleaned

    def consequences(self) -> list[str]:
        days = self.cleaned_data["since"], self.cleaned_data["until"]
        sign_ins = _("Sign-ins aren't included.")
        if all(days):
            sign_ins = _(
                "It includes the browsers and IP addresses of the reported person from {first} "
                "to {last}, as far as they are still stored."
            ).format(first=days[0], last=days[1])
        return [
            _(
                "You'll download one file: the report, the reported messages and those around "
                "them, and the person's email address, sanctions and audit log entries."
            ),
            sign_ins,
            _("The reporter's identity is in a separate file, so that you can leave it out."),
            _("The audit log will say that you downloaded the file. Nobody gets an email."),
        ]
