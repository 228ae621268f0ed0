"""Passkeys: adding, naming and using one. A browser's credential comes as JSON in `credential`."""

import struct
from typing import Any, ClassVar

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
LONGEST_CREDENTIAL = 20_000
"""How many characters of JSON a browser sends: a passkey and its certificates are short."""

NOT_ACCEPTED = gettext_lazy("That passkey wasn't accepted. Please try again or use another method.")
MADE_UP = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
    forms.ValidationError, struct.error,
)  # fmt: skip
"""The errors of the library for a credential that no browser made."""


class CredentialField(forms.JSONField):
    """A browser's credential, within limits: to read it takes the square of its length."""

    widget = forms.HiddenInput
    default_error_messages: ClassVar = {"invalid": NOT_ACCEPTED}

    def to_python(self, value: Any) -> Any:
        try:
            if len(value or "") <= LONGEST_CREDENTIAL:
                return super().to_python(value)
        except (ValueError, RecursionError):
            pass  # a number too long, or nested too deep
        raise forms.ValidationError(NOT_ACCEPTED)


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey, and what its owner calls it."""

    name = OneLineField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=gettext_lazy(
            "A name that helps you tell your passkeys apart, for example “My phone”."
        ),
    )
    credential = CredentialField()
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


class _Answer(forms.Form):
    """A form that takes the credential of a browser, made by anybody."""

    credential = CredentialField()

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
