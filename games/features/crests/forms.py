"""Choosing one's crest, part by part."""

from typing import Any, Final, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy

from games.features.crests.heraldry import CHARGES, DIVISIONS, TINCTURES, Crest, Part


class Shown(NamedTuple):
    """A part to choose: the text of the crest with it, and what it is called."""

    value: str
    crest: str
    name: str
    chosen: bool


class Group(NamedTuple):
    """The parts from which one is chosen."""

    field: str
    title: str
    parts: list[Shown]


def _choice(label: Any, parts: dict[str, Part]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(key, part.name) for key, part in parts.items()])


class CrestForm(forms.Form):
    """The four parts of a crest."""

    charge = _choice(gettext_lazy("Symbol"), CHARGES)
    division = _choice(gettext_lazy("Pattern"), DIVISIONS)
    first = _choice(gettext_lazy("First colour"), TINCTURES)
    second = _choice(gettext_lazy("Second colour"), TINCTURES)

    @property
    def crest(self) -> Crest:
        """The crest that was chosen, once the form is valid."""
        return Crest(**self.cleaned_data)


ORDER: Final = {
    "charge": CHARGES, "division": DIVISIONS, "first": TINCTURES, "second": TINCTURES,
}  # fmt: skip


def groups(crest: Crest) -> list[Group]:
    """All parts, each shown in this crest."""
    return [
        Group(
            field,
            str(CrestForm.base_fields[field].label),
            [
                Shown(
                    key,
                    str(crest._replace(**{field: key})),
                    str(part.name),
                    key == getattr(crest, field),
                )
                for key, part in parts.items()
            ],
        )
        for field, parts in ORDER.items()
    ]
