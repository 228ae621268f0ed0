"""What holds for every request: language, lasting sessions, second factors, suspension, mail."""

import logging
from collections.abc import Callable
from typing import Final

from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.accounts import AddressRefused, MailDown, address_of
from games.models import User
from games.services import sign_ins
from games.views.conduct import refuse_suspended
from games.views.kept import keep_what_was_typed

logger = logging.getLogger(__name__)

Answer = Callable[[HttpRequest], HttpResponse]


def who_asks(request: HttpRequest) -> User | None:
    """Who is signed in; None also while the database is away, which the page asked for will say."""
    # A request without a session cookie is nobody's: it needs no database.
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    try:
        return request.user if isinstance(request.user, User) else None
    except Error:
        return None


class Layer:
    """A layer around every view, which by itself changes nothing."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class OwnLanguage(Layer):
    """Shows pages in the language that a person has chosen in their profile.

    Without a choice, Django's LocaleMiddleware has taken the one of the cookie or the browser.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = who_asks(request)
        if person is not None and person.language:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class LastingSession(Layer):
    """Prolongs the session of whoever is signed in, at most once a day, and notes the sign-in.

    A session that has just begun is prolonged too: so every sign-in is noted.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Only a session that was read: a page that needs no database stays so.
        session = getattr(request, "session", None)
        if session is not None and session.accessed and "_auth_user_id" in session:
            today = timezone.now().date().isoformat()
            if session.get("prolonged_on") != today:
                just_now = "prolonged_on" not in session
                session["prolonged_on"] = today
                self._note(request, response, just_now=just_now)
        return response

    def _note(self, request: HttpRequest, response: HttpResponse, *, just_now: bool) -> None:
        address = address_of(request)
        if not isinstance(request.user, User) or address is None:
            return
        device = sign_ins.device_of(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""))
        sign_ins.note(
            request.user,
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


class StaffSecondFactor(Layer):
    """Sends a moderator without a second factor to set one up, before any page of the admin."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.STAFF_NEED_SECOND_FACTOR and request.path.startswith(reverse("admin:index")):
            user = request.user
            if isinstance(user, User) and user.is_staff and not is_mfa_enabled(user):
                messages.warning(
                    request, _("Moderators need a second factor: set one up, and the admin opens.")
                )
                return redirect("mfa_activate_totp")
        return self.get_response(request)


MAY_COME_BEFORE_SECOND_FACTOR: Final = frozenset(
    {
        "mfa_activate_totp", "account_reauthenticate", "mfa_reauthenticate", "account_logout",
        "set_language", "health", "games:unsubscribe", "games:resubscribe",
        "games:no_invitations",
    }
)  # fmt: skip


class OwedSecondFactor(Layer):
    """Leads who has to use a second factor to set one up, before any other page."""

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        user = who_asks(request)
        if user is None or not user.needs_second_factor:
            return None
        match = request.resolver_match
        allowed = match is not None and match.view_name in MAY_COME_BEFORE_SECOND_FACTOR
        if allowed or is_mfa_enabled(user):
            return None
        keep_what_was_typed(request, then=reverse("games:home"))
        messages.warning(
            request, _("Your account needs a second factor: set one up, and everything opens.")
        )
        return redirect("mfa_activate_totp")


SUSPENDED_MAY_SEND: Final = frozenset(
    {
        "set_language", "profile", "delete_account", "admin:logout", "games:conduct",
        "games:read_warning", "games:appeal", "games:draft", "games:unsubscribe",
        "games:resubscribe", "games:no_invitations",
    }
)  # fmt: skip
"""Besides all of their account: what concerns themselves alone."""


class Suspension(Layer):
    """Refuses whatever somebody suspended sends, but for their own account; they may read."""

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return None
        user = who_asks(request)
        if user is None or not user.is_suspended(timezone.now()):
            return None
        name = request.resolver_match.view_name if request.resolver_match is not None else ""
        if name in SUSPENDED_MAY_SEND or name.startswith(("account_", "mfa_")):
            return None
        return refuse_suspended(request, user)


class MailIsDown(Layer):
    """Answers with a page that says so where a mail could not be sent."""

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        if not isinstance(failure, MailDown):
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
