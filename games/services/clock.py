"""The clock: plays for whoever lets a deadline pass, and reminds.

Safe to run twice, late, or beside another clock (docs/play-over-days.md).
"""

import logging
import time
import traceback
from collections.abc import Callable
from copy import copy
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Cause, Game, OutboxMail, Seat, Tick, Vote
from games.services import (
    audit,
    deadlines,
    lobby,
    outbox,
    roles,
    site_state,
    table_acts,
    time_grants,
    votes,
)
from games.services.writer import Writer

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10
RETRIES: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""How long a game that cannot be advanced is left alone, before it is parked."""

MARKS_OF_A_CHANGE: Final = ("state", "deadline_at", "attempts")
"""What differs once a game was advanced, or its failure noted."""

REMINDERS_AT_ONCE: Final = 1000


def sweep(*, now: datetime) -> int:
    """Advance every game whose deadline has passed and write reminders; how many advances.

    Each game has a transaction of its own, and one that fails stops no other. Stops taking new
    games after `MOST_SECONDS`; the next sweep goes on. Where the clock had stood still, the
    deadlines that fell into the gap are moved before any default is played. While the site is under
    maintenance, or all games are being given time, it only ticks.
    """
    if _rests(now):
        _tick(now)
        return 0
    make_up_for_outage(now)
    until = time.monotonic() + MOST_SECONDS
    advances = _change_all(Game.objects.due(now), lambda game: advance(game, now), now, until)
    _close_votes(now, until)
    _end_pauses(now, until)
    _give_up_resting(now, until)
    # First of all the tick: a mistake below must not look like a clock that stood still.
    _tick(now)
    if not site_state.clock_rests():
        _remind(now)
        lobby.close_old_tables(now)
    return advances


def _rests(now: datetime) -> bool:
    """Give all games the time that is due to them; whether the clock rests all the same."""
    site = site_state.read()
    if site.time_is_given and site.maintenance_since is None:
        time_grants.work_off(now=now)
        site = site_state.read()
    return site.clock_rests


def _tick(now: datetime) -> None:
    Tick.objects.update_or_create(name=Tick.SWEEP, defaults={"at": now})


def _end_pauses(now: datetime, until: float) -> None:
    """Let every game go on whose pause is over."""
    _change_all(Game.objects.pause_over(now), lambda game: _resume(game, now), now, until)


def _resume(game: Game, now: datetime) -> None:
    writer = Writer(game, now)
    number = table_acts.resume(writer, Cause.CLOCK)
    writer.go_on()
    table_acts.tell_table(writer, number)
    audit.note("resume", now=now, who=audit.CLOCK, game=game)
    writer.commit()


def _give_up_resting(now: datetime, until: float) -> None:
    """End every game that nobody has come back to for too long."""
    games = Game.objects.resting_too_long(now)
    _change_all(games, lambda game: table_acts.give_up(game, now), now, until)


def _close_votes(now: datetime, until: float) -> None:
    """Close the votes whose time is over."""
    games = _with_votes_to_close(now)
    _change_all(games, lambda game: votes.close_over(game, now), now, until)


def _with_votes_to_close(now: datetime) -> QuerySet[Game]:
    """The games with votes whose time is over; not the parked ones, where time stands still."""
    open_votes = Vote.objects.filter(closed_at=None, closes_at__lte=now)
    games = Game.objects.filter(pk__in=open_votes.values("game"), parked_at=None)
    return games.filter(Q(retry_at=None) | Q(retry_at__lte=now)).order_by("pk")


def make_up_for_outage(now: datetime) -> None:
    """Move the deadlines and ends of votes that fell into a time without a tick (ruling 11).

    Each once: a deadline that was moved lies ahead, also for another clock that sees the same gap.
    """
    last_tick = Tick.objects.last_sweep()
    since = None if last_tick is None else deadlines.silent_since(last_tick, now)
    if since is None:
        return
    games = Game.objects.due(now).order_by("pk") | _with_votes_to_close(now)
    for game_id in list(games.values_list("pk", flat=True)):
        game = games.filter(pk=game_id).select_for_update(of=("self",))
        _change_one(game, lambda game: _move_deadlines(game, since, now), now)


def _move_deadlines(game: Game, since: datetime, now: datetime) -> None:
    writer = Writer(game, now)
    table_acts.move_deadlines(
        writer,
        lambda at, calendar, _asked: deadlines.after_outage(
            at, since=since, now=now, calendar=calendar
        ),
        Cause.CLOCK,
        "outage",
    )
    votes.after_outage(game, since, now)
    writer.commit()


def _change_all(
    games: QuerySet[Game], change: Callable[[Game], None], now: datetime, until: float
) -> int:
    """Change these games, which the change takes out of them, one by one; how many were changed.

    What another clock works on is left to it. Takes no more after `until` on the monotonic clock.
    """
    unlocked = games.select_for_update(skip_locked=True)
    changed = 0
    went_well: bool | None = True
    while time.monotonic() < until and went_well is not None:
        went_well = _change_one(unlocked.all(), change, now)
        changed += went_well is True
    return changed


def _change_one(
    games: QuerySet[Game], change: Callable[[Game], None], now: datetime
) -> bool | None:
    """Change the first of these games, in a transaction of its own; None where there is none.

    What goes wrong is noted with the game and stops no other: then the answer is False. None, too,
    where the clock rests by now.
    """
    game = as_read = None
    try:
        with transaction.atomic(durable=True):
            game = games.first()
            if game is not None and site_state.clock_rests():
                return None
            if game is not None:
                as_read = copy(game)
                change(game)
    except Exception as failure:
        logger.exception("%s cannot be advanced", game)
        if as_read is None:
            raise
        note_failure(as_read, failure, now)
        return False
    return True if game is not None else None


def advance(game: Game, now: datetime) -> None:
    """Play for one person who is due, and whatever then goes on by itself."""
    writer = Writer(game, now)
    writer.go_on()
    late = [
        seat
        for seat in writer.waiting()
        if not seat.is_played_for()
        and seat.asked_phase == game.phase_no
        and seat.deadline_at is not None
        and seat.deadline_at <= now
    ]
    if late and not writer.moves:
        writer.play_for_who_is_late(late[0])
        writer.go_on()
    writer.commit()


def note_failure(as_read: Game, failure: Exception, now: datetime) -> None:
    """Leave the game alone for a while, or park it after the last retry and tell the moderators.

    Does nothing where the game is not as it was read when it failed: somebody has advanced it since
    then, or has noted the failure. Only the kind and the place of the error are kept: its text
    might tell a secret.
    """
    places = [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(failure.__traceback__)]
    with transaction.atomic(durable=True):
        game = Game.objects.lock(as_read.pk)
        if any(getattr(game, name) != getattr(as_read, name) for name in MARKS_OF_A_CHANGE):
            return
        game.error = "\n".join([*places, type(failure).__name__])
        if game.attempts < len(RETRIES):
            game.retry_at = now + RETRIES[game.attempts]
            game.attempts += 1
        else:
            game.parked_at, game.deadline_at = now, None
            game.paused_at = game.paused_until = None
            for moderator in roles.keepers():
                outbox.enqueue(OutboxMail.Kind.GAME_PARKED, game=game, person=moderator, now=now)
        game.save()


def _remind(now: datetime) -> None:
    """Write the reminders that are due, each once for a deadline."""
    due = Seat.objects.reminder_due(now).values_list("pk", "game_id")[:REMINDERS_AT_ONCE]
    for seat_id, game_id in due:
        with transaction.atomic(durable=True):
            Game.objects.lock(game_id)
            seat = Seat.objects.select_related("user", "game").get(pk=seat_id)
            if seat.remind_at is not None and seat.remind_at <= now:
                _remind_seat(seat, now)


def _remind_seat(seat: Seat, now: datetime) -> None:
    if seat.asked_at is None or seat.deadline_at is None:
        raise ValueError("Only a seat that is asked is reminded.")
    asked_at, deadline_at = seat.asked_at, seat.deadline_at
    first = deadlines.next_reminder(asked_at=asked_at, deadline_at=deadline_at, after=asked_at)
    following = deadlines.next_reminder(asked_at=asked_at, deadline_at=deadline_at, after=now)
    is_first = first is not None and seat.remind_at == first.at
    kind = OutboxMail.Kind.REMINDER if is_first else OutboxMail.Kind.LAST_REMINDER
    outbox.enqueue(
        kind,
        game=seat.game,
        person=seat.user,
        now=now,
        deadline_version=seat.deadline_version,
    )
    seat.remind_at = following.at if following is not None else None
    seat.save(update_fields=["remind_at"])
