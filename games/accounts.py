"""What this site adds to django-allauth."""

import logging
from email.utils import make_msgid
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.core import context as current
from allauth.core import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone, translation

from games.models import User
from games.services import reachability
from games.services.letters import site_host
from games.services.mail_server import is_of_the_address
from games.services.people_letters import closed_account

logger = logging.getLogger(__name__)

CLOSED: Final = "account/email/account_closed"
ASKED_BY_ANYBODY: Final = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "login_code",
        "password_reset_code",
        "password_reset_key",
        "unknown_account",
    )
)
"""Mails that somebody can cause who only knows the address."""

FOR_NO_ACCOUNT: Final = {"account/email/unknown_account", "account/email/account_already_exists"}
"""Mails that would send somebody whose account is closed from one page to the next."""


class MailDown(Exception):
    """A mail that somebody waits for could not be handed to the mail server."""


class AddressRefused(MailDown):
    """It could not, because its address does not exist."""


def address_of(request: HttpRequest) -> str | None:
    """The IP address of who asks, behind the proxies that are trusted; None where it is unknown."""
    try:
        address: str = get_adapter(request).get_client_ip(request)
    except PermissionDenied:
        return None
    return address


def _may_be_mailed(address: str) -> bool:
    """Whether an address has not been mailed too much today; this mail counts."""
    request = current.request
    return request is None or ratelimit.consume(request, action="mail", key=address.lower())


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Whether a second factor may be given up: not by whom moderators want to have one."""
        return not authenticator.user.needs_second_factor


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def save_user(self, request: HttpRequest, user: User, form: Form, *more: Any) -> Any:
        """Give a new person the name and zone of the form, and the language they read it in."""
        user.name = form.cleaned_data["name"]
        user.time_zone = form.cleaned_data["time_zone"]
        user.language = translation.get_language() or ""
        return super().save_user(request, user, form, *more)

    def render_mail(
        self, template: str, address: str, context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """A mail with this site's Message-ID, whatever the machine is called."""
        own = {"Message-ID": make_msgid(domain=site_host()), "Auto-Submitted": "auto-generated"}
        told = own | (headers or {})
        mail: EmailMessage = super().render_mail(template, address, context, told)
        return mail

    def send_mail(self, template: str, address: str, context: dict[str, Any]) -> None:
        """Send a mail that somebody waits for at their browser, such as a code.

        In the language that the person has chosen, else in that of the page. Who is banned is told
        so, whatever they tried. What exceeds the limit of a day is not sent; the page says the
        same as ever, also where there is no account.
        """
        if template in ASKED_BY_ANYBODY and not _may_be_mailed(address):
            logger.warning("An address is mailed no more codes today")
            return
        person = context.get("user") or User.objects.filter(email=address.lower()).first()
        chosen = person.language if person is not None else ""
        try:
            with translation.override(chosen or translation.get_language()):
                if person is not None and not person.is_active and template in FOR_NO_ACCOUNT:
                    template, context = CLOSED, closed_account(person, timezone.now())
                super().send_mail(template, address, context)
        except SMTPRecipientsRefused as failure:
            [(code, said)] = failure.recipients.values()
            if not is_of_the_address(code, said):
                raise MailDown from failure
            if person is not None and person.email == address.lower():
                why = f"{code} {said.decode(errors='replace')}"
                reachability.note_refused(person, why, timezone.now())
            raise AddressRefused from failure
        except (SMTPException, OSError) as failure:
            raise MailDown from failure
        # Whoever asks for a code finds out whether the address works again.
        if person is not None and person.is_unreachable and person.email == address.lower():
            reachability.note_taken(person.email)

    def send_notification_mail(self, *what: Any, **more: Any) -> None:
        """Tell somebody what was done to their account; it is done also where no mail goes out."""
        try:
            super().send_notification_mail(*what, **more)
        except MailDown:
            logger.exception("A notice about an account was not sent")
