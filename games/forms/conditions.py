"""The part of the form of a table that says who may take a seat."""

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.presentation.text.tables import NEWCOMERS, share_text_lazy
from games.services.lobby.settings import LEAST_IN_TIME
from games.services.people.reliability import COUNTED_MONTHS, ENOUGH


class ConditionsForm(forms.Form):
    """What a table asks of those who take a seat."""

    least_in_time = forms.TypedChoiceField(
        label=gettext_lazy("Moves made in time"),
        choices=[
            (0, pgettext_lazy("moves made in time", "any share")),
            *((share, share_text_lazy(share)) for share in LEAST_IN_TIME if share),
        ],
        coerce=int,
        initial=0,
        help_text=format_lazy(
            gettext_lazy(
                "Anyone who takes a seat must have made at least this share of their moves in "
                "time over the last {months} months. This doesn't apply to you."
            ),
            months=COUNTED_MONTHS,
        ),
    )
    newcomers_welcome = forms.TypedChoiceField(
        label=gettext_lazy("Newcomers"),
        choices=[
            ("welcome", NEWCOMERS[True]),
            ("experienced", NEWCOMERS[False]),
        ],
        coerce=lambda value: value == "welcome",
        initial="welcome",
        help_text=format_lazy(
            gettext_lazy(
                "Newcomers have had fewer than {enough} moves in the last {months} months, too "
                "few to work out their share of moves made in time."
            ),
            enough=ENOUGH,
            months=COUNTED_MONTHS,
        ),
    )
