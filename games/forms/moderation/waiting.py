"""The forms of a moderator's actions on a table that waits for players."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.computer_players import COMPUTER_PLAYERS
from games.forms.moderation.base import PreviewedForm
from games.forms.moderation.game_actions import GameActionForm
from games.models import User
from games.presentation.text.tables import COMPUTER_PLAYER_LABELS, computer_player_name


class WaitingForm(PreviewedForm, GameActionForm):
    """An action after which the host may have no seat any more."""

    leaves = forms.BooleanField(
        label=gettext_lazy("The current host loses their seat"), required=False,
        help_text=gettext_lazy(
            "For a host who has disappeared. Otherwise, the host stays at the table."
        ),
    )  # fmt: skip

    def players(self) -> list[User]:
        """Those who sit there besides the host, who has sat there the longest first."""
        seats = self.game.seats.exclude(user=self.game.host).select_related("user")
        return [seat.user for seat in seats.order_by("pk") if seat.user is not None]

    def consequences(self) -> list[str]:
        name = "" if self.game.host is None else self.game.host.name
        if self.cleaned_data["leaves"]:
            return [_("{name} loses their seat at this table.").format(name=name)]
        return [_("{name} keeps their seat at this table.").format(name=name)]


class NewHostForm(WaitingForm):
    host = forms.TypedChoiceField(label=gettext_lazy("New host"), coerce=int)

    def prepare(self) -> None:
        self.offer("host", [(person.pk, person.name) for person in self.players()])

    def whom(self) -> str:
        host = self.cleaned_data["host"]
        return next(person.name for person in self.players() if person.pk == host)

    def consequences(self) -> list[str]:
        text = _(
            "{name} becomes the host and may change the settings, invite people and start the game."
        )
        return [text.format(name=self.whom()), *super().consequences()]

    def arguments(self) -> dict[str, Any]:
        return {"host_id": self.cleaned_data["host"], "leaves": self.cleaned_data["leaves"]}


class StartForm(WaitingForm):
    computer_player = forms.ChoiceField(label=gettext_lazy("Computer player"))

    def prepare(self) -> None:
        labels = ((name, str(COMPUTER_PLAYER_LABELS[name])) for name in COMPUTER_PLAYERS)
        self.offer("computer_player", labels)

    def consequences(self) -> list[str]:
        people = self.game.seats.count() - bool(self.cleaned_data["leaves"])
        free = self.game.size - people
        text = ngettext(
            "The game starts at once. The computer player “{name}” gets {count} seat.",
            "The game starts at once. The computer player “{name}” gets {count} seats.",
            free,
        )
        name = computer_player_name(self.cleaned_data["computer_player"])
        return [text.format(name=name, count=free), *super().consequences()]
