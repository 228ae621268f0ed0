"""Tells somebody that a reply of theirs wasn't read: at their own address, whoever has sent it."""

from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from django.db import transaction

from games.models import OutboxMail, User
from games.services import outbox
from games.services.inbound.addresses import Conversation

KIND: Final = "not_read"

AT_MOST_EVERY: Final = timedelta(days=1)


class Why(IntEnum):
    """Why a reply wasn't read."""

    SENDER = 1
    """It isn't from the person's address."""
    NOT_VOUCHED = 2
    """Nothing proves that it is."""
    DATE = 3
    """It doesn't say when it was written, or that was long ago, or is to come."""


def tell(conversation: Conversation, why: Why, now: datetime) -> None:
    """Email the person that something wasn't read, and why; once a day, however much there is.

    Nothing is ever said to the address from which it came: that may be anybody's.
    """
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=conversation.person.pk)
        lately = OutboxMail.objects.filter(person=person, kind=KIND)
        if not lately.filter(created_at__gt=now - AT_MOST_EVERY).exists():
            about = now.toordinal() * len(Why) + why - 1  # Another one on another day.
            outbox.enqueue("not_read", game=conversation.game, person=person, now=now, about=about)


def why(email: OutboxMail) -> Why:
    """Why what an email of this kind tells of wasn't read."""
    return Why(email.about % len(Why) + 1)
