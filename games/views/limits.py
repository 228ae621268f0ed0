"""How often one may ask for something: each setting stands in `ACCOUNT_RATE_LIMITS`."""

from allauth.core.internal import ratelimit
from django.http import HttpRequest

from games.accounts import address_of
from games.models import User
from games.services.accounts import sign_ins


def may_ask(request: HttpRequest, action: str, key: str = "") -> bool:
    """Whether it was not done too often by whoever the `key` stands for; this time counts.

    A page that is only read counts, too.
    """
    used = ratelimit.consume(
        request, app="allauth.account", action=action, key=key or None, limit_get=True
    )
    return used is not None


def of_person(user: User) -> str:
    """The key of a person."""
    return str(user.pk)


def of_household(request: HttpRequest) -> str:
    """The key of the network from which a request comes, one for a household."""
    return sign_ins.household_of(address_of(request))
