"""The forms of a moderator's actions on an email."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.moderation.base import ActionForm
from games.models import OutboxEmail
from games.presentation.text.words import listed
from games.services.email.kinds import label_of
from games.services.moderation.actions.mail import fate_of
from games.services.moderation.actions.requests import ActionRequest
from games.services.moderation.queries.failed_emails import failed_for_the_same

AGAIN: Final[tuple[Promise, ...]] = (
    gettext_lazy("The player says it didn't arrive."),
    gettext_lazy("The problem has been fixed."),
)


class EmailActionForm(ActionForm):
    """An action on an email."""

    templates = AGAIN

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, email_id=self.email.pk, **self.arguments())

    @property
    def email(self) -> OutboxEmail:
        email: OutboxEmail = self.subject.email
        return email


class SendAgainForm(EmailActionForm):
    """One email, as the moderator saw it."""

    seen = forms.CharField(max_length=100, widget=forms.HiddenInput)

    def seen_now(self) -> dict[str, Any]:
        return {"seen": fate_of(self.email)}


class SendAllForm(EmailActionForm):
    """All that failed for one reason; which ones is shown at once, and only those are sent."""

    emails = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)

    def seen_now(self) -> dict[str, Any]:
        failed = failed_for_the_same(self.email, timezone.now(), self.subject.moderator)
        return {"emails": " ".join(str(one.pk) for one in failed)}

    def chosen(self) -> list[int]:
        """The ids of the emails that the moderator saw."""
        return [int(part) for part in self.cleaned_data["emails"].split() if part.isdecimal()]

    def beforehand(self) -> list[str]:
        failed = failed_for_the_same(self.email, timezone.now(), self.subject.moderator)
        if not failed:
            return []
        kinds = Counter(label_of(one) for one in failed)
        text = ngettext(
            "{count} email will be sent again: {kinds}.",
            "{count} emails will be sent again: {kinds}.",
            len(failed),
        )
        parts = [f"{label} ({count})" for label, count in kinds.items()]
        return [
            text.format(count=len(failed), kinds=listed(parts)),
            _(
                "Emails that are no longer relevant, or that are about your own tables, will be "
                "left out."
            ),
        ]

    def run(self, do: Callable[..., Any], request: ActionRequest) -> Any:
        return do(request, emails=self.chosen())
