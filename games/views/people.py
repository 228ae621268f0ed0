"""Pages of people: what members may know of one, and declaring that one knows another."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms.people import KnownForm
from games.models import User
from games.services.accounts.queries.profile import read_people, read_person
from games.services.people import acquaintances, blocks, companions
from games.services.refused import Refused
from games.services.roles import may_moderate
from games.views import limits
from games.views.actions import player_action
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
def names(request: HttpRequest) -> HttpResponse:
    """Names that somebody may mean who has typed `q`, for a script."""
    user = signed_in(request)
    if not limits.may_ask(request, "complete_names", limits.of_person(user)):
        return HttpResponse(status=429)
    found = companions.names_beginning(request.GET.get("q", ""), user)
    return JsonResponse({"names": found})


@for_members
@never_cache
@require_safe
def person(request: HttpRequest, person_id: int) -> HttpResponse:
    """Somebody with a name: nobody has one whose address was never confirmed."""
    named = User.objects.exclude(name_key=None)
    return _page(request, get_object_or_404(named, pk=person_id, is_guest=False))


def _page(
    request: HttpRequest, person: User, form: KnownForm | None = None, status: int = 200
) -> HttpResponse:
    reader = signed_in(request)
    keeps_order = person != reader and may_moderate(reader)
    context = {
        "reading": read_person(person, reader, timezone.now()),
        "admin_link": reverse("admin:games_user_change", args=[person.pk]) if keeps_order else "",
        "form": form or KnownForm(),
    }
    return render(request, "people/person.html", context, status=status)


@player_action("games:person")
def block(_request: HttpRequest, person: User, user: User) -> str:
    blocks.block(user=user, other_id=person.pk, now=timezone.now())
    return _("You won't be seated together at new tables. Nobody is told about this.")


@player_action("games:person")
def unblock(_request: HttpRequest, person: User, user: User) -> str:
    blocks.unblock(user=user, other_id=person.pk)
    return _("You've unblocked this player.")


@player_action("games:person")
def ignore(_request: HttpRequest, person: User, user: User) -> str:
    blocks.ignore(user=user, other_id=person.pk, now=timezone.now())
    return _("Their messages will be collapsed from now on. Nobody is told about this.")


@player_action("games:person")
def unignore(_request: HttpRequest, person: User, user: User) -> str:
    blocks.unignore(user=user, other_id=person.pk)
    return _("Their messages will no longer be collapsed.")


@player_action("games:person")
def know(request: HttpRequest, person: User, user: User) -> HttpResponse | str:
    """Declare that one knows the person, or confirm their declaration."""
    form = KnownForm(request.POST)
    if not form.is_valid():
        return _page(request, person, form, status=422)
    note = form.cleaned_data["note"]
    try:
        acquaintances.declare(user=user, other_id=person.pk, note=note, now=timezone.now())
    except Refused as reason:
        messages.error(request, str(reason))
        return _page(request, person, form, status=422)
    return _(
        "Thanks. Once you've both said so, the other players at the tables you share will be "
        "told that you know each other."
    )


@player_action("games:person")
def know_no_more(_request: HttpRequest, person: User, user: User) -> str:
    acquaintances.take_back(user=user, other_id=person.pk)
    return _("You aren't listed as knowing each other.")
