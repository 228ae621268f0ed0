"""The pages of questions for moderators: the list, one thread, and what reads their subjects."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.admin.actions.row import Action
from games.admin.subjects import Shared, Subject, signed_in_moderator
from games.features.questions import queries
from games.features.questions.actions import ON_QUESTIONS, ON_REPORTERS
from games.features.questions.models import Letter, Question
from games.features.questions.rights import questions_for
from games.models import Report, User
from games.presentation.text.words import moment, to_the_minute
from games.services.accounts.on_request import with_second_factors
from games.services.game.queries.decisions import latest_played_for
from games.services.moderation.actions.person_action import why_not
from games.services.moderation.queries.person import standing_facts
from games.services.reports.queries import about_text
from games.services.reports.rights import reports_for

MOST: Final = 100
MINE: Final = "mine"
MOST_STORIES: Final = 3


def questions(request: HttpRequest, shared: Shared) -> HttpResponse:
    """The questions that wait, or those in another state (`state` of the address)."""
    moderator = signed_in_moderator(request)
    chosen = request.GET.get("state", Question.State.WAITING)
    known = [one for one in Question.State if one != Question.State.UNCONFIRMED]
    states = {**{one.value: one.label for one in known}, MINE: _("mine"), "": _("all")}
    if chosen not in states:
        raise Http404
    state = "" if chosen == MINE else chosen
    found = queries.listed(moderator, state, mine=chosen == MINE)
    rows = queries.rows_of(found, MOST + 1, moderator.time_zone)
    context = {
        **shared(request),
        "title": _("Questions"),
        "rows": rows[:MOST],
        "more": len(rows) > MOST,
        "states": states.items(),
        "chosen": chosen,
    }
    return TemplateResponse(request, "questions/in_admin_list.html", context).render()


def question(request: HttpRequest, question_id: int, shared: Shared) -> HttpResponse:
    """One thread with its notes, and what can be done."""
    moderator = signed_in_moderator(request)
    thread = _thread(moderator, question_id)
    context = {
        **shared(request),
        "title": _name(thread),
        "question": thread,
        "facts": _facts(thread),
        "letters": queries.letters_for_moderators(thread, moderator.time_zone),
        "actions": _links("question", ON_QUESTIONS, thread, moderator, question_id),
        "stories": list(_stories(thread, moderator.time_zone)),
        "By": Letter.By,
    }
    return TemplateResponse(request, "questions/in_admin_question.html", context).render()


def _stories(thread: Question, zone: str) -> Iterator[tuple[str, str]]:
    """The pages that say why something was played for who asks, with what they are called."""
    if thread.game is None or thread.person is None:
        return
    text = _("Why a move was made for {name}: {moment}")
    for move in latest_played_for(thread.game, thread.person, MOST_STORIES):
        at = moment(to_the_minute(move.at), zone)
        numbers = [move.game_id, move.seat.drawn_number, move.phase_no]
        address = reverse("admin:decision", args=numbers)
        yield address, text.format(name=thread.person.name, moment=at)


def _thread(moderator: User, question_id: int) -> Question:
    rows = questions_for(moderator).select_related(
        "person", "game", "owner", "report__game", "report__person"
    )
    return get_object_or_404(rows.defer("game__state", "report__game__state"), pk=question_id)


def _name(thread: Question) -> str:
    return _("Question {number}").format(number=thread.pk)


def _facts(thread: Question) -> list[str]:
    """How a question stands."""
    facts = [queries.what_text(thread), queries.asker(thread), str(thread.get_state_display())]
    if thread.owner is not None:
        facts.append(_("{name} is handling this question.").format(name=thread.owner.name))
    return facts


def question_subject(moderator: User, question_id: int) -> Subject:
    """The thread, with all that was written in it."""
    thread = _thread(moderator, question_id)
    letters = queries.letters_for_moderators(thread, moderator.time_zone)
    return Subject(
        row=thread,
        state=thread,
        name=_name(thread),
        link=reverse("admin:question_page", args=[thread.pk]),
        list_name=_("Questions"),
        list_link=reverse("admin:questions"),
        facts=[*_facts(thread), *(f"{one.who}, {one.at}:\n{one.text}" for one in letters)],
    )


def report_subject(moderator: User, report_id: int) -> Subject:
    """A report whose reporter is to be asked; not there for whom it concerns."""
    rows = reports_for(moderator).select_related("person", "game", "reporter")
    report = get_object_or_404(rows, pk=report_id)
    why = _("Reason for the report: {text}").format(text=report.text)
    return Subject(
        row=report,
        state=report,
        name=_("Report {number}").format(number=report.pk),
        link=reverse("admin:games_report_change", args=[report.pk]),
        list_name=_("Reports"),
        list_link=reverse("admin:games_report_changelist"),
        facts=[about_text(report), *([why] if report.text else [])],
    )


def person_subject(moderator: User, person_id: int) -> Subject:
    """A person to whom a moderator writes; nobody on whom they may not act."""
    person = get_object_or_404(with_second_factors(User.objects.all()), pk=person_id)
    if refused := why_not(moderator, person):
        raise PermissionDenied(refused)
    return Subject(
        row=person,
        state=person,
        name=person.name,
        link=reverse("admin:games_user_change", args=[person.pk]),
        list_name=_("People"),
        list_link=reverse("admin:games_user_changelist"),
        facts=standing_facts(person, moderator.time_zone, timezone.now()),
    )


def ask_link(request: HttpRequest, *, person: User) -> str:
    """The way to write to a person; "" to oneself. If one may not, its page says why."""
    if person == request.user:
        return ""
    page = reverse("admin:player_action", args=[person.pk, "ask"])
    text = _("Write to {name}").format(name=person.name)
    return format_html('<a href="{}">{}</a>', page, text)


def of_report(request: HttpRequest, *, report: Report) -> str:
    """What was asked of who made a report, and the way to ask."""
    moderator = signed_in_moderator(request)
    thread = queries.thread_about(report)
    zone = moderator.time_zone
    context = {
        "question": thread,
        "letters": queries.letters_for_moderators(thread, zone) if thread is not None else [],
        "actions": _links("reporter", ON_REPORTERS, report, moderator, report.pk),
        "By": Letter.By,
        "ask_person": ask_link(request, person=report.person) if report.person else "",
    }
    return render_to_string("questions/in_admin_report.html", context, request)


def _links(
    kind: str, actions: Iterable[Action], subject: Any, moderator: User, number: int
) -> list[dict[str, Any]]:
    """Links to the actions that are possible now, as the templates of actions have them."""
    return [
        {
            "title": action.title,
            "address": reverse(f"admin:{kind}_action", args=[number, action.slug]),
            "danger": action.danger,
            "at_once": action.at_once,
        }
        for action in actions
        if not action.why_not(subject, moderator)
    ]
