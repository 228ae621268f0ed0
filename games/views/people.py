"""Pages of people: what members may know of one, and what one says about another."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms.people import KnownForm
from games.models import User
from games.services.people import acquaintances, blocks
from games.services.people.queries.profile import read_people, read_person
from games.services.refused import Refused
from games.services.roles import may_moderate
from games.views.guards import for_members, signed_in


@for_members
@never_cache
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Whom one knows, who asks, and whom one has blocked."""
    context = {"reading": read_people(signed_in(request))}
    return render(request, "people/people.html", context)


@for_members
@never_cache
@require_safe
def person(request: HttpRequest, person_id: int) -> HttpResponse:
    return _page(request, get_object_or_404(User, pk=person_id))


def _page(
    request: HttpRequest, person: User, form: KnownForm | None = None, status: int = 200
) -> HttpResponse:
    reader = signed_in(request)
    keeps_order = person != reader and may_moderate(reader)
    context = {
        "reading": read_person(person, reader, timezone.now()),
        "at_the_desk": reverse("admin:games_user_change", args=[person.pk]) if keeps_order else "",
        "form": form or KnownForm(label_suffix=""),
    }
    return render(request, "people/person.html", context, status=status)


def _by_post(view: Callable[[HttpRequest, User], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """An act about a person, by POST. Who comes by GET is led to the person's page."""

    def acting(request: HttpRequest, person_id: int) -> HttpResponse:
        if request.method != "POST":
            return redirect("games:person", person_id=person_id)
        return view(request, get_object_or_404(User, pk=person_id))

    return for_members(acting)


def _act(
    request: HttpRequest,
    person: User,
    act: Callable[[], None],
    done: str,
    form: KnownForm | None = None,
) -> HttpResponse:
    """Let a service do it, and show the person with `done`, or with why it is refused."""
    try:
        act()
    except Refused as reason:
        messages.error(request, str(reason))
        return _page(request, person, form, status=422)
    messages.success(request, done)
    return redirect("games:person", person_id=person.pk)


@_by_post
def block(request: HttpRequest, person: User) -> HttpResponse:
    user = signed_in(request)
    return _act(
        request,
        person,
        lambda: blocks.block(user=user, other_id=person.pk, now=timezone.now()),
        _("You won't be seated together at new tables. Nobody is told about this."),
    )


@_by_post
def unblock(request: HttpRequest, person: User) -> HttpResponse:
    user = signed_in(request)
    return _act(
        request,
        person,
        lambda: blocks.unblock(user=user, other_id=person.pk),
        _("You can be seated together at new tables again."),
    )


@_by_post
def know(request: HttpRequest, person: User) -> HttpResponse:
    """Say that one knows the person, or that what they say is so."""
    user, form = signed_in(request), KnownForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _page(request, person, form, status=422)
    note = form.cleaned_data["note"]
    return _act(
        request,
        person,
        lambda: acquaintances.declare(user=user, other_id=person.pk, note=note, now=timezone.now()),
        _(
            "Noted. Once both of you have said so, the players at the tables you share "
            "will be told."
        ),
        form,
    )


@_by_post
def know_no_more(request: HttpRequest, person: User) -> HttpResponse:
    user = signed_in(request)
    return _act(
        request,
        person,
        lambda: acquaintances.take_back(user=user, other_id=person.pk),
        _("You are no longer listed as acquaintances."),
    )
