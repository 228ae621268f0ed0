"""The form of a decision: fields for exactly the legal choices, and the moves they make.

`check` of the engine is the judge; fields only help to fill in what it will accept. Every form is
filled in so that it can be handed in as it is: it then plays the default.
"""

from collections.abc import Collection
from typing import Any, Final, cast

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import (
    Bribe,
    BribeChoice,
    IllegalMove,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Scholar,
    Send,
    SendChoice,
    View,
    check,
)
from games.engine.forced import sending_after
from games.forms.amounts import AmountField
from games.forms.hinted import HintedField, with_hint
from games.presentation.board.promise_hints import NO_HINTS, Hints, Remark
from games.presentation.board.refusals import move_refused
from games.presentation.text.words import (
    People,
    capital,
    money,
    scholar_name,
)

PAID_FIRST: Final = "first"
"""The field for whom to pay first, which only matters to who can't pay for all."""


ALIKE: Final = gettext_lazy(
    "Two of a kind are interchangeable: the numbers 1 and 2 are only there to tell them apart."
)
TWO_OF_A_KIND: Final = gettext_lazy("“(2)” means that you have two of these.")


class MoveKeyForm(forms.Form):
    """Which decision is made (`phase_no`), and the page's own `token`."""

    phase_no = forms.IntegerField(widget=forms.HiddenInput)
    token = forms.UUIDField(widget=forms.HiddenInput)


class MoveForm(MoveKeyForm):
    """A decision's form. After `is_valid()`, `moves` holds the legal moves.

    Where the sending follows the last decision of a turn, both are made in one form, and the
    sending may be left for later. `hints` are remarks on what may be chosen.
    """

    board_hint: Promise | str
    """How the move can be made on the board, for those who have JavaScript."""

    numbers_hint: Promise | str = ""
    """What the numbers of scholars mean, where the form shows some."""

    def __init__(
        self,
        *args: Any,
        people: People,
        view: View,
        hints: Hints = NO_HINTS,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        self.hints = hints
        self.view = view
        self.table = view.table
        self.words = people.words
        self.choice = view.choice
        self.default = view.default
        self.sending = sending_after(view)
        self.moves: list[Move] = []
        self.add_fields()
        if self.sending is not None:
            self.fields["send-later"] = forms.BooleanField(
                label=_("Not yet: I'll send them later"), required=False
            )
            add_sending(self, self.sending)

    def add_fields(self) -> None:
        raise NotImplementedError

    def read_move(self, values: dict[str, Any]) -> Move:
        raise NotImplementedError

    def explain_numbers(
        self, name: str, scholars: Collection[Scholar], hint: Promise | str = ALIKE
    ) -> None:
        """Say what the numbers mean that the field `name` shows, if two scholars are alike."""
        if len({one[:2] for one in scholars}) < len(scholars):
            self.numbers_hint = hint
            self.fields[name].widget.attrs["title"] = hint

    def decision_fields(self) -> list[forms.BoundField]:
        """The fields of the decision itself."""
        return [
            field
            for field in self.visible_fields()
            if not _is_sending(field.name) and field.name != PAID_FIRST
        ]

    def seldom_fields(self) -> list[forms.BoundField]:
        """The fields that seldom matter, below all others."""
        return [self[PAID_FIRST]] if PAID_FIRST in self.fields else []

    def sending_fields(self) -> list[forms.BoundField]:
        """The fields of the sending that may be joined to it."""
        if self.sending is None:
            return []
        return [field for field in self.visible_fields() if _is_sending(field.name)]

    @property
    def sends_as_suggested(self) -> bool:
        """Whether a valid form also sends scholars, just as it suggests: nobody may have looked."""
        values = self.cleaned_data
        return self.sending is not None and all(
            values[field.name] == field.field.prepare_value(field.field.initial or False)
            for field in self.sending_fields()
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors or self.choice is None:
            return values
        choices: list[tuple[Any, Move]] = [(self.choice, self.read_move(values))]
        if self.sending is not None and not values["send-later"]:
            choices.append((self.sending, self.read_sending(values, self.sending)))
        try:
            for choice, move in choices:
                check(self.table, choice, move)
        except IllegalMove as reason:
            self.add_error(None, move_refused(self.people, choice, reason))
        else:
            self.moves = [move for _, move in choices]
        return values

    def scholar_choices(self, scholars: tuple[Scholar, ...]) -> list[tuple[str, str]]:
        """The scholars as choices: the record's name, and the one people use."""
        return [
            (self.table.names[scholar], capital(scholar_name(self.table, scholar, scholars)))
            for scholar in scholars
        ]

    def winner_choices(self, winners: tuple[Scholar, ...]) -> list[tuple[str, str]]:
        """The same, with what was promised."""
        return [
            (name, with_hint(text, self.hints.winners.get(self.scholar(name))))
            for name, text in self.scholar_choices(winners)
        ]

    def occupation(self, scholar: Scholar) -> str:
        """The occupation as the record names it, for the names of fields."""
        return self.table.edition.occupations[scholar.occupation]

    def scholar(self, name: str) -> Scholar:
        return self.table.scholars[name]

    def read_sending(self, values: dict[str, Any], choice: SendChoice) -> Send:
        """The sending. Whoever sends one kind of scholar twice sends both of that kind."""
        left = list(choice.scholars)
        sent = []
        for place in range(1, choice.count + 1):
            chosen = self.scholar(values[f"send-scholar-{place}"])
            scholar = next((one for one in left if is_like(one, chosen)), chosen)
            left = [one for one in left if one != scholar]
            sent.append((scholar, self.table.players.index(values[f"send-palace-{place}"])))
        return Send(tuple(sent))


def is_like(scholar: Scholar, other: Scholar) -> bool:
    """Whether it is the same scholar or its twin."""
    return scholar[:2] == other[:2]


class ScholarField(forms.ChoiceField):
    """A kind of scholar to send, of those that may be sent.

    It goes by the name of the first of its kind. That of a twin means the same.
    """

    def __init__(self, form: MoveForm, scholars: tuple[Scholar, ...], **kwargs: Any) -> None:
        names = form.table.names
        firsts = {one[:2]: names[one] for one in reversed(scholars)}
        self.first_of_kind = {names[one]: firsts[one[:2]] for one in scholars}
        twins = {one[:2] for one in scholars if names[one] != firsts[one[:2]]}
        labels = {}
        for one in scholars:
            label = "{scholar} (2)" if one[:2] in twins else "{scholar}"
            labels[firsts[one[:2]]] = capital(label.format(scholar=form.people.occupation(one)))
        super().__init__(choices=list(labels.items()), **kwargs)
        alone = [firsts[one[:2]] for one in scholars if one[:2] not in twins]
        self.widget.attrs["data-alone"] = " ".join(alone)

    def prepare_value(self, value: Any) -> Any:
        return self.first_of_kind.get(value, value)

    def to_python(self, value: Any) -> str:
        name: str = super().to_python(value)
        return self.first_of_kind.get(name, name)


def add_sending(form: MoveForm, choice: SendChoice) -> None:
    """Fields for who goes where, filled in with the default."""
    palaces = [
        (form.people.colour(seat), form.people.name(seat), form.hints.palaces.get(seat))
        for seat in choice.palaces
    ]
    who = (_("First {scholar}"), _("Second {scholar}"))
    where = (_("First goes to"), _("Second goes to"))
    for place in range(1, choice.count + 1):
        form.fields[f"send-scholar-{place}"] = ScholarField(
            form,
            choice.scholars,
            label=who[place - 1].format(scholar=form.words.scholar),
            initial=form.table.names[choice.scholars[place - 1]],
        )
        form.explain_numbers(f"send-scholar-{place}", choice.scholars, TWO_OF_A_KIND)
        form.fields[f"send-palace-{place}"] = HintedField(
            palaces,
            label=where[place - 1],
            initial=palaces[place - 1][0],
        )


def _is_sending(name: str) -> bool:
    return name.startswith("send-")


class BribeForm(MoveForm):
    """An amount for each of one's contenders; with several, also which is paid for first."""

    @property
    def board_hint(self) -> str:  # type: ignore[override]
        return _("Or choose a bribe on the board to match it.") if self.view.paid else ""

    def add_fields(self) -> None:
        choice = cast(BribeChoice, self.choice)
        for scholar in choice.scholars:
            text = self.people._replace(among=choice.scholars).scholar(scholar)
            self.fields[self.table.names[scholar]] = AmountField(
                label=_("Bribe for {scholar}").format(scholar=text),
                initial=choice.minimum,
                help_text=self._allowed(choice, scholar),
                widget=forms.NumberInput(
                    attrs={
                        "min": 0 if scholar in choice.may_pass else choice.minimum,
                        "max": choice.highest(choice.cash),
                        "step": choice.unit,
                        "inputmode": "numeric",
                    }
                ),
            )
            alike = [one for one in choice.scholars if is_like(one, scholar)]
            self.explain_numbers(self.table.names[scholar], alike)
        if len(choice.scholars) > 1:
            self.fields[PAID_FIRST] = forms.ChoiceField(
                label=_("Pay first for"),
                choices=self.scholar_choices(choice.scholars),
                help_text=_("Only matters if you can't pay all of these bribes."),
            )

    def _allowed(self, choice: BribeChoice, scholar: Scholar) -> str:
        highest = choice.highest(choice.cash)
        may_pass = scholar in choice.may_pass
        if highest == choice.minimum:
            text = _("Exactly {minimum}, or 0 to pass.") if may_pass else _("Exactly {minimum}.")
        elif may_pass:
            text = _("{minimum} to {highest}, in steps of {unit}, or 0 to pass.")
        else:
            text = _("{minimum} to {highest}, in steps of {unit}.")
        return text.format(
            minimum=money(choice.minimum), highest=money(highest), unit=money(choice.unit)
        )

    def read_move(self, values: dict[str, Any]) -> Move:
        choice = cast(BribeChoice, self.choice)
        first = values.get(PAID_FIRST)
        ordered = sorted(choice.scholars, key=lambda scholar: self.table.names[scholar] != first)
        return Bribe(tuple((scholar, values[self.table.names[scholar]]) for scholar in ordered))


class PlaceForm(MoveForm):
    """For each conflict a winner, where there are several, and an open area."""

    board_hint = gettext_lazy(
        "Or use the board: choose someone at your door, then the salary you give them, or drag "
        "them to it."
    )

    def add_fields(self) -> None:
        choice = cast(PlaceChoice, self.choice)
        default = {
            who.occupation: (who, area) for who, area in cast(Place, self.default).placements
        }
        for conflict in choice.conflicts:
            winner, best = default[conflict[0].occupation]
            title = self.occupation(winner)
            if len(conflict) > 1:
                self.fields[f"{title}-winner"] = forms.ChoiceField(
                    label=_("Which {occupation} is hired").format(
                        occupation=self.people.occupation(winner)
                    ),
                    choices=self.winner_choices(conflict),
                    initial=self.table.names[winner],
                    widget=forms.RadioSelect,
                )
                self.explain_numbers(f"{title}-winner", conflict)
            self.fields[f"{title}-area"] = HintedField(
                self._areas(winner.occupation, choice.open_areas),
                label=self._area_label(conflict, winner),
                initial=str(best),
            )

    def _areas(
        self, occupation: int, areas: tuple[int, ...]
    ) -> list[tuple[str, str, Remark | None]]:
        hinted = self.hints.areas
        return [(str(area), money(area), hinted.get((occupation, area))) for area in sorted(areas)]

    def _area_label(self, conflict: tuple[Scholar, ...], winner: Scholar) -> str:
        whom = self.people.the_occupation if len(conflict) > 1 else self.people.scholar
        text = _("{area} for {scholar}").format(area=self.words.area, scholar=whom(winner))
        return capital(text)

    def read_move(self, values: dict[str, Any]) -> Move:
        choice = cast(PlaceChoice, self.choice)
        placements = []
        for conflict in choice.conflicts:
            title = self.occupation(conflict[0])
            winner = values.get(f"{title}-winner", self.table.names[conflict[0]])
            placements.append((self.scholar(winner), int(values[f"{title}-area"])))
        return Place(tuple(placements))


class JudgeForm(MoveForm):
    """Who wins an internal conflict."""

    board_hint = gettext_lazy("Or choose the winner on the board.")

    def add_fields(self) -> None:
        choice = cast(JudgeChoice, self.choice)
        self.fields["winner"] = forms.ChoiceField(
            label=_("Who gets {area}").format(area=money(choice.area)),
            choices=self.winner_choices(choice.winners),
            initial=self.table.names[cast(Judge, self.default).winner],
            widget=forms.RadioSelect,
        )
        self.explain_numbers("winner", choice.winners)

    def read_move(self, values: dict[str, Any]) -> Move:
        return Judge(self.scholar(values["winner"]))


class SendForm(MoveForm):
    """Which scholars go to which palaces."""

    board_hint = gettext_lazy(
        "Or, on the board, choose who to send, then a palace. You can also drag them there."
    )

    def add_fields(self) -> None:
        add_sending(self, cast(SendChoice, self.choice))

    def decision_fields(self) -> list[forms.BoundField]:
        return self.visible_fields()

    def read_move(self, values: dict[str, Any]) -> Move:
        return self.read_sending(values, cast(SendChoice, self.choice))


FORMS: dict[type, type[MoveForm]] = {
    BribeChoice: BribeForm,
    PlaceChoice: PlaceForm,
    JudgeChoice: JudgeForm,
    SendChoice: SendForm,
}
