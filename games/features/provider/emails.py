"""What django-allauth tells people by email of their connection with the provider."""

from typing import Final

from django.utils.translation import gettext_lazy

from games.services.accounts.emails import NoticeEmail

NOTICES: Final = {
    "socialaccount/email/account_connected": NoticeEmail(
        gettext_lazy("You can now sign in with {provider}")
    ),
    "socialaccount/email/account_disconnected": NoticeEmail(
        gettext_lazy("You can no longer sign in with {provider}")
    ),
}
