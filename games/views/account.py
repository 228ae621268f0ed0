"""Signing up, one's own profile, and the end of an account. The rest is django-allauth's."""

from typing import Any

from allauth.account.views import ConfirmEmailVerificationCodeView, SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.forms.account import (
    DeleteForm,
    MistypedAddressForm,
    ProfileForm,
    SignUpForm,
    told_if_taken,
)
from games.models import User
from games.services import reachability
from games.services.accounts import delete_account
from games.services.resting import tables_without
from games.views.guards import for_members


class SignUpView(SignupView):  # type: ignore[misc]
    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Sign up; the form again where somebody else took the name in the same instant."""
        answer: HttpResponse | None = None
        with told_if_taken(form):
            answer = super().form_valid(form)
        return answer or self.form_invalid(form)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        return {**super().get_context_data(**more), "invited_only": settings.SIGN_UP == "invited"}


class ConfirmAddressView(ConfirmEmailVerificationCodeView):  # type: ignore[misc]
    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the page again; allauth 65.21 breaks on a refused correction of the address."""
        if isinstance(form, MistypedAddressForm):
            page: HttpResponse = self.render_to_response(self.get_context_data(form=form))
            return page
        refused: HttpResponse = super().form_invalid(form)
        return refused


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's public name, time zone, and the mail one wants."""
    # Not request.user: a refused form has written into its person, and the page shows the old name.
    person = get_object_or_404(User, pk=request.user.pk)
    form = ProfileForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        with told_if_taken(form):
            form.save()
            messages.success(request, _("Saved."))
            return redirect("profile")
    return render(request, "account/profile.html", {"form": form})


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays, and delete the account of who typed their name."""
    person = get_object_or_404(User, pk=request.user.pk)
    form = DeleteForm(request.POST if request.method == "POST" else None, person=person)
    if request.method == "POST" and form.is_valid():
        delete_account(person, timezone.now())
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("games:home")
    context = {"form": form, "resting": tables_without(person)}
    return render(request, "account/delete.html", context)


@for_members
@require_POST
def email_again(request: HttpRequest) -> HttpResponse:
    """Send email again to an address that was refused: its owner says that it works now."""
    reachability.note_taken(request.user.email)  # type: ignore[union-attr]
    messages.success(request, _("Email is sent to your address again."))
    return redirect("games:home")
