"""The table chat: writing to the whole table, editing it, and storing how far one has read."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext as _

from games.models import (
    Game,
    Message,
    OutboxEmail,
    PrivateMessage,
    ThreadMember,
    User,
    Visit,
)
from games.presentation.text.tables import time_text
from games.presentation.text.words import money
from games.services import live, outbox
from games.services.clean_text import tidy
from games.services.game import notes
from games.services.game.unreadable import state_of
from games.services.people import sanctions
from games.services.people.mentions import mentioned
from games.services.refused import Refused
from games.services.timeouts import unless_locked

LONGEST: Final = 2000
MOST_AT_ONCE: Final = 20
WITHIN: Final = timedelta(minutes=5)
MOST_A_DAY: Final = 500
"""How many messages one person sends in 24 hours, at all tables."""
BETWEEN_EMAILS: Final = timedelta(hours=1)
"""For at least so long a person gets no further email that somebody writes at a table."""
LONGEST_WAIT: Final = timedelta(minutes=8)
"""How long an email waits for what is written after it."""
EDITED_WITHIN: Final = timedelta(minutes=2)
"""How long a message can be edited by its author."""


def say(*, game_id: int, user: User, text: str, token: UUID, now: datetime) -> Message:
    """Write a message at a table at which one sits, before, during or after the game.

    The same `token`, made with the form, is one message however often it comes. A player who is
    mentioned ("@Anna") gets an email, unless they have blocked the writer. The game's row is
    locked, so that the messages of a table are numbered in the order in which they can be read;
    the person before it, as everywhere.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = Game.objects.lock(game_id)
        message = Message.objects.filter(token=token).first()
        if message is not None:
            if message.author_id != user.pk or message.game_id != game.pk:
                raise Refused(out_of_date())
            return message
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise Refused(_("Only players at this table can use its chat."))
        sanctions.refuse_who_may_not_write(person, now)
        refuse_unless_fit(game, user, text, now)
        message = write(game, author=user, text=text, token=token, now=now, seat_number=seat.number)
        notes.drop_message_draft(game, user, "", now)
        seats = game.seats.exclude(user__blocks__blocked=user).exclude(user__ignores__ignored=user)
        for person in mentioned(text, seats.select_related("user")) - {user}:
            email_now_and_then("mention", person, message, now)
    return message


def is_sent(token: UUID) -> bool:
    """Whether the message with this token has been sent, to all or to fewer."""
    same = (model.objects.filter(token=token) for model in (Message, PrivateMessage))
    return any(rows.exists() for rows in same)


def edit(*, message: Message | PrivateMessage, user: User, text: str, now: datetime) -> None:
    """Change the text of one's own message, within `EDITED_WITHIN` of sending it.

    Its earlier text is kept for moderators, in case somebody reports it. `Refused` later, for
    what others wrote, for what was removed, for private messages from before leaving the table,
    and as in `say`.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = Game.objects.lock(message.game.pk)
        message.refresh_from_db()
        if text == message.text:
            return
        if (
            not may_edit(message, user, now)
            or hasattr(message, "redaction")
            or _has_left(message, user)
        ):
            text = _("Only the author can edit a message, and only for {time} after sending it.")
            raise Refused(text.format(time=time_text(EDITED_WITHIN)))
        sanctions.refuse_who_may_not_write(person, now)
        _refuse_unless_readable(game, text)
        message.earlier = [*message.earlier, message.text]
        message.text, message.edited_at = text, now
        message.save(update_fields=["text", "earlier", "edited_at"])
        refresh_pages_of_readers(message)


def _has_left(message: Message | PrivateMessage, user: User) -> bool:
    """Whether its author belongs no more to the conversation in which it was written."""
    return (
        isinstance(message, PrivateMessage) and not readers_of(message).filter(user=user).exists()
    )


def refresh_pages_of_readers(message: Message | PrivateMessage) -> None:
    """Have the open pages of those who may read it fetch themselves again."""
    if isinstance(message, Message):
        live.table_changed(message.game_id)
    else:
        live.people_concerned(readers_of(message).values_list("user_id", flat=True))


def readers_of(message: PrivateMessage) -> QuerySet[ThreadMember]:
    """The members who may read a message of a thread, of those who still have their seats.

    Neither those who have left, nor those who came later and may not know (days 29 and 30).
    """
    sitting = message.thread.members.filter(
        user__seats__game=message.thread.game_id, user__seats__number=F("seat_number")
    )
    return sitting.filter(since__lt=message.number).exclude(seat_number__in=message.unknown_to)


def may_edit(message: Message | PrivateMessage, user: User, now: datetime) -> bool:
    """Whether somebody may still change this message."""
    fixed = message.by_referee if isinstance(message, Message) else message.deal is not None
    return message.author_id == user.pk and not fixed and now < message.at + EDITED_WITHIN


def out_of_date() -> str:
    return _("This page is out of date. Please reload it and try again.")


def refuse_unless_fit(game: Game, user: User, text: str, now: datetime) -> None:
    """Refuse a message that is empty or too long, or one too many, with `Refused`.

    And every message while the game of a table without messages is running.
    """
    _refuse_unless_readable(game, text)
    lately = now - WITHIN
    at_table = game.messages.filter(author=user, at__gt=lately).count()
    privately = PrivateMessage.objects.filter(thread__game=game, author=user, at__gt=lately)
    if at_table + privately.count() >= MOST_AT_ONCE:
        message = _(
            "That's a lot at once: you can send up to {most} messages in {time}. This one wasn't "
            "sent: please wait a bit and send it again."
        )
        raise Refused(message.format(most=MOST_AT_ONCE, time=time_text(WITHIN)))
    mine = Q(author=user, at__gt=now - timedelta(days=1))
    today = Message.objects.filter(mine).count() + PrivateMessage.objects.filter(mine).count()
    if today >= MOST_A_DAY:
        message = _("You can send up to {most} messages in 24 hours. Please send this one later.")
        raise Refused(message.format(most=MOST_A_DAY))


def _refuse_unless_readable(game: Game, text: str) -> None:
    if game.is_silent:
        raise Refused(_("Players can't write messages at this table while the game is running."))
    if not text:
        raise Refused(_("Please write something first."))
    if len(text) > LONGEST:
        message = _(
            "A message can have up to {most} characters, but yours has {length}. Please send it "
            "in parts."
        )
        raise Refused(message.format(most=money(LONGEST), length=money(len(text))))


def write(
    game: Game,
    *,
    author: User,
    text: str,
    token: UUID,
    now: datetime,
    seat_number: int | None = None,
    by_referee: bool = False,
) -> Message:
    """Write a message at a locked table, stamped with the moment of the game, where it has one."""
    live.table_changed(game.pk)
    return Message.objects.create(
        game=game,
        author=author,
        seat_number=seat_number,
        by_referee=by_referee,
        text=text,
        **stamp(game),
        token=token,
        at=now,
    )


def stamp(game: Game) -> dict[str, int | None]:
    """The moment of the game, as messages are stamped with it."""
    state = state_of(game) if game.state is not None else None
    if state is None:
        return {"round": None, "turn_of": None}
    return {"round": state.round, "turn_of": state.active}


def email_now_and_then(
    kind: str,
    person: User,
    message: Message | PrivateMessage,
    now: datetime,
    wait: timedelta = EDITED_WITHIN,
) -> None:
    """Email a person about what was written, once an hour: what comes in between is in that email.

    It leaves after a `wait` at the earliest, in which what was written may be edited: one that
    would leave sooner waits for it, too. Where it has waited for others already, another one
    follows. Each private conversation has email of its own.
    """
    game = message.game
    same = OutboxEmail.objects.filter(game=game, person=person, kind=kind)
    if isinstance(message, PrivateMessage):
        same = same.filter(about__in=message.thread.messages.values("pk"))
    waiting = same.filter(status=OutboxEmail.Status.READY)
    if waiting.filter(not_before__gte=now + wait).exists():
        return
    if waiting.filter(attempts=0, created_at__gt=now - LONGEST_WAIT).update(not_before=now + wait):
        return
    before = same.exclude(status=OutboxEmail.Status.DROPPED)
    last = before.aggregate(at=Max(Coalesce("claimed_at", "not_before")))["at"]
    at = max(now + wait, last + BETWEEN_EMAILS) if last is not None else now + wait
    outbox.enqueue(kind, game=game, person=person, now=now, about=message.pk, not_before=at)


def visited(
    game: Game,
    user: User,
    now: datetime,
    *,
    last_message: int = 0,
    last_event: int = 0,
    is_first: bool = False,
) -> None:
    """Store how far somebody has read. It only ever rises. A locked game is not waited for.

    `is_first` says that they have never been here, as far as the caller knows.
    """
    before = Visit.objects.filter(game=game, user=user)
    if is_first or not before.update(
        last_message=Greatest("last_message", last_message),
        last_event=Greatest("last_event", last_event),
        at=now,
    ):
        visit = Visit(
            game=game, user=user, at=now, last_message=last_message, last_event=last_event
        )
        with unless_locked():
            Visit.objects.bulk_create([visit], ignore_conflicts=True)
