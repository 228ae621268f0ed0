"""The forms of a moderator's actions on a person."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy, ngettext

from games.forms.moderation.base import ActionForm, Letter
from games.forms.moderation.coming_back import what_is_left
from games.forms.moderation.emailing import EmailingForm
from games.forms.moderation.lengths import LastingForm, ShorterForm
from games.models import Game, User
from games.models.people import validate_public_name
from games.names import LONGEST, tidy_name
from games.presentation.text.words import moment
from games.services.moderation.actions.people import LONGEST_NOTE
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, PersonRequest, Results
from games.services.moderation.queries.absence import what_follows
from games.services.moderation.queries.letters import preview_about_person, preview_of_test
from games.services.moderation.queries.meanwhile import done_to_person

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("You threatened someone."),
    gettext_lazy("You insulted someone at a table."),
    gettext_lazy("You wrote hateful things about a group of people."),
    gettext_lazy("You advertised something."),
    gettext_lazy("Your name or your crest is offensive."),
    gettext_lazy("You kept your table waiting without a word."),
    gettext_lazy("You left many games without a word."),
    gettext_lazy("You're using more than one account."),
    gettext_lazy("You and someone else colluded outside the game against the other players."),
    gettext_lazy("You carried on after a warning."),
)
MENDED: Final[tuple[Promise, ...]] = (
    gettext_lazy("It was our mistake."),
    gettext_lazy("You appealed, and we agree with you."),
    gettext_lazy("You promised to do better."),
)
KEPT_UP: Final[tuple[Promise, ...]] = (
    gettext_lazy("We took another look, and the decision stands."),
    gettext_lazy("Your explanation doesn't change what happened."),
)
SAFETY: Final[tuple[Promise, ...]] = (
    gettext_lazy("You asked us to do this."),
    gettext_lazy("Someone else seems to be using your account."),
)

NAMES: Final[tuple[Promise, ...]] = (
    gettext_lazy("Your public name is offensive."),
    gettext_lazy("Your public name is easily mistaken for someone else's."),
    gettext_lazy("Your public name is an advertisement."),
)


class PersonActionForm(ActionForm):
    """An action on a person, after the latest action on them that the moderator saw."""

    not_passed = ActionForm.not_passed | {"seen"}
    templates = TEMPLATES
    reason_help = gettext_lazy("Shown to the person exactly as written.")

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    @property
    def person(self) -> User:
        person: User = self.subject
        return person

    def seen_now(self) -> dict[str, Any]:
        return {"seen": latest_action(self.person, self.reader)}

    def whom(self) -> str:
        return self.person.name

    def meanwhile(self, reader: User, now: datetime, title_of: Callable[[str], str]) -> list[str]:
        return done_to_person(self.person, self.cleaned_data["seen"], reader, title_of)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        on_person = PersonRequest.of(request, self.person.pk, self.cleaned_data["seen"])
        return do(on_person, **self.arguments())


class DecidedForm(EmailingForm, PersonActionForm):
    """A decision of which the person reads in an email, shown first."""

    def preview(self) -> list[str]:
        """Nothing where somebody has acted since the page was opened: then it's refused at once."""
        if latest_action(self.person, self.reader) != self.cleaned_data["seen"]:
            return []
        return super().preview()

    def readers(self) -> list[User]:
        return [self.person]

    def letters(self) -> list[Letter]:
        until, name = self.new_end(), self.cleaned_data.get("name", "")
        letter = preview_about_person(
            self.person, self.key, self.full_reason, until=until, name=tidy_name(name)
        )
        return [Letter(self.person.name, *letter)]

    def new_end(self) -> datetime | None:
        """When it ends, where that is chosen."""
        return self.cleaned_data.get("until")


class ExcludingForm(DecidedForm):
    """An action after which somebody can't play: what that does to their games is shown first."""

    def to_know(self) -> list[str]:
        """The running games in which others play on without this person."""
        games = Game.objects.in_play().filter(seats__user=self.person).order_by("pk")
        names = [str(game) for game in games.defer("state")]
        text = ngettext(
            "{name} has a seat in {count} running game: {games}.",
            "{name} has seats in {count} running games: {games}.",
            len(names),
        )
        found = text.format(name=self.person.name, count=len(names), games=", ".join(names))
        return [found] if names else []

    def choice(self) -> str:
        """If more comes to rest or is played by now, that is shown again."""
        return str(self.what_happens())

    def what_happens(self) -> list[str]:
        return what_follows(self.person)


class UntilForm(LastingForm, DecidedForm):
    """How long it lasts."""

    def values(self) -> dict[str, Any]:
        until = moment(self.cleaned_data["until"], get_current_timezone_name())
        return super().values() | {"until": until}


class SuspendForm(ExcludingForm, UntilForm):
    """Until when somebody may only read."""


class MendForm(DecidedForm):
    templates = MENDED


class LiftForm(MendForm):
    """A suspension or a ban ends; afterwards it says where the person is still absent."""

    def what_happens(self) -> list[str]:
        lifted = self.person.sanctions.in_force(timezone.now())
        return what_is_left(self.person, lifted, self.reader)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        left = self.what_happens()
        super().run(do, request)
        return Results(left, [])


class AnswerAppealForm(DecidedForm):
    templates = KEPT_UP


class ShortenForm(ShorterForm, DecidedForm):
    """A shorter sanction, in answer to an appeal."""

    templates = ShorterForm.templates

    def new_end(self) -> datetime:
        return timezone.now() + timedelta(days=self.cleaned_data["ends_in"])


class SafetyForm(DecidedForm):
    templates = SAFETY


class ClearAddressForm(DecidedForm):
    templates = (
        gettext_lazy("The person says that the address works again."),
        gettext_lazy("Their mail server rejected our email by mistake."),
    )
    reason_help = gettext_lazy("Only moderators see this.")

    def letters(self) -> list[Letter]:
        return [Letter(self.person.name, *preview_of_test(self.person))]


class RenameForm(DecidedForm):
    """Another name, at first one that offends nobody."""

    templates = NAMES
    name = forms.CharField(
        label=gettext_lazy("New public name"), max_length=LONGEST,
        validators=[validate_public_name],
    )  # fmt: skip

    def prepare(self) -> None:
        self.initial.setdefault("name", f"Player {self.person.pk}")

    def values(self) -> dict[str, Any]:
        return super().values() | {"name": tidy_name(self.cleaned_data["name"])}


class NoteForm(PersonActionForm):
    """A staff note; it needs no reason."""

    wants_reason = False
    text = forms.CharField(
        label=gettext_lazy("Staff note"),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Only moderators see this, never the person it's about."),
    )
