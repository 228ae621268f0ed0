"""The page of a game: what happened, what is asked, the form, its review, and the answer."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from games.forms.moves import FORMS, AnswerForm, MoveForm
from games.forms.seats import DaysOffForm
from games.models import Game, User
from games.presentation.guide import guide
from games.presentation.question import review
from games.presentation.words import moment
from games.services import play
from games.services.log_reading import event_rows, latest_turns, read_log
from games.services.reading import GameReading, game_record, played_by, read_game
from games.services.refused import Refused
from games.services.table_reading import settings_told
from games.views.people import act_at_table, open_when_finished, signed_in
from games.views.talk import mark_read, talk_context


@never_cache
def game_page(
    request: HttpRequest, game: Game, form: MoveForm | None = None, status: int = 200
) -> HttpResponseBase:
    """A started game as the person who asks may see it, with an empty form or the given one."""
    user = request.user if isinstance(request.user, User) else None
    reading = read_game(game, user)
    zone = user.time_zone if user is not None else "UTC"
    rows = event_rows(game)
    log = read_log(game, rows, reading.reader._replace(zone=zone))
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
        "turns": latest_turns(log),
        "sitters": reading.sitters,
        "own_seat": reading.seat,
        "own_played_by": played_by(game),
        "own_days_off": reading.seat.days_off.all() if reading.seat else [],
        "days_off_form": DaysOffForm(),
        "order_count": reading.seat.orders.count() if reading.seat else 0,
        "agreed": settings_told(game),
        "zone": zone,
        "guide": guide(reading.people, reading.view) if game.guided else None,
        **({} if user is None else talk_context(game, user, zone)),
    }
    page = render(request, "games/game.html", context, status=status)
    mark_read(game, user, context, last_event=rows[-1].seq)
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


@act_at_table
@never_cache
def review_move(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show what an answer would do, with the totals, before it is handed in. Changes nothing."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    reading = read_game(game, signed_in(request))
    form = _answered_form(request, game, reading)
    if form is None:
        return _went_on(request, game)
    if not form.is_valid():
        return game_page(request, game, form, status=422)
    context = {
        "game": game,
        "form": form,
        "review": review(reading.people, reading.view, form.moves),
    }
    return render(request, "games/review.html", context)


@act_at_table
def move(request: HttpRequest, token: str) -> HttpResponseBase:
    """Hand in an answer. What cannot be played comes back with what was typed."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    user = signed_in(request)
    answer = AnswerForm(request.POST)
    if answer.is_valid() and play.already_played(
        game_id=game.pk, user=user, token=answer.cleaned_data["token"]
    ):
        messages.info(request, "Your answer was in already; it stands.")
        return redirect(game)
    form = _answered_form(request, game, read_game(game, user))
    if form is None:
        return _went_on(request, game)
    if not form.is_valid() or "change" in request.POST:
        return game_page(request, game, form, status=200 if form.is_valid() else 422)
    return _play(request, game, user, form)


def _answered_form(request: HttpRequest, game: Game, reading: GameReading) -> MoveForm | None:
    """The form of the question that the request answers; None where that is not asked any more."""
    answer = AnswerForm(request.POST)
    if not answer.is_valid() or answer.cleaned_data["phase_no"] != game.phase_no:
        return None
    return new_form(game, reading, request.POST)


def _play(request: HttpRequest, game: Game, user: User, form: MoveForm) -> HttpResponseBase:
    outcome = play.submit_moves(
        game_id=game.pk,
        user=user,
        phase_no=form.cleaned_data["phase_no"],
        token=form.cleaned_data["token"],
        moves=form.moves,
        now=timezone.now(),
    )
    if outcome.played:
        return redirect(game)
    if outcome.stale:
        return _went_on(request, game)
    form.add_error(None, outcome.reason)
    return game_page(request, game, form, status=422)


NOT_TYPED = {"csrfmiddlewaretoken", "phase_no", "token", "change"}


def _went_on(request: HttpRequest, game: Game) -> HttpResponseBase:
    """Say that the page was old, with what was typed, above what is asked now."""
    game.refresh_from_db()
    typed = ", ".join(
        f"{key.removeprefix('send-').replace('-', ' ')}: {value}"
        for key, value in request.POST.items()
        if key not in NOT_TYPED
    )
    messages.warning(
        request,
        "The game has gone on since you opened this page, so your answer was not played"
        f"{f' ({typed})' if typed else ''}. Below is how it stands now.",
    )
    return game_page(request, game, status=409)


@open_when_finished
@never_cache
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
