"""Emails people that a reply of theirs wasn't read: at their own address, whoever has sent it.

Anyone who knows a secret address of theirs can bring that about: so at most once a day, and never
in their quiet hours (days 33).
"""

from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from django.db import transaction

from games.features.inbound.addresses import Conversation
from games.models import Game, OutboxEmail, User
from games.services import outbox
from games.services.chat.thread_queries import ThreadLine, threads_at
from games.services.game.hours import QuietHours

AT_MOST_EVERY: Final = timedelta(days=1)


class Why(IntEnum):
    """The reason why a reply wasn't read."""

    SENDER = 1
    """It isn't from the person's address."""
    NOT_VOUCHED = 2
    """Nothing proves that it is."""
    DATE = 3
    """It doesn't say when it was written, or that was long ago, or is to come."""
    SEVERAL = 4
    """It replies to an old email, which had messages of several conversations."""


def may_mean_several(conversation: Conversation) -> bool:
    """Whether a reply to a private message may be for another conversation than its address."""
    person, game, thread, is_old = conversation
    return thread is not None and is_old and len(private_threads(game, person)) > 1


def private_threads(game: Game, person: User) -> list[ThreadLine]:
    """The private conversations of a person at a table."""
    return [one for one in threads_at(game, person) if one.is_own]


def notify(conversation: Conversation, why: Why, now: datetime) -> None:
    """Email the person that something wasn't read, and why; once a day, however much there is.

    Nothing is ever sent to the address from which it came: that may be anybody's.
    """
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=conversation.person.pk)
        lately = OutboxEmail.objects.filter(person=person, kind="not_read")
        if not lately.filter(created_at__gt=now - AT_MOST_EVERY).exists():
            about = now.toordinal() * len(Why) + why - 1  # Another one on another day.
            at = _after_quiet_hours(conversation, now)
            outbox.enqueue(
                "not_read",
                game=conversation.game,
                person=person,
                now=now,
                about=about,
                not_before=at,
            )


def _after_quiet_hours(conversation: Conversation, now: datetime) -> datetime:
    hours = QuietHours.of(conversation.person, conversation.game)
    quiet = hours.around(now) if hours is not None else None
    return now if quiet is None else quiet[1]


def why(email: OutboxEmail) -> Why:
    """The reason why the reply that an email of this kind is about wasn't read."""
    return Why(email.about % len(Why) + 1)
