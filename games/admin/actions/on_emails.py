"""The actions on an email, and when each is possible."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.forms.moderation import email_actions as forms
from games.models import OutboxEmail, User
from games.services.moderation.actions import mail


def unless_failed(email: OutboxEmail, _moderator: User) -> str:
    failed = email.status == OutboxEmail.Status.FAILED
    return "" if failed else _("This email hasn't failed.")


ON_EMAILS: Final = (
    Action(
        "email.send-again",
        gettext_lazy("Send again"),
        gettext_lazy("Sends this email once more, with up-to-date text."),
        gettext_lazy("The email will be sent again."),
        forms.SendAgainForm,
        mail.send_again,
        mail.why_not,
    ),
    Action(
        "email.send-all",
        gettext_lazy("Resend all that failed for the same reason"),
        gettext_lazy(
            "Resends the emails that failed recently for the same reason, with up-to-date text."
        ),
        gettext_lazy("The emails that are still relevant will be sent again."),
        forms.SendAllForm,
        mail.send_all_again,
        unless_failed,
    ),
)
