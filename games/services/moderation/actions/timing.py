"""Actions on the time of a game: pause, deadlines, pace, parked games, and its end."""

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import encode
from games.models import Cause, Game, Thread
from games.services.game import deadlines, failures, interventions, moved_deadlines, votes
from games.services.game.offers import as_stored, offers_from_events
from games.services.game.private_offers import private_offers_from_events
from games.services.game.replay import event_rows, state_at
from games.services.game.unreadable import cannot_be_read, refusing_damaged
from games.services.game.writer import Writer
from games.services.lobby import tables
from games.services.lobby.settings import refuse_impossible, settings_of
from games.services.moderation.actions.game_action import GameAction, game_action, lock, seen_now
from games.services.moderation.actions.requests import GameRequest, Results, write_audit_line
from games.services.refused import Refused
from games.table_events import GameTakenUp, PaceChanged

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10
"""How long one request retries games; a moderator may repeat it."""
LONGEST_ERROR: Final = 200


def pause(request: GameRequest, *, until: datetime | None = None) -> None:
    """Stop a game, until an instant or until somebody resumes it. The whole table gets email."""
    with game_action("game.pause", request) as action:
        number = interventions.pause(action.writer, until, Cause.MODERATOR)
        action.notify_table(number)
        action.audit(after={"paused_until": until})


def resume(request: GameRequest) -> None:
    """Let a paused game go on, each with the time they had left. The whole table gets email."""
    with game_action("game.resume", request) as action:
        paused_at = action.writer.game.paused_at
        number = interventions.resume(action.writer, Cause.MODERATOR)
        action.notify_table(number)
        action.audit(before={"at": paused_at})


def extend(request: GameRequest, *, time: timedelta, seat: int | None = None) -> None:
    """Give a seat, or everybody to move, more time. They get email.

    Those who are to move later in the same phase get as much more.
    """
    with game_action("game.extend", request, exactly=True) as action:
        only = None if seat is None else action.seat(seat)
        for moved in moved_deadlines.extend(action.writer, time, Cause.MODERATOR, only=only):
            _notify_of(action, moved)


def set_deadline(request: GameRequest, *, at: datetime, seat: int | None = None) -> None:
    """Set the deadline of a seat, or of everybody to move. They get email."""
    with game_action("game.deadline", request, exactly=True) as action:
        only = None if seat is None else action.seat(seat)
        for moved in moved_deadlines.set_deadline(action.writer, at, Cause.MODERATOR, only=only):
            _notify_of(action, moved)


def _notify_of(action: GameAction, moved: moved_deadlines.Moved) -> None:
    action.notify(moved.number, [seat.user for seat in moved.seats])
    action.audit(person=moved.person, before={"at": moved.before}, after={"at": moved.after})


def play_default(request: GameRequest, *, seat: int) -> None:
    """Play now for a seat that is to move: its orders, or the default. It misses no deadline.

    Plays the decision that the moderator saw, or none: too late is refused.
    """
    with game_action("game.default", request, exactly=True) as action:
        one = action.seat(seat)
        number = interventions.call_default(action.writer, one, Cause.MODERATOR)
        action.notify(number, [one.user])
        action.audit(person=one.user)


def change_pace(request: GameRequest, *, move_time: timedelta) -> None:
    """Change the time per move for the rest of the game. Open deadlines stay as they are."""
    with game_action("game.pace", request) as action:
        game = action.writer.game
        before = game.move_seconds
        game.move_seconds = int(move_time.total_seconds())
        if game.move_seconds == before:
            raise Refused(_("The table already has this pace."))
        refuse_impossible(settings_of(game))
        number = action.record(PaceChanged(game.move_seconds))
        action.notify_table(number)
        action.audit(before={"seconds": before}, after={"seconds": game.move_seconds})


def cancel(request: GameRequest) -> None:
    """End a game without a winner, or close a waiting table. Everybody there gets email."""
    with transaction.atomic(durable=True):
        game = lock(request)
        before, after = Game.Status(game.status), Game.Status.CANCELLED
        if before == Game.Status.WAITING:
            tables.close(game, request.now)
        elif before == Game.Status.RUNNING:
            _cancel_running(game, request)
        else:
            raise Refused(_("This game is already over."))
        write_audit_line(
            "game.cancel",
            request,
            game=game,
            before={"game_status": before},
            after={"game_status": after},
        )


def _cancel_running(game: Game, request: GameRequest) -> None:
    with refusing_damaged(game.pk):
        if game.parked_at is not None or cannot_be_read(game):
            _read_state_from_log(game)
        writer = Writer(game, request.now)
        action = GameAction(writer, "game.cancel", request)
        number = interventions.cancel(writer, Cause.MODERATOR)
        action.notify_table(number)
        writer.commit()


def retry(request: GameRequest) -> None:
    """Take a game up again that failed, from its log. Deadlines that passed move on.

    Parked or not yet. `Refused` where it still cannot go on: then it stays as it is.
    """
    try:
        with transaction.atomic(durable=True):
            _take_up(lock(request), request)
    except (Refused, *failures.NO_FAULT_OF_A_GAME):
        raise
    except Exception as failure:
        logger.exception("Game %s still cannot go on", request.game_id)
        kind = type(failure).__name__
        raise Refused(_("The game still can't continue: {error}.").format(error=kind)) from failure


def retry_all(request: GameRequest) -> Results:
    """Take up this game and all that were parked for the same reason, each by itself.

    Those at which this moderator sits or sat are left to others, and so are those that still cannot
    go on; `Refused` where that is all of them. Takes no more after `MOST_SECONDS`.
    """
    first = Game.objects.get(pk=request.game_id)
    same = list(failures.parked_for_the_same(first).defer("state"))
    requests = [request, *(request._replace(game_id=one.pk, seen=seen_now(one)) for one in same)]
    until = time.monotonic() + MOST_SECONDS
    tried = [_retried(one) for one in requests if time.monotonic() < until]
    if all(tried):
        raise Refused(tried[0])
    again = tried.count("")
    works = ngettext(
        "{count} game works again. Players whose turn it is get an email.",
        "{count} games work again. Players whose turn it is get an email.",
        again,
    )
    games = zip([first, *same], tried, strict=False)
    refused = [f"{game.name}: {reason}" for game, reason in games if reason]
    if left := len(requests) - len(tried):
        text = ngettext(
            "{count} game is still parked. Retry it, too.",
            "{count} games are still parked. Retry them, too.",
            left,
        )
        refused.append(text.format(count=left))
    return Results([works.format(count=again)], refused)


def _retried(request: GameRequest) -> str:
    """Take one of many games up; why that is refused, "" where it is done."""
    try:
        retry(request)
    except Refused as reason:
        return str(reason)
    except OperationalError as failure:
        failures.raise_unless_local(failure)
        return _("This game is being processed right now.")
    return ""


def _take_up(game: Game, request: GameRequest) -> None:
    if not needs_retry(game):
        raise Refused(nothing_wrong(game))
    since = failures.failing_since(game) or request.now
    error = failures.kind_of(game)
    game.clock, game.retry_at = game.clock.take_up(), None
    game.attempts, game.error = 0, ""
    _read_state_from_log(game)
    writer = Writer(game, request.now)
    action = GameAction(writer, "game.retry", request)
    number = action.record(GameTakenUp())
    _give_time_back(writer, min(since, request.now))
    action.notify(number, (seat.user for seat in writer.waiting() if seat.is_present()))
    action.audit(before={"error": error[:LONGEST_ERROR]})
    writer.go_on()
    writer.commit()


def needs_retry(game: Game) -> bool:
    """Whether something went wrong at a running game, so that it may be taken up again."""
    failed = game.parked_at is not None or bool(game.error) or bool(game.attempts)
    return game.status == Game.Status.RUNNING and (failed or cannot_be_read(game))


def nothing_wrong(game: Game) -> str:
    """Why a game can't be taken up again."""
    if game.status != Game.Status.RUNNING:
        return _("This game isn't running.")
    return _("Nothing has gone wrong with this game.")


def _read_state_from_log(game: Game) -> None:
    """Make the state and the offers anew from the events, whatever is wrong with what is stored."""
    rows = event_rows(game)
    state = state_at(rows, rows[-1].seq)
    game.state = encode(state)
    game.ledger = as_stored(offers_from_events(rows), state.table)
    threads = list(game.threads.all())
    for thread in threads:
        thread.ledger = as_stored(private_offers_from_events(rows, thread), state.table)
    Thread.objects.bulk_update(threads, ["ledger"])


def _give_time_back(writer: Writer, parked_at: datetime) -> None:
    """Everybody keeps the time they had when the game failed.

    A deadline that passed by then, or would have passed meanwhile, moves on as after an outage
    where that is more. A pause goes on, or ends here if its time is over: what failed may have been
    its end.
    """
    game, now = writer.game, writer.now
    if game.paused_until is not None and game.paused_until <= now and game.dormant_since is None:
        interventions.resume(writer, Cause.CLOCK)
    elif game.is_going_on:
        moved_deadlines.move(
            writer,
            lambda at, calendar, _since: deadlines.after_parking(
                at, parked_at=parked_at, now=now, calendar=calendar
            ),
            Cause.MODERATOR,
            "parked",
        )
    votes.move_ends(game, lambda vote: vote.closes_at + (now - parked_at))
