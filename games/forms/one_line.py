"""A field for a name or a few words, which stand on one line wherever they are shown."""

from typing import Any

from django import forms

from games.services.clean_text import on_one_line


class OneLineField(forms.CharField):
    """The text typed, on one line. Browsers send no breaks; any that come become spaces."""

    def to_python(self, value: Any) -> str | None:
        text: str | None = super().to_python(value)
        return on_one_line(text) if isinstance(text, str) else text
