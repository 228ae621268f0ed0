"""Signing up, and one's own profile."""

from typing import Any, ClassVar

from allauth.account.forms import SignupForm
from django import forms
from django.conf import settings

from games.models import User
from games.models.people import time_zones, validate_public_name


class SignUpForm(SignupForm):  # type: ignore[misc]
    """Address, password, public name and time zone."""

    name = forms.CharField(
        label="Public name",
        max_length=40,
        validators=[validate_public_name],
        help_text="What everybody sees. Not your address.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    time_zone = forms.ChoiceField(
        choices=time_zones,
        help_text="Deadlines are shown in this zone.",
        # time-zone.js chooses the zone of the browser.
        widget=forms.Select(attrs={"data-own-time-zone": True}),
    )
    field_order = ("email", "password1", "name", "time_zone")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["time_zone"].initial = settings.TIME_ZONE

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if User.objects.filter(name__iexact=name).exists():
            raise forms.ValidationError("Somebody has this name already.")
        return name


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields: ClassVar = ["name", "time_zone"]
