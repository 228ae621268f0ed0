"""What the forms of all acts share: the reason, in ready words or one's own."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

LONGEST_REASON: Final = 300


class ReasonForm(forms.Form):
    """The form of an act: what the service is given (`arguments`), and why it is done.

    `templates` are what moderators say most often; they may add to it. Who `reads` the reason is
    told beside it. `given` fills the form in.
    """

    wants_reason: ClassVar[bool] = True
    templates: ClassVar[tuple[Promise, ...]] = ()
    reads: ClassVar[Promise] = gettext_lazy("Only moderators see this.")

    why = forms.ChoiceField(label=gettext_lazy("Reason"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("In your own words"), required=False, max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Instead of the reason above, or in addition to it."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, given: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dict(given or {}))
        self._fields["why"].choices = [
            ("", "-"),
            *((str(words), words) for words in self.templates),
        ]
        self._fields["why"].help_text = self.reads
        if not self.templates:
            self._ask_for_own_words()
        if not self.wants_reason:
            self.fields.pop("why", None)
            del self.fields["reason"]
        self.order_fields([name for name in self.fields if name not in {"why", "reason"}])
        self.prepare()

    @property
    def _fields(self) -> dict[str, Any]:
        """The fields, which django-stubs do not know to have choices."""
        return self.fields

    def _ask_for_own_words(self) -> None:
        """Where there are no ready words, there is nothing to choose from."""
        del self.fields["why"]
        reason = self._fields["reason"]
        reason.label, reason.help_text = _("Reason"), self.reads

    def prepare(self) -> None:
        """Offer what there is to choose from."""

    def clean(self) -> dict[str, Any]:
        """Refuse an act without a reason."""
        cleaned = super().clean() or self.cleaned_data
        if self.wants_reason and not self.errors and not self.told_reason:
            raise ValidationError(_("Please choose or write a reason."))
        return cleaned

    @property
    def told_reason(self) -> str:
        """The reason in whole words."""
        parts = [self.cleaned_data.get(name, "") for name in ("why", "reason")]
        return " ".join(part.strip() for part in parts if part.strip())

    def arguments(self) -> dict[str, Any]:
        """What else the service is given."""
        return {}

    def second_button(self, title: Promise) -> str:
        """What the button says that does it, once its consequences are shown."""
        return _("Confirm: {act}").format(act=title)

    def preview(self) -> list[str]:
        """What it would do, to be read before it is done; nothing where that was read already."""
        return []


class PreviewedForm(ReasonForm):
    """An act whose consequences are read first; then the same form is handed in again."""

    previewed = forms.CharField(required=False, widget=forms.HiddenInput)

    def consequences(self) -> list[str]:
        """What it would do, in sentences; nothing where there is nothing to be read."""
        raise NotImplementedError

    def about(self) -> str:
        """What was chosen: other consequences are to be read for another choice."""
        raise NotImplementedError

    def preview(self) -> list[str]:
        about = self.about()
        if self.cleaned_data["previewed"] == about:
            return []
        told = self.consequences()
        if told:
            posted: Any = self.data
            again = posted.copy()
            again["previewed"] = about
            self.data = again
        return told
