"""Whether the clock runs, and what it should have advanced and didn't."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.timesince import timesince

from games.extensions import Finding
from games.models import Game, Tick
from games.presentation.text.tables import time_text
from games.services import site_state
from games.services.game.failures import RETRIES
from games.services.operations.doctor.words import MOST_NAMED, last_line, the_rest, well
from games.services.operations.health import is_ahead, is_late, late_after


def site_stopped() -> Iterator[Finding]:
    site = site_state.read()
    if site.maintenance_since is not None:
        since = f"{site.maintenance_since:%F %T} UTC"
        text = (
            f"The site has been under maintenance since {since}. "
            "The clock is paused until it is ended in the admin."
        )
        yield well("Site", text)
    elif site.time_is_given:
        yield well(
            "Site",
            "Extra time is being added to all games. The clock is paused until that is done.",
        )


def clock(now: datetime) -> Finding:
    part = "Clock"
    last_tick = Tick.objects.last_sweep()
    start = "Start a worker with its clock: celery --app intrigue_site worker --clock"
    if last_tick is None:
        return Finding(part, f"The clock has never run. {start}")
    if is_ahead(last_tick, now):
        return Finding(
            part,
            f"The clock last ran at {last_tick:%F %T} UTC, which is {timesince(now, last_tick)} "
            "ahead: a clock was or is wrong. Set the clocks of all machines right. If a beat runs, "
            "restart it: it sleeps until the time that it believed in.",
        )
    ago = f"The clock last ran {timesince(last_tick, now)} ago, at {last_tick:%F %T} UTC."
    if is_late(last_tick, now):
        return Finding(part, f"{ago} {start}")
    return well(part, ago)


def games(now: datetime) -> Iterator[Finding]:
    running = Game.objects.filter(status=Game.Status.RUNNING).without_guests()
    overdue = running.filter(deadline_at__lt=now - late_after()).order_by("deadline_at")
    if site_state.clock_is_stopped():
        overdue = overdue.none()
    parked = running.parked()
    for game in overdue[:MOST_NAMED]:
        error = f" Its last error: {last_line(game.error)}." if game.error else ""
        yield Finding(
            "Overdue",
            f"{game} was due {timesince(game.deadline_at or now, now)} ago.{error} "
            "The clock will play it on its next run; a failed game is retried within "
            f"{time_text(RETRIES[-1])}.",
        )
    yield from the_rest("Overdue", "games", overdue.count())
    for game in parked[:MOST_NAMED]:
        yield Finding(
            "Parked",
            f"{game} couldn't continue: {last_line(game.error)}. The full error is in the "
            "admin under Games; the other games go on.",
        )
    yield from the_rest("Parked", "games", parked.count())
    if not overdue and not parked:
        yield well("Games", f"Running: {running.count()}; none overdue or parked.")
