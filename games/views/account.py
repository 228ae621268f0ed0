"""Signing up, one's own profile, and the end of an account. The rest is django-allauth's."""

from typing import Any
from urllib.parse import urlencode

from allauth.account import app_settings as account_settings
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.stagekit import clear_login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    ConfirmEmailVerificationCodeView,
    ConfirmLoginCodeView,
    ConfirmPasswordResetCodeView,
    LoginView,
    PasswordSetView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, logout
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.accounts import end_elsewhere, is_never_confirmed
from games.extensions import Case, parts_of
from games.forms.account import (
    AcceptForm,
    DeleteForm,
    MistypedAddressForm,
    ProfileForm,
    text_if_taken,
)
from games.models import User
from games.presentation.text.browsers import browser_text
from games.presentation.text.words import dated
from games.services.accounts import guests, terms
from games.services.accounts.account import choose_named, delete_account
from games.services.email import reached_again
from games.services.game import reminders
from games.services.game.dormancy import tables_dormant_without
from games.services.people.addresses import with_address
from games.services.people.held_sanctions import holds_something
from games.services.public_ids import number_of, public_id
from games.views import first_seats
from games.views.access import (
    OWING,
    OWING_NAME,
    OWING_TERMS,
    SUSPENDED,
    UNDER_MAINTENANCE,
    open_to,
)
from games.views.guards import for_members, signed_in
from games.views.strangers import wants_table


class OutOfWaiting:
    """Lets who waits for a code that confirms their address sign in instead.

    Who has asked for a seat and has an account already got no code, but an email that leads here.
    """

    def _redirect_to_pending_stage(self, request: HttpRequest, stage: Any) -> Any:
        if guests.wanted_page(request.session):
            first_seats.forget(request)
            clear_login(request)
            return None
        return super()._redirect_to_pending_stage(request, stage)  # type: ignore[misc]


class AskForCodeView(OutOfWaiting, RequestLoginCodeView):  # type: ignore[misc]
    """Asks for the address to which a code for signing in is sent."""


class SignInView(OutOfWaiting, LoginView):  # type: ignore[misc]
    def get_context_data(self, **more: Any) -> dict[str, Any]:
        parts = parts_of("sign_in", self.request)
        wanted = get_next_redirect_url(self.request) or ""
        more |= {"parts": parts, "wants_table": wants_table(wanted)}
        return {**super().get_context_data(**more), **more}


class SignUpView(SignupView):  # type: ignore[misc]
    def get_context_data(self, **more: Any) -> dict[str, Any]:
        invited_only = settings.SIGN_UP == "invited"
        more |= {"invited_only": invited_only, "parts": parts_of("sign_up", self.request)}
        return {**super().get_context_data(**more), **more}


@method_decorator(reauthentication_required, name="dispatch")
class FirstPasswordView(PasswordSetView):  # type: ignore[misc]
    """Sets the password of who has none, once they have shown that it is them."""


class CountedGuesses:
    """Counts a guess of a emailed code before it is compared with the code.

    allauth counts in the session, which every one of many requests at once reads before any writes.
    """

    request: HttpRequest
    seconds: int
    """How long the code is valid."""
    _process: Any

    def get_form(self, *arguments: Any) -> Form:
        """The form of the code, which is typed on a phone more often than not."""
        form: Form = super().get_form(*arguments)  # type: ignore[misc]
        if "code" in form.fields:
            attributes = form.fields["code"].widget.attrs
            attributes |= {"autocapitalize": "characters", "spellcheck": "false"}
            attributes.pop("placeholder", None)
        return form

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**more)  # type: ignore[misc]
        return {**context, "minutes": self.seconds // 60}

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        """Compare; the page to begin anew where all guesses of this code are used up."""
        sending = getattr(self, "_action", "verify") == "verify"
        code = f"{request.session.session_key}:{self._process.state['at']}"
        code = f"{code}:{self._process.state['resend_count']}:{self._process.state['change_count']}"
        if sending and not ratelimit.consume(request, action="guess_code", key=code):
            return self._used_up()
        response: HttpResponseBase = super().post(request, *arguments, **named)  # type: ignore[misc]
        return response

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        """Say so of a code whose time has passed, or which was used; allauth doesn't."""
        response: HttpResponseBase = super().dispatch(request, *arguments, **named)  # type: ignore[misc]
        is_known = getattr(self, "_process", None) is not None
        if "code" in request.POST and not is_known and request.session.session_key:
            messages.error(request, _("This code is no longer valid. Please get a new one."))
        return response

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show after the last guess that it was; allauth would only say to try again later."""
        if self._process.state["failed_attempts"] + 1 >= self._process.max_attempts:
            return self._used_up()
        refused: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        return refused

    def _used_up(self) -> HttpResponse:
        self._process.abort()
        text = _(
            "This code was entered incorrectly too many times and is no longer valid. Get a new "
            "one."
        )
        messages.error(self.request, text)
        return redirect("account_login")


class ToOwnAddress:
    """Takes a code only while the address that it was sent to is still that of the account."""

    request: HttpRequest
    _process: Any

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        """Compare; the page to begin anew if the account has gone, or has another address."""
        state, owner = self._process.state, with_address(self._process.state["email"])
        if "user_id" in state and (owner is None or owner != self._process.user):
            self._process.abort()
            messages.error(request, _("This code is no longer valid. Please get a new one."))
            return redirect("account_login")
        response: HttpResponseBase = super().post(request, *arguments, **named)  # type: ignore[misc]
        return response


class ReachableAgain:
    """Sends email again to an address that was refused, once a code that went there is entered.

    Whoever merely asks for a code may be anybody.
    """

    _process: Any

    def form_valid(self, form: Form) -> HttpResponse:
        if getattr(self, "_action", "verify") == "verify":
            reached_again.record_delivered(str(self._process.state.get("email") or ""))
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        return response


class ConfirmLoginView(ToOwnAddress, CountedGuesses, ReachableAgain, ConfirmLoginCodeView):  # type: ignore[misc]
    seconds = settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT


class ConfirmResetView(ToOwnAddress, CountedGuesses, ReachableAgain, ConfirmPasswordResetCodeView):  # type: ignore[misc]
    seconds = settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT


class ConfirmAddressView(CountedGuesses, ConfirmEmailVerificationCodeView):  # type: ignore[misc]
    """Asks for the emailed code; looks the same for an address with an account, which got none."""

    seconds = settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT

    @property
    def _may_correct(self) -> bool:
        """Whether another address may be given. allauth refuses it where there is nobody new, and
        so tells strangers who has an account.
        """
        process = self._process
        if process.user is not None and not is_never_confirmed(process.user):
            # Whose address it is has shown meanwhile.
            return bool(self.request.user.is_authenticated and process.can_change)
        if process.user is not None or self.request.user.is_authenticated:
            return bool(process.can_change)
        return not process.is_change_quota_reached(
            account_settings.EMAIL_VERIFICATION_MAX_CHANGE_COUNT
        )

    @cached_property
    def _action(self) -> str:
        action = self.request.POST.get("action", "")
        may = {"change": self._may_correct, "resend": self._process.can_resend}
        return action if may.get(action) else "verify"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        context = {**super().get_context_data(**more), "can_change": self._may_correct}
        seat_page = guests.wanted_page(self.request.session)
        if seat_page and context["cancel_url"]:
            context["cancel_url"] = seat_page
        return {**context, "seat_page": seat_page}

    def form_valid(self, form: Form) -> HttpResponse:
        """Confirm the address; who has asked for a seat gets it then."""
        done: HttpResponse = super().form_valid(form)
        return (first_seats.sit_down(self.request) if self._action == "verify" else None) or done

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the page again; allauth 65.21 breaks on a refused correction of the address."""
        if isinstance(form, MistypedAddressForm):
            page: HttpResponse = self.render_to_response(self.get_context_data(form=form))
            return page
        refused: HttpResponse = super().form_invalid(form)
        return refused


@open_to(SUSPENDED, OWING_NAME)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's public name, time zone, and the email one wants."""
    # Not request.user: a refused form has written into its person, and the page shows the old name.
    person = get_object_or_404(User, pk=request.user.pk)
    suggested = "" if request.method == "POST" else request.GET.get("time_zone", "")
    form = ProfileForm(request.POST or None, instance=person, suggested_zone=suggested)
    if request.method == "POST" and form.is_valid():
        with text_if_taken(form):
            form.save()
            # Not in one transaction: email to them waits for the key of a new name, and has a game.
            reminders.plan_again(person, timezone.now())
            messages.success(request, _("Saved."))
            return HttpResponseRedirect(get_next_redirect_url(request) or reverse("profile"))
    context = {"form": form, "parts": parts_of("profile_sign_in", request)}
    return render(request, "account/profile.html", context)


@open_to(SUSPENDED)
@for_members
@require_POST
def name_to_strangers(request: HttpRequest) -> HttpResponse:
    """Keep the reply to the question on one's home page or a table's, which isn't asked again."""
    named = request.POST.get("named") == "yes"
    choose_named(signed_in(request), named=named)
    text = (
        _("People without an account can now see your name at tables they may watch.")
        if named
        else _("People without an account won't see your name.")
    )
    messages.success(request, text)
    return HttpResponseRedirect(get_next_redirect_url(request) or reverse("games:home"))


@open_to(SUSPENDED)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """List where one is signed in, and end one of these sessions, or all but this one."""
    person = signed_in(request)
    # The session of this browser may be older than the list, or have been signed in without it.
    UserSession.objects.create_from_request(request)
    known = UserSession.objects.purge_and_list(person)
    here = request.session.session_key
    if request.method == "POST":
        response: HttpResponse = _end_sessions(request, person, known)
        return response
    known.sort(key=lambda session: (session.session_key != here, -session.last_seen_at.timestamp()))
    listed = [
        {
            "id": public_id("session", one.pk),
            "session": one,
            "browser": browser_text(one.user_agent),
            "here": one.session_key == here,
            "since": dated(one.created_at, person.time_zone),
            "seen": dated(one.last_seen_at, person.time_zone),
        }
        for one in known
    ]
    return render(request, "account/sessions.html", {"sessions": listed})


@reauthentication_required  # type: ignore[untyped-decorator]
def _end_sessions(request: HttpRequest, person: User, known: list[UserSession]) -> HttpResponse:
    """End one of somebody's sessions, or all but this one, once they have shown that it is them."""
    if "others" in request.POST:
        end_elsewhere(request, person, Case.SIGNED_OUT)
    ended = number_of("session", request.POST.get("session", ""))
    for session in known:
        is_here = session.session_key == request.session.session_key
        if session.pk == ended and not is_here:
            session.end()
    messages.success(request, _("That session has been signed out."))
    return redirect("sessions")


@open_to(*OWING)
@for_members
@require_safe
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Ask who has neither password nor second factor to sign in again, before something dear."""
    wanted = get_next_redirect_url(request) or reverse("profile")
    login = f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}"
    return render(request, "account/sign_in_again.html", {"login": login})


@open_to(SUSPENDED, OWING_TERMS, OWING_NAME, UNDER_MAINTENANCE)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def accept_terms(request: HttpRequest) -> HttpResponse:
    """Have a person accept the terms as they are now, and lead on."""
    person = signed_in(request)
    form = AcceptForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and terms.are_owed_by(person) and form.is_valid():
        terms.accept(person, timezone.now())
    if not terms.are_owed_by(person):
        return HttpResponseRedirect(get_next_redirect_url(request) or reverse("games:home"))
    context = {
        "form": form,
        "is_change": bool(person.accepted_terms),
        "wanted": get_next_redirect_url(request) or "",
    }
    status = 422 if form.errors else 200
    return render(request, "account/accept_terms.html", context, status=status)


@open_to(SUSPENDED, OWING_TERMS, OWING_NAME)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays, and delete the account of who typed their name."""
    person = get_object_or_404(User, pk=request.user.pk)
    form = DeleteForm(request.POST if request.method == "POST" else None, person=person)
    if request.method == "POST" and form.is_valid():
        response: HttpResponse = _delete(request, person)
        return response
    context = {
        "form": form,
        "dormant": tables_dormant_without(person),
        "held": holds_something(person, timezone.now()),
    }
    return render(request, "account/delete.html", context)


@reauthentication_required  # type: ignore[untyped-decorator]
def _delete(request: HttpRequest, person: User) -> HttpResponse:
    """Delete the account of those who have just shown again that it is theirs.

    All others are asked for their password or second factor; allauth then goes on with this.
    """
    delete_account(person, timezone.now())
    logout(request)
    messages.success(request, _("Your account has been deleted."))
    return redirect("games:home")


@for_members
@require_POST
def email_again(request: HttpRequest) -> HttpResponse:
    """Send email again to an address that was refused: its owner confirms that it works now."""
    reached_again.record_delivered(request.user.email)  # type: ignore[union-attr]
    messages.success(request, _("We'll send emails to your address again."))
    return redirect("games:home")
