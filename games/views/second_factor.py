"""Passkeys, and the page that lists them with the other second factors. The rest is allauth's."""

import json
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.views import AuthenticateView, IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import begin_registration
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from games.presentation.text.words import dated
from games.views.guards import for_members, signed_in

Context = dict[str, Any]


def _for_script(context: Context) -> str:
    """What passkeys.js asks the browser for, as JSON."""
    data = context["js_data"]
    return json.dumps(data.get("creation_options") or data["request_options"], default=dict)


@method_decorator(for_members, name="dispatch")
class FactorsView(IndexView):  # type: ignore[misc]
    """The second factors and passkeys of who looks."""

    def get_context_data(self, **more: Any) -> Context:
        context: Context = super().get_context_data(**more)
        zone = signed_in(self.request).time_zone
        passkeys = [
            {
                "passkey": passkey,
                "since": dated(passkey.instance.created_at, zone),
                "used": dated(used, zone) if (used := passkey.instance.last_used_at) else "",
            }
            for passkey in context["authenticators"].get(Authenticator.Type.WEBAUTHN, [])
        ]
        return {**context, "passkeys": passkeys}


class AddPasskeyView(AddWebAuthnView):  # type: ignore[misc]
    """Asks the browser for a passkey, and stores it under a name."""

    def get_context_data(self, **more: Any) -> Context:
        context: Context = super().get_context_data(**more)
        # allauth asks for any key, and leaves it to its script to ask for one to sign in with.
        options = begin_registration(self.request.user, passwordless=True)
        return {**context, "options": _for_script({"js_data": {"creation_options": options}})}


@method_decorator(reauthentication_required(app="allauth.mfa"), name="dispatch")
class RemovePasskeyView(RemoveWebAuthnView):  # type: ignore[misc]
    """Asks once more, and removes a passkey; not the last factor of whom moderators want to have
    one.
    """

    def form_valid(self, form: Form) -> HttpResponse:
        if not get_adapter().can_delete_authenticator(self.get_object()):
            text = _(
                "Your account needs two-factor authentication: add another passkey or an "
                "authenticator app before you remove this one."
            )
            messages.error(self.request, text)
            return redirect("mfa_index")
        removed: HttpResponse = super().form_valid(form)
        return removed


class PasskeySignInView(LoginWebAuthnView):  # type: ignore[misc]
    """Signs in people with a passkey; the sign-in page gets from here what its script needs."""

    def form_invalid(self, form: Form) -> HttpResponse:
        for text in form.errors.get("credential", []):
            messages.error(self.request, str(text))
        login = reverse("account_login")
        return redirect(passthrough_next_redirect_url(self.request, login, REDIRECT_FIELD_NAME))


class SecondStepView(AuthenticateView):  # type: ignore[misc]
    """The second step of signing in: a passkey, a code of an app, or a recovery code."""

    def get_context_data(self, **more: Any) -> Context:
        context: Context = super().get_context_data(**more)
        user = self.stage.login.user
        has = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
        return {
            **context,
            "options": _for_script(context),
            "has_passkey": Authenticator.Type.WEBAUTHN in has,
        }


class PasskeyAgainView(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """A passkey before something dear."""

    def form_invalid(self, form: Form) -> HttpResponse:
        page: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return page

    def get_context_data(self, **more: Any) -> Context:
        context: Context = super().get_context_data(**more)
        return {**context, **more, "options": _for_script(context)}


def keys(_request: HttpRequest) -> HttpResponse:
    """allauth's list of keys: they are on the page of all factors."""
    return redirect("mfa_index")
