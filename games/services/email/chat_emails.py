"""Email about messages at a table: the contexts of its templates, and whether it still applies.

What may still be edited isn't quoted yet.
"""

from typing import Any

from django.utils.translation import gettext as _

from games.models import Message, OutboxEmail, Seat
from games.services.chat.messages import EDITED_WITHIN
from games.services.chat.queries import (
    shown_text,
    unread_for_good,
    unread_mentions,
    unread_text,
)
from games.services.chat.thread_queries import conversation_of, unread_in
from games.services.email.game_emails import MOST_LINES, sent_at, table_link
from games.services.email.promise_emails import private_breach
from games.services.game.position import read_position
from games.services.game.queries.promises import read_promises

type Context = dict[str, Any]


def mention(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The unread messages of the chat; the link leads there."""
    link = f"{table_link(email)}#chat"
    if email.person is None:
        return {"name": "", "lines": [], "more": 0, "link": link}
    game, person, at = email.the_game, email.person, sent_at(email)
    lines = unread_text(game, person, person.time_zone, MOST_LINES, at)
    last = lines[-1] if lines else None
    more = unread_for_good(game, person, at) - len(lines)
    writers = [line.name for line in lines if line.number == email.about]
    return {
        "name": writers[0] if writers else last.name if last is not None else "",
        "lines": lines,
        "more": max(more, 0),
        "preheader": f"{last.name}: {last.text}" if last is not None else "",
        "link": link,
    }


def mention_is_unread(email: OutboxEmail, seat: Seat | None) -> bool:
    """The reader still sits there, and has read it neither there nor in another email."""
    return (
        seat is not None
        and email.person is not None
        and not _was_quoted(email)
        and unread_mentions(email.the_game, email.person, sent_at(email))
    )


def private_message(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The unread messages of the thread; the link leads there."""
    thread, person = conversation_of(email), email.person
    if thread is None or person is None:
        return {"headline": "", "names": "", "lines": [], "link": f"{table_link(email)}#chat"}
    unread = unread_in(thread, person, sent_at(email))
    by_people = (line for line in reversed(unread.lines) if line.name)  # a verdict has no author
    last = next(by_people, None)
    name = last.name if last is not None else unread.names
    preheader = f"{name}: {last.deal or last.text}" if last is not None else ""
    position = read_position(email.the_game, person)
    numbers = [line.number for line in unread.lines]
    breach = private_breach(position, thread.messages.filter(number__in=numbers))
    return {
        "headline": _("A message from {name}").format(name=name),
        "preheader": preheader,
        **breach,
        "names": unread.names,
        "lines": unread.lines[-MOST_LINES:],
        "promises": read_promises(position).in_conversation(thread),
        "link": f"{table_link(email)}?talk={thread.token}#chat",
    }


def private_message_is_unread(email: OutboxEmail, seat: Seat | None) -> bool:
    """The reader still sits there, and has read it neither there nor in another email."""
    thread = conversation_of(email)
    if seat is None or thread is None or email.person is None or _was_quoted(email):
        return False
    return bool(unread_in(thread, email.person, sent_at(email)).lines)


def referee(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The message of the referee."""
    text = shown_text(Message.objects.get(pk=email.about))
    return {"text": text, "preheader": text}


def message_stands(email: OutboxEmail, seat: Seat | None) -> bool:
    """The message hasn't been removed, and the reader sits at the table.

    Or it is about what took the seat of the host.
    """
    messages = Message.objects.filter(pk=email.about).exclude(text="")
    if seat is None:
        messages = messages.filter(act__in=(Message.Act.HANDED_OVER, Message.Act.STARTED))
    return messages.exists()


def _was_quoted(email: OutboxEmail) -> bool:
    """Whether an email that left later has quoted this already, with all that was unread then."""
    same = OutboxEmail.objects.filter(game=email.game, person=email.person, kind=email.kind)
    if (thread := conversation_of(email)) is not None:
        same = same.filter(about__in=thread.messages.values("pk"))
    later = same.filter(claimed_at__gte=email.created_at + EDITED_WITHIN)
    return later.filter(status=OutboxEmail.Status.SENT).exclude(pk=email.pk).exists()
