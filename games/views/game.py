"""Reviewing and submitting a move, and the record of a game."""

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.forms.moves import MoveForm, MoveKeyForm
from games.forms.submitted import entries_of
from games.models import Game, User
from games.presentation.board.decision import (
    decision_of,
    moves_text,
    review,
)
from games.presentation.text.time_left import until
from games.services.game import moves
from games.services.game.position import Position, read_position
from games.services.game.queries.promises import read_promises
from games.services.game.records import as_file, game_record
from games.services.refused import Refused
from games.views.access import GUESTS, open_to
from games.views.actions import player_action
from games.views.game_page import game_page, new_form
from games.views.guards import reader_of, table_of
from games.views.strangers import open_to_strangers


@open_to(GUESTS)
@never_cache
@player_action("games:table", reads_table=False)
def review_move(request: HttpRequest, token: str, user: User) -> HttpResponseBase:
    """Show what a move would do, with the totals, before it is submitted. Changes nothing."""
    game, notebook = table_of(request, token)
    if game.state is None:
        raise Http404(NOT_STARTED)
    position = read_position(game, user)
    form = _submitted_form(request, position)
    if form is None:
        return _game_moved_on(request, game, user)
    if not form.is_valid():
        return game_page(request, game, form, notebook=notebook, status=422)
    return _review(request, position, form, user)


def _review(
    request: HttpRequest, position: Position, form: MoveForm, user: User
) -> HttpResponseBase:
    """The page with what a valid form would do, and a button to submit it."""
    game, deadline_at = position.game, position.deadline_at
    context = {
        "game": game,
        "form": form,
        "decision": decision_of(position.people, position.view, position.deadline_move()),
        "until": until(deadline_at, user.time_zone, timezone.now())
        if deadline_at is not None and game.has_deadlines
        else None,
        "promises": read_promises(position),
        "warnings": _warnings(position, form),
        "review": review(position.people, position.view, form.moves),
        "names": position.people.names,
        "board": position.board,
    }
    return render(request, "game/review.html", context)


def _warnings(position: Position, form: MoveForm) -> list[str]:
    """What the player has to read before a valid form is submitted."""
    return moves.warnings_of(position, form.moves, sends_unseen=form.sends_as_suggested)


@open_to(GUESTS)
@player_action("games:table", reads_table=False)
def move(request: HttpRequest, token: str, user: User) -> HttpResponseBase | str:
    """Submit a move. What can't be played comes back with what was typed.

    What has its warnings is reviewed first: it takes more than half of one's money, breaks a
    promise or leaves one to the player without its condition, or also sends scholars whom one may
    not have seen.
    """
    done, wants_review = "", False
    try:
        with moves.at_table(user, timezone.now(), token=token) as turn:
            form = _submitted_form(request, turn.position)
            if form is not None and form.is_valid() and "change" not in request.POST:
                people, seen, data = turn.position.people, turn.position.view, form.cleaned_data
                wants_review = "reviewed" not in request.POST and bool(
                    _warnings(turn.position, form)
                )
                if not wants_review:
                    done = moves_text(people, seen, form.moves)
                    turn.submit(form.moves, data["phase_no"], data["token"])
    except Game.DoesNotExist:
        raise Http404(NOT_STARTED) from None
    if form is not None and wants_review:
        return _review(request, turn.position, form, user)
    if turn.outcome.played:
        return moves.done_and_next(turn.position, done)
    if form is None or turn.outcome.stale:
        return _game_moved_on(request, turn.game, user)
    if turn.outcome.reason:
        form.add_error(None, turn.outcome.reason)
    game, notebook = table_of(request, token)
    status = 200 if form.is_valid() else 422
    return game_page(request, game, form, notebook=notebook, status=status)


NOT_STARTED: Final = "There is no such game, or it has not started."


def _submitted_form(request: HttpRequest, position: Position) -> MoveForm | None:
    """The form of the decision that the request submits; None if the game has moved on since."""
    submitted = MoveKeyForm(request.POST)
    if not submitted.is_valid() or submitted.cleaned_data["phase_no"] != position.game.phase_no:
        return None
    return new_form(position, request.POST)


def _game_moved_on(request: HttpRequest, game: Game, user: User) -> HttpResponseBase:
    """Say that the page was out of date, with what was typed, above the page as it is now.

    If it was this very form that moved the game on, its move stands. That is checked last of
    all: the first of two equal requests may commit while the second one reads.
    """
    submitted = MoveKeyForm(request.POST)
    if submitted.is_valid() and moves.already_played(
        game_id=game.pk, user=user, token=submitted.cleaned_data["token"]
    ):
        messages.info(request, _("Your move had already been submitted, and it counts."))
        return redirect(game)
    game, notebook = table_of(request, game.token)
    if game.is_going_on and game.is_negotiation_time:
        reason = moves.no_moves_yet(game, user)
    else:
        reason = _(
            "The game has moved on since you opened this page, so your move wasn't made. This is "
            "how things stand now."
        )
    messages.warning(request, reason)
    entries = "; ".join(f"{entry.label}: {entry.value}" for entry in entries_of(request.POST))
    if entries:
        messages.info(request, _("You entered: {typed}").format(typed=entries))
    return game_page(request, game, notebook=notebook, status=409)


@open_to(GUESTS)
@open_to_strangers
def record(request: HttpRequest, token: str) -> HttpResponse:
    """The record of a finished game, as a file; the reader's own private offers are in it."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    try:
        record = game_record(game, reader_of(request)[0])
    except Refused as reason:
        if request.user.is_authenticated:  # strangers get no message: it would be a cookie
            messages.error(request, str(reason))
        return redirect(game)
    return JsonResponse(record, headers=as_file(game))
