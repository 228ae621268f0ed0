"""What this site adds to django-allauth."""

import logging
import time
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from allauth.account import app_settings as account_settings
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_changed,
    email_confirmed,
    password_changed,
    password_reset,
    password_set,
)
from allauth.core import context as current
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.httpkit import clean_client_ip
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.signals import social_account_removed
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, update_session_auth_hash
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.dispatch import receiver
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import MAX_URL_LENGTH
from django.utils.translation import gettext

from games.extensions import Case
from games.mailboxes import mailbox, owner
from games.models import User
from games.services.accounts import account, emails, guests, sign_ins, terms, ways_in
from games.services.email import reachability, reached_again
from games.services.email.answers import FAILURES, Fate, outcome_of
from games.services.email.people_emails import closed_account
from games.services.people import held_sanctions
from games.services.people.addresses import with_address

logger = logging.getLogger(__name__)

AT_ANYBODYS_REQUEST: Final = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists", "email_confirmation", "email_confirmation_signup",
        "login_code", "password_reset_code", "unknown_account",
    )
)  # fmt: skip
"""Mails that somebody can cause who only knows the address."""

FOR_NO_ACCOUNT: Final = {"account/email/unknown_account", "account/email/account_already_exists"}
"""Emails that would send somebody whose account is closed from one page to the next."""


class EmailDown(Exception):
    """An email that somebody waits for could not be handed to the mail server."""


class AddressRefused(EmailDown):
    """It could not, because its address does not exist."""


def address_of(request: HttpRequest) -> str | None:
    """The client's IP address, behind the proxies that are trusted; None where it is unknown."""
    try:
        address: str = get_adapter(request).get_client_ip(request)
    except PermissionDenied:
        return None
    return address


def _may_be_emailed(address: str, person: User | None) -> bool:
    """Whether an address has not been emailed too much; this email counts.

    A person known there has a limit of their own, which no stranger can use up.
    """
    request = current.request
    if request is None:
        return True
    known_by = _known_by(request, person)
    key = f"{mailbox(address)} {known_by}"
    if known_by and ratelimit.consume(request, action="email_known", key=key):
        return True
    return bool(ratelimit.consume(request, action="mail", key=owner(address)))


def _known_by(request: HttpRequest, person: User | None) -> str:
    """By what it is known that this person has been signed in from where the request comes."""
    if person is None:
        return ""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    return sign_ins.known_by(person, cookie=cookie, address=address_of(request))


def has_shown_second_factor(request: HttpRequest, user: User, since: float = 0) -> bool:
    """Whether somebody has shown their second factor in this session, after an instant."""
    records = get_authentication_records(request, user)
    return any(one.get("method") == "mfa" and one["at"] > since for one in records)


def has_signed_in_lately(request: HttpRequest, user: User) -> bool:
    """Whether somebody has shown who they are within the last minutes, in whatever way."""
    since = time.time() - account_settings.REAUTHENTICATION_TIMEOUT
    return any(one["at"] > since for one in get_authentication_records(request, user))


def end_elsewhere(request: HttpRequest, user: User, case: Case) -> None:
    """End the ways in that end in this case, but for the session of this request."""
    ways_in.end(user, case)
    update_session_auth_hash(request, user)
    UserSession.objects.purge_and_list(user)
    UserSession.objects.create_from_request(request)


BEGUN_WITH: Final = "sign_in_begun_with"
"""Where a session holds the hash that it would have had when a sign-in began."""

BY_ITS_SESSION: Final = "confirmed_by_its_session"
"""Marks an address whose code was entered by who signed up with it, or knows its password."""


def is_never_confirmed(user: User) -> bool:
    """Whether nobody has shown yet that the address with which they signed up is theirs."""
    own = EmailAddress.objects.filter(user=user)
    return own.exists() and not own.filter(verified=True).exists()


@receiver(email_confirmed)
def address_confirmed(request: HttpRequest, email_address: EmailAddress, **_more: Any) -> None:
    """By a code for signing in, or for a new password: by somebody who reads the email there.

    Whoever signed up may be another person, who can't.
    """
    if hasattr(email_address, BY_ITS_SESSION):
        return
    had_password = email_address.user.has_usable_password()
    ways_in.end(email_address.user, Case.TAKEN_BACK)
    match = request.resolver_match
    if had_password and match is not None and match.view_name == "account_confirm_login_code":
        text = gettext(
            "This account's old password no longer works, because it was chosen before this "
            "address was confirmed. You can choose a new one."
        )
        messages.info(request, text)


@receiver(email_changed)
def address_changed(
    user: User,
    from_email_address: EmailAddress | None,
    to_email_address: EmailAddress,
    **_more: Any,
) -> None:
    """A mute or a suspension goes along, and stays with the address that was left."""
    now = timezone.now()
    if from_email_address is not None and from_email_address.verified:
        held_sanctions.address_left(user, from_email_address.email, now)
        ways_in.end(user, Case.ADDRESS)
    held_sanctions.give_back(user, now)
    if user.refused_email and not user.is_unreachable:
        reached_again.send_what_waited(user, now)


@receiver([password_changed, password_set])
def password_chosen(request: HttpRequest, user: User, **_more: Any) -> None:
    """Whoever knows a password, or was signed in with the old one, is let in no more."""
    end_elsewhere(request, user, Case.PASSWORD)


@receiver(password_reset)
def password_forgotten(user: User, **_more: Any) -> None:
    """The same where nobody is signed in yet."""
    ways_in.end(user, Case.PASSWORD)


@receiver(social_account_removed)
def provider_left(socialaccount: SocialAccount, **_more: Any) -> None:
    """It stays with the account at the provider as well."""
    held_sanctions.provider_left(socialaccount.user, socialaccount, timezone.now())


@receiver(authenticator_added)
def second_factor_set_up(
    request: HttpRequest, user: User, authenticator: Authenticator, **_more: Any
) -> None:
    """Whoever sets up a second factor has shown it here; sessions without it end."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        end_elsewhere(request, user, Case.SECOND_FACTOR)
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Whether a second factor may be given up: not the last one of whom moderators want to
        have one.
        """
        user = authenticator.user
        own = Authenticator.objects.filter(user=user).exclude(pk=authenticator.pk)
        left = own.exclude(type=Authenticator.Type.RECOVERY_CODES)
        return not user.needs_second_factor or left.exists()

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002
        """What a passkey is called whose owner gives it no name."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return gettext("Passkey {number}").format(number=count + 1)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys belong to the host of the site, whatever the browser called it."""
        return {"id": settings.SITE_HOST, "name": "Intrigue"}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def get_client_ip(self, request: HttpRequest) -> str:
        """The IP address of who asks; `PermissionDenied` where it is unknown.

        What has passed fewer proxies than there should be is counted for whom the nearest proxy
        saw: nothing else in the header can be trusted. A proxy that doesn't know counts itself.
        """
        try:
            address: str | None = super().get_client_ip(request)
        except ImproperlyConfigured:
            forwarded = request.headers.get("X-Forwarded-For", "")
            address = clean_client_ip(forwarded.rpartition(",")[2])
        except PermissionDenied:
            address = None
        address = address or clean_client_ip(request.META.get("REMOTE_ADDR", ""))
        if not address:
            raise PermissionDenied("The address of the client is unknown.")
        return address

    def is_safe_url(self, url: str) -> bool:
        """Whether to lead there: to this site, and not from https to http. To no URL, never."""
        if len(url) > MAX_URL_LENGTH:
            return False
        try:
            to_http = current.request.is_secure() and urlsplit(url).scheme == "http"
            return bool(super().is_safe_url(url)) and not to_http
        except ValueError:
            return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Under what failed passwords are counted: allauth's has the Host header in it, which
        whoever guesses can spell in many ways.

        Those from where the owner has been signed in count by themselves: no stranger can use up
        their attempts.
        """
        email = str(credentials.get("email", ""))
        return f"{mailbox(email)} {_known_by(request, with_address(email))}".rstrip()

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Begin to sign somebody in, who may have to show more, such as a second factor."""
        refused: HttpResponse | None = super().pre_login(request, user, **more)
        if refused is None:
            request.session[BEGUN_WITH] = user.get_session_auth_hash()
        return refused

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in somebody whose address is confirmed.

        Not if all sessions have ended since they began: it may have been with an old password.
        """
        begun_with = request.session.pop(BEGUN_WITH, None)
        if begun_with not in {None, user.get_session_auth_hash()}:
            messages.error(request, gettext("Please sign in again."))
            raise ImmediateHttpResponse(redirect("account_login"))
        if user.is_guest:
            user.refresh_from_db()  # They have become somebody in this request.
        super().login(request, user)
        account.arrive(user, timezone.now())

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """The ways to prove that it is oneself. A security key of allauth is our passkey."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        passkey = reverse("mfa_reauthenticate_webauthn")
        return [
            one | {"description": gettext("Use a passkey")} if one["url"] == passkey else one
            for one in methods
        ]

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether somebody has to show again that it is them, before something dear."""
        self.let_sign_in_again(self.request.path)
        required: bool = super().is_reauthentication_required(app=app, **more)
        return required

    def let_sign_in_again(self, wanted: str) -> None:
        """Who has neither password nor second factor, as those who were guests, signs in again.

        allauth would ask them for nothing. They come to the `wanted` page then.
        """
        request, user = self.request, self.request.user
        has_none = user.is_authenticated and not self.get_reauthentication_methods(user)
        if has_none and not has_signed_in_lately(request, user):
            page = f"{reverse('sign_in_again')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}"
            raise ImmediateHttpResponse(redirect(page))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """An address is confirmed. A guest who has one has an account.

        Their session goes on under another key: a copy of the guest's cookie isn't the account's.
        """
        setattr(email_address, BY_ITS_SESSION, True)
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed and email_address.user.is_guest:
            guest = email_address.user
            guests.keep(guest, name=request.session.pop(guests.WANTED_NAME, guest.name))
            request.session.cycle_key()
        return confirmed

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Where to go on once an address is confirmed: a former guest goes to their game."""
        game = guests.own_game(email_address.user) if email_address.user is not None else None
        if game is not None and game.host_id == email_address.user.pk and not game.has_deadlines:
            return game.get_absolute_url()
        url: str = super().get_email_verification_redirect_url(email_address)
        return url

    def save_user(self, request: HttpRequest, user: User, form: Form, *more: Any) -> Any:
        """Give a new person the name and zone of the form, and the language they read it in.

        The form has been filled in, so they have accepted the terms.
        """
        user.name = form.cleaned_data["name"]
        user.time_zone = form.cleaned_data["time_zone"]
        user.language = translation.get_language() or ""
        terms.set_accepted(user, timezone.now())
        return super().save_user(request, user, form, *more)

    def send_mail(self, template: str, address: str, context: dict[str, Any]) -> None:
        """Send an email that somebody waits for at their browser, such as a code.

        In the language that the person has chosen, else in that of the page. A banned person reads
        that they are, whatever they tried. What exceeds the limit of a day is not sent; the page is
        the same as ever, also where there is no account.
        """
        person = context.get("user") or with_address(address)
        if template in AT_ANYBODYS_REQUEST and not _may_be_emailed(address, person):
            logger.warning("An address is emailed no more codes today")
            return
        chosen = person.language if person is not None else ""
        try:
            with translation.override(chosen or translation.get_language()):
                if person is not None and not person.is_active and template in FOR_NO_ACCOUNT:
                    template, context = emails.CLOSED, closed_account(person, timezone.now())
                emails.compose(template, address, person, context).send()
        except FAILURES as failure:
            outcome = outcome_of(failure)
            if outcome.fate is not Fate.BOUNCED:
                raise EmailDown from failure
            if person is not None and mailbox(person.email) == mailbox(address):
                reachability.record_refused(person, outcome.error, timezone.now())
            raise AddressRefused from failure

    def send_confirmation_mail(self, request: HttpRequest, process: Any, **more: Any) -> None:
        """Email the code that confirms an address; only an email tells why a guest gets none."""
        address, user = process.email, process.user
        wanted = guests.wanted_page(request.session)
        instead = account.email_instead_of_code(user, address, wanted)
        if instead:
            self.send_mail(instead, address, {"wanted": wanted})
        else:
            super().send_confirmation_mail(request, process, **more)

    def send_account_already_exists_mail(self, address: str) -> None:
        """Email the owner of an address, with which somebody tried to sign up, about their account.

        Where there is none, since it was given as a correction of one that has: how to sign up.
        """
        if with_address(address) is not None:
            super().send_account_already_exists_mail(address)
        else:
            self.send_mail("account/email/unknown_account", address, {})

    def send_notification_mail(
        self,
        template: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Email somebody what was done to their account; it is done also where no email leaves."""
        try:
            super().send_notification_mail(template, user, (context or {}) | {"user": user}, email)
        except EmailDown:
            logger.exception("A notice about an account was not sent")
