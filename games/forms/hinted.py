"""A list of choices with remarks on them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django import forms

from games.presentation.board.promise_hints import Remark


class Breach(NamedTuple):
    """An option that would break promises: its value, what it is called, and which they are."""

    value: str
    choice: str
    text: str


class HintedField(forms.ChoiceField):
    """A choice of options, each with its remark or None; `breaches` are said below it in full.

    A narrow list shows only the beginning of the option that is chosen.
    """

    def __init__(self, options: Iterable[tuple[str, str, Remark | None]], **kwargs: Any) -> None:
        options = list(options)
        super().__init__(
            choices=[(value, with_hint(text, remark)) for value, text, remark in options], **kwargs
        )
        self.breaches = [
            Breach(value, text, remark.breach)
            for value, text, remark in options
            if remark is not None and remark.breach
        ]


def with_hint(text: str, remark: Remark | None) -> str:
    return text if remark is None else f"{text} ({remark.text})"
