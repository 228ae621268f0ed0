"""Passkeys: adding, naming and using one. What a browser answers comes as JSON in `credential`."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.utils.translation import gettext_lazy

from games.forms.one_line import OneLineField

LONGEST_NAME = 40
NOT_ACCEPTED = gettext_lazy("That passkey wasn't accepted. Please try again, or use another way.")
MADE_UP = (AttributeError, KeyError, TypeError, ValueError, forms.ValidationError)
"""What the library raises about an answer that no browser gave."""


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey, and what its owner calls it."""

    name = OneLineField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=gettext_lazy("For you, to tell your passkeys apart. For example “My phone”."),
    )
    # Every one may be used to sign in: it is no passkey otherwise.
    passwordless = None

    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except MADE_UP:
            raise forms.ValidationError(NOT_ACCEPTED) from None
        return cleaned


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]
    """What its owner calls a passkey."""

    name = OneLineField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)


class _Answer:
    """A form that takes the answer of a browser, whoever made it."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except forms.ValidationError as refused:
            if getattr(refused, "code", "") == "too_many_login_attempts":
                raise
            raise forms.ValidationError(NOT_ACCEPTED) from None
        except MADE_UP:
            raise forms.ValidationError(NOT_ACCEPTED) from None


class PasskeySignInForm(_Answer, LoginWebAuthnForm):  # type: ignore[misc]
    """Signing in with a passkey alone."""


class PasskeyForm(_Answer, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second step of signing in."""


class PasskeyAgainForm(_Answer, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey before something dear."""
