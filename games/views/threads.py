"""Talking privately: the threads of a table, one of them, and saying something there."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.forms.chat import ThreadForm, WhisperForm, before_of
from games.models import Game, Thread
from games.services.chat import threads
from games.services.chat.messages import out_of_date
from games.services.chat.queries import among
from games.services.chat.thread_queries import read_thread, threads_at
from games.services.game.position import read_position
from games.services.refused import Refused
from games.views.guards import for_members, open_when_finished, reader_of, signed_in
from games.views.sanctions import muted_context


@open_when_finished
@never_cache
def threads_page(request: HttpRequest, token: str) -> HttpResponse:
    """The threads that the reader may know of, and a form that begins another one."""
    game = _table(token)
    return _threads(request, game, _beginning(request, game))


@never_cache
@for_members
@require_POST
def begin(request: HttpRequest, token: str) -> HttpResponse:
    """Go to the thread with the players chosen, a new one if there is none."""
    game, user = _table(token), signed_in(request)
    form = _beginning(request, game)
    if form is None or not form.is_valid():
        return _threads(request, game, form, status=422)
    others = [int(number) for number in form.cleaned_data["others"]]
    try:
        thread = threads.begin(game_id=game.pk, user=user, others=others, now=timezone.now())
    except Refused as reason:
        form.add_error("others", str(reason))
        return _threads(request, game, form, status=422)
    return redirect("games:thread", token, thread.token)


def _beginning(request: HttpRequest, game: Game) -> ThreadForm | None:
    """The form for players who may begin a thread."""
    user, _zone = reader_of(request)
    position = read_position(game, user)
    if position.seat is None or game.status != Game.Status.RUNNING:
        return None
    others = [
        (seat.drawn_number, position.people.name(seat.drawn_number))
        for seat in position.seats
        if seat.user is not None and seat != position.seat
    ]
    return ThreadForm(request.POST if request.method == "POST" else None, others=others)


def _threads(
    request: HttpRequest, game: Game, form: ThreadForm | None, status: int = 200
) -> HttpResponse:
    user, _zone = reader_of(request)
    context = {"game": game, "threads": threads_at(game, user), "form": form}
    return render(request, "chat/threads.html", context, status=status)


@open_when_finished
@never_cache
def thread_page(request: HttpRequest, token: str, thread: str) -> HttpResponse:
    """One thread, for those who are in it; for all where it is open to everybody by now."""
    return _thread(request, _table(token), thread)


@never_cache
@for_members
@require_POST
def say(request: HttpRequest, token: str, thread: str) -> HttpResponseBase:
    """Write in a thread. A refused message comes back with what was typed."""
    game, user = _table(token), signed_in(request)
    get_object_or_404(Thread, game=game, token=thread)
    form = WhisperForm(request.POST)
    if form.is_valid():
        try:
            threads.say(
                game_id=game.pk,
                thread=thread,
                user=user,
                now=timezone.now(),
                **form.cleaned_data,
            )
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect("games:thread", token, thread)
    elif "token" in form.errors:
        form.add_error("text", out_of_date())
    return _thread(request, game, thread, form, status=422)


def _thread(
    request: HttpRequest,
    game: Game,
    token: str,
    form: WhisperForm | None = None,
    status: int = 200,
) -> HttpResponse:
    user, zone = reader_of(request)
    before = before_of(request.GET, among(token), old=False)
    try:
        page = read_thread(game, token, user, zone, before)
    except Thread.DoesNotExist:
        raise Http404 from None
    context = {
        "game": game,
        "page": page,
        "form": form or (WhisperForm() if page.can_write else None),
        "here": reverse("games:thread", args=[game.token, token]),
        **(muted_context(user) if user is not None else {}),
    }
    shown = render(request, "chat/thread.html", context, status=status)
    if user is not None and page.lines:
        threads.read_up_to(page.thread.pk, user, page.lines[0].number)
    return shown


def _table(token: str) -> Game:
    """A started table with private conversations."""
    return get_object_or_404(Game, token=token, state__isnull=False, press=Game.Press.PRIVATE)
