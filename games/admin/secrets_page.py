"""The page that shows revealed secrets: once, in response to the POST that requested them."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse

from games.admin.actions.row import Action
from games.admin.subjects import Subject
from games.forms.submitted import Entry, entries_of
from games.services.moderation.secrets import Secrets, Typed


class _Draft(NamedTuple):
    """Somebody's draft, with the labels of their form."""

    name: str
    parts: list[Entry]


def show(
    request: HttpRequest,
    shared: dict[str, Any],
    action: Action,
    subject: Subject,
    secrets: Secrets,
) -> HttpResponse:
    context = {
        **shared,
        "title": action.title,
        "action": action,
        "subject": subject,
        "secrets": secrets,
        "drafts": [_draft(one) for one in secrets.drafts],
    }
    return TemplateResponse(request, "admin/games/secrets.html", context).render()


def _draft(one: Typed) -> _Draft:
    data = QueryDict(mutable=True)
    data.update(one.fields)
    return _Draft(one.name, entries_of(data))
