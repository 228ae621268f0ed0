"""Notifies moderators by other channels that no email leaves: email couldn't reach them."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games import extensions
from games.models import MailServer
from games.services import roles, site_state
from games.services.operations.health import email_stands_still

ALARM_AFTER: Final = timedelta(minutes=2)
"""How long no email has to leave: after a start, what has waited needs a moment."""


def watch_email(now: datetime) -> bool:
    """Raise an alarm once for each outage, and once when it is over; whether one was raised.

    Safe to run side by side. Under maintenance nothing is watched.
    """
    if site_state.read().maintenance_since is not None:
        return False
    server, _created = MailServer.objects.get_or_create()
    if not email_stands_still(now):
        return _is_over(server, now)
    if server.failing_since is None:
        MailServer.objects.filter(failing_since=None).update(failing_since=now)
        return False
    if server.alarmed_at is not None or now - server.failing_since < ALARM_AFTER:
        return False
    with transaction.atomic(durable=True):
        is_first = MailServer.objects.filter(alarmed_at=None).update(alarmed_at=now)
        return bool(is_first) and _notify(MailServer.Alarm.FAILS, now)


def _is_over(server: MailServer, now: datetime) -> bool:
    if server.failing_since is None:
        return False
    with transaction.atomic(durable=True):
        ended = MailServer.objects.filter(failing_since=server.failing_since)
        is_first = ended.update(failing_since=None, alarmed_at=None)
        was_notified = server.alarmed_at is not None
        return bool(is_first) and was_notified and _notify(MailServer.Alarm.WORKS, now)


def _notify(alarm: MailServer.Alarm, now: datetime) -> bool:
    people = roles.moderators()
    reached = [channel.alarm(people, alarm, now) for channel in extensions.channels()]
    return any(reached)
