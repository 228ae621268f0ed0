"""The form of the action on everything of a person: each part is left alone unless it is chosen."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise, cached_property
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.computer_players import COMPUTER_PLAYERS
from games.forms.moderation.base import PreviewedForm
from games.forms.moderation.person_actions import PersonActionForm
from games.presentation.text.tables import COMPUTER_PLAYER_LABELS
from games.services.moderation.actions.everything import (
    ABSENT,
    ALL,
    CLOSE,
    DISMISS,
    FREE,
    HAND_OVER,
    UPHOLD,
    Wanted,
)
from games.services.moderation.queries import everything

TEMPLATES: Final[tuple[Promise, ...]] = (
    gettext_lazy("This player can't be reached."),
    gettext_lazy("This account was closed."),
    gettext_lazy("Advertising has no place here."),
    gettext_lazy("Insults and personal threats have no place here."),
)


class EverythingForm(PreviewedForm, PersonActionForm):
    """What is to be done with the seats, messages, invitations and tables of somebody."""

    templates = TEMPLATES
    reason_help = gettext_lazy(
        "Shown exactly as written to the person, everyone at their tables and whoever "
        "reported them."
    )

    seats = forms.ChoiceField(
        label=gettext_lazy("Their seats in running games"), required=False, widget=forms.RadioSelect
    )
    where = forms.ChoiceField(
        label=gettext_lazy("In which games"), required=False, widget=forms.RadioSelect
    )
    messages = forms.BooleanField(
        label=gettext_lazy("Remove all their public messages"), required=False
    )
    reports = forms.ChoiceField(
        label=gettext_lazy("Open reports about them"), required=False, widget=forms.RadioSelect,
        help_text=gettext_lazy("Those that nobody has taken, and those you've taken."),
    )  # fmt: skip

    invitations = forms.BooleanField(
        label=gettext_lazy("Withdraw all open invitations they sent"), required=False
    )
    tables = forms.ChoiceField(
        label=gettext_lazy("Tables they host that are waiting for players"),
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("They lose their seat there, too."),
    )

    def prepare(self) -> None:
        players = [(key, str(COMPUTER_PLAYER_LABELS[key])) for key in COMPUTER_PLAYERS]
        replaced = _("Replace with a computer player ({player})")
        self.offer(
            "seats",
            [
                (FREE, _("Free them and look for substitutes")),
                *((key, replaced.format(player=label)) for key, label in players),
            ],
        )
        started = _("Start with computer players ({player})")
        self.offer(
            "tables",
            [
                (CLOSE, _("Close them")),
                (HAND_OVER, _("Give each to the player who has been there longest")),
                *((key, started.format(player=label)) for key, label in players),
            ],
        )
        self._fields["where"].choices = [
            (ABSENT, _("Only where they are absent now")),
            (ALL, _("In all games, even where they still play")),
        ]
        self.offer("reports", [(UPHOLD, _("Uphold all")), (DISMISS, _("Dismiss all"))])

    def offer(self, name: str, choices: Iterable[tuple[Any, str]]) -> None:
        """Let one of these be chosen; at first they are left alone."""
        self._fields[name].choices = [("", _("Leave them as they are")), *choices]

    def clean(self) -> dict[str, Any]:
        """Refuse to do nothing, and to take seats in nobody knows which games."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        if self.wanted == Wanted(where=self.wanted.where):
            raise ValidationError(_("Please choose what to clear up."))
        if self.wanted.seats and not self.wanted.where:
            raise ValidationError({"where": _("Please choose in which games to do this.")})
        return cleaned

    @property
    def wanted(self) -> Wanted:
        return Wanted(**self.arguments())

    def choice(self) -> str:
        """All that was shown: where something has changed since, it is shown again."""
        return "\n".join(self.consequences())

    def consequences(self) -> list[str]:
        return self._shown

    @cached_property
    def _shown(self) -> list[str]:
        """What it would do, read once."""
        zone, wanted, moderator = get_current_timezone_name(), self.wanted, self.reader
        sentences: list[str] = []
        if wanted.seats:
            player = "" if wanted.seats == FREE else wanted.seats
            absent = wanted.where == ABSENT
            sentences += everything.of_seats(self.person, player, zone, only_absent=absent)
        if wanted.messages:
            sentences += everything.of_messages(self.person, moderator)
        if wanted.reports:
            uphold = wanted.reports == UPHOLD
            sentences += everything.of_reports(self.person, moderator, uphold=uphold)
        if wanted.invitations:
            sentences += everything.of_invitations(self.person, moderator)
        if wanted.tables:
            sentences += everything.of_tables(self.person, moderator, wanted.tables)
        return sentences
