"""The pages on which people ask the moderators, read their answers and reply."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.features.questions import asking, from_addresses, queries
from games.features.questions.asking import Written
from games.features.questions.correspondence import OPEN_TO
from games.features.questions.forms import (
    CodeForm,
    QuestionForm,
    UnconfirmedForm,
    WrittenForm,
)
from games.features.questions.from_addresses import Unconfirmed
from games.features.questions.models import Question
from games.mailboxes import owner
from games.models import Game, User
from games.services.public_ids import number_of
from games.services.refused import Refused
from games.views import limits
from games.views.access import GUESTS, OWING_NAME, OWING_TERMS, SUSPENDED, open_to
from games.views.guards import for_members, signed_in


@open_to(GUESTS, SUSPENDED, OWING_TERMS, OWING_NAME)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """The form for a question, filled in with the table of the address; by POST ask it.

    Who has no account, or can't get into it, gives an address.
    """
    if isinstance(request.user, User) and not request.user.is_guest:
        return _ask_signed_in(request, request.user)
    form = UnconfirmedForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            question = _ask_from_address(request, form)
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect("confirm_question", from_addresses.id_to_confirm(question))
    status = 422 if form.errors else 200
    return render(request, "questions/ask.html", {"form": form}, status=status)


def _ask_from_address(request: HttpRequest, form: UnconfirmedForm) -> Question:
    """Keep what somebody without an account asks; `Refused` to who asks too often."""
    cleaned = form.cleaned_data
    is_rare = limits.may_ask(request, "question", limits.of_household(request))
    if not is_rare or not limits.may_ask(request, "mail", owner(cleaned["address"])):
        raise Refused(_("Too many questions were sent from here. Please try again later."))
    language = get_language() or ""
    written = Unconfirmed(
        cleaned["address"], language, cleaned["text"], cleaned["token"], timezone.now()
    )
    return from_addresses.ask(written, kind=cleaned["kind"])


@open_to(GUESTS, SUSPENDED, OWING_TERMS, OWING_NAME)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, question: str) -> HttpResponse:
    """The form for the code that was emailed; by POST confirm the address, and on to the thread."""
    found = from_addresses.to_confirm(question)
    if found is None:
        raise Http404
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        why_not = from_addresses.confirm(found.pk, form.cleaned_data["code"], timezone.now())
        if not why_not:
            messages.success(request, _("Thank you. The moderators will answer by email."))
            return redirect("question_by_email", from_addresses.id_by_email(found))
        form.add_error("code", why_not)
    status = 422 if form.errors else 200
    context = {"form": form, "address": found.address}
    return render(request, "questions/confirm.html", context, status=status)


@open_to(GUESTS, SUSPENDED, OWING_TERMS, OWING_NAME)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def by_email(request: HttpRequest, question: str) -> HttpResponse:
    """The thread of who has no account, for whoever has the link; by POST reply in it."""
    thread = from_addresses.by_email(question)
    if thread is None:
        raise Http404
    return _thread_page(request, thread, None)


def _ask_signed_in(request: HttpRequest, person: User) -> HttpResponse:
    tables = queries.tables_of(person)
    named = _table(request.GET.get("table", ""))
    if named is not None and named not in tables:
        tables.insert(0, named)
    choices = [(one.token, one.name) for one in tables]
    posted = request.POST if request.method == "POST" else None
    form = QuestionForm(posted, choices, table=named.token if named is not None else "")
    if form.is_valid():
        cleaned = form.cleaned_data
        written = Written(person, cleaned["text"], cleaned["token"], timezone.now())
        try:
            asking.ask(written, kind=cleaned["kind"], game=_table(cleaned["table"]))
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            messages.success(
                request, _("Thank you. The moderators will answer by email and on this page.")
            )
            return redirect("games:reports")
    status = 422 if form.errors else 200
    return render(request, "questions/ask.html", {"form": form}, status=status)


def _table(token: str) -> Game | None:
    """The table with this token, if there is one."""
    return Game.objects.filter(token=token).first() if token else None


@open_to(*OPEN_TO)
@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, question: str) -> HttpResponse:
    """A thread of one's own; by POST reply in it."""
    person = signed_in(request)
    return _thread_page(request, _thread(question, person), person)


def _thread_page(request: HttpRequest, thread: Question, person: User | None) -> HttpResponse:
    """What was written, and the form for more; without a person to who has no account."""
    zone = settings.TIME_ZONE if person is None else person.time_zone
    form = WrittenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        cleaned = form.cleaned_data
        written = Written(person, cleaned["text"], cleaned["token"], timezone.now())
        try:
            asking.write_more(written, question_id=thread.pk)
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            messages.success(request, _("Your message is with the moderators."))
            return redirect(request.path)
    elif form.is_bound:
        old = _("This page is out of date. Please reload it and try again.")
        form.add_error("text", old)
    context = {
        "line": queries.thread_line(thread, zone),
        "letters": queries.letters_for_person(thread, zone),
        "is_signed_in": person is not None,
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "questions/question.html", context, status=status)


def _thread(question: str, person: User) -> Question:
    rows = person.questions.select_related("game", "report__game", "report__person")
    number = number_of("question", question, old=False)
    thread: Question | None = rows.filter(pk=number).first() if number is not None else None
    if thread is None:
        raise Http404
    return thread


def own_questions(request: HttpRequest) -> str:
    """The threads of who reads the page of their reports."""
    context = {"threads": queries.threads_of(signed_in(request))}
    return render_to_string("questions/own.html", context, request)
