"""The page of signs that somebody has other accounts."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import extensions
from games.admin.subjects import Shared, Subject, signed_in_moderator
from games.features.duplicates import money, queries
from games.models import User
from games.presentation.text.tables import time_text
from games.services.accounts import sign_ins


def duplicates(request: HttpRequest, person_id: int, shared: Shared) -> HttpResponse:
    """The signs that a person has other accounts; never about oneself."""
    moderator = signed_in_moderator(request)
    _refuse_oneself(moderator, person_id)
    with timezone.override(moderator.time_zone):
        found = queries.read_duplicates(person_id, moderator, timezone.now())
        if found is None:
            raise Http404
        person, pairs = found
        context = {
            **shared(request),
            "title": _("Possible duplicate account"),
            "person": person,
            "pairs": [pair._asdict() | {"ways": _ways_to(request, pair.other)} for pair in pairs],
            "ways": _ways_to(request, person),
            "sign_ins_of": time_text(sign_ins.KEPT),
            "moves_of": time_text(queries.MOVES_OF),
            "most_games": money.MOST_GAMES,
        }
        return TemplateResponse(request, "duplicates/duplicates.html", context).render()


def _ways_to(request: HttpRequest, person: User) -> list[SafeString]:
    """How to ask one of them."""
    return extensions.parts_of("pair_in_admin", request, person=person)


def who_sees_sign_ins(_request: HttpRequest) -> str:
    """Who sees what is stored of sign-ins, where a page says that it is."""
    return _(
        "Only moderators can see this, and only when two accounts seem to belong to the same "
        "person."
    )


def link(request: HttpRequest, *, person: User) -> str:
    """The link to it from a person's page."""
    if person == request.user:
        return ""
    page = reverse("admin:duplicates", args=[person.pk])
    return format_html('<a href="{}">{}</a>', page, _("Possible duplicate account"))


def pair_subject(moderator: User, person_id: int, other_id: int) -> Subject:
    """Two people who share a browser; never oneself."""
    _refuse_oneself(moderator, person_id, other_id)
    person = get_object_or_404(User, pk=person_id)
    other = get_object_or_404(User, pk=other_id)
    return Subject(
        row=(person, other),
        state=None,
        name=_("{name} and {other}").format(name=person.name, other=other.name),
        link=reverse("admin:duplicates", args=[person.pk]),
        list_name=_("People"),
        list_link=reverse("admin:games_user_changelist"),
        facts=[],
    )


def _refuse_oneself(moderator: User, *people: int) -> None:
    if moderator.pk in people:
        raise PermissionDenied(_("This concerns you, so another moderator has to handle it."))
