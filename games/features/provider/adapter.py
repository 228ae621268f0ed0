"""Signing in with the accounts of a provider: what this site adds to django-allauth."""

import logging
from typing import Any, ClassVar

import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib import messages
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.accounts import is_never_confirmed
from games.extensions import Case
from games.features.provider import asking
from games.services.accounts import ways_in
from games.services.people.addresses import known_spelling, with_address

logger = logging.getLogger(__name__)


@receiver(pre_save, sender=SocialAccount)
def keep_only_who_it_is(instance: SocialAccount, **_more: Any) -> None:
    """What the provider tells of somebody isn't stored: only their number there."""
    instance.extra_data = {}


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": gettext_lazy(
            "Please choose a password first, so that you can still sign in."
        ),
    }

    def get_requests_session(self) -> requests.Session:
        """What asks the provider."""
        return asking.session()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Take what the provider says of somebody: of addresses, only one that it has verified.

        Whoever has an account with this address signs in to it first, and connects the two
        themselves. The provider has verified that the address is theirs, so it tells no secret.
        If nobody has ever confirmed it here, the person who signed up with it loses that account.
        """
        is_to_connect = sociallogin.state.get("process") == "connect"
        if is_to_connect:
            # The provider's response counts once, so they can't come back here.
            connections = reverse("socialaccount_connections")
            get_account_adapter(request).let_sign_in_again(connections)
        sociallogin.email_addresses = [
            one for one in sociallogin.email_addresses if one.verified in (True, "true")
        ][:1]
        for one in sociallogin.email_addresses:
            one.email, one.verified, one.primary = known_spelling(one.email), True, True
            is_new = not sociallogin.is_existing and not is_to_connect
            owner = with_address(one.email) if is_new else None
            if owner is not None:
                if is_never_confirmed(owner):
                    ways_in.end(owner, Case.TAKEN_BACK)
                raise ImmediateHttpResponse(_sign_in_first(request, sociallogin, one.email))

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, exception: Exception | None = None, **_more: Any
    ) -> None:
        """Tell the host what went wrong, and nothing that is secret."""
        if exception is not None:
            is_ours = isinstance(exception, requests.RequestException)
            what = asking.in_words(exception) if is_ours else type(exception).__name__
            logger.warning("Signing in with %s failed: %s", provider.name, what)


def _sign_in_first(request: HttpRequest, sociallogin: SocialLogin, address: str) -> Any:
    text = _(
        "There's already an account with the address {address}. Sign in to it, then connect it to "
        "{provider}."
    )
    messages.info(request, text.format(address=address, provider=sociallogin.provider.name))
    wanted = urlencode({"next": reverse("socialaccount_connections")})
    return redirect(f"{reverse('account_login')}?{wanted}")
