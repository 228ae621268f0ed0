"""The form of a question: fields for exactly the legal choices, and the move they make.

`check` of the engine is the judge; fields only help to fill in what it will accept.
"""

from typing import Any, cast

from django import forms

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
    Table,
    View,
    check,
)
from games.presentation.words import People, capital, money, scholar_name


class AnswerForm(forms.Form):
    """Which question is answered (`phase_no`), and the page's own `token`."""

    phase_no = forms.IntegerField(widget=forms.HiddenInput)
    token = forms.UUIDField(widget=forms.HiddenInput)


class MoveForm(AnswerForm):
    """A question's form. After `is_valid()`, `move` holds the legal move."""

    def __init__(self, *args: Any, people: People, view: View, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        self.table: Table = view.table
        self.words = view.table.edition.words
        self.choice = view.choice
        self.default = view.default
        self.move: Move | None = None
        self.label_suffix = ""
        self.add_fields()

    def add_fields(self) -> None:
        raise NotImplementedError

    def read_move(self, answers: dict[str, Any]) -> Move:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        if not self.errors and self.choice is not None:
            self.move = self.read_move(answers)
            try:
                check(self.table, self.choice, self.move)
            except IllegalMove as reason:
                self.add_error(None, reason.message)
        return answers

    def scholar_choices(self, scholars: tuple[Scholar, ...]) -> list[tuple[str, str]]:
        """The scholars as choices: the record's name, and what people say."""
        return [
            (self.table.names[scholar], capital(scholar_name(self.table, scholar, scholars)))
            for scholar in scholars
        ]

    def scholar(self, name: str) -> Scholar:
        return self.table.scholars[name]


class BribeForm(MoveForm):
    """An amount for each of one's contenders; with several, also which is paid for first."""

    def add_fields(self) -> None:
        choice = cast(BribeChoice, self.choice)
        for scholar in choice.scholars:
            name = capital(scholar_name(self.table, scholar, choice.scholars))
            self.fields[self.table.names[scholar]] = forms.IntegerField(
                label=f"Bribe for the {name.lower()}",
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
        if len(choice.scholars) > 1:
            self.fields["first"] = forms.ChoiceField(
                label="Paid for first",
                choices=self.scholar_choices(choice.scholars),
                help_text="Matters only where your money does not reach for all.",
            )

    def _allowed(self, choice: BribeChoice, scholar: Scholar) -> str:
        highest = choice.highest(choice.cash)
        if highest == choice.minimum:
            amounts = f"Exactly {money(choice.minimum)}"
        else:
            amounts = (
                f"{money(choice.minimum)} to {money(highest)}, in steps of {money(choice.unit)}"
            )
        return f"{amounts}, or 0 to pass." if scholar in choice.may_pass else f"{amounts}."

    def read_move(self, answers: dict[str, Any]) -> Move:
        choice = cast(BribeChoice, self.choice)
        first = answers.get("first")
        ordered = sorted(choice.scholars, key=lambda scholar: self.table.names[scholar] != first)
        return Bribe(tuple((scholar, answers[self.table.names[scholar]]) for scholar in ordered))


class PlaceForm(MoveForm):
    """For each conflict a winner, where there are several, and an open area.

    Filled in with what the default would do, so that it can be handed in as it is.
    """

    def add_fields(self) -> None:
        choice = cast(PlaceChoice, self.choice)
        default = {
            who.occupation: (who, area) for who, area in cast(Place, self.default).placements
        }
        areas = [(str(area), money(area)) for area in sorted(choice.open_areas)]
        for conflict in choice.conflicts:
            winner, best = default[conflict[0].occupation]
            title = self.table.edition.occupations[winner.occupation]
            name = capital(scholar_name(self.table, conflict[0]))
            if len(conflict) > 1:
                self.fields[f"{title}-winner"] = forms.ChoiceField(
                    label=f"Which {title} is hired",
                    choices=self.scholar_choices(conflict),
                    initial=self.table.names[winner],
                    widget=forms.RadioSelect,
                )
            area = capital(self.words.area)
            label = f"{area} for the {title if len(conflict) > 1 else name.lower()}"
            self.fields[f"{title}-area"] = forms.ChoiceField(
                label=label, choices=areas, initial=str(best)
            )

    def read_move(self, answers: dict[str, Any]) -> Move:
        choice = cast(PlaceChoice, self.choice)
        placements = []
        for conflict in choice.conflicts:
            title = self.table.edition.occupations[conflict[0].occupation]
            winner = answers.get(f"{title}-winner", self.table.names[conflict[0]])
            placements.append((self.scholar(winner), int(answers[f"{title}-area"])))
        return Place(tuple(placements))


class JudgeForm(MoveForm):
    """Who wins an internal conflict."""

    def add_fields(self) -> None:
        choice = cast(JudgeChoice, self.choice)
        self.fields["winner"] = forms.ChoiceField(
            label=f"Who gets {money(choice.area)}",
            choices=self.scholar_choices(choice.winners),
            initial=self.table.names[cast(Judge, self.default).winner],
            widget=forms.RadioSelect,
        )

    def read_move(self, answers: dict[str, Any]) -> Move:
        return Judge(self.scholar(answers["winner"]))


class SendForm(MoveForm):
    """Which scholars go to which palaces."""

    def add_fields(self) -> None:
        choice = cast(SendChoice, self.choice)
        scholars = self.scholar_choices(choice.scholars)
        palaces = [(str(seat), self.people.name(seat)) for seat in choice.palaces]
        for number in range(choice.count):
            place = ("First", "Second")[number]
            self.fields[f"scholar-{number}"] = forms.ChoiceField(
                label=f"{place} {self.words.scholar}", choices=scholars, initial=scholars[number][0]
            )
            self.fields[f"palace-{number}"] = forms.ChoiceField(
                label=f"{place} {self.words.scholar} goes to",
                choices=palaces,
                initial=palaces[number][0],
            )

    def read_move(self, answers: dict[str, Any]) -> Move:
        choice = cast(SendChoice, self.choice)
        return Send(
            tuple(
                (self.scholar(answers[f"scholar-{number}"]), int(answers[f"palace-{number}"]))
                for number in range(choice.count)
            )
        )


FORMS: dict[type, type[MoveForm]] = {
    BribeChoice: BribeForm,
    PlaceChoice: PlaceForm,
    JudgeChoice: JudgeForm,
    SendChoice: SendForm,
}
