"""Reporting a message, a person or a table to the moderators, what came of it, and appeals."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.forms.reports import AppealForm, ReportForm, WhereForm
from games.models import Game, Message, Report, User
from games.services.chat.queries import shown_text
from games.services.chat.thread_queries import readable_message
from games.services.people.display_names import speaker
from games.services.public_ids import number_of
from games.services.refused import Refused
from games.services.reports import filing
from games.services.reports.filing import Complaint
from games.services.reports.queries import decision_against, reports_of
from games.views.access import OWING_NAME, OWING_TERMS, SUSPENDED, open_to
from games.views.chat import address_of
from games.views.guards import for_members, signed_in


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def report_message(request: HttpRequest, token: str, message: str) -> HttpResponse:
    """Show a message at a table; by POST report it."""
    rows = Message.objects.select_related("author", "game", "redaction")
    reported = get_object_or_404(rows, pk=number_of("message", message), game__token=token)
    try:
        filing.refuse_unless_reportable(reported, signed_in(request))
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(address_of(reported.game))
    context = {
        "name": speaker(reported),
        "game": reported.game,
        "said": shown_text(reported),
        "back": address_of(reported.game),
    }
    return _report(
        request,
        context,
        lambda complaint, _form: filing.report_message(complaint, message_id=reported.pk),
    )


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def report_private(request: HttpRequest, token: str, thread: str, message: str) -> HttpResponse:
    """Show a message in a thread of one's own; by POST report it."""
    user = signed_in(request)
    try:
        reported = readable_message(token, thread, message, user)
    except ObjectDoesNotExist:
        raise Http404 from None
    back = address_of(reported.game, thread)
    try:
        filing.refuse_unless_reportable(reported, user)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(back)
    context = {
        "name": speaker(reported),
        "game": reported.game,
        "said": shown_text(reported),
        "around": filing.FROZEN_AROUND,
        "back": back,
    }
    return _report(
        request,
        context,
        lambda complaint, _form: filing.report_private(complaint, message_id=reported.pk),
    )


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def report_person(request: HttpRequest, person_id: int) -> HttpResponse:
    """Say who is meant, perhaps at which table; by POST report them."""
    person = get_object_or_404(User, pk=person_id, is_active=True)
    if person == request.user:
        messages.error(request, _("You can't report yourself."))
        return redirect("games:reports")
    game = _table(WhereForm(request.GET))
    back = game.get_absolute_url() if game is not None else "/"
    return _report(
        request,
        {"name": person.name, "game": game, "said": "", "back": back},
        lambda complaint, form: filing.report_person(complaint, person=person, game=_table(form)),
    )


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def report_table(request: HttpRequest, token: str) -> HttpResponse:
    """Show the name and the description of a table; by POST report them."""
    game = get_object_or_404(Game, token=token)
    try:
        filing.refuse_host(game, signed_in(request))
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(game)
    context = {
        "name": game.name,
        "game": None,
        "table_words": filing.words_of(game),
        "back": game.get_absolute_url(),
    }
    return _report(
        request,
        context,
        lambda complaint, _form: filing.report_table(complaint, game_id=game.pk),
    )


def _table(where: WhereForm) -> Game | None:
    """The table that is named, if there is one."""
    return (
        Game.objects.filter(token=where.cleaned_data["table"]).first() if where.is_valid() else None
    )


def _report(
    request: HttpRequest, context: dict[str, Any], do: Callable[[Complaint, ReportForm], None]
) -> HttpResponse:
    """The form, and what is done with it; what is refused comes back with what was typed."""
    table = context["game"].token if context["game"] is not None else ""
    form = ReportForm(request.POST if request.method == "POST" else None, initial={"table": table})
    if form.is_valid():
        cleaned = form.cleaned_data
        complaint = Complaint(
            signed_in(request),
            cleaned["why"],
            cleaned["token"],
            timezone.now(),
            Report.Kind(cleaned["kind"]),
        )
        try:
            do(complaint, form)
        except Refused as reason:
            form.add_error("why", str(reason))
        else:
            messages.success(
                request,
                _(
                    "Thank you. A moderator will look into your report, and you'll get an email "
                    "about the outcome."
                ),
            )
            return redirect("games:reports")
    elif form.is_bound and set(form.errors) != {"kind"}:
        old = _("This page is out of date. Please reload it and try again.")
        form.add_error("why", old)
    status = 422 if form.errors else 200
    return render(request, "reports/report.html", {**context, "form": form}, status=status)


@never_cache
@for_members
@require_safe
def own_reports(request: HttpRequest) -> HttpResponse:
    """What one has reported and what came of it, and what was decided against oneself."""
    made, against = reports_of(signed_in(request), timezone.now())
    return render(request, "reports/reports.html", {"made": made, "against": against})


@open_to(SUSPENDED, OWING_TERMS, OWING_NAME)
@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: HttpRequest, report: str) -> HttpResponse:
    """Show what was decided against the reader; by POST ask for another look."""
    user, now = signed_in(request), timezone.now()
    rows = Report.objects.select_related("game", "message").exclude(decided_at=None)
    rows = rows.exclude(state=Report.State.REJECTED)
    decided = get_object_or_404(rows, pk=number_of("report", report), person=user)
    form = AppealForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            text = form.cleaned_data["appeal"]
            filing.appeal(report_id=decided.pk, user=user, text=text, now=now)
        except Refused as reason:
            form.add_error("appeal", str(reason))
        else:
            messages.success(
                request,
                _("Your appeal has been submitted. You'll get an email when it has been decided."),
            )
            return redirect("games:reports")
    context = {"line": decision_against(decided, user.time_zone, now), "form": form}
    status = 422 if form.errors else 200
    return render(request, "reports/appeal.html", context, status=status)
