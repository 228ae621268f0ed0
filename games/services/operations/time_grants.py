"""Time that is given to all running games, one after the other, each exactly once.

A game's deadlines and the mark how far the grant has come are written in one transaction, so that
neither a crash nor a second worker gives a game its time twice. A game that cannot be moved is
stored with the grant, and one that is locked gets its time later, before the clock does anything
there: neither stops any other. Only players who had missed something meanwhile are emailed:
all else is only to people's advantage, and stands on their page and in the log.
"""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction

from games.models import Cause, Event, Game, Reason, Seat, TimeGrant, Vote
from games.services import site_state
from games.services.game import absence, deadlines, failures, moved_deadlines, votes
from games.services.game.deadlines import Calendar
from games.services.game.seats import begin_anew
from games.services.game.writer import Writer
from games.table_events import MissExcused, SeatAbsent, SeatReturned

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10


def work_off(*, now: datetime) -> None:
    """Give the games their time, for at most `MOST_SECONDS`; the next call goes on."""
    until = time.monotonic() + MOST_SECONDS
    while time.monotonic() < until and _give_next(now):
        pass


def _give_next(now: datetime) -> bool:
    """Give one game its time, or finish the grant; whether there may be more to do.

    The grant is locked, and no other worker waits for it: there is nothing left for it to do.
    """
    with transaction.atomic(durable=True):
        unfinished = TimeGrant.objects.filter(finished_at=None).order_by("pk")
        grant = unfinished.select_for_update(skip_locked=True).first()
        if grant is None:
            return False
        # A parked game has a rule of its own for when it is taken up again; a guest's has no time.
        to_come = Game.objects.in_play().without_guests().filter(pk__gt=grant.last_game_id)
        game_id = to_come.order_by("pk").values_list("pk", flat=True).first()
        if game_id is None:
            grant.finished_at = now
        else:
            grant.last_game_id = game_id
            _try(grant, game_id, now)
        grant.save()
    if game_id is None:
        site_state.forget()
    return True


def _try(grant: TimeGrant, game_id: int, now: datetime) -> None:
    """Give one game its time, or let it wait where it is locked or the database fails just now.

    Nothing of a game that fails is changed. What goes wrong is stored, by its kind only: a text may
    reveal secrets.
    """
    try:
        with transaction.atomic():
            unlocked = Game.objects.select_for_update(skip_locked=True, no_key=True)
            game = unlocked.filter(pk=game_id).first()
            if game is None:
                grant.waiting = [*grant.waiting, game_id]
                return
            if game.is_in_play:
                grant.games_moved += give(grant, game, now)
    except Exception as failure:
        failures.raise_unless_local(failure)
        logger.exception("Game %s cannot be given its time", game_id)
        if isinstance(failure, failures.NO_FAULT_OF_A_GAME):
            grant.waiting = [*grant.waiting, game_id]
            return
        grant.failures = [*grant.failures, [game_id, type(failure).__name__]]
    grant.games_done += 1


def games_owed() -> list[int]:
    """The games that still wait for their time: until they have it, the clock leaves them alone."""
    waiting = TimeGrant.objects.exclude(waiting=[]).values_list("waiting", flat=True)
    return [game_id for ids in waiting for game_id in ids]


def give_what_is_owed(now: datetime, until: float) -> None:
    """Give those games their time that were locked when it was their turn.

    Takes no more after `until` on the monotonic clock.
    """
    for grant in TimeGrant.objects.exclude(waiting=[]):
        for game_id in grant.waiting:
            if time.monotonic() < until:
                _give_after_all(grant.pk, game_id, now)


def _give_after_all(grant_id: int, game_id: int, now: datetime) -> None:
    with transaction.atomic(durable=True):
        unlocked = TimeGrant.objects.select_for_update(skip_locked=True)
        grant = unlocked.filter(pk=grant_id, waiting__contains=[game_id]).first()
        if grant is not None:
            grant.waiting = [other for other in grant.waiting if other != game_id]
            _try(grant, game_id, now)
            grant.save()


def give(grant: TimeGrant, game: Game, now: datetime) -> bool:
    """Give a locked, running game its time; whether that changed anything."""
    writer = Writer(game, now)
    if game.is_going_on:
        change = partial(_moved, grant, now)
        moved_deadlines.move(writer, change, Cause.MODERATOR, grant.kind, remind_anew=False)
    if grant.kind != TimeGrant.Kind.HOURS:
        votes.move_ends(game, partial(_end_of_vote, grant))
    if grant.kind == TimeGrant.Kind.DOWNTIME:
        _excuse(writer, grant)
    if not writer.events:
        return False
    _explain(writer.events, grant)
    writer.commit()
    return True


def _moved(
    grant: TimeGrant, now: datetime, at: datetime, calendar: Calendar, since: datetime
) -> datetime:
    """A deadline as the grant leaves it, of a decision that is open since then."""
    if since > grant.ends_at:
        return at
    if grant.kind == TimeGrant.Kind.HOURS:
        return calendar.move(at, timedelta(hours=grant.hours), since=now)
    lost = calendar.play_time(max(grant.starts_at, since), grant.ends_at)
    if grant.kind == TimeGrant.Kind.DOWNTIME:
        lost = min(lost, calendar.pace.move_time)
    return deadlines.after_a_standstill(
        at, lost, ended_at=grant.ends_at, now=now, calendar=calendar
    )


def _end_of_vote(grant: TimeGrant, vote: Vote) -> datetime:
    """Votes too last longer: by what was lost, of a downtime at most one time to move."""
    lost = max(grant.ends_at - max(grant.starts_at, vote.opened_at), timedelta())
    if grant.kind == TimeGrant.Kind.DOWNTIME:
        lost = min(lost, timedelta(seconds=vote.game.move_seconds))
    return vote.closes_at + lost


def _excuse(writer: Writer, grant: TimeGrant) -> None:
    """Take back the misses of the period, and absences that came of them; email those players."""
    for seat in writer.seats.values():
        number = None
        forgotten = absence.forget_misses(seat, grant.starts_at, grant.ends_at)
        if _became_absent(writer.game, seat, grant):
            begin_anew(seat)
            seat.last_miss_at = None
            number = writer.record(SeatReturned(seat.drawn_number), Cause.MODERATOR)
        elif forgotten:
            number = writer.record(MissExcused(seat.drawn_number), Cause.MODERATOR)
        if number is not None:
            writer.email("table_news", seat, about=number)


def _became_absent(game: Game, seat: Seat, grant: TimeGrant) -> bool:
    """Whether the clock made this seat absent in the period, and its player may still return."""
    at = seat.absent_since
    if seat.user is None or at is None or not grant.starts_at <= at <= grant.ends_at:
        return False
    marked = game.events.filter(kind=SeatAbsent.__name__, cause=Cause.CLOCK, at=at)
    return marked.filter(payload__seat=seat.number).exists()


def _explain(events: Iterable[Event], grant: TimeGrant) -> None:
    """Store the reason beside each of these events, for the table to read."""
    Reason.objects.bulk_create(
        Reason(game=event.game, seq=event.seq, text=grant.why) for event in events if grant.why
    )
