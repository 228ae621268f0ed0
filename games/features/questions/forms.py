"""The forms with which people ask the moderators, and with which moderators answer."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.utils.translation import get_language_info, gettext_lazy, override
from django.utils.translation import gettext as _

from games.features.questions.asking import LONGEST
from games.features.questions.models import Question
from games.features.questions.queries import asker, language_of, last_letter
from games.features.questions.ready_answers import READY
from games.forms.moderation.base import ActionForm, Letter
from games.forms.moderation.emailing import EmailingForm
from games.models import Report, User
from games.services.clean_text import tidy
from games.services.moderation.actions.requests import ActionRequest
from games.services.refused import Refused

BY_MODERATORS = (Question.Kind.REPORT, Question.Kind.PERSON)
KINDS = [one for one in Question.Kind if one not in BY_MODERATORS]


class WrittenForm(forms.Form):
    """What somebody writes to the moderators."""

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=gettext_lazy("Your message"), required=False, strip=False,
        help_text=gettext_lazy("Only moderators who don't play at that table can read this."),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": LONGEST}),
    )  # fmt: skip


class QuestionForm(WrittenForm):
    """What somebody asks, and about which of their tables."""

    kind = forms.ChoiceField(label=gettext_lazy("What is it about?"))
    table = forms.ChoiceField(label=gettext_lazy("At which table?"), required=False)

    field_order = ("token", "kind", "table", "text")

    def __init__(self, data: Any, tables: Iterable[tuple[str, str]], **given: Any) -> None:
        super().__init__(data, initial=given)
        fields: dict[str, Any] = self.fields
        fields["kind"].choices = [("", "-"), *((kind.value, kind.label) for kind in KINDS)]
        fields["table"].choices = [("", _("at none")), *tables]


class UnconfirmedForm(WrittenForm):
    """What somebody without an account asks, and where the answer goes."""

    address = forms.EmailField(
        label=gettext_lazy("Your email address"), max_length=254,
        help_text=gettext_lazy(
            "We'll email you a code, then the answer. No account will be created."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )  # fmt: skip
    kind = forms.ChoiceField(label=gettext_lazy("What is it about?"))

    field_order = ("token", "address", "kind", "text")

    def __init__(self, data: Any, **given: Any) -> None:
        super().__init__(data, initial=given)
        fields: dict[str, Any] = self.fields
        fields["kind"].choices = [("", "-"), *((kind.value, kind.label) for kind in KINDS)]


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"), max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
    )  # fmt: skip


class QuestionActionForm(ActionForm):
    """An action on a question that needs no reason."""

    wants_reason = False
    emails_person: ClassVar[bool] = False

    @property
    def question(self) -> Question:
        question: Question = self.subject
        return question

    def whom(self) -> str:
        return asker(self.question)

    def notified(self) -> list[User | None]:
        return [self.question.person] if self.emails_person else []

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, question_id=self.question.pk, **self.arguments())


class TakeQuestionForm(QuestionActionForm):
    pass


class TakeOverQuestionForm(QuestionActionForm):
    """It names who had the question when the page was opened."""

    wants_reason = True

    owner = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def seen_now(self) -> dict[str, Any]:
        return {"owner": self.question.owner_id}

    def arguments(self) -> dict[str, Any]:
        return {"owner_id": self.cleaned_data["owner"]}


class SeenForm(QuestionActionForm):
    """It says what the moderator has read; where more has come, they see that and try again."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def seen_now(self) -> dict[str, Any]:
        return {"seen": last_letter(self.question)}

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        try:
            return super().run(do, request)
        except Refused:
            posted: Any = self.data
            again = posted.copy()
            again["seen"] = str(last_letter(self.question))
            self.data = again
            raise


class AnswerForm(EmailingForm, SeenForm):
    """A ready answer, one's own words, or both. A ready one is shown first, as it will be read."""

    emails_person = True

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    ready = forms.ChoiceField(label=gettext_lazy("Ready answer"), required=False)
    words = forms.CharField(
        label=gettext_lazy("In your own words"), required=False, strip=False,
        max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Added below the ready answer, or sent instead of it."),
    )  # fmt: skip

    def prepare(self) -> None:
        self.offer("ready", [(key, str(words)) for key, words in READY.items()])
        ready = self.fields["ready"]
        ready.help_text = _("It is sent in the language of {name}: {language}.").format(
            name=asker(self.question),
            language=get_language_info(language_of(self.question))["name_local"],
        )

    def clean(self) -> dict[str, Any]:
        """Refuse an empty answer."""
        cleaned = super().clean()
        if not self.errors and not self.full_text:
            raise forms.ValidationError(_("Please choose or write an answer."))
        return cleaned

    @property
    def full_text(self) -> str:
        """The answer in the language of who asked."""
        with override(language_of(self.question)):
            ready = str(READY.get(self.cleaned_data.get("ready", ""), ""))
        parts = (ready, tidy(self.cleaned_data.get("words", "")))
        return "\n\n".join(part for part in parts if part)

    def preview(self) -> list[str]:
        return super().preview() if self.cleaned_data["ready"] else []

    def letters(self) -> list[Letter]:
        with override(language_of(self.question)):
            subject = _("The moderators have answered you")
        return [Letter(self.whom(), subject, self.full_text)]

    def consequences(self) -> list[str]:
        return [_("{whom} gets this answer.").format(whom=self.whom())]

    def arguments(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {"text": self.full_text, "token": cleaned["token"], "seen": cleaned["seen"]}


class NoteForm(QuestionActionForm):
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=gettext_lazy("Note"), max_length=LONGEST, strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Only moderators see this."),
    )  # fmt: skip


class AskReporterForm(ActionForm):
    """What a moderator wants to know of who made a report."""

    wants_reason: ClassVar[bool] = False
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=gettext_lazy("Question"), max_length=LONGEST, strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "Only the person who made the report and the moderators who may read it see this."
        ),
    )  # fmt: skip

    def whom(self) -> str:
        report: Report = self.subject
        return report.reporter.name if report.reporter is not None else ""

    def notified(self) -> list[User | None]:
        return [self.subject.reporter]

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, report_id=self.subject.pk, **self.arguments())


class AskPersonForm(ActionForm):
    """What a moderator writes to a person."""

    wants_reason: ClassVar[bool] = False
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=gettext_lazy("Message"), max_length=LONGEST, strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("In the language of the person, if you can."),
    )  # fmt: skip

    def whom(self) -> str:
        person: User = self.subject
        return person.name

    def notified(self) -> list[User | None]:
        return [self.subject]

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, person_id=self.subject.pk, **self.arguments())
