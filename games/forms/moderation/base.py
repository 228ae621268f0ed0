"""What the forms of all actions share: the reason, in ready words or one's own."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, ClassVar, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import User
from games.services.clean_text import tidy
from games.services.moderation.actions.requests import ActionRequest

LONGEST_REASON: Final = 300


class Letter(NamedTuple):
    """An email as it will be read: to whom, its subject, and its text."""

    name: str
    subject: str
    text: str


class ActionForm(forms.Form):
    """The form of an action on a `subject`: why it is done, and what else the service needs.

    `templates` are the most common reasons; moderators may add to them. `reason_help` says who
    reads the reason. `given` fills the form in. The `moderator` reads it: what it offers is for
    them. `key` is that of the action: some share a form.
    """

    not_passed: ClassVar[frozenset[str]] = frozenset({"why", "reason", "previewed"})
    wants_reason: ClassVar[bool] = True
    templates: ClassVar[tuple[Promise, ...]] = ()
    reason_help: ClassVar[Promise] = gettext_lazy("Only moderators see this.")

    why = forms.ChoiceField(label=gettext_lazy("Reason"), required=False, widget=forms.RadioSelect)
    reason = forms.CharField(
        label=gettext_lazy("In your own words"), required=False, max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Instead of the reason above, or in addition to it."),
    )  # fmt: skip

    def __init__(
        self,
        data: Any = None,
        *,
        subject: Any = None,
        given: Mapping[str, Any] | None = None,
        moderator: User | None = None,
        key: str = "",
    ) -> None:
        self.subject = subject
        self.key = key
        self.moderator = moderator
        self.told: list[str] = []
        seen = self.seen_now() if data is None else {}
        super().__init__(data, initial={**dict(given or {}), **seen})
        self._fields["why"].choices = [
            *((str(words), words) for words in self.templates),
            ("", _("Only in my own words")),
        ]
        self._fields["why"].help_text = self.reason_help
        if not self.templates:
            del self.fields["why"]
            reason = self._fields["reason"]
            reason.label, reason.help_text = _("Reason"), self.reason_help
        if not self.wants_reason:
            self.fields.pop("why", None)
            del self.fields["reason"]
        self.order_fields([name for name in self.fields if name not in {"why", "reason"}])
        self.prepare()
        for field in self._fields.values():
            if isinstance(field, forms.BooleanField):
                field.label_suffix = ""  # its label stands behind it

    @property
    def _fields(self) -> dict[str, Any]:
        """The fields, which django-stubs do not know to have choices."""
        return self.fields

    @property
    def reader(self) -> User:
        """The moderator who reads the form."""
        if self.moderator is None:
            raise TypeError("What is shown depends on who reads it.")
        return self.moderator

    def seen_now(self) -> dict[str, Any]:
        """What the moderator sees of the subject, for hidden fields: the action is for that."""
        return {}

    def prepare(self) -> None:
        """Fill in the choices."""

    def offer(self, name: str, choices: Iterable[tuple[Any, str]]) -> None:
        """Let one of these be chosen; at first none is, for nobody may be hit by accident."""
        self._fields[name].choices = [("", "-"), *choices]

    def whom(self) -> str:
        """The person the valid form is about, for the result; to be called before it is done."""
        return ""

    def values(self) -> dict[str, Any]:
        """What the sentence about the result names (`Action.result`), from before it is done."""
        return {"whom": self.whom()}

    def to_know(self) -> list[str]:
        """What the moderator should know of the subject before they fill the form in."""
        return []

    def notified(self) -> list[User | None]:
        """Those who will get an email about it, as far as that is known before."""
        return []

    @property
    def not_emailed(self) -> list[str]:
        """Whom no email will reach, and what becomes of it."""
        text = _(
            "Email to {name} is being rejected right now, so this email can't be sent yet. It "
            "will be sent as soon as the address works again. Until then, {name} may not know "
            "about it."
        )
        people = {person.pk: person for person in self.notified() if person is not None}
        return [text.format(name=one.name) for one in people.values() if one.is_unreachable]

    def letters(self) -> list[Letter]:
        """The emails that people will get, to be read with the preview."""
        return []

    def clean(self) -> dict[str, Any]:
        """Refuse an action without a reason."""
        cleaned = super().clean() or self.cleaned_data
        if self.wants_reason and not self.errors and not self.full_reason:
            raise ValidationError(_("Please choose or write a reason."))
        return cleaned

    @property
    def full_reason(self) -> str:
        """The reason in full."""
        parts = (tidy(self.cleaned_data.get(name, "")) for name in ("why", "reason"))
        return " ".join(part for part in parts if part)

    def arguments(self) -> dict[str, Any]:
        """What else the service needs: by its name, each field that isn't about the action."""
        return {
            name: value for name, value in self.cleaned_data.items() if name not in self.not_passed
        }

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        """Do it to the subject. `Refused` where that is not possible."""
        return do(request, **self.arguments())

    def second_button(self, title: Promise) -> str:
        """The text of the button once the consequences are shown."""
        return _("Confirm: {act}").format(act=title)

    def preview(self) -> list[str]:
        """What it would do, to read before it is done; nothing once that was shown."""
        return []

    def beforehand(self) -> list[str]:
        """What it would do, shown with the empty form, where there's nothing to choose."""
        return []

    def meanwhile(self, reader: User, now: datetime, title_of: Callable[[str], str]) -> list[str]:
        """What others have done to the subject, for whoever is refused because of it."""
        return []


class PreviewedForm(ActionForm):
    """An action whose consequences are shown first; then the same form is submitted again."""

    previewed = forms.CharField(required=False, widget=forms.HiddenInput)

    def consequences(self) -> list[str]:
        """What it would do, in sentences; nothing if there is nothing to read."""
        raise NotImplementedError

    def choice(self) -> str:
        """What is shown again if it changes, besides the fields: what the form makes of them."""
        return str(sorted((name, str(value)) for name, value in self.arguments().items()))

    def _fingerprint(self) -> str:
        """All that was filled in, words too: whatever was shown is what is done."""
        filled_in = [(field.name, field.value()) for field in self.visible_fields()]
        return sha256(f"{filled_in} {self.choice()}".encode()).hexdigest()

    def preview(self) -> list[str]:
        shown = self._fingerprint()
        if self.cleaned_data["previewed"] == shown:
            return []
        sentences = self.consequences()
        if sentences:
            posted: Any = self.data
            again = posted.copy()
            again["previewed"] = shown
            self.data = again
        return sentences
