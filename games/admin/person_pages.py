"""A person as moderators see them."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import extensions
from games.admin.actions import possible_actions, title_of
from games.admin.actions.on_accounts import ON_ACCOUNTS
from games.admin.actions.on_people import ON_PEOPLE
from games.admin.subjects import Subject, signed_in_moderator
from games.models import User
from games.presentation.text.words import moment
from games.services.accounts.on_request import with_second_factors
from games.services.moderation.actions.person_action import why_not
from games.services.moderation.queries.person import (
    read_person,
    standing_facts,
    standing_of,
)


def person_context(request: HttpRequest, person: User) -> dict[str, Any]:
    """What the page of a person shows besides their fields, with the actions that are possible."""
    reader = signed_in_moderator(request)
    standing, page = read_person(person, reader, timezone.now(), title_of)
    refused = why_not(reader, person)
    actions, on_account = (
        [] if refused else possible_actions(rows, standing, reader, person.pk)
        for rows in (ON_PEOPLE, ON_ACCOUNTS)
    )
    return {
        "page": page,
        "actions": actions,
        "on_account": on_account,
        "why_not": refused,
        "links": extensions.parts_of("person_in_admin", request, person=person),
    }


def person_subject(moderator: User, person_id: int) -> Subject:
    """The person, with what a moderator should know before they act."""
    person = get_object_or_404(with_second_factors(User.objects.all()), pk=person_id)
    if refused := why_not(moderator, person):
        raise PermissionDenied(refused)
    now, zone = timezone.now(), moderator.time_zone
    (state, appeal), facts = standing_of(person, moderator, now), standing_facts(person, zone, now)
    if state.warned_at is not None:
        facts.append(_("Last warned on {moment}.").format(moment=moment(state.warned_at, zone)))
    return Subject(
        row=person,
        state=state,
        name=person.name,
        link=reverse("admin:games_user_change", args=[person.pk]),
        list_name=_("People"),
        list_link=reverse("admin:games_user_changelist"),
        facts=[*facts, *appeal],
    )
