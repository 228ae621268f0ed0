"""Private conversations: threads of some players, and writing in them."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from games.models import Game, PrivateMessage, Seat, Thread, ThreadMember, User
from games.services import live, outbox
from games.services.chat import messages
from games.services.clean_text import tidy
from games.services.game.notes import drop_message_draft
from games.services.people import sanctions
from games.services.people.blocks import at_odds_with
from games.services.refused import Refused

FEWEST: Final = 2
"""How many players a thread has at least, oneself included."""


def say(
    *,
    game_id: int,
    user: User,
    to: str | Collection[int],
    text: str,
    token: UUID,
    now: datetime,
) -> PrivateMessage:
    """Write a message `to` the thread with this token, or to the people with these keys.

    Theirs is the thread there is, or a new one. The others in it get email. The same `token`, made
    with the form, is one message however often it comes. `Refused` as `messages.say`, where there
    are no private conversations, and where somebody it is to has left the table.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = Game.objects.lock(game_id)
        message = PrivateMessage.objects.filter(token=token).first()
        if message is not None:
            if message.author_id != user.pk or (isinstance(to, str) and message.thread.token != to):
                raise Refused(messages.out_of_date())
            return message
        seats, own = seats_of(game, user)
        if isinstance(to, str):
            row = Thread.objects.get(game=game, token=to)
            refuse_unless_together(row, seats, own)
        else:
            row = thread_of(game, seats, {own, *_numbers_of(to, seats)}, now)
        refuse_at_odds(seats[number] for number in row.seats)
        sanctions.refuse_who_may_not_write(person, now)
        messages.refuse_unless_fit(game, user, text, now)
        stamp = messages.stamp(game)
        row.length += 1
        message = PrivateMessage.objects.create(
            thread=row, number=row.length, author=user, seat_number=own, text=text,
            **stamp, token=token, at=now,
        )  # fmt: skip
        row.save(update_fields=["length"])
        drop_message_draft(game, user, place_of(row.seats), now)
        notify(message, now)
    return message


def _numbers_of(people: Collection[int], seats: Mapping[int, Seat]) -> set[int]:
    """The seats of these people; `Refused` if one of them has left."""
    numbers = {number for number, seat in seats.items() if seat.user_id in people}
    if len(numbers) < len(people):
        raise Refused(_somebody_left())
    return numbers


def place_of(seats: Iterable[int]) -> str:
    """What names the conversation of these seats where drafts are kept."""
    return "-".join(str(number) for number in sorted(seats))


def seats_of(game: Game, user: User) -> tuple[dict[int, Seat], int]:
    """The seats of a locked table by number, and one's own number.

    `Refused` where there are no private conversations: at other tables, before the start and after
    the end, and for people without a seat.
    """
    if not game.has_threads:
        raise Refused(_("At this table, players can't talk privately."))
    if game.status != Game.Status.RUNNING:
        raise Refused(_("Players can talk privately only while the game is running."))
    seats = {seat.drawn_number: seat for seat in game.seats.select_related("user")}
    own = next((number for number, seat in seats.items() if seat.user_id == user.pk), None)
    if own is None:
        raise Refused(_("You don't have a seat at this table."))
    return seats, own


def thread_of(
    game: Game, seats: Mapping[int, Seat], numbers: Collection[int], now: datetime
) -> Thread:
    """The thread of the people who sit in these seats of a locked table now."""
    if len(numbers) < FEWEST:
        raise Refused(_("Please choose who you want to talk to."))
    if any(number not in seats or seats[number].user is None for number in numbers):
        raise Refused(_("Please choose human players: computer players don't read messages."))
    thread, is_new = Thread.objects.get_or_create(
        game=game,
        people=_key(seats, numbers),
        defaults={"seats": sorted(numbers), "began_at": now},
    )
    if is_new:
        ThreadMember.objects.bulk_create(
            ThreadMember(thread=thread, user=seats[number].user, seat_number=number)
            for number in thread.seats
        )
    return thread


def _key(seats: Mapping[int, Seat], numbers: Iterable[int]) -> str:
    return ",".join(f"{number}:{seats[number].user_id}" for number in sorted(numbers))


def are_together(thread: Thread, seats: Mapping[int, Seat]) -> bool:
    """Whether everybody of the thread still sits where they sat when it began."""
    return thread.people == _key(seats, thread.seats)


def refuse_unless_together(thread: Thread, seats: Mapping[int, Seat], own: int) -> None:
    """Refuse to write in a thread that isn't one's own, or that somebody has left."""
    if own not in thread.seats or not are_together(thread, seats):
        raise Refused(_somebody_left())


def _somebody_left() -> str:
    return _(
        "Someone in this conversation has left the table. Start a new conversation with the "
        "players who are there now."
    )


def refuse_at_odds(seats: Iterable[Seat]) -> None:
    """Refuse a conversation of people of whom one has blocked another, without their names."""
    people = [seat.user for seat in seats if seat.user is not None]
    if any(person in people for person in at_odds_with(people)):
        raise Refused(_("A private conversation between these players isn't possible."))


def notify(message: PrivateMessage, now: datetime) -> None:
    """Email the others of a thread, but not those who ignore the author; once for all unread.

    About a message, it leaves when that can't be edited any more; about an offer it waits as news
    does. Where everybody may know of conversations, the first message shows them that there is
    this one.
    """
    messages.refresh_pages_of_readers(message)
    if message.number == 1 and message.game.threads_shown:
        live.table_changed(message.game.pk)
    wait = messages.EDITED_WITHIN if message.deal is None else outbox.NEWS_WAITS
    others = messages.readers_of(message).exclude(user=message.author).select_related("user")
    for member in others.exclude(user__ignores__ignored=message.author):
        if member.user is not None:
            messages.email_now_and_then("private_message", member.user, message, now, wait)


def read_up_to(thread_id: int, user: User, number: int) -> None:
    """Store how far somebody has read in a thread. It only ever rises."""
    mine = ThreadMember.objects.filter(thread=thread_id, user=user, last_read__lt=number)
    mine.update(last_read=Greatest(F("last_read"), number))
