"""The form that opens a table."""

from datetime import timedelta
from typing import Any

from django import forms

from games.engine.editions import CHOICES, EDITIONS, MOST_ROUNDS
from games.engine.houses import HOUSE_PLAYERS

SIZES = [(3, "3"), (4, "4"), (5, "5")]

OPTION_LABELS = {
    "bribing": "Bribing",
    "refund_losers": "Losers get their bribes back",
    "distinct_palaces": "The two scholars sent in a turn go to different palaces",
    "internal_order": "Order of several internal conflicts, by salary",
    "defender_bribe": "The resident's bribe",
    "attackers": "Attackers who may win an internal conflict",
    "broke": "Who cannot pay the minimum",
}

VALUE_LABELS = {
    "sequential": "one after the other, in the open",
    "simultaneous": "sealed, all at once (faster, and another game)",
    "False": "no",
    "True": "yes",
    "ascending": "the lowest first",
    "descending": "the highest first",
    "required": "must be paid",
    "optional": "may be left out",
    "any": "all of them",
    "highest": "only the highest bribe",
    "bank": "the bank pays it",
    "debt": "goes into debt",
}


class TableForm(forms.Form):
    """A new table. After `is_valid()`, `options` and `answer_time` hold what a service wants."""

    name = forms.CharField(
        max_length=60, required=False, help_text="Left empty, it is called after you."
    )
    edition = forms.ChoiceField(
        choices=[(edition.id, edition.name) for edition in EDITIONS.values()]
    )
    size = forms.TypedChoiceField(label="Seats", choices=SIZES, coerce=int, initial=4)
    hours = forms.IntegerField(
        label="Hours for an answer",
        min_value=1,
        max_value=168,
        initial=24,
        help_text="1 to 168, which is a week. When they have passed, the default is played.",
    )
    rounds = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="Left empty, as many as the edition says.",
    )
    uncontested_min_bribe = forms.IntegerField(
        label="Least bribe for uncontested applicants",
        min_value=1,
        required=False,
        help_text="Left empty, the edition's smallest bill; else a multiple of it.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for option, values in CHOICES.items():
            choices = [("", "as the edition says")]
            choices += [(str(value), VALUE_LABELS[str(value)]) for value in values]
            self.fields[option] = forms.ChoiceField(
                label=OPTION_LABELS[option], choices=choices, required=False
            )

    def basic_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "edition", "size", "hours")]

    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("rounds", *CHOICES, "uncontested_min_bribe")]

    @property
    def answer_time(self) -> timedelta:
        return timedelta(hours=self.cleaned_data["hours"])

    @property
    def options(self) -> dict[str, Any]:
        """Only what differs from the edition, as the engine's options."""
        chosen = {
            option: value
            for option, values in CHOICES.items()
            for value in values
            if self.cleaned_data[option] == str(value)
        }
        for option in ("rounds", "uncontested_min_bribe"):
            if self.cleaned_data[option] is not None:
                chosen[option] = self.cleaned_data[option]
        return chosen


class StartForm(forms.Form):
    """Which house players take the free seats."""

    house_player = forms.ChoiceField(
        label="House players for the free seats",
        choices=[(name, name) for name in HOUSE_PLAYERS],
        initial="random",
    )
