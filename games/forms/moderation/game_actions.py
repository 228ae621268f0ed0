"""The forms of a moderator's actions on a game."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final
from uuid import uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy, ngettext

from games.forms.instants import InstantField
from games.forms.moderation.base import ActionForm, PreviewedForm
from games.forms.moderation.lengths import LastingForm
from games.forms.one_line import OneLineField
from games.models import Game, User
from games.presentation.text.words import day_and_hour
from games.services.chat.messages import LONGEST
from games.services.email.kinds import name_of
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import ActionRequest, GameRequest, Seen
from games.services.moderation.queries import rewind
from games.services.moderation.queries.meanwhile import done_to_game

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("The players at the table requested this."),
    gettext_lazy("A player can't be reached."),
    gettext_lazy("Our mistake: the site didn't work as it should."),
    gettext_lazy("A mistake was made at the table, and everyone agrees to fix it."),
    gettext_lazy("Someone broke the rules of this site."),
)


class GameActionForm(ActionForm):
    """An action on a game, as the moderator saw it. The table reads the reason."""

    not_passed = ActionForm.not_passed | set(Seen._fields)
    templates = TEMPLATES
    reason_help: ClassVar[Promise] = gettext_lazy(
        "Shown to everyone at the table exactly as written."
    )

    phase_no = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    people = forms.CharField(max_length=200, widget=forms.HiddenInput)

    @property
    def game(self) -> Game:
        game: Game = self.subject
        return game

    def seen_now(self) -> dict[str, Any]:
        return seen_now(self.game)._asdict()

    def meanwhile(self, reader: User, now: datetime, title_of: Callable[[str], str]) -> list[str]:
        return done_to_game(self.game, now, reader, title_of)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        seen = Seen(*(self.cleaned_data[name] for name in Seen._fields))
        return do(GameRequest.of(request, self.game.pk, seen), **self.arguments())


class PauseForm(LastingForm, GameActionForm):
    needs_end = False
    until = InstantField(
        label=gettext_lazy("Until"),
        required=False,
        help_text=gettext_lazy(
            "Instead of a number of days; in your time zone. Leave both blank to pause until "
            "someone resumes the game."
        ),
    )


class PaceForm(GameActionForm):
    hours = forms.IntegerField(label=gettext_lazy("Hours per move"), min_value=1, max_value=168)

    def prepare(self) -> None:
        self.fields["hours"].initial = max(1, self.game.move_seconds // 3600)

    def arguments(self) -> dict[str, Any]:
        return {"move_time": timedelta(hours=self.cleaned_data["hours"])}


class RewindForm(PreviewedForm, GameActionForm):
    """Where to; the consequences are shown first."""

    to_seq = forms.TypedChoiceField(label=gettext_lazy("Rewind to"), coerce=int)

    def prepare(self) -> None:
        running = self.game.status == Game.Status.RUNNING
        self.offer("to_seq", rewind.steps(self.game) if running else [])

    def consequences(self) -> list[str]:
        return rewind.consequences(self.game, self.cleaned_data["to_seq"])

    def values(self) -> dict[str, Any]:
        return {"done": rewind.result(self.game, self.cleaned_data["to_seq"])}

    def second_button(self, _title: Promise) -> str:
        count = rewind.taken_back(self.game, self.cleaned_data["to_seq"])
        sentence = ngettext(
            "Rewind now and take back {count} move", "Rewind now and take back {count} moves", count
        )
        return sentence.format(count=count)


class OurFaultForm(PreviewedForm, GameActionForm):
    """Which move the clock made through a fault of ours; the consequences are shown first."""

    templates = (
        gettext_lazy("It was our fault: an email didn't arrive in time."),
        gettext_lazy("It was our fault: the site didn't work as it should."),
    )
    move = forms.TypedChoiceField(label=gettext_lazy("Move made by the clock"), coerce=int)

    def prepare(self) -> None:
        running = self.game.status == Game.Status.RUNNING
        self.offer("move", rewind.clock_moves(self.game) if running else [])

    def clean(self) -> dict[str, Any]:
        """Refuse a move that would be made again at once."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        seat = self.game.seats.select_related("user").get(moves=cleaned["move"])
        if reason := rewind.why_not_fault(seat):
            raise forms.ValidationError(reason)
        return cleaned

    def consequences(self) -> list[str]:
        return rewind.consequences_of_fault(self.game, self.cleaned_data["move"])

    def values(self) -> dict[str, Any]:
        return {"done": rewind.result_of_fault(self.game, self.cleaned_data["move"])}


class RenameForm(GameActionForm):
    name = OneLineField(label=gettext_lazy("New name"), max_length=LONGEST_NAME)

    def prepare(self) -> None:
        self.initial["name"] = self.game.name


class WatchForm(GameActionForm):
    reason_help = ActionForm.reason_help
    strangers = forms.ChoiceField(
        label=gettext_lazy("People without an account can look at the game"),
        choices=[("", "-"), *Game.Strangers.choices],
    )


class RefereeForm(GameActionForm):
    """What the referee writes; it needs no reason."""

    wants_reason = False
    text = forms.CharField(
        label=gettext_lazy("Your message"), max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Posted in the table chat. Everyone at the table gets an email."),
    )  # fmt: skip
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)


class SendAgainForm(GameActionForm):
    reason_help = ActionForm.reason_help
    mail_id = forms.TypedChoiceField(label=gettext_lazy("Emails"), coerce=int)
    """The latest emails of the game; the list of emails has all."""

    def prepare(self) -> None:
        zone = get_current_timezone_name()
        choices = []
        for email in self.game.emails.select_related("person").order_by("-pk")[:50]:
            written, status = day_and_hour(email.created_at, zone), email.get_status_display()
            choices.append((email.pk, f"{written}: {name_of(email)} ({status})"))
        self.offer("mail_id", choices)

    def arguments(self) -> dict[str, Any]:
        return {"email_id": self.cleaned_data["mail_id"]}
