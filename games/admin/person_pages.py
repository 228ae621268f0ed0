"""A moderator's pages of one person: how they stand, and the acts on them."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.admin import person_actions
from games.admin.action_pages import Shared, Subject, acting_moderator, perform
from games.forms.moderation.person_actions import PersonActForm
from games.models import User
from games.services.moderation.actions.on_games import Decision
from games.services.moderation.actions.on_people import PersonAsk, why_not
from games.services.moderation.actions.people import answer_objection
from games.services.moderation.queries.person import (
    objection_facts,
    read_person,
    standing_facts,
    standing_of,
)


def person_context(request: HttpRequest, person: User) -> dict[str, Any]:
    """What the page of a person shows besides their fields; no act where none is open."""
    reader = acting_moderator(request)
    standing, page = read_person(person, reader, timezone.now())
    refused = why_not(reader, person)
    acts = [] if refused else person_actions.that_fit(standing)
    return {"page": page, "acts": acts, "why_not": refused}


def act_page(request: HttpRequest, person_id: int, slug: str, shared: Shared) -> HttpResponse:
    """One act on one person."""
    act = person_actions.BY_SLUG.get(slug)
    if act is None:
        raise Http404
    person = get_object_or_404(User, pk=person_id)
    moderator = acting_moderator(request)
    if refused := why_not(moderator, person):
        raise PermissionDenied(refused)

    def do(form: PersonActForm, decision: Decision) -> None:
        act.do(PersonAsk.of(decision, person.pk, form.cleaned_data["seen"]), **form.arguments())

    return perform(
        request,
        shared=shared,
        subject=_subject(person, moderator, act),
        act=act,
        make_form=lambda posted, given: act.form(posted, person=person, given=given),
        do=do,
        why_not=person_actions.why_not(act, standing_of(person, moderator, timezone.now())),
    )


def _subject(person: User, moderator: User, act: person_actions.PersonAct) -> Subject:
    """The person, with what a moderator should know before they act."""
    now = timezone.now()
    facts = standing_facts(person, moderator.time_zone, now)
    if act.do is answer_objection:
        facts += objection_facts(person, moderator, now)
    return Subject(
        name=person.name,
        link=reverse("admin:games_user_change", args=[person.pk]),
        list_name=_("People"),
        list_link=reverse("admin:games_user_changelist"),
        facts=facts,
    )
