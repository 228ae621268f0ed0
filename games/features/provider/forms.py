"""The fields for people who come from the provider."""

from typing import Any

from allauth.socialaccount.forms import SignupForm
from django import forms

from games.forms.account import NewAccount
from games.services.accounts.account import ONLY_INVITED, may_sign_up


class ProviderSignUpForm(NewAccount, SignupForm):  # type: ignore[misc]
    """Public name and time zone of somebody who comes from the provider, with their address there.

    Without an address that the provider has verified, another is wanted and emailed a code.
    """

    field_order = ("email", "name", "time_zone", "accepts")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        verified = self.sociallogin.email_addresses
        self.fields["email"].disabled = bool(verified)
        if verified:
            self.initial["email"] = verified[0].email

    def clean_email(self) -> str:
        """Refuse the address of somebody who was not invited; where they typed it, by email."""
        address: str = super().clean_email()
        if not may_sign_up(address, self.sociallogin.state.get("next") or ""):
            if self.sociallogin.email_addresses:
                raise forms.ValidationError(ONLY_INVITED)
            self.account_already_exists = True
        return address
