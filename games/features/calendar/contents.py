"""What is in a person's calendar: an event for each deadline, as programs read it (RFC 5545)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.conf import settings
from django.db.models import Max, Q
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Timezone, TimezoneStandard
from icalendar import Event as CalendarEvent

from games.models import Event, User
from games.presentation.text.words import to_the_minute
from games.services.accounts.queries.your_turn import WaitingGame, waiting_games
from games.table_events import DeadlineMoved

READ_AGAIN_AFTER: Final = timedelta(hours=1)
LASTS: Final = timedelta(minutes=15)
"""How long a deadline is in the calendar, to be seen there."""


def feed(person: User, now: datetime, alarm: timedelta | None = None) -> bytes:
    """An event for each game with deadlines that waits for the person, at its deadline's minute.

    A deadline that moves is the same event with a higher number; with `alarm` each event has an
    alarm so long before. Without a deadline there is a time zone in the calendar, since one without
    anything is invalid.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Intrigue//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Intrigue")
    calendar.add("refresh-interval", READ_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    games = [game for game in waiting_games(person) if game.has_deadline]
    moved = _moved_last(games)
    with translation.override(person.language or settings.LANGUAGE_CODE):
        for game in games:
            changed = max(
                filter(None, (game.deadline_set_at, moved.get(game.game_id))), default=now
            )
            calendar.add_component(_event(game, changed, alarm))
    if not games:
        calendar.add_component(_utc())
    content: bytes = calendar.to_ical()
    return content


def _moved_last(games: Iterable[WaitingGame]) -> dict[int, datetime]:
    """When the deadline was moved last in each of the games where it was, by the id of the game."""
    if not games:
        return {}
    theirs = [Q(game=game.game_id, payload__seat=game.seat_number) for game in games]
    moves = Event.objects.filter(reduce(or_, theirs), kind=DeadlineMoved.__name__)
    return dict(
        moves.order_by("game").values("game").annotate(Max("at")).values_list("game", "at__max")
    )


def _event(game: WaitingGame, changed: datetime, alarm: timedelta | None) -> CalendarEvent:
    link = settings.SITE_URL + game.get_absolute_url()
    summary = _("Your move: {table}").format(table=game.name)
    event = CalendarEvent()
    event.add("uid", f"{game.token}@{settings.SITE_URL.partition('://')[2]}")
    event.add("dtstamp", changed)
    event.add("last-modified", changed)
    event.add("sequence", game.version)
    event.add("dtstart", to_the_minute(game.deadline_at))
    event.add("duration", LASTS)
    event.add("summary", summary)
    event.add("description", link)
    event.add("url", link)
    if alarm is not None:
        bell = Alarm()
        bell.add("action", "DISPLAY")
        bell.add("trigger", -alarm)
        bell.add("description", summary)
        event.add_component(bell)
    return event


def _utc() -> Timezone:
    """The time zone in which all events are."""
    standard = TimezoneStandard()
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 - on the clock of the zone
    standard.add("tzoffsetfrom", timedelta())
    standard.add("tzoffsetto", timedelta())
    standard.add("tzname", "UTC")
    zone = Timezone()
    zone.add("tzid", "Etc/UTC")
    zone.add_component(standard)
    return zone
