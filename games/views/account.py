"""One's own profile. Everything else about accounts is django-allauth's."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from games.forms.account import ProfileForm
from games.models import User


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's public name and time zone."""
    # Not request.user: a refused form has written into its person, and the page shows the old name.
    person = get_object_or_404(User, pk=request.user.pk)
    form = ProfileForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("profile")
    return render(request, "account/profile.html", {"form": form})
