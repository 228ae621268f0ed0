"""A moderator's page of signs that somebody has other accounts, and the act that clears a pair."""

from typing import Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.action_pages import Shared, Subject, acting_moderator, perform
from games.forms.moderation.reasons import ReasonForm
from games.models import User
from games.services.moderation.actions.on_games import Decision
from games.services.moderation.duplicates.decisions import clear_pair
from games.services.moderation.duplicates.queries import read_doubles


class ClearForm(ReasonForm):
    """Why two accounts that share a browser are all right."""

    templates = (
        gettext_lazy("They live together and know each other."),
        gettext_lazy("They have explained it convincingly."),
        gettext_lazy("They no longer sit at the same tables."),
    )


class _Clear(NamedTuple):
    slug: str
    title: Promise
    explains: Promise


CLEAR: Final = _Clear(
    "clear",
    gettext_lazy("Dismiss"),
    gettext_lazy("These two share a browser, and that's fine. Nobody is notified."),
)


def doubles(request: HttpRequest, person_id: int, shared: Shared) -> HttpResponse:
    """What speaks for other accounts of a person; never about oneself."""
    moderator = acting_moderator(request)
    _refuse_oneself(moderator, person_id)
    with timezone.override(moderator.time_zone):
        found = read_doubles(person_id, moderator, timezone.now())
        if found is None:
            raise Http404
        person, pairs = found
        context = {
            **shared(request),
            "title": _("Possible duplicate account"),
            "person": person,
            "pairs": pairs,
        }
        return TemplateResponse(request, "admin/games/doubles.html", context).render()


def clear(request: HttpRequest, person_id: int, other_id: int, shared: Shared) -> HttpResponse:
    """The act that takes a pair off the desk."""
    moderator = acting_moderator(request)
    _refuse_oneself(moderator, person_id, other_id)
    person = get_object_or_404(User, pk=person_id)
    other = get_object_or_404(User, pk=other_id)

    def do(_form: ReasonForm, decision: Decision) -> None:
        clear_pair(decision, person_id=person.pk, other_id=other.pk)

    return perform(
        request,
        shared=shared,
        subject=Subject(
            name=_("{name} and {other}").format(name=person.name, other=other.name),
            link=reverse("admin:doubles", args=[person.pk]),
            list_name=_("People"),
            list_link=reverse("admin:games_user_changelist"),
            facts=[],
        ),
        act=CLEAR,
        make_form=lambda posted, given: ClearForm(posted, given=given),
        do=do,
    )


def _refuse_oneself(moderator: User, *people: int) -> None:
    if moderator.pk in people:
        raise PermissionDenied(_("This concerns you, so another moderator has to do it."))
