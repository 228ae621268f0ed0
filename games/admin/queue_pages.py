"""The queue of reports and appeals, and the page that decides several reports at once."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from games.admin.report_pages import report_name
from games.admin.subjects import Shared, Subject, signed_in_moderator
from games.forms.moderation import several_reports as forms
from games.models import Report, User
from games.presentation.text.words import listed
from games.services.moderation.actions import several
from games.services.moderation.actions.requests import ActionRequest
from games.services.moderation.queries.queue import quoted, read_queue, same_thing
from games.services.people.display_names import reported_name
from games.services.refused import Refused
from games.services.reports.queries import about_text, message_text
from games.services.reports.rights import reports_for

MOST_ROWS: Final = 50


class Deed(NamedTuple):
    """What may be done to several reports at once; as `Action`, for its page.

    `result` says to which reports it was done, and `notified` who gets an email about it.
    """

    title: Promise
    explanation: Promise
    form: type[forms.SeveralForm]
    do: Callable[..., several.Outcome]
    result: Callable[[int], str]
    notified: Callable[[Sequence[Report]], str]
    danger: bool = False


def _taken(count: int) -> str:
    return ngettext("Taken: report {numbers}.", "Taken: reports {numbers}.", count)


def _upheld(count: int) -> str:
    return ngettext("Upheld: report {numbers}.", "Upheld: reports {numbers}.", count)


def _dismissed(count: int) -> str:
    return ngettext("Dismissed: report {numbers}.", "Dismissed: reports {numbers}.", count)


def _nobody(_reports: Sequence[Report]) -> str:
    return ""


def _both_sides(reports: Sequence[Report]) -> str:
    names = sorted({reported_name(report) for report in reports if report.person is not None})
    if not names:
        return _reporters(reports)
    text = _("{names} and the people who made the reports get an email.")
    return text.format(names=listed(names))


def _reporters(_reports: Sequence[Report]) -> str:
    return _("The people who made the reports get an email.")


DEEDS: Final = {
    "take": Deed(
        gettext_lazy("Take these reports"),
        gettext_lazy(
            "Assigns the reports to you. The other moderators can see that you're handling them."
        ),
        forms.TakeSeveralForm,
        several.take_several,
        _taken,
        _nobody,
    ),
    "uphold": Deed(
        gettext_lazy("Uphold these reports"),
        gettext_lazy(
            "What you write is emailed to everyone who made one of these reports, and to the "
            "reported people, who may appeal once, to another moderator. Reports that nobody has "
            "taken become yours."
        ),
        forms.UpholdSeveralForm,
        several.uphold_several,
        _upheld,
        _both_sides,
    ),
    "reject": Deed(
        gettext_lazy("Dismiss these reports"),
        gettext_lazy(
            "No action is taken. What you write is emailed to everyone who made one of these "
            "reports. Reports that nobody has taken become yours."
        ),
        forms.RejectSeveralForm,
        several.reject_several,
        _dismissed,
        _reporters,
    ),
}


@require_safe
def queue(request: HttpRequest, shared: Shared) -> HttpResponse:
    """What waits for the moderator, everything about one thing in one row."""
    return _queue(request, shared, 200)


def _queue(request: HttpRequest, shared: Shared, status: int) -> HttpResponse:
    rows, more = read_queue(signed_in_moderator(request), timezone.now(), MOST_ROWS)
    context = {
        **shared(request),
        "title": _("Open reports and appeals"),
        "rows": rows,
        "more": more,
        "deeds": DEEDS if any(row.free for row in rows) else {},
    }
    return TemplateResponse(request, "admin/games/queue.html", context, status=status).render()


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest, shared: Shared) -> HttpResponse:
    """Take or decide the chosen reports; first ask for the reason, if it takes one."""
    moderator = signed_in_moderator(request)
    deed = DEEDS.get(request.POST.get("act", ""))
    if deed is None:
        return redirect("admin:queue")
    chosen = _chosen(moderator, request.POST.getlist("reports"))
    try:
        several.refuse_too_many([report.pk for report in chosen])
    except Refused as reason:
        messages.error(request, str(reason))
        return _queue(request, shared, 422)
    form = _form(request, deed, chosen, moderator)
    preview = form.preview() if form.is_valid() else []
    if form.is_valid() and not preview:
        wanted = ActionRequest(moderator, form.full_reason, timezone.now())
        _say(request, deed, chosen, form.run(deed.do, wanted))
        return redirect("admin:queue")
    context = {
        **shared(request),
        "title": deed.title,
        "action": deed,
        "subject": _subject(chosen),
        "form": form,
        "preview": preview,
        "letters": form.letters() if preview else [],
        "button": form.second_button(deed.title) if preview else deed.title,
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "admin/games/action.html", context, status=status).render()


def _chosen(moderator: User, given: Iterable[str]) -> list[Report]:
    """The reports that were chosen, without those that the moderator may not read."""
    words = {word for one in given for word in one.split()}
    numbers = [
        int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 19
    ]
    rows = reports_for(moderator).filter(pk__in=numbers).order_by("pk").defer("game__state")
    return list(
        rows.select_related(
            "person",
            "reporter",
            "game",
            "message__author",
            "message__redaction",
            "private_message__redaction",
        )
    )


def _form(
    request: HttpRequest, deed: Deed, chosen: list[Report], moderator: User
) -> forms.SeveralForm:
    """The form as it was sent; an empty one at first, if it asks for a reason."""
    numbers = " ".join(str(report.pk) for report in chosen)
    act = request.POST["act"]
    if deed.form.wants_reason and not request.POST.get("sent"):
        given = {"act": act, "reports": numbers}
        return deed.form(subject=chosen, given=given, moderator=moderator)
    posted = request.POST.copy()
    posted["reports"], posted["sent"] = numbers, "1"
    return deed.form(posted, subject=chosen, moderator=moderator)


def _subject(chosen: list[Report]) -> Subject:
    link = reverse("admin:queue")
    return Subject(
        row=chosen,
        state=chosen,
        name=_("Open reports and appeals"),
        link=link,
        list_name="",
        list_link="",
        facts=_facts(chosen),
    )


def _facts(chosen: Iterable[Report]) -> list[str]:
    """What is about to be decided, one fact for each thing: what it is, its words, the reports."""
    together: dict[Hashable, list[Report]] = {}
    for report in chosen:
        together.setdefault(same_thing(report), []).append(report)
    return [
        "\n".join(
            [
                " · ".join(filter(None, [about_text(same[0]), quoted(message_text(same[0]))])),
                *map(_line, same),
            ]
        )
        for same in together.values()
    ]


def _line(report: Report) -> str:
    kind = capfirst(report.get_kind_display())
    return f"{report_name(report)} · {kind} · {report.text}"


def _say(
    request: HttpRequest, deed: Deed, chosen: Sequence[Report], outcome: several.Outcome
) -> None:
    """Say to which reports it was done and who is notified, and why not to the others."""
    by_number: dict[int, Any] = {report.pk: report for report in chosen}
    if outcome.done:
        numbers = listed(str(number) for number in outcome.done)
        text = deed.result(len(outcome.done)).format(numbers=numbers)
        notified = deed.notified([by_number[number] for number in outcome.done])
        messages.success(request, f"{text} {notified}".strip())
    for number, reason in outcome.refused:
        messages.error(request, f"{report_name(by_number[number])}: {reason}")
