"""The deadlines of a person as a calendar (RFC 5545), at an address that only they know.

The address is signed, not kept: it has a number in it that the person's row has, too.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import Max, Q
from django.db.models.functions import Abs
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Timezone, TimezoneStandard
from icalendar import Event as CalendarEvent

from games.models import Event, User
from games.presentation.text.words import to_the_minute
from games.services.accounts.queries.your_turn import WaitingGame, waiting_games
from games.services.public_ids import number_of, public_id
from games.table_events import DeadlineMoved

READ_AGAIN_AFTER: Final = timedelta(hours=1)
LASTS: Final = timedelta(minutes=15)
"""How long a deadline is in the calendar, to be seen there."""
ALARM: Final = timedelta(hours=1)
"""How long before a deadline the alarm is that the page offers."""
MOST_ALARM: Final = timedelta(days=7)


def address_of(person: User) -> str:
    """Where the person's calendar is; "" if they have none."""
    if person.calendar <= 0:
        return ""
    token = _signer().sign_object([public_id("person", person.pk), person.calendar])
    return f"{settings.SITE_URL}{reverse('calendar', args=[token])}"


def address_with_alarm(person: User) -> str:
    """The same, with an alarm before each deadline; "" if they have none."""
    address = address_of(person)
    return address and f"{address}?alarm={ALARM // timedelta(minutes=1)}"


def turn_on(person: User) -> None:
    """Give the person a calendar, at a new address: those from before lead nowhere."""
    User.objects.filter(pk=person.pk).update(calendar=Abs("calendar") + 1)


def turn_off(person: User) -> None:
    """End the person's calendar."""
    User.objects.filter(pk=person.pk).update(calendar=-Abs("calendar"))


def owner_of(token: str) -> User | None:
    """The person whose calendar this is; None if it was turned off, or they are banned."""
    try:
        person_id, number = _signer().unsign_object(token)
    except (BadSignature, TypeError, ValueError):
        return None
    return User.objects.filter(
        pk=number_of("person", str(person_id)) or 0, calendar=number, is_active=True
    ).first()


def feed(person: User, now: datetime, alarm: timedelta | None = None) -> bytes:
    """An event for each game that waits for the person, at its deadline's minute.

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
    games = waiting_games(person)
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


def _signer() -> Signer:
    return Signer(salt="calendar")
