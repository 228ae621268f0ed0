"""What this site adds to django-allauth."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.forms import Form
from django.http import HttpRequest

from games.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def save_user(self, request: HttpRequest, user: User, form: Form, *more: Any) -> Any:
        """Give a new person the name and zone of the sign-up form, then save them."""
        user.name = form.cleaned_data["name"]
        user.time_zone = form.cleaned_data["time_zone"]
        return super().save_user(request, user, form, *more)
