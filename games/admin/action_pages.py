"""The page of an act: by GET what it would do, by POST it is done.

`perform` is the same for all: an act on a game, a person, a report or the site.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.forms.moderation.reasons import ReasonForm
from games.models import User
from games.services.moderation.actions.on_games import Decision
from games.services.refused import Refused

type Shared = Callable[[HttpRequest], dict[str, Any]]
"""Gives what all pages of the admin need."""


class Subject(NamedTuple):
    """What an act is done to: its name and its page, the list it stands in, and how it stands."""

    name: str
    link: str
    list_name: str
    list_link: str
    facts: list[str]


class Shown(Protocol):
    """What the page of an act says of it: `explains` says what will happen."""

    @property
    def slug(self) -> str: ...
    @property
    def title(self) -> Promise: ...
    @property
    def explains(self) -> Promise: ...


def perform[Form: ReasonForm](
    request: HttpRequest,
    *,
    shared: Shared,
    subject: Subject,
    act: Shown,
    make_form: Callable[[Any, dict[str, str]], Form],
    do: Callable[[Form, Decision], None],
    why_not: str = "",
) -> HttpResponse:
    """The page of an act on a `subject`, for its form from `make_form(posted, given)`.

    Done by `do`, it leads back to the subject. What is refused comes back with the reason and with
    what was typed; what is not possible as the subject stands (`why_not`) is not offered.
    """
    moderator = acting_moderator(request)
    with timezone.override(moderator.time_zone):
        form = make_form(request.POST if request.method == "POST" else None, request.GET.dict())
        preview = form.preview() if form.is_valid() else []
        if form.is_valid() and not preview and _done(request, act, form, do):
            return redirect(subject.link)
        context = {
            **shared(request),
            "title": act.title,
            "act": act,
            "subject": subject,
            "why_not": why_not,
            "form": form,
            "preview": preview,
            "button": form.second_button(act.title) if preview else act.title,
        }
        status = 422 if form.errors else 200
        return TemplateResponse(request, "admin/games/act.html", context, status=status).render()


def acting_moderator(request: HttpRequest) -> User:
    """Who acts, on a page of the admin."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for moderators.")
    return request.user


def _done[Form: ReasonForm](
    request: HttpRequest, act: Shown, form: Form, do: Callable[[Form, Decision], None]
) -> bool:
    """Do it; where it is refused, the form says why."""
    decision = Decision(acting_moderator(request), form.told_reason, timezone.now())
    try:
        do(form, decision)
    except Refused as reason:
        form.add_error(None, str(reason))
        return False
    messages.success(request, _("Done: {act}.").format(act=act.title))
    return True
