"""The choices of a person about email and notifications."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django import forms
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.extensions import channels
from games.models import Game, User
from games.presentation.text.tables import time_text_lazy
from games.services.email.choices import TIMES, Choices
from games.services.email.kinds import SWITCHES
from games.services.email.switches import EmailChoice, email_choice
from games.services.email.timing import URGENT
from games.services.game.hours import SLOW_ENOUGH

EMAIL_CHOICES: Final = (
    (EmailChoice.NOW, gettext_lazy("immediately")),
    (EmailChoice.DIGEST, gettext_lazy("in the digest")),
    (EmailChoice.NEVER, gettext_lazy("never")),
)
HOURS: Final = [(hour, f"{hour}:00") for hour in range(24)]


class Row(NamedTuple):
    """What happens, and the fields for how one learns of it."""

    when: Promise
    email: forms.BoundField
    others: list[forms.BoundField]


class TablesField(forms.ModelMultipleChoiceField):
    """Any of some tables, by their names."""

    def label_from_instance(self, game: Game) -> str:
        return game.name


class NotificationsForm(forms.Form):
    """For each kind of email immediately, in the digest or never, and whether by each channel.

    Hours are those of the person's own clock.
    """

    digest_hour = forms.TypedChoiceField(
        label=gettext_lazy("The digest comes at"), choices=HOURS, coerce=int
    )
    quiet_from = forms.TypedChoiceField(
        label=gettext_lazy("Quiet hours from"),
        choices=[("", gettext_lazy("no quiet hours")), *HOURS],
        coerce=int,
        empty_value=None,
        required=False,
    )
    quiet_until = forms.TypedChoiceField(
        label=gettext_lazy("Quiet hours until"),
        choices=[("", gettext_lazy("no quiet hours")), *HOURS],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=format_lazy(
            gettext_lazy(
                "Emails and notifications wait until quiet hours are over, and reminders come "
                "before they begin. If a move is due less than {urgent} after they end, emails "
                "and notifications about it don't wait. Tables with less than {least} per move "
                "ignore quiet hours."
            ),
            urgent=time_text_lazy(URGENT),
            least=time_text_lazy(SLOW_ENOUGH),
        ),
    )
    never_wake = forms.BooleanField(
        label=gettext_lazy("Never wake me, even if it's urgent"),
        required=False,
        help_text=gettext_lazy(
            "If your time runs out during quiet hours, your standing order is played. If you "
            "have none, the default move is played, such as the minimum bribe."
        ),
    )
    were_muted = forms.CharField(required=False, widget=forms.HiddenInput)
    """The tables that were muted when the page was shown: what was muted since stays so."""

    muted = TablesField(
        label=gettext_lazy("Muted tables"),
        queryset=Game.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "For these tables, you only get the emails that can't be turned off."
        ),
    )

    def __init__(self, data: Any = None, *, person: User) -> None:
        super().__init__(data)
        self.person = person
        self.channels = channels()
        for switch in SWITCHES:
            self.fields[f"email_{switch.key}"] = forms.ChoiceField(
                label=_("Email"), choices=EMAIL_CHOICES, initial=email_choice(person, switch.key)
            )
            for channel in self.channels:
                self.fields[f"{channel.key}_{switch.key}"] = forms.BooleanField(
                    label=str(channel.label),
                    required=False,
                    initial=switch.key not in channel.unwanted(person),
                )
        for name in TIMES:
            self.initial[name] = getattr(person, name)
        going_on = Q(seats__user=person) & ~Q(status__in=Game.OVER)
        own = Game.objects.filter(going_on | Q(pk__in=person.muted_games.values("game")))
        own = own.distinct().order_by("pk")
        self.fields["muted"].queryset = own  # type: ignore[attr-defined]
        muted = sorted(person.muted_games.values_list("game", flat=True))
        self.initial["muted"], self.initial["were_muted"] = muted, " ".join(map(str, muted))

    def rows(self) -> Iterator[Row]:
        """All that one can be notified of, in the order of the table of kinds."""
        for switch in SWITCHES:
            others = [self[f"{channel.key}_{switch.key}"] for channel in self.channels]
            yield Row(switch.when, self[f"email_{switch.key}"], others)

    def times(self) -> list[forms.BoundField]:
        """The fields about hours, in their order."""
        return [self[name] for name in TIMES]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        start, end = cleaned.get("quiet_from"), cleaned.get("quiet_until")
        if (start is None) != (end is None):
            self.add_error(
                "quiet_until", _("Please choose when quiet hours begin and when they end.")
            )
        elif start is not None and start == end:
            self.add_error("quiet_until", _("Quiet hours can't begin and end at the same hour."))
        return cleaned

    def choices(self) -> Choices:
        """What was chosen, of a valid form."""
        chosen = self.cleaned_data
        keys = [switch.key for switch in SWITCHES]
        return Choices(
            email={key: EmailChoice(chosen[f"email_{key}"]) for key in keys},
            unwanted={
                channel.key: [key for key in keys if not chosen[f"{channel.key}_{key}"]]
                for channel in self.channels
            },
            times={name: chosen[name] for name in TIMES},
            muted={game.pk for game in chosen["muted"]},
            were_muted=set(chosen["were_muted"].split()),
        )
