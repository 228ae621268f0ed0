"""The forms of a moderator's actions on a game."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, ClassVar, Final
from uuid import uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.houses import HOUSE_PLAYERS
from games.forms.instants import InstantField
from games.forms.moderation.base import ActionForm, PreviewedForm
from games.models import Game, Seat
from games.presentation.text.tables import house_name
from games.presentation.text.words import colour_text, day_and_hour
from games.services.chat.messages import LONGEST
from games.services.email.kinds import name_of
from games.services.game.resting import nobody_would_be_left
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.on_games import seen_now
from games.services.moderation.actions.requests import ActionRequest, GameRequest, Seen
from games.services.moderation.queries import rewind
from games.services.people.display_names import player_name

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("The table asked for it."),
    gettext_lazy("A player asked for it."),
    gettext_lazy("A player can't be reached."),
    gettext_lazy("Our mistake: the site didn't work as it should."),
    gettext_lazy("A mistake was made at the table, and everyone agrees to fix it."),
    gettext_lazy("Someone broke the rules of this site."),
)
EVERYBODY: Final = ""


class GameActionForm(ActionForm):
    """An action on a game, as the moderator saw it. The table reads the reason."""

    templates = TEMPLATES
    reason_help: ClassVar[Promise] = gettext_lazy("Shown to the table exactly as written.")

    phase_no = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    @property
    def game(self) -> Game:
        game: Game = self.subject
        return game

    def seen_now(self) -> dict[str, Any]:
        return seen_now(self.game)._asdict()

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        seen = Seen(self.cleaned_data["phase_no"], self.cleaned_data["version"])
        return do(GameRequest.of(request, self.game.pk, seen), **self.arguments())


def _seat_choices(seats: Iterable[Seat]) -> list[tuple[str, str]]:
    return [
        (str(seat.drawn_number), f"{player_name(seat)} ({colour_text(seat.colour)})")
        for seat in seats
    ]


class PauseForm(GameActionForm):
    until = InstantField(
        label=gettext_lazy("Until"),
        required=False,
        help_text=gettext_lazy(
            "In your time zone. Leave blank to pause until someone resumes the game."
        ),
    )

    def arguments(self) -> dict[str, Any]:
        return {"until": self.cleaned_data["until"]}


class SeatForm(GameActionForm):
    """An action on one seat."""

    seat = forms.ChoiceField(label=gettext_lazy("Seat"))

    def prepare(self) -> None:
        self._fields["seat"].choices = _seat_choices(self.seats())

    def seats(self) -> list[Seat]:
        """The seats that may be chosen."""
        return list(self.game.seats.select_related("user").filter(number__isnull=False))

    def arguments(self) -> dict[str, Any]:
        seat = self.cleaned_data["seat"]
        return {"seat": None if seat == EVERYBODY else int(seat)}


class SeatToMoveForm(SeatForm):
    """An action on a seat that is to move."""

    def seats(self) -> list[Seat]:
        return [
            seat
            for seat in super().seats()
            if seat.deadline_at is not None and not seat.is_played_for()
        ]


class AbsentSeatForm(SeatForm):
    def seats(self) -> list[Seat]:
        return [seat for seat in super().seats() if seat.user and seat.absent_since]


class LeavingForm(PreviewedForm, SeatForm):
    """An action by which a player leaves: if nobody is left then, that is shown first."""

    def choice(self) -> str:
        return str(self.cleaned_data["seat"])

    def consequences(self) -> list[str]:
        if not nobody_would_be_left(self.game.seats.all(), int(self.cleaned_data["seat"])):
            return []
        return [
            _(
                "Nobody else is left at this table, so the game will go dormant. It continues "
                "when a player returns or a substitute takes a seat. If nobody does within 14 "
                "days, it ends without a winner and doesn't count for anyone. Everyone who had a "
                "seat there is notified by email."
            )
        ]


class PresentSeatForm(LeavingForm):
    def seats(self) -> list[Seat]:
        return [seat for seat in super().seats() if not seat.is_played_for()]


class PersonsSeatForm(SeatForm):
    """An action on a seat that belongs to people."""

    def seats(self) -> list[Seat]:
        return [seat for seat in super().seats() if not seat.house_player]


class ExtendForm(SeatToMoveForm):
    seat = forms.ChoiceField(label=gettext_lazy("Seat"), required=False)
    hours = forms.IntegerField(
        label=gettext_lazy("Extra hours"), min_value=1, max_value=720, initial=24
    )

    def prepare(self) -> None:
        everybody = (EVERYBODY, _("everyone who still has to move"))
        self._fields["seat"].choices = [everybody, *_seat_choices(self.seats())]

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"time": timedelta(hours=self.cleaned_data["hours"])}


class DeadlineForm(ExtendForm):
    hours = None  # type: ignore[assignment]
    at = InstantField(
        label=gettext_lazy("New deadline"), help_text=gettext_lazy("In your time zone.")
    )

    def arguments(self) -> dict[str, Any]:
        return SeatToMoveForm.arguments(self) | {"at": self.cleaned_data["at"]}


class HousePlayerForm(LeavingForm, PersonsSeatForm):
    house_player = forms.ChoiceField(label=gettext_lazy("House player"))

    def prepare(self) -> None:
        super().prepare()
        names = [(name, house_name(name)) for name in HOUSE_PLAYERS]
        self._fields["house_player"].choices = names

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"house_player": self.cleaned_data["house_player"]}


class PaceForm(GameActionForm):
    hours = forms.IntegerField(label=gettext_lazy("Hours per move"), min_value=1, max_value=168)

    def prepare(self) -> None:
        self.fields["hours"].initial = max(1, self.game.answer_seconds // 3600)

    def arguments(self) -> dict[str, Any]:
        return {"answer_time": timedelta(hours=self.cleaned_data["hours"])}


class RewindForm(PreviewedForm, GameActionForm):
    """Where to; the consequences are shown first."""

    to_seq = forms.TypedChoiceField(label=gettext_lazy("Rewind to"), coerce=int)

    def prepare(self) -> None:
        running = self.game.status == Game.Status.RUNNING
        self._fields["to_seq"].choices = rewind.steps(self.game) if running else []

    def choice(self) -> str:
        return str(self.cleaned_data["to_seq"])

    def consequences(self) -> list[str]:
        return rewind.consequences(self.game, self.cleaned_data["to_seq"])

    def second_button(self, _title: Promise) -> str:
        count = rewind.taken_back(self.game, self.cleaned_data["to_seq"]).total()
        sentence = ngettext(
            "Rewind now and take back {count} move", "Rewind now and take back {count} moves", count
        )
        return sentence.format(count=count)

    def arguments(self) -> dict[str, Any]:
        return {"to_seq": self.cleaned_data["to_seq"]}


class RenameForm(GameActionForm):
    name = forms.CharField(label=gettext_lazy("New name"), max_length=LONGEST_NAME)

    def prepare(self) -> None:
        self.initial["name"] = self.game.name

    def arguments(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"]}


class RefereeForm(GameActionForm):
    """What the referee writes; it needs no reason."""

    wants_reason = False
    text = forms.CharField(
        label=gettext_lazy("Your message"), max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Posted in the table chat. Everyone at the table gets an email."),
    )  # fmt: skip
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def arguments(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"], "token": self.cleaned_data["token"]}


class SendAgainForm(GameActionForm):
    reason_help = ActionForm.reason_help
    mail_id = forms.TypedChoiceField(label=gettext_lazy("Emails"), coerce=int)
    """The latest emails of the game; the list of emails has all."""

    def prepare(self) -> None:
        zone = get_current_timezone_name()
        choices = []
        for email in self.game.mails.select_related("person").order_by("-pk")[:50]:
            written, status = day_and_hour(email.created_at, zone), email.get_status_display()
            choices.append((email.pk, f"{written}: {name_of(email)} ({status})"))
        self._fields["mail_id"].choices = choices

    def arguments(self) -> dict[str, Any]:
        return {"mail_id": self.cleaned_data["mail_id"]}
