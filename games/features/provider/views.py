"""Signing in and up with the accounts of a provider, where there is one."""

from typing import Any
from urllib.parse import urlencode

import requests
from allauth.account.utils import passthrough_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.openid_connect.views import login
from allauth.socialaccount.views import ConnectionsView, SignupView
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.decorators import method_decorator

from games.features.provider import configured
from games.presentation.text.words import dated
from games.views.guards import for_members, signed_in

Context = dict[str, Any]


def sign_in_button(request: HttpRequest) -> str:
    """The way in on the page to sign in."""
    return _part("provider/sign_in.html", request)


def sign_up_button(request: HttpRequest) -> str:
    """The way in on the page to sign up."""
    return _part("provider/sign_up.html", request)


def link(request: HttpRequest) -> str:
    """The link in the profile to what is connected."""
    return _part("provider/link.html", request)


def _part(template: str, request: HttpRequest) -> str:
    provider = _offered(request)
    return render_to_string(template, {"provider": provider}, request) if provider else ""


def _offered(request: HttpRequest, process: str = "login") -> Context | None:
    """What the provider is called, and where a form that begins goes; None if there is none."""
    provider = configured.provider()
    if provider is None:
        return None
    page = reverse("openid_connect_login", kwargs={"provider_id": provider.key})
    begin = f"{page}?{urlencode({'process': process})}"
    if process == "login":
        begin = passthrough_next_redirect_url(request, begin, REDIRECT_FIELD_NAME)
    return {"called": provider.name, "begin": begin}


def begin(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Lead to the page of the provider, or to a page that it can't be reached."""
    try:
        response: HttpResponseBase = login(request, provider_id)
    except (requests.RequestException, KeyError) as trouble:
        provider = get_adapter().get_provider(request, provider_id)
        response = render_authentication_error(request, provider, exception=trouble)
    return response


class SignUpWithProviderView(SignupView):  # type: ignore[misc]
    """Asks a person who comes from the provider for a public name and a time zone."""

    def get_context_data(self, **more: Any) -> Context:
        return {**super().get_context_data(**more), "provider": _offered(self.request)}


@method_decorator(for_members, name="dispatch")
class ConnectedView(ConnectionsView):  # type: ignore[misc]
    """Shows whether the account is connected with the provider; connects and disconnects it."""

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        if configured.provider() is None:
            raise Http404
        response: HttpResponseBase = super().dispatch(request, *arguments, **named)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        page: HttpResponse = self.render_to_response(self.get_context_data(form=form), status=422)
        return page

    def get_context_data(self, **more: Any) -> Context:
        context: Context = super().get_context_data(**more)
        person = signed_in(self.request)
        connected = [
            {"pk": one.pk, "since": dated(one.date_joined, person.time_zone)}
            for one in SocialAccount.objects.filter(user=person)
        ]
        provider = _offered(self.request, "connect")
        return {**context, "connected": connected, "provider": provider}
