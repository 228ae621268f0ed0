"""The forms of a table that has not started."""

from dataclasses import fields
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from games.engine.computer_players import COMPUTER_PLAYERS, FOR_ABSENT_PLAYERS
from games.engine.editions import CHOICES, EDITIONS, MOST_ROUNDS, NUMBERS
from games.engine.state import TABLE_SIZES
from games.forms.amounts import AmountField
from games.forms.conditions import ConditionsForm
from games.forms.one_line import OneLineField
from games.forms.presets import PRESETS
from games.forms.typed_settings import UNITS, as_typed
from games.models import Game, User
from games.models.people import time_zones
from games.presentation.text.nouns import EDITION_NAMES
from games.presentation.text.tables import (
    COMPUTER_PLAYER_LABELS,
    COMPUTER_PLAYERS_ALLOWED,
    OPTION_LABELS,
    PRESS_LABELS,
    PROMISES_COUNT,
    THREADS_PUBLISHED,
    THREADS_SHOWN,
    VALUE_LABELS,
    WEEKDAYS,
    hour_text,
    time_text,
)
from games.services.clean_text import tidy
from games.services.lobby.settings import (
    LEAST_FOR_FIXED_HOUR,
    LONGEST_NAME,
    MOST_DAYS_OFF,
    MOST_MOVE_TIME,
    TableSettings,
)
from games.services.lobby.strangers import may_watch

LEAST_MOVE_TIME: Final = timedelta(minutes=5)
MOVE_TIMES: Final = {
    "minutes": LEAST_MOVE_TIME // UNITS["minutes"], "days": MOST_MOVE_TIME // UNITS["days"],
}  # fmt: skip
"""The shortest and the longest time for a move, in the units of the sentences about them."""

UNIT_LABELS: Final = {
    "minutes": gettext_lazy("minutes"),
    "hours": gettext_lazy("hours"),
    "days": gettext_lazy("days"),
}
TALK: Final = (2, 6, 12, 24, 48)
"""Hours that may be chosen for the negotiation time."""

RULE_CHOICES: Final = [option for option in CHOICES if option != "bribing"]


class Group(NamedTuple):
    """Settings that are folded away together; `open` where one of them needs another look."""

    title: str
    fields: list[forms.BoundField]
    open: bool


class TableForm(ConditionsForm):
    """A new table. After `is_valid()`, its `settings` can be read."""

    opening_token = forms.UUIDField(widget=forms.HiddenInput, required=False)
    name = OneLineField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=gettext_lazy("If you leave this blank, the table is named after a city."),
    )
    edition = forms.ChoiceField(
        label=gettext_lazy("Edition"),
        choices=list(EDITION_NAMES.items()),
    )
    size = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[(size, str(size)) for size in TABLE_SIZES],
        coerce=int,
        initial=4,
    )
    answer_number = forms.IntegerField(
        label=gettext_lazy("Time per move"),
        min_value=1,
        max_value=MOST_MOVE_TIME // UNITS["minutes"],
        initial=24,
        help_text=format_lazy(
            gettext_lazy(
                "From {minutes} minutes to {days} days. When time runs out, the default move is "
                "played."
            ),
            **MOVE_TIMES,
        ),
    )
    answer_unit = forms.ChoiceField(
        label=gettext_lazy("Unit"), choices=list(UNIT_LABELS.items()), initial="hours"
    )
    listed = forms.TypedChoiceField(
        label=gettext_lazy("Who can find this table?"),
        choices=[
            ("everybody", gettext_lazy("Anyone (listed under Open tables)")),
            ("invited", gettext_lazy("Only people with the link")),
        ],
        coerce=lambda who: who == "everybody",
        initial="everybody",
        widget=forms.RadioSelect,
    )
    watched = forms.BooleanField(
        label=gettext_lazy("People without an account can watch"), initial=True, required=False,
        help_text=gettext_lazy(
            "Only at listed tables. They don't see the chat, or the names of players who hide "
            "theirs."
        ),
    )  # fmt: skip
    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("For players who are thinking of joining."),
    )

    bribing = forms.ChoiceField(
        label=gettext_lazy("Bribing"),
        choices=[(way, VALUE_LABELS[str(way)]) for way in CHOICES["bribing"]],
        initial="sequential",
        help_text=gettext_lazy(
            "One after another: everyone sees what has been paid so far, as in the rule book. "
            "Sealed: all players bribe at the same time and nobody sees the others' bribes until "
            "all are in, so a game is over much sooner, but nobody can react to another player's "
            "bribe."
        ),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=time_zones,
        required=False,
        help_text=gettext_lazy("For the no-play days and the fixed hour below."),
    )
    no_play_days = forms.TypedMultipleChoiceField(
        label=gettext_lazy("No-play days"),
        choices=list(enumerate(WEEKDAYS)),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("These days don't count towards the time per move."),
    )
    fixed_hour = forms.TypedChoiceField(
        label=gettext_lazy("Deadlines fall at"),
        choices=[("", gettext_lazy("any hour")), *((hour, hour_text(hour)) for hour in range(24))],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=format_lazy(
            gettext_lazy(
                "Deadlines are put off until this hour. Requires at least {hours} hours per move."
            ),
            hours=LEAST_FOR_FIXED_HOUR // UNITS["hours"],
        ),
    )
    days_off = forms.IntegerField(
        label=gettext_lazy("Days off per player"),
        min_value=0,
        max_value=MOST_DAYS_OFF,
        initial=7,
        help_text=format_lazy(
            gettext_lazy("0 to {most} over the whole game, for holidays and busy days."),
            most=MOST_DAYS_OFF,
        ),
    )
    computer_players_allowed = forms.TypedChoiceField(
        label=gettext_lazy("Computer players"),
        choices=[
            ("allowed", COMPUTER_PLAYERS_ALLOWED[True]),
            ("none", COMPUTER_PLAYERS_ALLOWED[False]),
        ],
        coerce=lambda value: value == "allowed",
    )
    absent_player = forms.ChoiceField(
        label=gettext_lazy("Who plays for an absent player"),
        choices=[(name, COMPUTER_PLAYER_LABELS[name]) for name in FOR_ABSENT_PLAYERS],
        initial="default",
        help_text=gettext_lazy(
            "Applies to players who have stepped aside or missed too many deadlines, for as "
            "long as they're absent."
        ),
    )
    talk_seconds = forms.TypedChoiceField(
        label=gettext_lazy("Negotiation time"),
        choices=lambda: [
            (0, pgettext("negotiation time", "none")),
            *((hours * 3600, time_text(hours * 3600)) for hours in TALK),
        ],
        coerce=int,
        initial=0,
        help_text=gettext_lazy(
            "Before the first bribes of each turn. It ends early once everyone involved is "
            "ready. It can add days to the game."
        ),
    )
    press = forms.ChoiceField(
        label=gettext_lazy("Talk during the game"),
        choices=list(PRESS_LABELS.items()),
        initial=Game.Press.PRIVATE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Talking privately takes time: it's best with a day or more per move."
        ),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language of the chat"),
        choices=[("", pgettext_lazy("language", "any")), *settings.LANGUAGES],
        initial=get_language,
        required=False,
    )
    threads_shown = forms.TypedChoiceField(
        label=gettext_lazy("Private conversations"),
        choices=[
            ("hidden", THREADS_SHOWN[False]),
            ("shown", THREADS_SHOWN[True]),
        ],
        coerce=lambda value: value == "shown",
        initial="hidden",
    )
    threads_published = forms.TypedChoiceField(
        label=gettext_lazy("Private messages after the game"),
        choices=[
            ("kept", THREADS_PUBLISHED[False]),
            ("published", THREADS_PUBLISHED[True]),
        ],
        coerce=lambda value: value == "published",
        initial="kept",
    )
    promises_count = forms.TypedChoiceField(
        label=gettext_lazy("Promises kept and broken"),
        choices=[
            ("counted", PROMISES_COUNT[True]),
            ("not-counted", PROMISES_COUNT[False]),
        ],
        coerce=lambda value: value == "counted",
        initial="counted",
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=gettext_lazy("If you leave this blank, the edition's number of rounds is used."),
    )
    uncontested_min_bribe = AmountField(
        label=OPTION_LABELS["uncontested_min_bribe"],
        min_value=1,
        required=False,
        help_text=gettext_lazy(
            "A multiple of the edition's smallest bill. If you leave this blank, the smallest bill "
            "itself is used."
        ),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        host: User,
        preset: str = "",
        settings: TableSettings | None = None,
    ) -> None:
        """Begin with a preset, or with the `settings` of a table, which are to be changed."""
        own = {"time_zone": host.time_zone, "opening_token": uuid4()}
        chosen = PRESETS[preset].initial if preset in PRESETS else {}
        super().__init__(data, initial={**own, **chosen})
        self.host = host
        self.strangers = Game.Strangers.AFTERWARDS if settings is None else settings.strangers
        if settings is not None or not may_watch():
            del self.fields["watched"]  # beside the settings, the host chooses it at any time
        for option in RULE_CHOICES:
            choices = [("", _("as in the edition"))]
            choices += [(str(value), str(VALUE_LABELS[str(value)])) for value in CHOICES[option]]
            self.fields[option] = forms.ChoiceField(
                label=OPTION_LABELS[option], choices=choices, required=False
            )
        if settings is not None:
            self.initial = {**self.initial, **as_typed(self.fields, settings)}
            self.fields["name"].help_text = ""  # it keeps its name

    def basic_fields(self) -> list[forms.BoundField]:
        return self._named("listed", "name", "edition", "size")

    def move_time_fields(self) -> list[forms.BoundField]:
        """The time for a move, the press, which goes by it until the host chooses, and the rest."""
        return self._named("answer_number", "answer_unit", "press", "description")

    def groups(self) -> list[Group]:
        """What is good as it is, folded."""
        return [
            self._group(
                _("Bribing and pace"),
                "bribing",
                "time_zone",
                "no_play_days",
                "fixed_hour",
                "days_off",
            ),
            self._group(
                _("Who plays"),
                "least_in_time",
                "newcomers_welcome",
                "computer_players_allowed",
                "absent_player",
                "watched",
            ),
            self._group(_("Other rules"), "rounds", *RULE_CHOICES, "uncontested_min_bribe"),
            self._group(
                _("Talk and promises"),
                "language",
                "threads_shown",
                "threads_published",
                "talk_seconds",
                "promises_count",
            ),
        ]

    def _group(self, title: str, *names: str) -> Group:
        wrong = any(name in self.errors for name in names) or bool(self.non_field_errors())
        return Group(title, self._named(*names), wrong)

    def _named(self, *names: str) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def clean(self) -> None:
        """Refuse a time for a move that is too short or too long."""
        if self.errors.keys() & {"answer_number", "answer_unit"}:
            return
        if not LEAST_MOVE_TIME <= self._move_time() <= MOST_MOVE_TIME:
            text = _("The time must be between {minutes} minutes and {days} days.")
            self.add_error("answer_number", text.format(**MOVE_TIMES))

    def _move_time(self) -> timedelta:
        number: int = self.cleaned_data["answer_number"]
        return number * UNITS[self.cleaned_data["answer_unit"]]

    @property
    def settings(self) -> TableSettings:
        """What the service wants: the fields of the same names, and what follows from others."""
        given = self.cleaned_data
        derived: dict[str, Any] = {
            "name": tidy(given["name"]),
            "description": tidy(given["description"]),
            "options": self._options(),
            "move_time": self._move_time(),
            "time_zone": given["time_zone"] or self.host.time_zone,
            "no_play_days": sorted(set(given["no_play_days"])),
            "strangers": Game.Strangers.EVERYONE
            if given["listed"] and given.get("watched")
            else self.strangers,
        }
        names = {field.name for field in fields(TableSettings)} - derived.keys()
        return TableSettings(**derived, **{name: given[name] for name in names})

    def _options(self) -> dict[str, Any]:
        """What was chosen, as the engine's options; nothing for what is as the edition has it."""
        edition = EDITIONS[self.cleaned_data["edition"]]
        chosen = {
            option: value
            for option, values in CHOICES.items()
            for value in values
            if self.cleaned_data[option] == str(value) and value != getattr(edition, option)
        }
        for option in NUMBERS:
            if self.cleaned_data[option] is not None:
                chosen[option] = self.cleaned_data[option]
        return chosen


class StartForm(forms.Form):
    """Which computer players take the free seats."""

    computer_player = forms.ChoiceField(
        label=gettext_lazy("Computer players for the free seats"),
        choices=[(name, COMPUTER_PLAYER_LABELS[name]) for name in COMPUTER_PLAYERS],
        initial="courtier",
    )
