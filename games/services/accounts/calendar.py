"""The deadlines of a person as a calendar (RFC 5545), at an address that only they know.

The address is signed, not kept: it has a number in it that the person's row has, too.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models.functions import Abs
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from games.models import User
from games.presentation.text.words import to_the_minute
from games.services.accounts.queries.your_turn import waiting_games

READ_AGAIN_AFTER: Final = timedelta(hours=1)


def address_of(person: User) -> str:
    """Where the person's calendar is; "" if they have none."""
    if person.calendar <= 0:
        return ""
    token = _signer().sign_object([person.pk, person.calendar])
    return f"{settings.SITE_URL}{reverse('calendar', args=[token])}"


def turn_on(person: User) -> None:
    """Give the person a calendar, at a new address: those from before lead nowhere."""
    User.objects.filter(pk=person.pk).update(calendar=Abs("calendar") + 1)


def turn_off(person: User) -> None:
    """End the person's calendar."""
    User.objects.filter(pk=person.pk).update(calendar=-Abs("calendar"))


def owner_of(token: str) -> User | None:
    """Whose calendar is there; None if there is none any more, and for whoever is banned."""
    try:
        person_id, number = _signer().unsign_object(token)
    except (BadSignature, TypeError, ValueError):
        return None
    return User.objects.filter(pk=person_id, calendar=number, is_active=True).first()


def feed(person: User, now: datetime) -> bytes:
    """An event for each game that waits for the person, at its deadline's minute. One query."""
    calendar = Calendar()
    calendar.add("prodid", "-//Intrigue//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Intrigue")
    calendar.add("refresh-interval", READ_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    with translation.override(person.language or settings.LANGUAGE_CODE):
        for game in waiting_games(person):
            link = settings.SITE_URL + game.get_absolute_url()
            event = Event()
            event.add("uid", f"{game.token}@{settings.SITE_URL.partition('://')[2]}")
            event.add("dtstamp", now)
            event.add("dtstart", to_the_minute(game.deadline_at))
            event.add("summary", _("Your move: {table}").format(table=game.name))
            event.add("description", link)
            event.add("url", link)
            calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content


def _signer() -> Signer:
    return Signer(salt="calendar")
