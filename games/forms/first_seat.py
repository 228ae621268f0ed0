"""The form with which somebody who has no account takes a seat."""

from typing import Any

from allauth.account.internal.constants import LoginStageKey
from allauth.account.internal.stagekit import stash_login
from allauth.account.models import Login
from django.http import HttpRequest

from games.forms.account import KeepForm
from games.models import User


class FirstSeatForm(KeepForm):
    """What a seat takes: a name, and an address to which a code is sent. No password."""

    field_order = ("name", "email", "time_zone", "accepts")

    def __init__(self, *, user: User | None = None, **options: Any) -> None:
        """The form of a guest, or of somebody of whom nothing is stored yet."""
        super().__init__(user=user or User(is_guest=True), **options)

    def send_code(self, request: HttpRequest, guest: User) -> None:
        """Email the code. Whoever enters it in this session is signed in as the guest."""
        self.user = guest
        self.save(request)
        if not request.user.is_authenticated:
            login = Login(user=guest, email=self.cleaned_data["email"], signup=True)
            login.state["stages"] = {"current": LoginStageKey.VERIFY_EMAIL.value}
            stash_login(request, login)
