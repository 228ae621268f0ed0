"""Signing up, one's own profile, and deleting one's account."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangeEmailForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    SignupForm,
)
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import User
from games.models.people import ProfilePart, time_zones, validate_public_name
from games.names import LONGEST, key_of, tidy_name
from games.services import legal, site_state
from games.services.accounts.account import may_sign_up
from games.services.people import names
from games.services.people.addresses import known_spelling
from games.services.people.sanctions import why_muted
from games.services.refused import Refused


@contextmanager
def text_if_taken(form: forms.BaseForm) -> Iterator[None]:
    """Refuse the form where somebody else took the name in the same instant."""
    try:
        yield
    except IntegrityError:
        form.add_error("name", names.TAKEN)


class AcceptForm(forms.Form):
    """Accepts the terms and the privacy notice, if the host has filled them in."""

    accepts = forms.BooleanField(
        label=gettext_lazy("Terms accepted"),
        label_suffix="",
        error_messages={"required": gettext_lazy("Please read these pages and tick this box.")},
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        pages = [(reverse(kind), legal.TITLES[kind]) for kind in legal.to_accept()]
        if not pages:
            del self.fields["accepts"]
            return
        links = format_html_join(", ", '<a href="{}" target="_blank">{}</a>', pages)
        self.fields["accepts"].label = format_html(
            _("I have read and accept the following: {pages}"), pages=links
        )


class NameAndZone(AcceptForm):
    """A new person's public name and time zone."""

    name = forms.CharField(
        label=gettext_lazy("Public name"),
        max_length=LONGEST,
        validators=[validate_public_name],
        help_text=gettext_lazy("Other players see this name, but never your email address."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=time_zones,
        help_text=gettext_lazy("Deadlines are shown in this time zone."),
        # time-zone.js chooses the zone of the browser.
        widget=forms.Select(attrs={"data-own-time-zone": True}),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["time_zone"].initial = settings.TIME_ZONE

    def clean(self) -> dict[str, Any]:
        """Refuse while the site takes no new accounts, whoever has the address."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        try:
            site_state.refuse_new_accounts(timezone.now(), settings.TIME_ZONE)
        except Refused as reason:
            raise forms.ValidationError(str(reason)) from None
        return cleaned

    def clean_name(self) -> str:
        name = tidy_name(self.cleaned_data["name"])
        if text := names.why_not(name):
            raise forms.ValidationError(text)
        return name


Saved = tuple[User | None, HttpResponse | None]


class NewAccount(NameAndZone):
    """The fields for everybody who signs up."""

    account_already_exists: bool
    """Whether nobody new is made: there is an account, or who has the address was not invited.

    The page is the same in each case. Only the email tells, to whom the address belongs.
    """

    def try_save(self, request: HttpRequest) -> Saved:
        """Make the person, or email the owner of the address why there is none.

        Of two sign-ups with one address in the same instant, the second is treated as if the
        account was there before.
        """
        try:
            saved: Saved = super().try_save(request)  # type: ignore[misc]
        except IntegrityError:
            self.account_already_exists = True
            saved = super().try_save(request)  # type: ignore[misc]
        return saved

    def save(self, request: HttpRequest) -> User:
        """Make the person and their address, both or neither."""
        with transaction.atomic():
            person: User = super().save(request)  # type: ignore[misc]
        return person


def _wanted_page(request: HttpRequest) -> str:
    """The page that somebody wants to see once they have signed up."""
    return str(request.POST.get("next") or request.GET.get("next", ""))


class OneSpelling:
    """A form in which an address can be spelled in any way: it is that of the account it names."""

    cleaned_data: dict[str, Any]

    def clean_email(self) -> str:
        self.cleaned_data["email"] = known_spelling(self.cleaned_data["email"])
        address: str = super().clean_email()  # type: ignore[misc]
        return address


class SignInForm(LoginForm):  # type: ignore[misc]
    """The address and the password, which password managers look for by these names."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["login"].widget.attrs["autocomplete"] = "username"

    def clean_login(self) -> str:
        self.cleaned_data["login"] = known_spelling(self.cleaned_data["login"])
        address: str = super().clean_login()
        return address


class SignInCodeForm(OneSpelling, RequestLoginCodeForm):  # type: ignore[misc]
    """The address to which a code for signing in is sent."""


class ForgottenPasswordForm(OneSpelling, ResetPasswordForm):  # type: ignore[misc]
    """The address to which a code for a new password is sent."""


class OwnAddressForm(OneSpelling, AddEmailForm):  # type: ignore[misc]
    """Another address for one's account."""


class SignUpForm(OneSpelling, NewAccount, SignupForm):  # type: ignore[misc]
    """Address, password, public name and time zone."""

    field_order = ("email", "password1", "name", "time_zone", "accepts")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # In place of Django's four rules; what is wrong with a password is reported one by one.
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)  # the label says it
        text = _("At least {least} characters, and not easy to guess.")
        least = MinimumLengthValidator().min_length
        self.fields["password1"].help_text = text.format(least=least)

    def clean_email(self) -> str:
        address: str = super().clean_email()
        if not may_sign_up(address, _wanted_page(get_adapter().request)):
            self.account_already_exists = True
        return address

    def try_save(self, request: HttpRequest) -> Saved:
        """The password is hashed also where nobody is new, so that both take as long."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)


class KeepForm(OneSpelling, NameAndZone, AddEmailForm):  # type: ignore[misc]
    """What makes an account of a guest: an address, to which a code is sent, a name and a zone."""

    field_order = ("email", "name", "time_zone", "accepts")


class MistypedAddressForm(OneSpelling, ChangeEmailForm):  # type: ignore[misc]
    """Another address, for who signs up and mistyped the first one."""

    def clean_email(self) -> str:
        address: str = super().clean_email()
        if not may_sign_up(address, _wanted_page(get_adapter().request)):
            self.account_already_exists = True
        return address


class UsedOnce:
    """A form that takes each code of an app once, however long its clock would take it.

    allauth forgets after 30 seconds that a code was used; with the tolerance it is good for longer.
    """

    user: User
    cleaned_data: dict[str, Any]

    def clean_code(self) -> str:
        sent = re.sub(r"[\W_]", "", self.cleaned_data["code"]).upper()
        used = f"second-factor-used:{self.user.pk}:{sha256(sent.encode()).hexdigest()}"
        if cache.get(used):
            raise get_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()  # type: ignore[misc]
        cache.set(used, 1, mfa_settings.TOTP_PERIOD * (2 * mfa_settings.TOTP_TOLERANCE + 1))
        return code


class SecondFactorForm(UsedOnce, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class SecondFactorAgainForm(UsedOnce, ReauthenticateForm):  # type: ignore[misc]
    """The second factor before something dear."""


class ProfileForm(forms.ModelForm):
    """Name, time zone, language, and what others see."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=[("", gettext_lazy("same as my browser")), *settings.LANGUAGES],
        required=False,
        help_text=gettext_lazy(
            "For pages and emails. If you leave it to the browser, you'll get emails in English."
        ),
    )
    named_to_strangers = forms.BooleanField(
        label=gettext_lazy("Show my name to people without an account"),
        required=False,
        help_text=gettext_lazy(
            "This applies at tables they're allowed to watch. If it's off, they see only "
            "your colour there."
        ),
    )
    hidden_parts = forms.MultipleChoiceField(
        label=gettext_lazy("Hide from my page…"),
        choices=ProfilePart.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    field_order = ("name", "time_zone", "language", "named_to_strangers", "hidden_parts")

    class Meta:
        model = User
        fields: ClassVar = ["name", "time_zone", "language"]
        labels: ClassVar = {"time_zone": gettext_lazy("Time zone")}

    def __init__(self, data: Any = None, *, instance: User, suggested_zone: str = "") -> None:
        super().__init__(data, instance=instance)
        if suggested_zone in dict(time_zones()):
            self.initial["time_zone"] = suggested_zone
        self.initial["hidden_parts"] = instance.hidden_parts
        self.initial["named_to_strangers"] = instance.named_to_strangers

    def clean_name(self) -> str:
        """Refuse another name to those who may not write to others: everybody reads it.

        Not to those who still have none of their own.
        """
        name = tidy_name(self.cleaned_data["name"])
        settled = self.instance.name_key is not None
        if settled and self.cleaned_data["name"] == self.initial["name"]:
            return str(self.instance.name)
        validate_public_name(name)
        if settled and (text := why_muted(self.instance, timezone.now())):
            raise forms.ValidationError(text)
        if text := names.why_not(name, self.instance):
            raise forms.ValidationError(text)
        self.instance.name_key = key_of(name)
        return name

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - Django's signature
        self.instance.hidden_parts = self.cleaned_data["hidden_parts"]
        named = self.cleaned_data["named_to_strangers"]
        if named or self.instance.named_to_strangers is not None:  # else they are still asked
            self.instance.named_to_strangers = named
        with transaction.atomic():
            person: User = super().save(commit)
        return person


class DeleteForm(forms.Form):
    """One's own name, as a confirmation."""

    name = forms.CharField(
        label=gettext_lazy("Your public name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, person: User) -> None:
        super().__init__(data)
        self.person = person
        self.fields["name"].help_text = _("Please type {name} to confirm.").format(name=person.name)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.person.name:
            raise forms.ValidationError(
                _("That's not your public name. To delete the account, type {name}.").format(
                    name=self.person.name
                )
            )
        return name
