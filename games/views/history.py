"""Where a game stands and what has happened: position, log, steps, deadlines."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from games.models import Game
from games.services.email.decision_story import read_own_story
from games.services.game.queries.deadline_log import read_deadline_changes
from games.services.game.queries.decisions import read_own_decisions
from games.services.game.queries.game_view import read_game
from games.services.game.queries.history import read_folded_turns, read_step, read_steps
from games.services.game.queries.own_notes import game_and_notebook
from games.services.game.queries.promise_ledger import read_ledger
from games.services.moderation.secrets import looks_at
from games.views.access import GUESTS, open_to
from games.views.guards import for_members, reader_of, signed_in
from games.views.strangers import open_to_strangers


@open_to(GUESTS)
@open_to_strangers
def history(request: HttpRequest, token: str) -> HttpResponseBase:
    """The whole log. With `step`, counted from 1, as the slider sends it: on to that step."""
    game = _started(token)
    user, zone = reader_of(request)
    chosen = request.GET.get("step", "")
    if chosen.isascii() and chosen.isdigit() and len(chosen) < 9:
        steps = read_steps(game, user, zone)
        place = min(max(int(chosen), 1), len(steps))
        return redirect("games:step", token=token, seq=steps[place - 1])
    turns = read_folded_turns(game, user, zone)
    lines = [one for turn in turns for line in turn.all_lines for one in line.folded or [line]]
    context = {
        "game": game,
        "turns": turns,
        "count": sum(not line.is_private for line in lines),
        "first": lines[0],
        "last": max(lines, key=lambda line: line.seq),
        "looks": looks_at(game, zone),
    }
    return render(request, "history/history.html", context)


@open_to(GUESTS)
@open_to_strangers
def step(request: HttpRequest, token: str, seq: int) -> HttpResponse:
    """One step, with the board as it was then."""
    game = _started(token)
    user, zone = reader_of(request)
    reading = read_step(game, user, zone, seq)
    if reading is None:
        raise Http404
    return render(request, "history/history_step.html", {"game": game, "reading": reading})


@open_to(GUESTS)
@open_to_strangers
def board(request: HttpRequest, token: str) -> HttpResponse:
    """The position in a table, for those who would rather read it than look at it."""
    game = _started(token)
    position = read_game(game, reader_of(request)[0])
    return render(request, "game/board.html", {"game": game, "board": position.board})


@open_to_strangers
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """Every change of a deadline, and what it came of."""
    game = _started(token)
    user, zone = reader_of(request)
    context = {
        "game": game,
        "zone": zone,
        "changes": read_deadline_changes(game, user, zone),
        "played_for": [] if user is None else read_own_decisions(game, user, zone),
    }
    return render(request, "history/deadlines.html", context)


@never_cache
@for_members
def own_decision(request: HttpRequest, token: str, phase_no: int) -> HttpResponse:
    """Why something was played for the reader: their own decision, nobody else's."""
    game = _started(token)
    user = signed_in(request)
    story = read_own_story(game, user, phase_no, user.time_zone)
    if story is None:
        raise Http404
    context = {"game": game, "zone": user.time_zone, "story": story}
    return render(request, "history/decision.html", context)


@open_to(GUESTS)
@open_to_strangers
def ledger(request: HttpRequest, token: str) -> HttpResponse:
    """Who has promised what to whom, and kept or broken it."""
    game = _started(token)
    context = {"game": game, "ledger": read_ledger(game, reader_of(request)[0])}
    return render(request, "history/ledger.html", context)


def _started(token: str) -> Game:
    try:
        game, _notebook = game_and_notebook(token, None)
    except Game.DoesNotExist as missing:
        raise Http404 from missing
    if game.state is None:
        raise Http404
    return game
