"""Acts on the time of a game: pause, deadlines, the pace, parked games, and its end."""

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from games.engine import encode
from games.models import Cause, Game
from games.services import audit
from games.services.game import deadlines, failures, interventions
from games.services.game.replay import event_rows, state_at
from games.services.game.writer import Writer
from games.services.lobby import tables
from games.services.lobby.settings import refuse_impossible, settings_of
from games.services.moderation.actions.on_games import Acting, Ask, acting, lock, seen_now
from games.services.refused import Refused
from games.table_events import GamePaused, GameTakenUp, PaceChanged

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10
"""How long one request takes up games; a moderator may ask again."""


def pause(ask: Ask, *, until: datetime | None = None) -> None:
    """Stop a game, until an instant or until somebody resumes it. The whole table is told."""
    with acting("pause", ask) as act:
        number = interventions.pause(act.writer, until, Cause.MODERATOR)
        act.explain(number)
        act.mail_table(number)
        act.audit(after=until)


def resume(ask: Ask) -> None:
    """Let a paused game go on, each with what was left of their time. The whole table is told."""
    with acting("resume", ask) as act:
        paused_at = act.writer.game.paused_at
        number = interventions.resume(act.writer, Cause.MODERATOR)
        act.explain(number)
        act.mail_table(number)
        act.audit(before=paused_at)


def extend(ask: Ask, *, time: timedelta, seat: int | None = None) -> None:
    """Give a seat, or everybody who is asked, more time. They are told.

    Those who are asked later in the same phase have as much more.
    """
    with acting("extend", ask, exactly=True) as act:
        only = None if seat is None else act.seat(seat)
        for moved in interventions.extend(act.writer, time, Cause.MODERATOR, only=only):
            _tell_moved(act, moved)


def set_deadline(ask: Ask, *, at: datetime, seat: int | None = None) -> None:
    """Set the deadline of a seat, or of everybody who is asked. They are told."""
    with acting("set deadline", ask, exactly=True) as act:
        asked = interventions.waiting_people(act.writer) if seat is None else [act.seat(seat)]
        if not asked:
            raise Refused(_("It's nobody's turn right now."))
        for one in asked:
            _tell_moved(act, interventions.set_deadline(act.writer, one, at, Cause.MODERATOR))


def _tell_moved(act: Acting, moved: interventions.Moved) -> None:
    seat = moved.seat
    act.explain(moved.number)
    act.mail([seat.user], moved.number)
    act.audit(person=seat.user, before=moved.before, after=seat.deadline_at)


def play_default(ask: Ask, *, seat: int) -> None:
    """Play now for a seat that is waited for: its orders, or the default. That is no miss.

    It is the question that the moderator saw, or none: too late is refused.
    """
    with acting("play default", ask, exactly=True) as act:
        one = act.seat(seat)
        number = interventions.call_default(act.writer, one, Cause.MODERATOR)
        act.explain(number)
        act.mail([one.user], number)
        act.audit(person=one.user)


def change_pace(ask: Ask, *, answer_time: timedelta) -> None:
    """Change the time for an answer for the rest of the game. Open deadlines stay as they are."""
    with acting("change pace", ask) as act:
        game = act.writer.game
        before = game.answer_seconds
        game.answer_seconds = int(answer_time.total_seconds())
        if game.answer_seconds == before:
            raise Refused(_("That is already the pace."))
        refuse_impossible(settings_of(game))
        number = act.note(PaceChanged(game.answer_seconds))
        act.explain(number)
        act.mail_table(number)
        act.audit(before=timedelta(seconds=before), after=answer_time)


def cancel(ask: Ask) -> None:
    """End a game without a winner, or close a waiting table. Everybody there is told."""
    with transaction.atomic(durable=True):
        game = lock(ask)
        if game.status == Game.Status.WAITING:
            tables.close(game, ask.now)
        elif game.status == Game.Status.RUNNING:
            _cancel_running(game, ask)
        else:
            raise Refused(_("This game is already over."))
        audit.note(
            "cancel", now=ask.now, who=ask.moderator, game=game, reason=ask.reason,
            before=Game.Status.RUNNING, after=Game.Status.CANCELLED,
        )  # fmt: skip


def _cancel_running(game: Game, ask: Ask) -> None:
    if game.parked_at is not None:
        _read_state_from_log(game)
    writer = Writer(game, ask.now)
    act = Acting(writer, "cancel", ask)
    number = interventions.cancel(writer, Cause.MODERATOR)
    act.explain(number)
    act.mail_table(number)
    writer.commit()


def retry(ask: Ask) -> None:
    """Take a parked game up again, as its log tells it. Deadlines that passed meanwhile move on.

    `Refused` where it still cannot go on: then it stays parked.
    """
    try:
        with transaction.atomic(durable=True):
            _take_up(lock(ask), ask)
    except (Refused, *failures.NO_FAULT_OF_A_GAME):
        raise
    except Exception as failure:
        logger.exception("Game %s still cannot go on", ask.game_id)
        kind = type(failure).__name__
        raise Refused(_("The game still can't continue: {error}.").format(error=kind)) from failure


def retry_all(ask: Ask) -> None:
    """Take up this game and all that were parked for the same reason, each by itself.

    Those at which this moderator sits or sat are left to others, and so are those that still cannot
    go on; `Refused` where that is all of them. Takes no more after `MOST_SECONDS`.
    """
    game = Game.objects.get(pk=ask.game_id)
    same = [(one.pk, seen_now(one)) for one in failures.parked_for_the_same(game).defer("state")]
    asks = [ask, *(ask._replace(game_id=game_id, seen=seen) for game_id, seen in same)]
    until = time.monotonic() + MOST_SECONDS
    told = [_retried(one) for one in asks if time.monotonic() < until]
    if all(told):
        raise Refused(told[0])


def _retried(ask: Ask) -> str:
    """Take one of many games up; why that is refused, "" where it is done."""
    try:
        retry(ask)
    except Refused as reason:
        return str(reason)
    except OperationalError as failure:
        failures.raise_unless_local(failure)
        return _("The game is busy right now.")
    return ""


def _take_up(game: Game, ask: Ask) -> None:
    parked_at = game.parked_at
    if parked_at is None:
        raise Refused(_("This game is not parked."))
    error = game.error.splitlines()[-1:]
    game.parked_at = game.retry_at = None
    game.attempts, game.error = 0, ""
    _read_state_from_log(game)
    writer = Writer(game, ask.now)
    act = Acting(writer, "retry", ask)
    number = act.note(GameTakenUp())
    act.explain(number)
    _give_time_back(writer, parked_at)
    act.mail((seat.user for seat in writer.waiting() if not seat.is_played_for()), number)
    act.audit(before=" ".join(error))
    writer.go_on()
    writer.commit()


def _read_state_from_log(game: Game) -> None:
    """Make the state anew from what the events tell, whatever is wrong with it."""
    rows = event_rows(game)
    game.state = encode(state_at(rows, rows[-1].seq))


def _give_time_back(writer: Writer, parked_at: datetime) -> None:
    """Everybody keeps the time they had when the game was parked, or when it was paused before.

    A deadline that passed by then, or would have passed meanwhile, moves on as after an outage
    where that is more.
    """
    game, now = writer.game, writer.now
    paused = game.events.filter(kind=GamePaused.__name__).order_by("-seq").first()
    if paused is not None and any(seat.seconds_left is not None for seat in writer.waiting()):
        # The game could not even go on after that pause.
        interventions.give_time_back(writer, paused.at, Cause.MODERATOR)
    else:
        interventions.move_deadlines(
            writer,
            lambda at, calendar, _since: deadlines.after_parking(
                at, parked_at=parked_at, now=now, calendar=calendar
            ),
            Cause.MODERATOR,
            "parked",
        )
    for vote in game.votes.filter(closed_at=None):
        vote.closes_at += now - parked_at
        vote.save(update_fields=["closes_at"])
