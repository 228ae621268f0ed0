"""The page of every action: GET shows what it would do, POST does it."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.admin import secrets_page
from games.admin.actions import ActionLink, address_of, all_actions, is_damaged, title_of
from games.admin.actions.row import Action
from games.admin.subjects import Shared, Subject, signed_in_moderator
from games.forms.moderation.base import ActionForm
from games.models import User
from games.services.game.unreadable import damaged
from games.services.moderation.actions.requests import ActionRequest, Results
from games.services.moderation.cases import Archive
from games.services.moderation.secrets import Secrets
from games.services.refused import Refused

type ReadSubject = Callable[..., Subject]
"""Reads the subject of an action for a moderator, by its ids in the address.

Raises `Http404` or `PermissionDenied` if it isn't for them.
"""


def action_page(
    request: HttpRequest, kind: str, slug: str, shared: Shared, read: ReadSubject, **ids: int | str
) -> HttpResponse:
    """The page of an action on a subject of a `kind`; when it is done, back to the subject.

    If it is refused, the form says why and keeps what was typed.
    """
    moderator = signed_in_moderator(request)
    action = all_actions().get(f"{kind}.{slug}")
    if action is None:
        raise Http404
    with timezone.override(moderator.time_zone):
        subject = read(moderator, **ids)
        if action.reads_state and is_damaged(subject.row):
            return _refused(request, shared, action, subject, damaged())
        form = _form(request, action, subject, moderator)
        why_not = action.why_not(subject.state, moderator)
        preview = form.preview() if form.is_valid() else form.beforehand()
        if form.is_valid() and preview and why_not:
            form.add_error(None, why_not)
            preview = []
        elif form.is_valid() and not preview:
            try:
                done, not_emailed = action.result_of(form.values()), form.not_emailed
                by = ActionRequest(moderator, form.full_reason, timezone.now())
                result = form.run(action.do, by)
            except Refused as reason:
                form.add_error(None, str(reason))
                form.told = form.meanwhile(moderator, timezone.now(), title_of)
            else:
                return _answer(request, shared, action, subject, result, done, not_emailed)
        context = {
            **_about(request, shared, action, subject),
            "why_not": why_not,
            "form": form,
            "preview": preview,
            "letters": form.letters() if preview else [],
            "also": _also(action, subject, ids),
            "button": form.second_button(action.title) if preview else action.title,
        }
        status = 422 if form.errors else 200
        page = TemplateResponse(request, "admin/games/action.html", context, status=status)
        return page.render()


def _answer(
    request: HttpRequest,
    shared: Shared,
    action: Action,
    subject: Subject,
    result: object,
    done: str,
    not_emailed: list[str],
) -> HttpResponse:
    """What is shown or downloaded now, or else where the result is read."""
    if isinstance(result, Secrets):
        return secrets_page.show(request, shared(request), action, subject, result)
    if isinstance(result, Archive):
        return _download(result)
    _say_what_was_done(request, result, done, not_emailed)
    return redirect(subject.list_link if action.removes else subject.link)


def _form(request: HttpRequest, action: Action, subject: Subject, moderator: User) -> ActionForm:
    """The form as it was sent; an empty one at first, with what the link to it fills in."""
    posted = request.POST if request.method == "POST" else None
    given = request.GET.dict()
    return action.form(
        posted, subject=subject.row, given=given, moderator=moderator, key=action.key
    )


def _also(action: Action, subject: Subject, ids: dict[str, int | str]) -> ActionLink | None:
    """What a moderator may want to do instead of this, or beside it."""
    other = all_actions().get(action.instead or action.see_also)
    if other is None:
        return None
    page = address_of(other.key, *ids.values())
    return ActionLink(other.title, page, other.danger, at_once=False)


def _about(
    request: HttpRequest, shared: Shared, action: Action, subject: Subject
) -> dict[str, Any]:
    named = action.key.startswith(("person.", "player.", "game."))
    title = f"{action.title}: {subject.name}" if named else action.title
    return {**shared(request), "title": title, "action": action, "subject": subject}


def _refused(
    request: HttpRequest, shared: Shared, action: Action, subject: Subject, why_not: str
) -> HttpResponse:
    """Why there is not even a form."""
    context = {**_about(request, shared, action, subject), "why_not": why_not}
    status = 422 if request.method == "POST" else 200
    page = TemplateResponse(request, "admin/games/action.html", context, status=status)
    return page.render()


def _download(archive: Archive) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{archive.name}"'}
    return HttpResponse(archive.content, content_type="application/zip", headers=headers)


def _say_what_was_done(
    request: HttpRequest, result: object, sentence: str, not_emailed: Iterable[str]
) -> None:
    """That it was done, or what an action on many things did and didn't do; some say both.

    And whom the email about it doesn't reach.
    """
    for warning in not_emailed:
        messages.warning(request, warning)
    if not isinstance(result, Results):
        messages.success(request, sentence)
        return
    done = [sentence, *result.done] if sentence else result.done
    for one in done:
        messages.success(request, one)
    for one in result.refused:
        messages.warning(request, one)
    if not done and not result.refused:
        messages.info(request, _("There was nothing left to do."))
