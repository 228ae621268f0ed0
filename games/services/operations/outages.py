"""The clock's ticks, and the times in which it did not tick (days 11).

A time without ticks is written down with the first tick after it, and stays written until every
deadline that fell into it was moved: also where a game is locked just then, or the sweep runs out
of time.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Outage, Seat, Tick, Vote
from games.services.game import deadlines

LONGEST_USUAL_GAP: Final = timedelta(minutes=10)
"""The longest gap between two ticks that is no outage, unless SWEEP_SECONDS allows more."""


def tick(now: datetime) -> None:
    """Store that the clock ticks, and an outage where it had stood still."""
    with transaction.atomic(durable=True):
        last = Tick.objects.select_for_update().filter(name=Tick.SWEEP).first()
        if last is None:
            Tick.objects.get_or_create(name=Tick.SWEEP, defaults={"at": now})
            return
        # The usual time between two ticks: as it is set, or as it was last, within reason.
        before = min(last.interval or timedelta(), LONGEST_USUAL_GAP)
        usual = max(before, timedelta(seconds=settings.SWEEP_SECONDS))
        since = deadlines.stopped_since(last.at, now, usual)
        if since is not None:
            Outage.objects.create(since=since, until=now)
        last.interval = max(now - last.at, timedelta())
        last.at = now
        last.save(update_fields=["at", "interval"])


def not_made_up_for() -> list[Outage]:
    """The outages with deadlines that were not moved yet."""
    return list(Outage.objects.all())


def made_up_for(games: QuerySet[Game], now: datetime) -> QuerySet[Game]:
    """Of these games, those at which nothing has to be moved first."""
    for outage in not_made_up_for():
        games = games.exclude(_lost_time_in(outage, now))
    return games


def to_be_moved(outage: Outage, now: datetime) -> QuerySet[Game]:
    """The games in which the clock has not yet moved what fell into the outage."""
    games = Game.objects.in_play().not_set_aside(now)
    return games.filter(_lost_time_in(outage, now)).order_by("pk")


def forget_if_made_up_for(outage: Outage, now: datetime) -> None:
    """Forget an outage once no such game is left, not even a locked or a failing one."""
    if not Game.objects.in_play().filter(_lost_time_in(outage, now)).exists():
        outage.delete()


def _lost_time_in(outage: Outage, now: datetime) -> Q:
    """Of games: whether a deadline, or the end of a vote or of the negotiation time, fell into it.

    What is still to come did not, even where a clock that was set back puts it into the outage.
    """
    until = min(outage.until, now)
    seats = Seat.objects.not_played_at_once().filter(
        game=OuterRef("pk"),
        deadline_at__gt=outage.since, deadline_at__lte=until,
    )  # fmt: skip
    votes = Vote.objects.filter(
        game=OuterRef("pk"), closed_at=None,
        closes_at__gt=outage.since, closes_at__lte=until,
    )  # fmt: skip
    negotiation_time = Q(talk_until__gt=outage.since, talk_until__lte=until)
    return negotiation_time | Q(Exists(seats)) | Q(Exists(votes))
