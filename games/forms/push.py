"""Which notifications one wants in the browser, and the subscription of a browser."""

from django import forms
from django.utils.translation import gettext_lazy

from games.models import User
from games.services.email.kinds import SWITCHES


class SubscriptionForm(forms.Form):
    """What a browser says of itself when it subscribes."""

    endpoint = forms.CharField(max_length=1000, label=gettext_lazy("Address"))
    p256dh = forms.CharField(max_length=100, label=gettext_lazy("Key"))
    auth = forms.CharField(max_length=40, label=gettext_lazy("Secret"))


class WantedPushesForm(forms.Form):
    """What one is notified of, by the same choices as for email."""

    wanted = forms.MultipleChoiceField(
        label=gettext_lazy("Notify me when…"),
        choices=[(switch.key, switch.when) for switch in SWITCHES],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: object = None, *, person: User) -> None:
        super().__init__(data, label_suffix="")  # type: ignore[arg-type]
        self.person = person
        self.initial["wanted"] = [
            one.key for one in SWITCHES if one.key not in person.unwanted_pushes
        ]

    def save(self) -> None:
        wanted = self.cleaned_data["wanted"]
        self.person.unwanted_pushes = [one.key for one in SWITCHES if one.key not in wanted]
        self.person.save(update_fields=["unwanted_pushes"])
