"""Email about accounts, at the request of django-allauth: the words of each.

It is sent at once and never stored, since a code is in most of it.
"""

from collections.abc import Mapping
from datetime import datetime
from email.utils import make_msgid
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import extensions
from games.models import User
from games.presentation.text.browsers import browser_text
from games.presentation.text.tables import time_text
from games.presentation.text.words import moment
from games.services import legal
from games.services.accounts.account import ONLY_INVITED, may_sign_up
from games.services.email.compose import site_host
from games.services.email.message import TwoBodies
from games.services.email.two_parts import subject_and_text

type Known = Mapping[str, Any]
"""What allauth knows of an email: the code, addresses, where the change came from."""

CLOSED: Final = "account/email/account_closed"


class CodeEmail(NamedTuple):
    """An email with a code, which is all that is in its subject, too."""

    subject: Promise
    sentence: Promise
    lasts: str
    """The setting for how many seconds the code is valid."""


class NoticeEmail(NamedTuple):
    """An email about a change to an account: its subject is the change."""

    subject: Promise
    sentence: Promise | None = None
    """What the email begins with, where the subject doesn't say all."""


class Words(NamedTuple):
    """The words of an email. Its button, and its code, come right after its first paragraph."""

    subject: str
    sentence: str
    advice: str
    why: str
    code: str = ""
    link_text: str = ""
    link: str = ""
    facts: tuple[str, ...] = ()


CODES: Final = {
    "account/email/login_code": CodeEmail(
        gettext_lazy("{code} is your sign-in code"),
        gettext_lazy("Your sign-in code:"),
        "ACCOUNT_LOGIN_BY_CODE_TIMEOUT",
    ),
    "account/email/email_confirmation_signup": CodeEmail(
        gettext_lazy("{code} is your code. Welcome to Intrigue!"),
        gettext_lazy("Welcome! This code confirms your email address:"),
        "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT",
    ),
    "account/email/email_confirmation": CodeEmail(
        gettext_lazy("{code} is the code to confirm your email address"),
        gettext_lazy("This code confirms your email address:"),
        "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT",
    ),
    "account/email/password_reset_code": CodeEmail(
        gettext_lazy("{code} is your code to reset your password"),
        gettext_lazy("Your code to reset your password:"),
        "ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT",
    ),
}

ADDRESS_CHANGED: Final = "account/email/email_changed"

NOTICES: Final = {
    ADDRESS_CHANGED: NoticeEmail(
        gettext_lazy("Your email address has been changed"),
        gettext_lazy("Your email address has been changed from {from_email} to {to_email}"),
    ),
    "account/email/email_deleted": NoticeEmail(
        gettext_lazy("An email address has been removed from your account"),
        gettext_lazy("The email address {deleted_email} has been removed from your account"),
    ),
    "account/email/password_changed": NoticeEmail(gettext_lazy("Your password has been changed")),
    "account/email/password_reset": NoticeEmail(gettext_lazy("Your password has been reset")),
    "account/email/password_set": NoticeEmail(gettext_lazy("Your account now has a password")),
    "mfa/email/totp_activated": NoticeEmail(
        gettext_lazy("Your account now requires a code from an authenticator app")
    ),
    "mfa/email/totp_deactivated": NoticeEmail(
        gettext_lazy("Your account no longer requires a code from an authenticator app")
    ),
    "mfa/email/recovery_codes_generated": NoticeEmail(
        gettext_lazy("Your account has new recovery codes"),
        gettext_lazy("Your account has new recovery codes; the old ones no longer work"),
    ),
    "mfa/email/webauthn_added": NoticeEmail(
        gettext_lazy("A passkey has been added to your account")
    ),
    "mfa/email/webauthn_removed": NoticeEmail(
        gettext_lazy("A passkey has been removed from your account")
    ),
}


def notices() -> Mapping[str, NoticeEmail]:
    """All notices, with those of features."""
    return {**NOTICES, **extensions.account_notices()}


def compose(template: str, address: str, person: User | None, known: Known) -> TwoBodies:
    """The message that allauth calls `template`, in the present language.

    Only a notice, which nobody else can cause, greets `person` by name.
    """
    words = _words(template, address, person, known)
    greeted = person if template in notices() or template == CLOSED else None
    context = {**words._asdict(), "preheader": words.advice, "person": greeted}
    subject, text = subject_and_text("email/account.txt", context)
    return TwoBodies(
        subject=subject,
        text=text,
        html=render_to_string("email/account.html", context, using="pages"),
        recipient=address,
        headers={
            "Message-ID": make_msgid(domain=site_host()),
        },
    )


def _words(template: str, address: str, person: User | None, known: Known) -> Words:
    if template in CODES:
        return _code(CODES[template], known)
    if template in notices():
        return _notice(template, person, known)
    if template == CLOSED:
        return _closed(known)
    if template == "account/email/unknown_account":
        return _unknown_account(address)
    return _account_already_exists(address, person, known.get("wanted", ""))


def _code(email: CodeEmail, known: Known) -> Words:
    valid = _("The code is valid for {time}.").format(
        time=time_text(getattr(settings, email.lasts))
    )
    return Words(
        subject=str(email.subject).format(code=known["code"]),
        sentence=str(email.sentence),
        advice=f"{valid} {
            _("Enter the code on the page that asks for it, and don't share it with anyone.")
        }",
        code=known["code"],
        why=_(
            "You're getting this email because someone entered your address on our site. If it "
            "wasn't you, you don't have to do anything."
        ),
    )


def _notice(template: str, person: User | None, known: Known) -> Words:
    email = notices()[template]
    sentence = str(email.sentence or email.subject).format(**known)
    not_you, link_text, link = _if_not_you(template)
    return Words(
        subject=str(email.subject).format(**known),
        sentence=f"{sentence}.",
        advice=not_you,
        link_text=link_text,
        link=link,
        facts=_where_from(known["timestamp"], person, known),
        why=_("You're getting this email because it concerns the security of your account."),
    )


def _if_not_you(template: str) -> tuple[str, str, str]:
    """What somebody should do who has not made the change, the button for it, and its link."""
    if template != ADDRESS_CHANGED:
        return (
            _(
                "If you didn't do this, set a new password now: that ends all other sessions. "
                "Then check what else has changed in your account."
            ),
            _("Set a new password"),
            _at_site(reverse("account_reset_password")),
        )
    # A code to set a new password would go to the other address.
    warning = _("If you didn't do this, contact this site's administrators right away.")
    if "imprint" in legal.available():
        return warning, str(legal.TITLES["imprint"]), _at_site(reverse("imprint"))
    return warning, _("Go to the site"), _at_site("/")


def _where_from(at: datetime, person: User | None, known: Known) -> tuple[str, ...]:
    zone = person.time_zone if person is not None else settings.TIME_ZONE
    return (
        _("Date: {date}").format(date=moment(at, zone)),
        _("IP address: {address}").format(address=known["ip"]),
        _("Browser: {browser}").format(browser=browser_text(known["user_agent"])),
    )


def _closed(known: Known) -> Words:
    """The words for a banned person: `known` comes from `closed_account` of `people_emails`."""
    reason = known["reason"]
    return Words(
        subject=_("This account is closed"),
        sentence=known["decided"],
        advice=_(
            "If you think this is wrong, you can appeal on the page linked below. A moderator will "
            "read your appeal."
        ),
        link_text=_("Account standing"),
        link=known["link"],
        facts=(_("Reason: {reason}").format(reason=reason),) if reason else (),
        why=_someone_used_your_address(),
    )


def _unknown_account(address: str) -> Words:
    may_they = "" if may_sign_up(address) else ONLY_INVITED
    return Words(
        subject=_("There's no account with this address"),
        sentence=_("There's no account with the address {address}.").format(address=address),
        advice=f"{_('If you have an account, it uses a different address.')} {may_they}".strip(),
        link_text=_("Sign up"),
        link=_at_site(reverse("account_signup")),
        why=_someone_used_your_address(),
    )


def _account_already_exists(address: str, person: User | None, wanted: str) -> Words:
    """`wanted` is the page of the table at which somebody wants a seat; "" for none."""
    sign_in = reverse("account_login")
    advice = _(
        "If you've forgotten your password, go to the sign-in page and have a code emailed "
        "to you instead."
    )
    if wanted:
        if person is not None and not person.has_usable_password():
            sign_in = reverse("account_request_login_code")
        sign_in = f"{sign_in}?{urlencode({'next': wanted})}"
        advice = _("Sign in, and you'll come back to the table, where you can take the seat.")
    return Words(
        subject=_("You already have an account"),
        sentence=_("You already have an account with the address {address}.").format(
            address=address
        ),
        advice=advice,
        link_text=_("Sign in"),
        link=_at_site(sign_in),
        why=_someone_used_your_address(),
    )


def _someone_used_your_address() -> str:
    return _(
        "You're getting this email because someone tried to sign in or sign up with your address. "
        "If it wasn't you, you don't have to do anything."
    )


def _at_site(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
