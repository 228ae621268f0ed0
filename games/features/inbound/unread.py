"""Emails people that a reply of theirs wasn't read: at their own address, whoever has sent it.

Anyone who knows a secret address of theirs can bring that about: so at most once a day, and never
in their quiet hours (days 33).
"""

from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, Final

from django.db import transaction

from games.features.inbound.addresses import Conversation
from games.features.inbound.writers import lock_writer
from games.models import Game, InboundEmail, OutboxEmail, User
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
    person, game = conversation.person, conversation.game
    if person is None or game is None or conversation.thread is None:
        return False
    return conversation.is_old and len(private_threads(game, person)) > 1


def private_threads(game: Game, person: User) -> list[ThreadLine]:
    """The private conversations of a person at a table."""
    return [one for one in threads_at(game, person) if one.is_own]


def notify(conversation: Conversation, why: Why, now: datetime) -> None:
    """Email the person that something wasn't read, and why; once a day, however much there is.

    Nothing is ever sent to the address from which it came: that may be anybody's.
    """
    with transaction.atomic(durable=True):
        writer = lock_writer(conversation)
        if not _was_emailed_lately(writer, now):
            outbox.enqueue(
                "not_read",
                game=conversation.game,
                **writer,
                now=now,
                about=_about(conversation, writer, why, now),
                not_before=_after_quiet_hours(conversation, now),
            )


def _was_emailed_lately(writer: dict[str, Any], now: datetime) -> bool:
    since = now - AT_MOST_EVERY
    if writer["person"] is None:  # The email itself may go to who has an account there by now.
        noted = InboundEmail.objects.filter(**writer, received_at__gt=since)
        return noted.filter(response__why__isnull=False).exists()
    lately = OutboxEmail.objects.filter(**writer, kind="not_read")
    return lately.filter(created_at__gt=since).exists()


def _about(conversation: Conversation, writer: dict[str, Any], why: Why, now: datetime) -> int:
    """What the email is about: the reason, and the day; or the row that says what wasn't read.

    That row has nothing of the message.
    """
    if conversation.matter is None:
        return now.toordinal() * len(Why) + why - 1  # Another one on another day.
    row = InboundEmail.objects.create(
        **writer,
        topic=conversation.matter.stored,
        message_id=f"unread at {now.isoformat()}",  # No Message-ID has a space.
        received_at=now,
        state=InboundEmail.State.DONE,
        response={"why": why},
    )
    return row.pk


def _after_quiet_hours(conversation: Conversation, now: datetime) -> datetime:
    reader = conversation.person or User.objects.filter(email=conversation.address).first()
    hours = QuietHours.of(reader, conversation.game)
    quiet = hours.around(now) if hours is not None else None
    return now if quiet is None else quiet[1]


def why(email: OutboxEmail) -> Why:
    """The reason why the reply that an email of this kind is about wasn't read."""
    if email.game_id is None:
        return Why(InboundEmail.objects.get(pk=email.about).response["why"])
    return Why(email.about % len(Why) + 1)
