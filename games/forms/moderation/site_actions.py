"""The forms of an administrator's actions on the whole site."""

from datetime import timedelta
from typing import Any, ClassVar, Final
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.instants import InstantField
from games.forms.moderation.base import ActionForm, PreviewedForm
from games.forms.moderation.lengths import (
    NO_NUMBER,
    OR_AN_INSTANT,
    OR_NO_END,
    LastingForm,
    ready_lengths,
)
from games.presentation.text.tables import counted
from games.services.moderation.actions.site import LONGEST_NOTICE, MOST_DOWNTIME, MOST_HOURS
from games.services.moderation.queries import site

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("The site is being updated."),
    gettext_lazy("The site was unavailable for a while."),
    gettext_lazy("Our mistake: the site didn't work as it should."),
    gettext_lazy("The server is being moved."),
    gettext_lazy("Happy holidays! Take your time."),
)
ALL_TABLES: Final = gettext_lazy(
    "Shown exactly as written in the game log of every table affected."
)
EVERYBODY: Final = gettext_lazy("Shown to everyone exactly as written.")
OWN_ZONE: Final = gettext_lazy("In your time zone.")


class SiteActionForm(ActionForm):
    """An action on the site; by itself one that ends something, where only moderators read why."""

    templates = TEMPLATES


class HoursForm(PreviewedForm, SiteActionForm):
    reason_help = ALL_TABLES
    hours = forms.IntegerField(
        label=gettext_lazy("Extra hours"), min_value=1, max_value=MOST_HOURS, initial=24
    )
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def consequences(self) -> list[str]:
        return site.consequences_of_hours(self.cleaned_data["hours"])

    def values(self) -> dict[str, Any]:
        return super().values() | {"time": counted(self.cleaned_data["hours"], "hour")}


class DowntimeForm(PreviewedForm, SiteActionForm):
    reason_help = ALL_TABLES
    since = InstantField(label=gettext_lazy("From"), help_text=OWN_ZONE)
    until = InstantField(label=gettext_lazy("Until"), help_text=OWN_ZONE)
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean(self) -> dict[str, Any]:
        """Refuse an impossible period before its consequences are shown."""
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and not timedelta() < until - since <= MOST_DOWNTIME:
            sentence = _(
                "The end must be after the start, and the period can last at most {days} days."
            )
            raise ValidationError(sentence.format(days=MOST_DOWNTIME.days))
        return cleaned

    def consequences(self) -> list[str]:
        return site.consequences_of_downtime(self.cleaned_data["since"], self.cleaned_data["until"])


class StopForm(LastingForm, SiteActionForm):
    """What is stopped, perhaps until an instant; everybody whom it concerns reads why."""

    reason_help = EVERYBODY
    needs_end = False
    until = InstantField(label=gettext_lazy("Until"), required=False, help_text=OR_NO_END)


class RemoveAccountsForm(PreviewedForm, SiteActionForm):
    """The accounts of a time, by the end of their addresses; the preview names the latest."""

    not_passed = SiteActionForm.not_passed | {"lately", "as_of"}
    templates = (gettext_lazy("Spam accounts."),)
    lately = forms.TypedChoiceField(
        label=gettext_lazy("Signed up within the last"), required=False, coerce=int,
        empty_value=None, widget=forms.RadioSelect,
    )  # fmt: skip
    as_of = InstantField(widget=forms.HiddenInput, initial=timezone.now)
    since = InstantField(
        label=gettext_lazy("Signed up from"), required=False, help_text=OR_AN_INSTANT
    )
    until = InstantField(label=gettext_lazy("Until"), required=False, help_text=OR_AN_INSTANT)
    ending = forms.CharField(
        label=gettext_lazy("Address ends with"), required=False, max_length=100,
        help_text=gettext_lazy("For example @example.org. Leave blank for any address."),
    )  # fmt: skip

    def prepare(self) -> None:
        self._fields["lately"].choices = [*ready_lengths(), ("", NO_NUMBER)]

    def clean(self) -> dict[str, Any]:
        """Take the period from the number of days before the page was opened, or as it is given."""
        cleaned = super().clean()
        lately, now = cleaned.get("lately"), cleaned.get("as_of")
        since, until = cleaned.get("since"), cleaned.get("until")
        if lately and (since or until):
            raise ValidationError(_("Please choose either a number of days or a date."))
        if lately and now:
            cleaned["since"], cleaned["until"] = now - timedelta(days=lately), now
        elif not self.errors and not (since and until):
            raise ValidationError(_("Please choose a number of days, or a start and an end."))
        elif since and until and since >= until:
            raise ValidationError(_("The end must be after the start."))
        return cleaned

    def consequences(self) -> list[str]:
        return site.consequences_of_removal(**self.arguments())


class NoticeForm(LastingForm, SiteActionForm):
    needs_end = False
    wants_reason: ClassVar[bool] = False
    text = forms.CharField(
        label=gettext_lazy("Announcement"), max_length=LONGEST_NOTICE,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy(
            "Shown at the top of every page exactly as written. Links are clickable."
        ),
    )  # fmt: skip
    until = InstantField(label=gettext_lazy("Until"), required=False, help_text=OR_NO_END)


class MaintenanceForm(PreviewedForm, SiteActionForm):
    reason_help = EVERYBODY
    until = InstantField(
        label=gettext_lazy("Expected end"), required=False,
        help_text=gettext_lazy(
            "In your time zone. This time is announced, but the maintenance lasts "
                    "until someone ends it."
        ),
    )  # fmt: skip

    read_only = forms.BooleanField(
        label=gettext_lazy("Moderators can't act either"), required=False,
        help_text=gettext_lazy("For copying or moving the database."),
    )  # fmt: skip

    def consequences(self) -> list[str]:
        return site.consequences_of_maintenance(read_only=self.cleaned_data["read_only"])
