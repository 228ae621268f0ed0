"""The clock: plays for players who let a deadline pass, and reminds.

Safe to run twice, late, or beside another clock (docs/play-over-days.md).
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Cause, Game, Seat, Vote
from games.services import audit, outbox, site_state
from games.services.email import outages as email_outages
from games.services.game import (
    deadlines,
    email_down,
    interventions,
    moved_deadlines,
    reminders,
    talk_time,
    votes,
)
from games.services.game.one_by_one import change_all
from games.services.game.writer import Writer
from games.services.lobby import tables
from games.services.operations import outages, time_grants

type Change = Callable[[Game, datetime], object]

MOST_SECONDS: Final = 4
"""How long a sweep takes up due games, and before that games that are owed time.

Not much longer in all than from one sweep to the next, so that email has a process as well.
"""

MOST_SECONDS_OF_OTHERS: Final = 1
"""How long it takes up each other kind of work: due games, however many, must not starve it."""

GAMES_PER_HELPER: Final = 20
"""A sweep calls one helper for so many games."""

GAMES_OF_A_HELPER: Final = 50
"""How many games a helper changes before it looks whether it is still wanted.

Each look is a task, for which Celery opens a new connection to the database, where every statement
is planned anew.
"""

MOST_SECONDS_OF_A_HELPER: Final = 10
"""How long a helper takes up games; a sweep calls new ones for what it leaves."""

MOST_HELPERS: Final = 32
"""How many helpers one sweep calls at most; each calls itself again while there is more."""


def sweep(*, now: datetime, call_helper: Callable[[], object] | None = None) -> int:
    """Advance every game whose deadline has passed and write reminders; how many advances.

    If there is much to do, other workers are called to help, by `call_helper`: see `help_out`.

    Each game has a transaction of its own: one that fails stops no other, and one that is locked is
    left to a later sweep. Each kind of work has a time of its own, after which no more of it is
    taken up; the next sweep goes on.
    Where the clock had stood still, the deadlines that fell into the gap are moved before any
    default is played there. While the site is under maintenance, or all games are being given time,
    it only ticks.
    """
    if _stands_still(now):
        outages.tick(now)
        return 0
    until = _in(MOST_SECONDS)
    make_up_for_outage(now, until)
    _make_up_for_email(now, until)
    time_grants.give_what_is_owed(now, until)
    due, *others = work = _work(now)
    if call_helper is not None:
        most = GAMES_PER_HELPER * MOST_HELPERS
        games_to_change = sum(games[:most].count() for games, _change in work)
        for _ in range(min(games_to_change, most) // GAMES_PER_HELPER):
            call_helper()
    advances = _change_all(*due, now, _in(MOST_SECONDS))
    for games, change in others:
        _change_all(games, change, now, _in(MOST_SECONDS_OF_OTHERS))
    tables.close_old_tables(now, _in(MOST_SECONDS_OF_OTHERS))
    return advances


def _in(seconds: float) -> float:
    """When so many seconds have passed, on the monotonic clock."""
    return time.monotonic() + seconds


def help_out(*, now: datetime) -> int:
    """Change up to `GAMES_OF_A_HELPER` games beside a sweep and any number of helpers; how many.

    Everybody passes over the games that others have locked, so each change is made once.
    """
    until, left = _in(MOST_SECONDS_OF_A_HELPER), GAMES_OF_A_HELPER
    for games, change in _work(now):
        left -= _change_all(games, change, now, until, most=left)
    return GAMES_OF_A_HELPER - left


def _work(now: datetime) -> list[tuple[QuerySet[Game], Change]]:
    """The games in which something goes on by itself now, and how; what is due comes first."""
    return [
        (outages.made_up_for(Game.objects.due(now), now), advance),
        (_with_votes_to_close(now), votes.close_over),
        (Game.objects.pause_over(now), _resume),
        (Game.objects.dormant_too_long(now), interventions.give_up),
        (_to_be_reminded(now), _remind),
    ]


def _stands_still(now: datetime) -> bool:
    """Give all games the time that is due to them; whether the clock stands still all the same."""
    site = site_state.read()
    if site.time_is_given and site.maintenance_since is None:
        time_grants.work_off(now=now)
        site = site_state.read()
    return site.clock_is_stopped


def _change_all(
    games: QuerySet[Game],
    change: Change,
    now: datetime,
    until: float,
    most: int | None = None,
) -> int:
    """Change these games one by one; not those to which time is owed. How many were changed."""
    games = games.exclude(pk__in=time_grants.games_owed())
    return change_all(games, lambda game: change(game, now), now, until, most)


def _with_votes_to_close(now: datetime) -> QuerySet[Game]:
    """The games with votes whose time is over; not the parked ones, where time stands still."""
    over = Vote.objects.filter(closed_at=None, closes_at__lte=now)
    if email_outages.is_down():
        over = over.filter(asks_absent=False)
    games = Game.objects.not_set_aside(now).filter(pk__in=over.values("game"))
    return outages.made_up_for(games.order_by("pk"), now)


def _to_be_reminded(now: datetime) -> QuerySet[Game]:
    """The games in which a reminder is due; not before a deadline that is to be moved."""
    seats = Seat.objects.reminder_due(now).filter(game=OuterRef("pk"))
    games = Game.objects.not_set_aside(now).filter(Exists(seats))
    return outages.made_up_for(games.order_by("pk"), now)


def _resume(game: Game, now: datetime) -> None:
    """Let a game go on whose pause is over."""
    writer = Writer(game, now)
    number = interventions.resume(writer, Cause.CLOCK)
    writer.go_on()
    interventions.email_table(writer, number)
    audit.write("game.resume", now=now, who=audit.CLOCK, game=game)
    writer.commit()


def make_up_for_outage(now: datetime, until: float | None = None) -> None:
    """Move the deadlines and ends of votes that fell into a time without a tick (days 11).

    Each once: a deadline that was moved lies ahead, also for another clock. What is not reached
    before `until` on the monotonic clock is left to the next sweep.
    """
    until = _in(MOST_SECONDS) if until is None else until
    outages.tick(now)
    for outage in outages.not_made_up_for():

        def move(game: Game, since: datetime = outage.since) -> None:
            _move_deadlines(game, since, now)

        change_all(outages.to_be_moved(outage, now), move, now, until)
        outages.forget_if_made_up_for(outage, now)


def _move_deadlines(game: Game, since: datetime, now: datetime) -> None:
    writer = Writer(game, now)
    writer.go_on()
    if game.is_going_on:
        moved_deadlines.move(
            writer,
            lambda at, calendar, _since: deadlines.after_outage(
                at, since=since, now=now, calendar=calendar
            ),
            Cause.CLOCK,
            "outage",
        )
    votes.after_outage(game, since, now)
    writer.commit()


def _make_up_for_email(now: datetime, until: float) -> None:
    """See whether email is down; once it is back, give time to players whom it didn't reach."""
    email_outages.watch(now)
    for outage in email_outages.over():
        games = (
            Game.objects.going_on().not_set_aside(now).filter(email_outages.turn_came_in(outage))
        )
        _change_all(games, _put_off, now, until)
        email_outages.forget_if_made_up_for(outage)


def _put_off(game: Game, now: datetime) -> None:
    writer = Writer(game, now)
    writer.go_on()
    email_down.put_off(writer)
    writer.commit()


def advance(game: Game, now: datetime) -> None:
    """Play for one late player, and whatever then goes on by itself.

    While email is down the deadline is put off instead, as far as that may be.
    """
    writer = Writer(game, now)
    talk_time.close_if_passed(writer)
    writer.go_on()
    if not writer.moves and _late(writer):
        email_down.put_off(writer)
        for seat in _late(writer)[:1]:
            writer.end_wait_for(seat)
            writer.go_on()
    writer.commit()


def _late(writer: Writer) -> list[Seat]:
    """Those to move whose deadline has passed, in bribing order."""
    waiting = moved_deadlines.open_deadlines(writer).items()
    return [seat for seat, deadline_at in waiting if deadline_at <= writer.now]


def _remind(game: Game, now: datetime) -> None:
    """Write the reminders that are due in a locked game, each once for a deadline."""
    for seat in game.seats.reminder_due(now).select_related("user", "game"):
        _remind_seat(seat, now)


def _remind_seat(seat: Seat, now: datetime) -> None:
    """Remind a player of the deadline, or once of the end of the negotiation time."""
    game, following = seat.game, None
    about = {"game": game, "person": seat.user, "deadline_version": seat.deadline_version}
    if game.talk_until is not None:
        outbox.enqueue("talk_reminder", now=now, **about)
    elif seat.deadline_set_at is None or seat.deadline_at is None:
        raise ValueError("Only a seat that is to move is reminded.")
    else:
        following = reminders.following(seat, game, now)
        outbox.enqueue("reminder" if following else "last_reminder", now=now, **about)
    seat.remind_at = following.at if following is not None else None
    seat.save(update_fields=["remind_at"])
