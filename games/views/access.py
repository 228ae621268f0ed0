"""Which pages stay open to whom: it stands on each view, and `games.middleware` asks.

A page without any of this is for those who owe nothing and aren't suspended, and not for guests.
Whether somebody has to be signed in at all is for `games.views.guards`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from django.http import HttpRequest

from games.services.accounts.gate import Hindrance

GUESTS: Final = Hindrance.GUEST
"""They may visit the page in their first game, before they have an account."""

SUSPENDED: Final = Hindrance.SUSPENDED
"""They may send its form: it concerns themselves alone. They may read every page."""

OWING_TERMS: Final = Hindrance.TERMS_OWED
OWING_NAME: Final = Hindrance.NAME_OWED
OWING_FACTOR: Final = Hindrance.FACTOR_OWED
OWING: Final = (OWING_TERMS, OWING_NAME, OWING_FACTOR)

STRANGERS: Final = "strangers"
"""A way in to an account, or a list of games: a guest is there somebody who isn't signed in."""

INVITED: Final = "invited"
"""A form of a table at which a guest doesn't sit: they send it as who they are."""

UNDER_MAINTENANCE: Final = "under maintenance"
"""Its form may be sent while the site is under maintenance, when all else can only be read."""

OWN_ACCOUNT: Final = ("account_", "mfa_")
"""How the names of allauth's addresses begin."""

OF_OWN_ACCOUNT: Final = frozenset({OWING_TERMS, OWING_NAME, SUSPENDED})
"""To whom all of these are open."""

OF_LIBRARIES: Final[Mapping[str, str]] = {
    "account_complete_password_reset": STRANGERS,
    "account_confirm_login_code": STRANGERS,
    "account_confirm_password_reset_code": STRANGERS,
    "account_login": STRANGERS,
    "account_request_login_code": STRANGERS,
    "account_reset_password": STRANGERS,
    "mfa_authenticate": STRANGERS,
    "mfa_login_webauthn": STRANGERS,
    "account_email_verification_sent": GUESTS,
    "account_signup": GUESTS,
    "account_reauthenticate": OWING_FACTOR,
    "mfa_reauthenticate": OWING_FACTOR,
    "mfa_reauthenticate_webauthn": OWING_FACTOR,
}
"""Pages of allauth, and ours in their place, by the names of their addresses."""

SIGN_OUT: Final[Mapping[str, tuple[str, ...]]] = {
    "account_logout": (GUESTS, OWING_FACTOR),
    "admin:logout": (OWING_TERMS, SUSPENDED),
}


def open_to[View: Callable[..., object]](*whom: str) -> Callable[[View], View]:
    """Let these people open this page, or send its form, who else couldn't."""

    def opened(view: View) -> View:
        view.open_to = frozenset(whom)  # type: ignore[attr-defined]
        return view

    return opened


def is_open_to(whom: str, request: HttpRequest, view: Callable[..., object]) -> bool:
    """Whether the page of a request is open to them."""
    name = request.resolver_match.view_name if request.resolver_match is not None else ""
    return (
        whom in getattr(view, "open_to", ())
        or whom == OF_LIBRARIES.get(name)
        or whom in SIGN_OUT.get(name, ())
        or (whom in OF_OWN_ACCOUNT and name.startswith(OWN_ACCOUNT))
    )
