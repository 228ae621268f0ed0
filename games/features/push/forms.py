"""The subscription of a browser that wants to be notified."""

from django import forms
from django.utils.translation import gettext_lazy


class SubscriptionForm(forms.Form):
    """The fields that a browser sends when it subscribes."""

    endpoint = forms.CharField(max_length=1000, label=gettext_lazy("Address"))
    p256dh = forms.CharField(max_length=100, label=gettext_lazy("Key"))
    auth = forms.CharField(max_length=40, label=gettext_lazy("Secret"))
