"""The page of a game: what happened, what is asked, the form, and the answer."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games.forms.moves import FORMS, AnswerForm, MoveForm
from games.models import Game, User
from games.presentation.words import moment
from games.services import play
from games.services.reading import GameReading, game_record, read_game, read_log
from games.services.refused import Refused
from games.views.people import signed_in
from games.views.talk import mark_read, talk_context


@never_cache
def game_page(
    request: HttpRequest, game: Game, form: MoveForm | None = None, status: int = 200
) -> HttpResponseBase:
    """A started game as the person who asks may see it, with an empty form or the given one."""
    user = request.user if isinstance(request.user, User) else None
    last_event = game.events.order_by("-seq").values_list("seq", flat=True).first()
    reading = read_game(game, user)
    latest, *earlier = read_log(game, reading)
    zone = user.time_zone if user is not None else "UTC"
    context = {
        "game": game,
        "reading": reading,
        "edition": reading.view.table.edition,
        "form": form or new_form(game, reading),
        "deadline": reading.deadline_at and moment(reading.deadline_at, zone),
        "waiting": [
            (player, player.deadline_at and moment(player.deadline_at, zone))
            for player in reading.waiting
        ],
        "latest": latest,
        "earlier": earlier,
        "zone": zone,
        **talk_context(game, user, zone),
    }
    page = render(request, "games/game.html", context, status=status)
    mark_read(game, user, context, last_event=last_event or 0)
    return page


def new_form(game: Game, reading: GameReading, data: Any = None) -> MoveForm | None:
    """The form of the question to the reader, or None where nothing is asked."""
    if reading.view.choice is None or reading.deadline_at is None:
        return None
    return FORMS[type(reading.view.choice)](
        data,
        people=reading.people,
        view=reading.view,
        initial={"phase_no": game.phase_no, "token": uuid4()},
    )


@login_required
@require_POST
def move(request: HttpRequest, token: str) -> HttpResponseBase:
    """Hand in an answer. What cannot be played comes back with what was typed."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    user = signed_in(request)
    answer = AnswerForm(request.POST)
    if not answer.is_valid():
        return _went_on(request, game)
    answered = answer.cleaned_data
    if play.already_played(game_id=game.pk, user=user, token=answered["token"]):
        return redirect(game)
    form = new_form(game, read_game(game, user), request.POST)
    if form is None or answered["phase_no"] != game.phase_no:
        return _went_on(request, game)
    return _play(request, game, user, form)


def _play(request: HttpRequest, game: Game, user: User, form: MoveForm) -> HttpResponseBase:
    if not form.is_valid() or form.move is None:
        return game_page(request, game, form, status=422)
    outcome = play.submit_move(
        game_id=game.pk,
        user=user,
        phase_no=form.cleaned_data["phase_no"],
        token=form.cleaned_data["token"],
        move=form.move,
        now=timezone.now(),
    )
    if outcome.played:
        return redirect(game)
    if outcome.stale:
        return _went_on(request, game)
    form.add_error(None, outcome.reason)
    return game_page(request, game, form, status=422)


def _went_on(request: HttpRequest, game: Game) -> HttpResponseBase:
    """Say that the page was old, with what was typed, above what is asked now."""
    game.refresh_from_db()
    typed = ", ".join(
        f"{key.replace('-', ' ')}: {value}"
        for key, value in request.POST.items()
        if key not in {"csrfmiddlewaretoken", "phase_no", "token"}
    )
    messages.warning(
        request,
        "The game has gone on since you opened this page, so your answer was not played"
        f"{f' ({typed})' if typed else ''}. Below is how it stands now.",
    )
    return game_page(request, game, status=409)


@login_required
@require_GET
def record(request: HttpRequest, token: str) -> HttpResponse:
    """The record of a finished game, as a file."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    try:
        answer = game_record(game)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(game)
    headers = {"Content-Disposition": f'attachment; filename="intrigue-{game.pk}.json"'}
    return JsonResponse(answer, headers=headers)
