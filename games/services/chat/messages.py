"""Table talk: saying something in front of all, and noting how far somebody has read."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Draft, Game, Message, OutboxMail, User, Visit
from games.presentation.text.words import money
from games.services import outbox, sql
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
"""How many messages one person says in 24 hours, at all tables."""
BETWEEN_MENTIONS: Final = timedelta(hours=1)


def say(*, game_id: int, user: User, text: str, token: UUID, now: datetime) -> Message:
    """Say something at a table at which one sits, before, during or after the game.

    The same `token`, made with the form, is one message however often it comes. Who is spoken to
    by name ("@Anna") gets a mail, unless they have blocked the speaker. The game's row is locked,
    so that the messages of a table are numbered in the order in which they can be read; the
    person before it, as everywhere.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = Game.objects.lock(game_id)
        said = Message.objects.filter(token=token).first()
        if said is not None:
            if said.author_id != user.pk or said.game_id != game.pk:
                raise Refused(
                    _("This page is out of date. Please reload it and send your text again.")
                )
            return said
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise Refused(_("Only players at this table can use its chat."))
        sanctions.refuse_who_may_not_write(person, now)
        refuse_unless_fit(game, user, text, now)
        message = write(game, author=user, text=text, token=token, now=now, seat_number=seat.number)
        notes.drop_draft(game, user, Draft.About.TALK)
        seats = game.seats.exclude(user__blocks__blocked=user).select_related("user")
        for person in mentioned(text, seats) - {user}:
            _mail_mention(message, person, now)
    return message


def refuse_unless_fit(game: Game, user: User, text: str, now: datetime) -> None:
    """Refuse a message that is empty or too long, or one too many, with `Refused`.

    And every message while the game of a table without messages is running.
    """
    if game.is_silent:
        raise Refused(_("At this table nobody writes messages while the game is running."))
    if not text:
        raise Refused(_("Please write something first."))
    if len(text) > LONGEST:
        message = _(
            "A message can have up to {most} characters, but yours has {length}. Please send it in "
            "two parts."
        )
        raise Refused(message.format(most=money(LONGEST), length=money(len(text))))
    if game.messages.filter(author=user, at__gt=now - WITHIN).count() >= MOST_AT_ONCE:
        message = _(
            "That's a lot at once: you can send up to {most} messages in 5 minutes. Please wait a"
            " bit and send it again; your text is still here."
        )
        raise Refused(message.format(most=MOST_AT_ONCE))
    today = Message.objects.filter(author=user, at__gt=now - timedelta(days=1))
    if today.count() >= MOST_A_DAY:
        message = _("You can send up to {most} messages in 24 hours. Please send this one later.")
        raise Refused(message.format(most=MOST_A_DAY))


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
    state = state_of(game) if game.state is not None else None
    return Message.objects.create(
        game=game,
        author=author,
        seat_number=seat_number,
        by_referee=by_referee,
        text=text,
        round=None if state is None else state.round,
        turn_of=None if state is None else state.active,
        token=token,
        at=now,
    )


def _mail_mention(message: Message, person: User, now: datetime) -> None:
    """One mail an hour to a person: what comes in between is in the mail that already waits."""
    mails = OutboxMail.objects.filter(game=message.game, person=person, kind="mention")
    if mails.filter(status=OutboxMail.Status.READY).exists():
        return
    sent = mails.exclude(status=OutboxMail.Status.DROPPED).order_by("-claimed_at").first()
    last = sent.claimed_at if sent is not None else None
    outbox.enqueue(
        "mention",
        game=message.game,
        person=person,
        now=now,
        about=message.pk,
        not_before=max(now, last + BETWEEN_MENTIONS) if last is not None else now,
    )


def visited(
    game: Game,
    user: User,
    now: datetime,
    *,
    last_message: int = 0,
    last_event: int = 0,
    is_first: bool = False,
) -> None:
    """Note how far somebody has read. It only ever rises. A locked game is not waited for.

    `is_first` says that they have never been here, as far as the caller knows.
    """
    values = {"game": game.pk, "user": user.pk, "at": now}
    values |= {"message": last_message, "event": last_event}
    if is_first or not sql.execute(_VISITED, values):
        visit = Visit(
            game=game, user=user, at=now, last_message=last_message, last_event=last_event
        )
        with unless_locked():
            Visit.objects.bulk_create([visit], ignore_conflicts=True)


_VISITED: Final = f"""
UPDATE {sql.table(Visit)} SET last_message = greatest(last_message, %(message)s),
    last_event = greatest(last_event, %(event)s), at = %(at)s
WHERE game_id = %(game)s AND user_id = %(user)s
"""  # noqa: S608 - only names of our own table and columns
