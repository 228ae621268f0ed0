"""The form that reveals secrets: what a moderator needs to see, and why."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.moderation.base import ActionForm
from games.services.moderation.actions.requests import ActionRequest
from games.services.moderation.secrets import THINGS


class RevealSecretsForm(ActionForm):
    """What is to be seen, by its name in `THINGS`."""

    templates = (
        gettext_lazy("The game can't continue until the error is found and fixed."),
        gettext_lazy("A player says the site made a calculation error."),
        gettext_lazy("A player says that someone has access to secret information."),
        gettext_lazy("Players appear to be colluding in secret."),
    )
    reason_help = gettext_lazy(
        "Shown to everyone at the table when the game is over, exactly as written."
    )

    balances = forms.BooleanField(label=gettext_lazy("Money and sealed bribes"), required=False)
    orders = forms.BooleanField(label=gettext_lazy("Standing orders"), required=False)
    notes = forms.BooleanField(label=gettext_lazy("Notes and drafts"), required=False)

    def clean(self) -> dict[str, object]:
        """Refuse to reveal nothing."""
        cleaned = super().clean()
        if not self.things:
            raise ValidationError(_("Please choose what you need to see."))
        return cleaned

    @property
    def things(self) -> list[str]:
        return [thing for thing in THINGS if self.cleaned_data.get(thing)]

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, game_id=self.subject.pk, things=self.things)
