"""The chat of a table as one person reads it, and what of it they have not read yet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Func, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import COLOURS
from games.models import (
    Game,
    Ignore,
    Message,
    OutboxEmail,
    PrivateMessage,
    Redaction,
    Report,
    ThreadMember,
    User,
    Visit,
)
from games.presentation.text.time_left import clock_text, day_text
from games.presentation.text.words import moment, to_the_minute
from games.services.chat.messages import EDITED_WITHIN, may_edit
from games.services.game.holders import Holders
from games.services.people.display_names import (
    is_by_referee,
    speaker,
    speaker_crest,
    speaker_person_id,
)
from games.services.people.mentions import is_mentioned
from games.services.public_ids import public_id

ACT_TEXTS: Final[dict[str, Promise]] = {
    Message.Act.RENAMED: gettext_lazy("The referee has renamed this table. Reason: {reason}"),
    Message.Act.DESCRIPTION_REMOVED: gettext_lazy(
        "The referee has removed this table's description. Reason: {reason}"
    ),
    Message.Act.HANDED_OVER: gettext_lazy(
        "The referee has made someone else the host of this table. Reason: {reason}"
    ),
    Message.Act.STARTED: gettext_lazy(
        "The referee has started the game with computer players. Reason: {reason}"
    ),
}


def among(thread: str) -> str:
    """What the ids of the messages in the thread with this token are of."""
    return f"message in {thread}"


class ChatLine(NamedTuple):
    """A message: its author, the moment of the game, and the time on the reader's clock.

    `id` names it in addresses. `person_id` is None for the referee, and for authors without an
    account any more. `office` is what those who keep order are, which no name can show; "" for
    everybody else. Of what the referee has `removed`, the text says so, and why. What the reader
    may report is `reportable`, and what they may still edit `editable`. `appeal` is the report to
    which the reader may object because their message was removed, by its id; "" otherwise.
    `ignored` says that the reader ignores the author, `undone` that a rewind has undone the moment
    when it was written. `deal` is an offer made in a thread, a reply to one, or what became of it,
    in words. `crest` is that of the author, "" for the referee. `own` says that the reader wrote
    it, and `names` are those of the players.
    """

    number: int
    name: str
    colour: str
    when: str
    at: str
    text: str
    day: str
    time: str
    instant: datetime
    person_id: int | None
    removed: bool
    reportable: bool
    appeal: str
    unread: bool = False
    office: str = ""
    editable: bool = False
    edited: bool = False
    ignored: bool = False
    undone: bool = False
    deal: str = ""
    crest: str = ""
    own: bool = False
    names: Sequence[str] = ()
    id: str = ""


def messages_of(
    game: Game,
    user: User | None,
    zone: str = "UTC",
    most: int | None = None,
    *,
    before: int | None = None,
    holders: Holders | None = None,
    last_read: int | None = None,
) -> list[ChatLine]:
    """The messages at the table, the latest first, at most `most` of them.

    Where a number is given, only those `before` the message of that number. Those that the reader
    has not seen are marked; none are, for somebody who is not signed in. A caller that has the
    `holders` and the reader's `last_read` message already gives them and spares a query.
    """
    ignores = Ignore.objects.filter(user=user, ignored=OuterRef("author"))
    rows = game.messages.select_related("author", "redaction__report").order_by("-pk")
    rows = rows if before is None else rows.filter(pk__lt=before)
    messages = list(rows.annotate(is_ignored=Exists(ignores))[:most])
    ignored = {one.pk for one in messages if one.is_ignored}
    if user is None:
        fresh = set()
    elif last_read is None:
        fresh = set(unread_messages(game, user).values_list("pk", flat=True))
    else:
        fresh = {one.pk for one in messages if one.pk > last_read and one.author_id != user.pk}
    lines = chat_lines(game, messages, zone, fresh - ignored, holders, reader=user)
    return [line._replace(ignored=line.number in ignored) for line in lines]


def unread_text(game: Game, user: User, zone: str, most: int, at: datetime) -> list[ChatLine]:
    """The latest `most` of what the person has not read yet, the oldest first, for an email.

    Without what may still be edited `at` that time.
    """
    messages = (
        _unread_for_good(game, user, at).select_related("author", "redaction").order_by("-pk")
    )
    return chat_lines(game, reversed(messages[:most]), zone, set())


def chat_lines(
    game: Game,
    messages: Iterable[Message | PrivateMessage],
    zone: str,
    fresh: set[int],
    holders: Holders | None = None,
    *,
    reader: User | None = None,
) -> list[ChatLine]:
    """These messages as the reader reads them; `fresh` are the keys of those they haven't seen.

    The players are called by the names of those who sat there then.
    """
    if game.state is None:
        holders = None
    elif holders is None:
        holders = Holders.of(game)
    return [
        _line(message, _names_then(message, holders), zone, reader)._replace(
            unread=message.pk in fresh
        )
        for message in messages
    ]


def _line(
    message: Message | PrivateMessage, names: list[str], zone: str, reader: User | None
) -> ChatLine:
    """The message as its reader reads it, when the players were called by these `names`."""
    return ChatLine(
        number=message.number if isinstance(message, PrivateMessage) else message.pk,
        id=id_of(message),
        name=speaker(message),
        colour="" if message.seat_number is None else COLOURS[message.seat_number],
        when=_when(message, names),
        at=moment(message.at, zone),
        text=shown_text(message),
        day=day_text(message.at, zone),
        time=clock_text(message.at, zone),
        instant=to_the_minute(message.at),
        person_id=speaker_person_id(message),
        removed=redaction_of(message) is not None,
        reportable=reader is not None and may_be_reported(message, reader),
        appeal="" if reader is None else _appeal(message, reader),
        office=_office(message),
        editable=reader is not None and may_edit(message, reader, timezone.now()),
        edited=message.edited_at is not None,
        undone=message.undone,
        crest=speaker_crest(message),
        own=reader is not None and message.author_id == reader.pk,
        names=names,
    )


def _names_then(message: Message | PrivateMessage, holders: Holders | None) -> list[str]:
    """The names of the players when it was written; none before the game."""
    if holders is None:
        return []
    if isinstance(message, PrivateMessage) and message.deal is not None:
        return holders.after(message.after)
    return holders.at(message.at)


def id_of(message: Message | PrivateMessage) -> str:
    """What names it in addresses."""
    if isinstance(message, PrivateMessage):
        return public_id(among(message.thread.token), message.number)
    return public_id("message", message.pk)


def redaction_of(message: Message | PrivateMessage) -> Redaction | None:
    """That the referee has removed the message; None where it stands."""
    return getattr(message, "redaction", None)


def _appeal(message: Message | PrivateMessage, reader: User) -> str:
    """The decision by which the reader's own message was removed, if they have not appealed yet."""
    redaction = redaction_of(message)
    if redaction is None or redaction.report is None or message.author_id != reader.pk:
        return ""
    is_open = redaction.report.state == Report.State.UPHELD
    return public_id("report", redaction.report.pk) if is_open else ""


def shown_text(message: Message | PrivateMessage) -> str:
    """The text, what the referee did, or that the referee has removed it; and why."""
    redaction = redaction_of(message)
    if redaction is None:
        if isinstance(message, PrivateMessage) or not message.act:
            return message.text
        return str(ACT_TEXTS[message.act]).format(reason=message.text)
    text = _("The referee has removed this message. Reason: {reason}")
    return text.format(reason=redaction.reason)


def may_be_reported(message: Message | PrivateMessage, reader: User) -> bool:
    """Whether somebody may report it: it is by others, still stands, and isn't the referee's."""
    standing = bool(message.text) and not is_by_referee(message) and redaction_of(message) is None
    return standing and message.author_id != reader.pk


def _office(message: Message | PrivateMessage) -> str:
    if is_by_referee(message):
        return _("referee")
    return _("moderator") if message.author is not None and message.author.is_staff else ""


def _when(message: Message | PrivateMessage, names: list[str]) -> str:
    """The moment of the game at which it was written: "round 3, Anna's turn"."""
    if message.round is None:
        return _("before the game")
    if message.turn_of is None:
        return _("after the game")
    text = _("round {round}, {name}'s turn")
    return text.format(round=message.round, name=names[message.turn_of])


def unread_messages(game: Game, user: User) -> QuerySet[Message]:
    """What others have written since the person last read."""
    seen = Visit.objects.filter(game=game, user=user).values("last_message")
    return _of_others(game.messages.all(), user).filter(pk__gt=Coalesce(Subquery(seen), 0))


def unread(game: Game, user: User) -> int:
    """How many messages of others the person has not read."""
    return unread_messages(game, user).count()


def _unread_for_good(game: Game, user: User, at: datetime) -> QuerySet[Message]:
    """Of these what nobody may edit any more at that time."""
    return unread_messages(game, user).filter(Q(by_referee=True) | Q(at__lte=at - EDITED_WITHIN))


def may_change(email: OutboxEmail, now: datetime) -> bool:
    """Whether anything may still be edited that an email about a game would quote."""
    lately = now - EDITED_WITHIN
    if email.kind == "mention":
        return Message.objects.filter(game=email.game, at__gt=lately, by_referee=False).exists()
    about = PrivateMessage.objects.filter(pk=email.about)
    words = PrivateMessage.objects.filter(thread__in=about.values("thread"), deal__isnull=True)
    return words.filter(at__gt=lately).exists()


def unread_for_good(game: Game, user: User, at: datetime) -> int:
    """How many these are."""
    return _unread_for_good(game, user, at).count()


def unread_counts(user: User) -> dict[int, int]:
    """The same for all tables at which the person sits, with threads, by the game's id.

    Two queries.
    """
    seen = Visit.objects.filter(game=OuterRef("game"), user=user).values("last_message")
    messages = Message.objects.filter(game=OuterRef("game"), pk__gt=OuterRef("seen"))
    seats = user.seats.annotate(
        seen=Coalesce(Subquery(seen), 0), unread=_count(_of_others(messages, user), "game")
    )
    counts = Counter(dict(seats.values_list("game", "unread")))
    for game, _thread, unread in unread_in_threads(user):
        counts[game] += unread
    return dict(+counts)


def unread_in_threads(user: User) -> QuerySet[ThreadMember, tuple[int, int, int]]:
    """Of each thread to which the person still belongs: game, thread, and how much is unread."""
    messages = PrivateMessage.objects.filter(
        thread=OuterRef("thread"), number__gt=OuterRef("last_read")
    )
    seat = Func(OuterRef("seat_number"), function="to_jsonb", output_field=JSONField())
    known = _of_others(messages, user).exclude(unknown_to__contains=seat)
    sitting = ThreadMember.objects.filter(
        user=user, thread__game__seats__user=user, thread__game__seats__number=F("seat_number")
    )
    unread = _count(known, "thread")
    return sitting.annotate(unread=unread).values_list("thread__game", "thread", "unread")


def _of_others[Said: (Message, PrivateMessage)](
    messages: QuerySet[Said], user: User
) -> QuerySet[Said]:
    """Of these messages, those that neither the person wrote nor somebody whom they ignore."""
    return messages.exclude(author=user).exclude(author__in=user.ignores.values("ignored"))


def _count(rows: QuerySet[Any], where: str) -> Coalesce:
    """How many rows these are, of the one `where` they all are, as part of a query."""
    counted = rows.order_by().values(where).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def unread_mentions(game: Game, user: User, at: datetime) -> bool:
    """Whether messages that the person has not read mention them, and can't be edited any more."""
    return is_mentioned(user, _unread_for_good(game, user, at), game)
