"""The clock's ticks, and the times in which it did not tick (ruling 11).

A time without ticks is written down with the first tick after it, and stays written until every
deadline that fell into it was moved: also where a game is locked just then, or the sweep runs out
of time.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, Outage, Seat, Tick
from games.services import deadlines


def tick(now: datetime) -> None:
    """Note that the clock ticks, and that it had stood still where it had."""
    with transaction.atomic(durable=True):
        last = Tick.objects.select_for_update().filter(name=Tick.SWEEP).first()
        if last is None:
            Tick.objects.get_or_create(name=Tick.SWEEP, defaults={"at": now})
            return
        since = silent_since(last.at, now)
        if since is not None:
            Outage.objects.create(since=since, until=now)
        last.at = now
        last.save(update_fields=["at"])


def silent_since(last_tick: datetime, now: datetime) -> datetime | None:
    """Since when the clock had stood still before it ticks at `now`; None where it had not."""
    return last_tick if now - last_tick > deadlines.MOST_SILENCE else None


def not_made_up_for() -> list[Outage]:
    """The outages into which deadlines fell that were not moved yet."""
    return list(Outage.objects.all())


def fell_into(outage: Outage) -> Exists:
    """Of games: whether a deadline that somebody had there fell into the outage."""
    seats = Seat.objects.filter(
        game=OuterRef("pk"), user__isnull=False, absent_since=None,
        deadline_at__gt=outage.since, deadline_at__lte=outage.until,
    )  # fmt: skip
    return Exists(seats)


def to_be_moved(outage: Outage, now: datetime) -> QuerySet[Game]:
    """The games with a deadline in the outage that the clock has not moved yet."""
    return Game.objects.due(now).filter(fell_into(outage))


def forget_if_made_up_for(outage: Outage) -> None:
    """The outage is done with once no such game is left, not even a locked or a failing one."""
    overdue = Game.objects.filter(status=Game.Status.RUNNING, deadline_at__lte=outage.until)
    if not overdue.filter(fell_into(outage)).exists():
        outage.delete()
