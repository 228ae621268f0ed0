"""Messages at a table, to all or privately, and how far each person has read."""

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models.game import Game, new_token
from games.models.stored_json import ListField

if TYPE_CHECKING:
    from datetime import datetime


class ChatRow(models.Model):
    """A message of either kind, stamped with the moment of the game.

    `seat_number` is the author's seat, `round` and `turn_of` (a seat number) are when it was sent;
    None before the start. The text may be redacted; the row stays. The author may have edited the
    text at `edited_at`; `earlier` are the texts before, the first one first. `undone` says that
    a rewind has undone the moment of the game at which it was sent.
    """

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=gettext_lazy("author")
    )
    seat_number = models.PositiveSmallIntegerField(gettext_lazy("seat"), null=True)
    text = models.TextField(gettext_lazy("text"), max_length=2000)
    round = models.PositiveSmallIntegerField(gettext_lazy("round"), null=True)
    turn_of = models.PositiveSmallIntegerField(gettext_lazy("seat whose turn it was"), null=True)
    token = models.UUIDField(unique=True)
    at = models.DateTimeField(gettext_lazy("time"))
    edited_at = models.DateTimeField(null=True, editable=False)
    earlier = ListField(
        of=str, default=list, db_default=models.Value([], models.JSONField()), editable=False
    )
    undone = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        abstract = True


class Message(ChatRow):
    """A message to the whole table.

    A moderator who does not sit there writes `by_referee`; where that is about an `act` of theirs,
    the text is why they did it.
    """

    class Act(models.TextChoices):
        RENAMED = "renamed", gettext_lazy("the table was renamed")
        DESCRIPTION_REMOVED = "note_removed", gettext_lazy("the description was removed")
        HANDED_OVER = "handed_over", gettext_lazy("the table was given to another host")
        STARTED = "started", gettext_lazy("the game was started with computer players")

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="messages", verbose_name=gettext_lazy("game")
    )
    by_referee = models.BooleanField(gettext_lazy("by the referee"), default=False)
    act = models.CharField(
        gettext_lazy("action"), max_length=20, choices=Act, blank=True, default="", editable=False
    )

    class Meta:
        verbose_name = gettext_lazy("message")
        verbose_name_plural = gettext_lazy("messages")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            # Read by a table's page and by services.chat.
            models.Index(fields=["game", "id"], name="message_of_game"),
            # Read by services.chat.messages, which counts what one person says in a day.
            models.Index(fields=["author", "at"], name="message_of_author"),
            # Read by moderators' searches.
            GinIndex(SearchVector("text", config="simple"), name="message_words"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.author or _('Nobody')}, #{self.pk}"


class Thread(models.Model):
    """A private conversation between players of a game: one for every set of people.

    `people` is that set as a key ("0:17,2:4": seat and person); a substitute is another
    person, with threads of their own. `seats` are the numbers of their seats, and `length` counts
    its messages. `ledger` holds the offers made in the thread, as `Game.ledger` does the others.

    The messages are deleted some time after the game is over (`services.chat.retention`): at
    `kept_until`, which is set when that is announced; `emptied_at` is when it was done.
    """

    KEPT: ClassVar = timedelta(days=365)
    """How long its messages are kept after the end of its game."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="threads")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    people = models.CharField(max_length=150)
    seats = ListField(of=int)
    length = models.PositiveIntegerField(default=0)
    ledger = models.JSONField(default=list)
    began_at = models.DateTimeField()
    kept_until = models.DateTimeField(null=True)
    emptied_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "people"], name="thread_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {len(self.seats)} players"

    @property
    def ends_at(self) -> "datetime | None":
        """When its messages are deleted; None while the game goes on, and once that is done."""
        ended = self.game.finished_at
        if ended is None or self.emptied_at is not None:
            return None
        return self.kept_until or ended + Thread.KEPT


class ThreadMember(models.Model):
    """A person in a thread: with which seat, and the number of the message they read last.

    A substitute at a seat of a thread belongs to it `since` the message with this number, which
    is the last one that they may not read (days 29).
    """

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="threads"
    )
    seat_number = models.PositiveSmallIntegerField()
    last_read = models.PositiveIntegerField(default=0)
    since = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering: ClassVar = ["seat_number", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["thread", "seat_number", "user"], name="thread_member_person_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.thread}"


class PrivateMessage(ChatRow):
    """A message in a thread; `number` counts from 1 in it. Secret, for moderators too.

    A `deal` is an offer, a reply, or what became of one: an event as those of the table's offers
    (`games.table_events`), by `cause`, with the text that went with it. `after` is the number of
    the last event of the game then. `unknown_to` are seats of the thread whose person doesn't learn
    of it: they came after two others had made the offer that it is about.
    """

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="messages")
    number = models.PositiveIntegerField()
    deal = models.JSONField(null=True)
    cause = models.CharField(max_length=10, blank=True)
    after = models.PositiveIntegerField(default=0)
    unknown_to = models.JSONField(default=list, db_default=[])

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["thread", "number"], name="private_message_number"),
        ]
        indexes: ClassVar = [
            # Read by services.chat.messages, which counts what one person says in a day.
            models.Index(fields=["author", "at"], name="private_message_of_author"),
        ]

    def __str__(self) -> str:
        return f"#{self.number} in {self.thread}"

    @property
    def game(self) -> Game:
        """The game of its thread."""
        return self.thread.game


class Visit(models.Model):
    """How far a person has read at a table: the last message and the last event they saw."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="visits")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="visits")
    last_message = models.BigIntegerField(default=0)
    last_event = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="visit_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.game}"
