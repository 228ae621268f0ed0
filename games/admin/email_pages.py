"""An email as moderators see it: what it was about, what became of it, what it says."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from games.admin.actions import address_of, possible_actions
from games.admin.actions.on_emails import ON_EMAILS
from games.admin.subjects import Subject, signed_in_moderator
from games.models import OutboxEmail, User
from games.presentation.text.words import capital, moment
from games.services.email.decision_story import fate_text
from games.services.email.kinds import name_of
from games.services.email.preview import preview_of
from games.services.email.queries import visible_to
from games.services.moderation.actions import mail
from games.services.public_ids import number_of, public_id


class EmailSubject(NamedTuple):
    """An email, and who means to act on it."""

    email: OutboxEmail
    moderator: User


def email_subject(moderator: User, email_id: str) -> Subject:
    """The email, unless the moderator may not know of it."""
    number = number_of("outboxemail", email_id, old=False)
    if number is None:
        raise Http404
    rows = visible_to(moderator, OutboxEmail.objects.select_related("person", "game"))
    email = get_object_or_404(rows, pk=number)
    return Subject(
        row=EmailSubject(email, moderator),
        state=email,
        name=name_of(email),
        link=page_of(email),
        list_name=_("Emails"),
        list_link=reverse("admin:games_outboxemail_changelist"),
        facts=facts_of(email, moderator.time_zone),
    )


def page_of(email: OutboxEmail) -> str:
    """The page of an email."""
    return reverse("admin:games_outboxemail_change", args=[public_id("outboxemail", email.pk)])


def email_context(request: HttpRequest, email: OutboxEmail) -> dict[str, Any]:
    """What the page of an email shows besides its fields."""
    reader = signed_in_moderator(request)
    key = public_id("outboxemail", email.pk)
    clear = ""
    if email.person is not None and email.person.is_unreachable:
        clear = address_of("person.clear-address", email.person.pk)
    return {
        "facts": facts_of(email, reader.time_zone),
        "actions": possible_actions(ON_EMAILS, email, reader, key),
        "why_not": mail.why_not(email, reader),
        "clear": clear,
        "preview": preview_of(email),
    }


def facts_of(email: OutboxEmail, zone: str) -> list[str]:
    """What has become of it, and what is wrong with its address."""
    return list(_facts(email, zone))


def _facts(email: OutboxEmail, zone: str) -> Iterator[str]:
    yield capital(f"{fate_text(email, zone)}.")
    person = email.person
    if person is not None and person.is_unreachable and person.refused_email_at is not None:
        text = _("Email to this person has been rejected since {moment}: {why}")
        yield text.format(
            moment=moment(person.refused_email_at, zone), why=person.refused_email_why
        )
