"""What holds for every request: address, language, lasting sessions, and who may act."""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode, urlsplit

from allauth.account import app_settings as account_settings
from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.accounts import (
    AddressRefused,
    EmailDown,
    address_of,
    has_shown_second_factor,
)
from games.edge import Layer, is_public
from games.models import Game, User
from games.services.accounts import gate, guests, sign_ins
from games.services.accounts.gate import Hindrance
from games.services.lobby import strangers
from games.services.moderation.actions.accounts import NEED_FACTOR_NOW
from games.views import resend
from games.views.access import (
    GUESTS,
    INVITED,
    OWING_FACTOR,
    OWING_NAME,
    OWING_TERMS,
    STRANGERS,
    SUSPENDED,
    is_open_to,
)
from games.views.sanctions import refuse_suspended

logger = logging.getLogger(__name__)


def signed_in_person(request: HttpRequest) -> User | None:
    """The person who is signed in; None also while the database is away: the page will say that."""
    # A request without a session cookie is nobody's: it needs no database.
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    try:
        return request.user if isinstance(request.user, User) else None
    except Error:
        return None


class OwnPort(Layer):
    """Refuses another port than that of the site's own address, where people come by https.

    Django only looks at the name. Whoever watches the server comes to it directly.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path != reverse("health"):
            own = urlsplit(settings.SITE_URL)
            try:
                port = urlsplit(f"//{request.get_host()}").port
            except ValueError:
                port = 0  # Nobody has one above 65535.
            if port not in {None, own.port or (443 if own.scheme == "https" else 80)}:
                raise DisallowedHost("The site has another port.")
        return self.get_response(request)


class OwnLanguage(Layer):
    """Shows pages in the language that a person has chosen in their profile.

    Without a choice, Django's LocaleMiddleware has taken the one of the cookie or the browser.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = signed_in_person(request)
        if person is not None and person.language:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class LastingSession(Layer):
    """Prolongs the session of a signed-in person, at most once a day, and records the sign-in.

    Also in the list of their sessions, which people see. A session that has just begun is
    prolonged too: so every sign-in is recorded; a guest's, once they have an account.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Only a session that was read: a page that needs no database stays so.
        session = getattr(request, "session", None)
        if session is None or not session.accessed or is_public(response):
            return response  # What caches may give to everybody carries no cookie.
        if "_auth_user_id" in session:
            today = timezone.now().date().isoformat()
            is_noted = session.get(sign_ins.NOTED_ON) == today
            # Nobody's where the gate has shut somebody out, or lets a guest read as a stranger.
            user = request.user
            if not is_noted and isinstance(user, User) and not user.is_guest:
                just_now = sign_ins.NOTED_ON not in session
                session[sign_ins.NOTED_ON] = today
                self._note(request, response, user, just_now=just_now)
        return response

    def _note(
        self, request: HttpRequest, response: HttpResponse, user: User, *, just_now: bool
    ) -> None:
        address = address_of(request)
        if address is None:
            return
        _list_session(request, address)
        device = sign_ins.device_of(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""))
        sign_ins.record(
            user,
            device=device,
            address=address,
            agent=request.headers.get("User-Agent", ""),
            now=timezone.now(),
            just_now=just_now,
        )
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            device,
            max_age=sign_ins.COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _list_session(request: HttpRequest, address: str) -> None:
    """Note in the list of somebody's sessions that this one is used, in one query."""
    used = UserSession(
        user=request.user,
        session_key=request.session.session_key,
        ip=address,
        user_agent=request.headers.get("User-Agent", "")[: sign_ins.LONGEST_AGENT],
        last_seen_at=timezone.now(),
    )
    UserSession.objects.bulk_create(
        [used],
        update_conflicts=True,
        unique_fields=["session_key"],
        update_fields=["ip", "user_agent", "last_seen_at"],
    )


def ask_for_second_factor(
    request: HttpRequest, user: User, text: str, since: float = 0
) -> HttpResponse | None:
    """Lead to the second factor, and on from there; None if it was shown in this session.

    Who has none yet is told to set one up. What was typed is kept. It counts only after `since`.
    """
    has_one = is_mfa_enabled(user)
    if has_one and has_shown_second_factor(request, user, since):
        return None
    stored = resend.store(request, then=reverse("games:home"))
    if not has_one:
        messages.warning(request, text)
        return redirect("mfa_index")
    wanted = reverse("games:kept") if stored else request.get_full_path()
    has_app = is_mfa_enabled(user, [Authenticator.Type.TOTP])
    page = reverse("mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn")
    return redirect(f"{page}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")


class StaffSecondFactor(Layer):
    """Asks a moderator for a second factor, shown in this session, before any page of the admin.

    Before what changes who has an account, one that was shown within the last minutes.
    What is the admin is decided by the view, however its address is spelled.
    """

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or "admin" not in match.app_names:
            return None
        user = request.user
        if not (settings.STAFF_NEED_SECOND_FACTOR and isinstance(user, User) and user.is_staff):
            return None
        text = _("Moderators need two-factor authentication. Set it up to open the admin area.")
        action = f"{match.kwargs.get('kind')}.{match.kwargs.get('slug')}"
        lately = time.time() - account_settings.REAUTHENTICATION_TIMEOUT
        since = lately if action in NEED_FACTOR_NOW else 0
        return ask_for_second_factor(request, user, text, since)


class Gate(Layer):
    """Lets nobody act, or open a page not open to them, while something keeps them from it."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], *_arguments: object
    ) -> HttpResponseBase | None:
        user = signed_in_person(request)
        if user is None:
            return None
        for hindrance in gate.hindrances(user, timezone.now()):
            response = RESPONSES[hindrance](request, user, view)
            if response is not None:
                return response
            if not request.user.is_authenticated:
                return None
        return None


def _banned(request: HttpRequest, _user: User, _view: Callable[..., object]) -> None:
    """They are signed in no more."""
    request.user = AnonymousUser()


SET_UP_FIRST_FACTOR: Final = {"mfa_index", "mfa_activate_totp", "mfa_add_webauthn"}


def _owes_factor(
    request: HttpRequest, user: User, view: Callable[..., object]
) -> HttpResponse | None:
    """Asks who has to use a second factor for it, before any other page."""
    if is_open_to(OWING_FACTOR, request, view):
        return None
    name = request.resolver_match.view_name if request.resolver_match is not None else ""
    if name in SET_UP_FIRST_FACTOR and not is_mfa_enabled(user):
        return None
    text = _("Your account needs two-factor authentication. Set it up to continue.")
    return ask_for_second_factor(request, user, text)


def _guest(request: HttpRequest, user: User, view: Callable[..., object]) -> HttpResponse | None:
    """Leads a guest who wants more than their first game to the page that makes an account.

    Whoever has one already signs in like a stranger; until they have, they are still the guest.
    """
    if is_open_to(STRANGERS, request, view):
        request.user = AnonymousUser()
        return None
    if is_open_to(INVITED, request, view):
        return None
    match = request.resolver_match
    token = match.kwargs.get("token") if match is not None else None
    if token is not None and _invites(request, token) and not guests.sits_at(user, token):
        request.user = AnonymousUser()
        return None
    if token is not None and not guests.sits_at(user, token):
        if strangers.may_read_at(token):
            request.user = AnonymousUser()  # They see what strangers see.
            return None
    elif is_open_to(GUESTS, request, view):
        return None
    messages.info(request, _("You need an account for this. Signing up only takes a minute."))
    return redirect("games:keep")


def _invites(request: HttpRequest, token: str) -> bool:
    """Whether the page invites whoever opens it to a table that hasn't started."""
    page = request.resolver_match.view_name if request.resolver_match is not None else ""
    if page == "games:table":
        return Game.objects.filter(token=token, state__isnull=True).exists()
    return page == "games:invitation"


def _owes_terms(
    request: HttpRequest, _user: User, view: Callable[..., object]
) -> HttpResponse | None:
    """Asks everybody once to accept the terms and the privacy notice when they have changed."""
    if is_open_to(OWING_TERMS, request, view):
        return None
    wanted = reverse("games:home") if request.method == "POST" else request.get_full_path()
    if resend.store(request, then=wanted):
        wanted = reverse("games:kept")
    return redirect(f"{reverse('accept_terms')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")


def _owes_name(
    request: HttpRequest, user: User, view: Callable[..., object]
) -> HttpResponse | None:
    """Wants another name from people who lost theirs while their address was unconfirmed."""
    if is_open_to(OWING_NAME, request, view):
        return None
    stored = resend.store(request, then=reverse("games:home"))
    wanted = reverse("games:kept") if stored else request.get_full_path()
    text = _("“{name}” can no longer be your public name. Please choose another one.")
    messages.warning(request, text.format(name=user.name))
    return redirect(f"{reverse('profile')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")


def _suspended(
    request: HttpRequest, user: User, view: Callable[..., object]
) -> HttpResponse | None:
    """Refuses whatever they send, but for their own account; they may read."""
    if request.method in {"GET", "HEAD", "OPTIONS"} or is_open_to(SUSPENDED, request, view):
        return None
    return refuse_suspended(request, user)


RESPONSES: Final[Mapping[Hindrance, Callable[..., HttpResponse | None]]] = {
    Hindrance.BANNED: _banned,
    Hindrance.FACTOR_OWED: _owes_factor,
    Hindrance.GUEST: _guest,
    Hindrance.TERMS_OWED: _owes_terms,
    Hindrance.NAME_OWED: _owes_name,
    Hindrance.SUSPENDED: _suspended,
}
"""The response of a page to each; None where it is open to them, or only to signed-in people."""


class EmailIsDown(Layer):
    """Responds with a page that says so where an email could not be sent."""

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        if not isinstance(failure, EmailDown):
            return None
        refused = isinstance(failure, AddressRefused)
        if not refused:
            logger.error("Mail is down", exc_info=failure)
        signing_up = request.path == reverse("account_signup")
        way_on = reverse("account_login") if signing_up else request.path
        context = {
            "signing_up": signing_up,
            "refused": refused,
            "way_on": passthrough_next_redirect_url(request, way_on, REDIRECT_FIELD_NAME),
        }
        return render(request, "account/mail_down.html", context, status=400 if refused else 503)
