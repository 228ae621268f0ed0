"""The forms of a moderator's acts on a person: each a short form with a reason."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.instants import InstantField
from games.forms.moderation.reasons import PreviewedForm, ReasonForm
from games.models import User
from games.models.people import validate_public_name
from games.names import LONGEST
from games.services.game.resting import tables_without
from games.services.moderation.actions.on_people import latest_act
from games.services.moderation.actions.people import LONGEST_NOTE

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("You insulted someone at a table."),
    gettext_lazy("You wrote something that doesn't belong here."),
    gettext_lazy("You left many games without a word."),
    gettext_lazy("You're using more than one account."),
    gettext_lazy("You colluded with someone outside the game against the other players."),
    gettext_lazy("You carried on after a warning."),
)
MENDED: Final[tuple[Promise, ...]] = (
    gettext_lazy("It was our mistake."),
    gettext_lazy("You appealed, and we agree with you."),
    gettext_lazy("You promised to do better."),
)
KEPT_UP: Final[tuple[Promise, ...]] = (
    gettext_lazy("We looked at it again, and the decision stands."),
    gettext_lazy("What you say doesn't change what happened."),
)
SAFETY: Final[tuple[Promise, ...]] = (
    gettext_lazy("You asked us to do this."),
    gettext_lazy("Someone else seems to be using your account."),
)

NAMES: Final[tuple[Promise, ...]] = (
    gettext_lazy("Your name insults someone."),
    gettext_lazy("Your name is easily mistaken for someone else's."),
    gettext_lazy("Your name advertises something."),
)


class PersonActForm(ReasonForm):
    """An act on a person: it says which act on them the moderator saw last."""

    templates = TEMPLATES
    reads = gettext_lazy("Shown to the person exactly as written.")

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, person: User, given: Mapping[str, str] | None = None
    ) -> None:
        self.person = person
        super().__init__(data, given={**dict(given or {}), "seen": latest_act(person)})


class ExcludingForm(PreviewedForm, PersonActForm):
    """An act after which somebody plays no more: it is read first which games come to rest."""

    def about(self) -> str:
        return " ".join(str(game.pk) for game in tables_without(self.person))

    def consequences(self) -> list[str]:
        told = _(
            "No one else is left at the table {game}, so the game will rest. It continues when a "
            "player returns or a substitute sits down; otherwise it ends after 14 days."
        )
        return [told.format(game=game) for game in tables_without(self.person)]


class UntilForm(PersonActForm):
    until = InstantField(label=gettext_lazy("Until"), help_text=gettext_lazy("In your time zone."))

    def arguments(self) -> dict[str, Any]:
        return {"until": self.cleaned_data["until"]}


class SuspendForm(ExcludingForm, UntilForm):
    """Until when somebody may only read."""


class MendForm(PersonActForm):
    templates = MENDED


class AnswerObjectionForm(PersonActForm):
    templates = KEPT_UP


class SafetyForm(PersonActForm):
    templates = SAFETY


class RenameForm(PersonActForm):
    """Another name, at first one that offends nobody."""

    templates = NAMES
    name = forms.CharField(
        label=gettext_lazy("New public name"), max_length=LONGEST,
        validators=[validate_public_name],
    )  # fmt: skip

    def __init__(
        self, data: Any = None, *, person: User, given: Mapping[str, str] | None = None
    ) -> None:
        neutral = {"name": f"Player {person.pk}"}
        super().__init__(data, person=person, given=neutral | dict(given or {}))

    def arguments(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"]}


class NoteForm(PersonActForm):
    """What a moderator notes; it speaks for itself."""

    wants_reason = False
    text = forms.CharField(
        label=gettext_lazy("Staff note"),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Only moderators see it, never the person."),
    )

    def arguments(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"]}
