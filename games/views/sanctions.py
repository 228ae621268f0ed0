"""How one stands with the moderators: warnings and the like, objecting, and being suspended."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.forms.sanctions import SanctionAppealForm
from games.forms.submitted import SubmittedForm
from games.models import Sanction, User
from games.services.people import sanctions
from games.services.people.queries.sanctions import latest_reason
from games.services.public_ids import number_of, public_id
from games.services.refused import Refused
from games.services.reports import conduct
from games.services.reports.conduct import read_conduct
from games.views.access import OWING_NAME, OWING_TERMS, SUSPENDED, open_to
from games.views.guards import for_members, signed_in


@open_to(SUSPENDED, OWING_TERMS, OWING_NAME)
@for_members
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_conduct(request: HttpRequest) -> HttpResponseBase:
    """What moderators have decided about the reader; by POST they object."""
    return _conduct(request, signed_in(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conduct_by_link(request: HttpRequest, token: str) -> HttpResponseBase:
    """The same for people who can't sign in any more, by the signed link in the email."""
    person = sanctions.person_of(token)
    if person is None:
        raise Http404("This link is not complete, or the account has gone.")
    return redirect("games:conduct") if person.is_active else _conduct(request, person)


def _conduct(request: HttpRequest, person: User) -> HttpResponseBase:
    sent = _sent(request) if request.method == "POST" else None
    form = None
    if sent is not None:
        form = SanctionAppealForm(request.POST, sanction=sent)
        if form.is_valid() and _appealed(form, person):
            return redirect(request.path)
    now = timezone.now()
    lines = [
        {"line": line, "form": _form_of(line.id, sent, form) if line.may_appeal else None}
        for line in read_conduct(person, now)
    ]
    orphan = form if form is not None and not any(one["form"] is form for one in lines) else None
    context: dict[str, Any] = {"person": person, "lines": lines, "orphan": orphan}
    status = 200 if form is None else 422
    return render(request, "people/sanctions.html", context, status=status)


def _sent(request: HttpRequest) -> str:
    """The id of the decision that somebody appeals; pages from before the upgrade have a number."""
    return public_id("sanction", number_of("sanction", request.POST.get("sanction", "")) or 0)


def _appealed(form: SanctionAppealForm, person: User) -> bool:
    """Appeal; if it is refused, the form says why."""
    try:
        conduct.appeal(
            person=person,
            sanction_id=form.cleaned_data["sanction"],
            text=form.cleaned_data["objection"],
            now=timezone.now(),
        )
    except Refused as reason:
        form.add_error("objection", str(reason))
        return False
    return True


def _form_of(shown: str, sent: str | None, form: SanctionAppealForm | None) -> SanctionAppealForm:
    """The form of a decision: the one that was sent, where it was about this one."""
    return form if form is not None and shown == sent else SanctionAppealForm(sanction=shown)


@open_to(SUSPENDED, OWING_TERMS)
@for_members
@require_POST
def read_warning(request: HttpRequest) -> HttpResponse:
    """The reader confirms that they have read a warning."""
    number = number_of("sanction", request.POST.get("sanction", "")) or 0
    sanctions.read_warning(person=signed_in(request), sanction_id=number, now=timezone.now())
    return redirect("games:home")


def refuse_suspended(request: HttpRequest, person: User) -> HttpResponse:
    """Say to somebody suspended why nothing was done, with what they had typed."""
    now = timezone.now()
    text = sanctions.why_suspended(person, now)
    if not request.accepts("text/html"):
        return HttpResponseForbidden(text, content_type="text/plain")
    context = {
        "text": text,
        "reason": latest_reason(person, Sanction.Kind.SUSPENSION, now),
        "submitted": SubmittedForm.of(request),
    }
    return render(request, "people/suspended.html", context, status=403)


def muted_context_of(request: HttpRequest) -> dict[str, Any]:
    """The same for the person who asks; strangers are kept from writing by nothing else."""
    return muted_context(request.user) if isinstance(request.user, User) else {}


def muted_context(person: User) -> dict[str, Any]:
    """Why the reader may not write to others now: `muted` in a sentence, and the `muted_reason`.

    `suspended` says whether they may do nothing else either.
    """
    now = timezone.now()
    text = sanctions.why_muted(person, now)
    if not text:
        return {"muted": "", "muted_reason": "", "suspended": False}
    suspended = person.is_suspended(now)
    kind = Sanction.Kind.SUSPENSION if suspended else Sanction.Kind.MUTE
    reason = latest_reason(person, kind, now)
    return {"muted": text, "muted_reason": reason, "suspended": suspended}
