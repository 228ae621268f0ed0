"""The form that dismisses a possible duplicate account."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy

from games.forms.moderation.base import ActionForm
from games.presentation.text.words import listed
from games.services.moderation.actions.requests import ActionRequest


class ClearForm(ActionForm):
    """Why it is all right that two people share a browser; they are its `subject`."""

    templates = (
        gettext_lazy("They know each other and live in the same household."),
        gettext_lazy("Their explanation is convincing."),
        gettext_lazy("They no longer play at the same tables."),
    )

    def whom(self) -> str:
        return listed(person.name for person in self.subject)

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        person, other = self.subject
        return do(request, person_id=person.pk, other_id=other.pk)
