"""Forms of the table chat, and of private conversations."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy

from games.services.chat.messages import LONGEST
from games.services.public_ids import number_of

FIELD: Final = {"id": "say", "rows": 3, "maxlength": LONGEST, "required": True}
"""Of the field for what is said; links to "#say" lead there."""


class ChatForm(forms.Form):
    """A form of the chat: labels without a colon, as everywhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class MessageForm(ChatForm):
    """A message. How long it may be is the service's matter, so that the text stays."""

    prefix = "talk"

    token = forms.UUIDField(widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("Message to everyone"),
        required=False,
        strip=False,
        help_text=gettext_lazy(
            "Players and spectators can read it. Type @ followed by a name to notify that player."
        ),
        widget=forms.Textarea(attrs=FIELD),
    )


class WhisperForm(ChatForm):
    """A message in a thread."""

    prefix = "talk"

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=gettext_lazy("Private message"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs=FIELD),
    )


class ThreadForm(WhisperForm):
    """The first message of a private conversation; `others` are ids and names of players."""

    others = forms.MultipleChoiceField(
        label=gettext_lazy("With"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Please choose who you want to talk to.")},
    )

    def __init__(self, *args: Any, others: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["others"].choices = others  # type: ignore[attr-defined]


class EditForm(ChatForm):
    """The new text of a message."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs=FIELD),
    )


def before_of(query: Mapping[str, str], kind: str, *, old: bool = True) -> int | None:
    """The number of the row of this `kind` before which a page of older ones begins; or None.

    Told by its id, or as in `old` addresses by the number itself.
    """
    return number_of(kind, query.get("before", ""), old=old)
