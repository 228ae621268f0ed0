"""Private conversations, as those who may read them do."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from games.models import (
    Game,
    OutboxEmail,
    PrivateMessage,
    Seat,
    Sitting,
    Thread,
    ThreadMember,
    User,
)
from games.presentation.text.words import NameList, People, dated, listed_names
from games.services.chat.messages import EDITED_WITHIN
from games.services.chat.queries import ChatLine, among, chat_lines, id_of, unread_in_threads
from games.services.chat.threads import are_together
from games.services.game.holders import Holders
from games.services.game.queries.causes import text_with_cause
from games.services.people.display_names import member_names, seat_name, seat_names
from games.services.public_ids import number_of, public_id
from games.table_events import PromiseJudged, decode_table_event

SHOWN_AT_ONCE: Final = 50
"""How many messages of a thread a page shows."""

_MEMBERS: Final = Prefetch("members", ThreadMember.objects.select_related("user"))


class ThreadLine(NamedTuple):
    """A thread in a list: its people, and how much of it the reader hasn't read.

    `names` are those with whom it began, without the reader, and say of each who has left. Others
    read only that it is there, or all of it once it is open to everybody (`can_read`). `token`
    names it in addresses. `colour` and `user_id` are the other one's of a pair who can talk now;
    there are none elsewhere. If the two haven't talked yet, there is no `thread`, and the
    `person_id` is the token.
    """

    token: str
    names: NameList
    seats: set[int]
    unread: int
    is_own: bool
    can_read: bool
    colour: str = ""
    user_id: int = 0
    thread: Thread | None = None

    @property
    def person_id(self) -> str:
        """The id of the other person of a pair."""
        return public_id("person", self.user_id) if self.user_id else ""


class ThreadPage(NamedTuple):
    """Some of a thread, the latest last.

    `can_write` says whether everybody is still there. `kept_until` is when it is deleted, on the
    reader's clock, and `emptied_at` when it was; "" where it isn't, or wasn't. `older_than` is the
    id of the first line if there are older ones, or "". `left` says who has left, and that whoever
    has their seat can't read this; `names` are those in it.
    """

    lines: list[ChatLine]
    older_than: str
    can_write: bool
    kept_until: str
    emptied_at: str
    left: list[str]
    names: list[str]


def threads_at(
    game: Game, user: User | None, seats: Sequence[Seat] | None = None
) -> list[ThreadLine]:
    """The threads of a table that the reader may know of, their own first.

    Who has the `seats` already gives them and spares a query.
    """
    if not game.has_threads:
        return []
    seats = list(game.seats.all()) if seats is None else seats
    unread: dict[int, int] = {}
    if user is not None:
        here = unread_in_threads(user).filter(thread__game=game)
        unread = {thread: number for _game, thread, number in here}
    lines = []
    for thread in game.threads.defer("ledger").prefetch_related(_MEMBERS):
        members = list(thread.members.all())
        own = _own(members, user)
        is_own = own is not None and _knows(game, thread, own)
        if not is_own and not (thread.length and (game.threads_shown or game.threads_are_open)):
            continue
        lines.append(
            ThreadLine(
                token=thread.token,
                names=_names(members, own, seats),
                seats=set(thread.seats),
                unread=unread.get(thread.pk, 0),
                is_own=is_own,
                can_read=is_own or game.threads_are_open,
                thread=thread,
            )
        )
    return sorted(lines, key=lambda line: not line.is_own)


def tabs_at(game: Game, user: User | None, seats: Sequence[Seat]) -> list[ThreadLine]:
    """The same, first of all one with each other person who sits there now, clockwise.

    For players of a running game, that is; others talk to nobody.
    """
    lines = threads_at(game, user, seats)
    own = next((seat for seat in seats if user is not None and seat.user_id == user.pk), None)
    if own is None or not game.has_threads or game.status != Game.Status.RUNNING:
        return lines
    people = {seat.drawn_number: seat for seat in seats if seat.user is not None}
    mine = people.pop(own.drawn_number)
    clockwise = sorted(people, key=lambda number: (number - mine.drawn_number) % len(seats))
    pairs = [_pair(lines, mine, people[number]) for number in clockwise]
    tokens = {line.token for line in pairs}
    return [*pairs, *(line for line in lines if line.token not in tokens)]


def _pair(lines: list[ThreadLine], own: Seat, other: Seat) -> ThreadLine:
    """The conversation of two people, among these or one that hasn't begun."""
    both = {seat.drawn_number: seat for seat in (own, other)}
    names = listed_names([seat_name(other)])
    pair = ThreadLine("", names, set(both), 0, is_own=True, can_read=True)
    for line in lines:
        if line.thread and line.seats == pair.seats and are_together(line.thread, both):
            pair = line
    pair = pair._replace(colour=other.colour, user_id=other.user_id or 0)
    return pair._replace(token=pair.token or pair.person_id)


def line_of(lines: Sequence[ThreadLine], token: str) -> ThreadLine | None:
    """The one of these that an address names, if the reader may read it."""
    named = (one for one in lines if one.can_read and token in {one.token, one.person_id})
    return next(named, None) if token else None


def read_thread(
    game: Game,
    thread: Thread,
    user: User | None,
    zone: str,
    *,
    holders: Holders | None = None,
    before: int | None = None,
) -> ThreadPage:
    """A thread of a started game as somebody may read it; `Thread.DoesNotExist` for all others.

    Those who are in it read what was written until they left their seat. Given a number, only what
    was written `before` it. Who has the `holders` already gives them and spares a query.
    """
    members = list(thread.members.all())
    own = _own(members, user)
    if own is not None and not game.threads_are_open and not _knows(game, thread, own):
        raise Thread.DoesNotExist
    rows = _readable(game, thread, own)
    if before is not None:
        rows = rows.filter(number__lt=before)
    messages = list(rows.order_by("-number")[: SHOWN_AT_ONCE + 1])
    messages, older = messages[:SHOWN_AT_ONCE], messages[SHOWN_AT_ONCE:]
    holders = Holders.of(game) if holders is None else holders
    by_number = {seat.drawn_number: seat for seat in holders.seats}
    return ThreadPage(
        lines=_lines(game, messages[::-1], zone, holders, user, own),
        older_than=id_of(messages[-1]) if older else "",
        can_write=own is not None
        and game.status == Game.Status.RUNNING
        and are_together(thread, by_number),
        kept_until=_dated(thread.ends_at, zone),
        emptied_at=_dated(thread.emptied_at, zone),
        left=[] if game.threads_are_open else _who_left(members, own, holders.seats),
        names=[*member_names(members), *seat_names(holders.seats)],
    )


def _dated(at: datetime | None, zone: str) -> str:
    return "" if at is None else dated(at, zone)


def _readable(game: Game, thread: Thread, own: ThreadMember | None) -> QuerySet[PrivateMessage]:
    """What somebody may read of a thread; `Thread.DoesNotExist` for those who aren't in it.

    A player who took over a seat reads what was written since, without what is `unknown_to` them.
    """
    rows = thread.messages.select_related("author", "redaction__report", "thread__game")
    if thread.emptied_at is not None:
        # What a report was about has kept its row, without the words.
        rows = rows.exclude(deal__isnull=True, redaction=None)
    if game.threads_are_open:
        return rows
    if own is None:
        raise Thread.DoesNotExist
    rows = rows.filter(number__gt=own.since).exclude(unknown_to__contains=[own.seat_number])
    left_at = _left_at(game, own)
    return rows if left_at is None else rows.filter(at__lt=left_at)


def _own(members: list[ThreadMember], user: User | None) -> ThreadMember | None:
    return next((one for one in members if user is not None and one.user_id == user.pk), None)


def _knows(game: Game, thread: Thread, own: ThreadMember) -> bool:
    """Whether they may know that there is such a thread: they were in it, or can read of it."""
    return own.since == 0 or _readable(game, thread, own).exists()


def readable_message(game_token: str, token: str, message: str, user: User) -> PrivateMessage:
    """A message of a thread by its id, as one of those in it may read it; or `DoesNotExist`.

    By its number only for those there from the first one on: it shows how many came before.
    """
    where = {"game__token": game_token, "members__user": user}
    thread = Thread.objects.select_related("game").get(token=token, **where)
    own = thread.members.get(user=user)
    number = number_of(among(token), message, old=own.since == 0)
    return _readable(thread.game, thread, own).get(number=number or 0)


def _left_at(game: Game, own: ThreadMember) -> datetime | None:
    """When somebody of a thread left their seat; None while they sit there."""
    mine = Sitting.objects.filter(seat__game=game, seat__number=own.seat_number, user=own.user)
    last = mine.order_by("-pk").first()
    return None if last is None else last.ended_at


def _lines(
    game: Game,
    messages: list[PrivateMessage],
    zone: str,
    holders: Holders,
    reader: User | None,
    own: ThreadMember | None,
) -> list[ChatLine]:
    ignored = set()
    fresh = set()
    if reader is not None and own is not None:
        ignored = set(reader.ignores.values_list("ignored", flat=True))
        fresh = {
            one.pk
            for one in messages
            if one.number > own.last_read and one.author_id not in {reader.pk, *ignored}
        }
    people = People(game.decoded().table, seat_names(holders.seats), reader=_seat_of(own, holders))
    lines = chat_lines(game, messages, zone, fresh, holders, reader=reader)
    return [
        line._replace(
            deal=_deal_text(people.then(list(line.names)), one, holders),
            ignored=one.author_id in ignored,
        )
        for line, one in zip(lines, messages, strict=True)
    ]


def _seat_of(own: ThreadMember | None, holders: Holders) -> int | None:
    """The seat of a reader who still sits where they sat when they joined the thread."""
    if own is None:
        return None
    sits = any((one.number, one.user_id) == (own.seat_number, own.user_id) for one in holders.seats)
    return own.seat_number if sits else None


def _deal_text(people: People, message: PrivateMessage, holders: Holders) -> str:
    """The offer, the reply or the verdict that was written into the thread; "" for plain words."""
    if message.deal is None:
        return ""
    event, heir = decode_table_event(message.deal), ""
    if isinstance(event, PromiseJudged):
        heir = holders.heir_judged(people, event, message.after, message.thread)
    return text_with_cause(people, event, message.cause, heir)


def _names(
    members: list[ThreadMember], own: ThreadMember | None, seats: Sequence[Seat]
) -> NameList:
    """Those with whom a thread began, without the reader; who has left is marked so.

    Who has the seat of one of them now can't read it, and isn't named.
    """
    others = [one for one in members if one.since == 0 and one != own]
    gone, marked = _gone(others, seats), _("{name} (left)")
    names = member_names(others)
    shown = [
        marked.format(name=name) if one in gone and one.user_id is not None else name
        for one, name in zip(others, names, strict=True)
    ]
    return listed_names(names, shown)


def _gone(members: Iterable[ThreadMember], seats: Sequence[Seat]) -> list[ThreadMember]:
    """Those of a thread who don't have their seat any more."""
    sitting = {(seat.drawn_number, seat.user_id) for seat in seats if seat.user_id is not None}
    return [one for one in members if (one.seat_number, one.user_id) not in sitting]


def _who_left(
    members: list[ThreadMember], own: ThreadMember | None, seats: Sequence[Seat]
) -> list[str]:
    """Of each with whom a thread began and who has left: that they have, and who can't read it."""
    began = [one for one in members if one.since == 0 and one != own]
    holders = {seat.drawn_number: seat for seat in seats}
    said = []
    for one in _gone(began, seats):
        seat, [name] = holders[one.seat_number], member_names([one])
        if own is not None and own.seat_number == one.seat_number:
            text = _(
                "You've taken over {other}'s seat. Anything written here earlier is hidden from "
                "you, but you can see the seat's offers and promises and what becomes of them."
            )
        elif seat.user_id is not None:
            text = _(
                "{other} has left the table. {name} has taken over the seat and can't read what "
                "was written here earlier, but can see the seat's offers and promises."
            )
        else:
            text = _(
                "{other} has left the table. A player who takes over the seat won't be able to "
                "read what was written here."
            )
        said.append(text.format(other=name, name=seat_name(seat)))
    return said


class OwnThread(NamedTuple):
    """All that somebody may read of a thread they are in, the oldest first, and with whom it is."""

    names: NameList
    messages: list[PrivateMessage]
    lines: list[ChatLine]


def own_threads(game: Game, user: User) -> list[OwnThread]:
    """The threads of a started game that somebody is or was in, as they may read them."""
    holders = Holders.of(game)
    found = []
    for thread in game.threads.filter(members__user=user).prefetch_related("members__user"):
        members = list(thread.members.all())
        own = next(one for one in members if one.user_id == user.pk)
        messages = list(_readable(game, thread, own).order_by("number"))
        if own.since and not messages:
            continue
        lines = _lines(game, messages, user.time_zone, holders, user, own)
        found.append(OwnThread(_names(members, own, holders.seats), messages, lines))
    return found


class UnreadThread(NamedTuple):
    """What somebody hasn't read of a thread, the oldest first, for an email."""

    names: str
    lines: list[ChatLine]


def unread_in(thread: Thread, user: User, at: datetime) -> UnreadThread:
    """What somebody of a thread hasn't read there, as long as they sit where they sat.

    Without what may still be edited `at` that time: words, that is, and no offers. Of offers,
    replies and verdicts that a rewind has undone, only the words that went with them.
    """
    game, members = thread.game, list(thread.members.select_related("user"))
    holders = Holders.of(game)
    places = {(seat.user_id, seat.number) for seat in holders.seats}
    own = next((one for one in members if one.user_id == user.pk), None)
    if own is None or (user.pk, own.seat_number) not in places:
        return UnreadThread("", [])
    fixed = Q(deal__isnull=False) | Q(at__lte=at - EDITED_WITHIN)
    fixed &= Q(deal__isnull=True) | Q(undone=False) | ~Q(text="")
    messages = list(_readable(game, thread, own).filter(fixed, number__gt=own.last_read))
    lines = _lines(game, messages, user.time_zone, holders, user, own)
    lines = [line._replace(deal="") if line.undone else line for line in lines]
    return UnreadThread(
        _names(members, own, holders.seats), [line for line in lines if line.unread]
    )


def conversation_of(email: OutboxEmail) -> Thread | None:
    """The thread that an email is about; None if it is about none, or about one that is gone."""
    if email.kind != "private_message":
        return None
    message = PrivateMessage.objects.select_related("thread__game").filter(pk=email.about).first()
    return None if message is None else message.thread
