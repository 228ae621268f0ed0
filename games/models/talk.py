"""What is said at a table, and how far each has read."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models.game import Game


class Message(models.Model):
    """Something said in front of all, stamped with the moment of the game.

    `seat_number` is the speaker's seat, `round` and `turn_of` (a seat number) are when it was said;
    None before the start. A moderator who does not sit there speaks `by_referee`; where that tells
    of an `act` of theirs, the text is why they did it. The text may be redacted; the row stays.
    """

    class Act(models.TextChoices):
        RENAMED = "renamed", gettext_lazy("the table was renamed")
        NOTE_REMOVED = "note_removed", gettext_lazy("the description was removed")

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="messages", verbose_name=gettext_lazy("game")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=gettext_lazy("author")
    )
    seat_number = models.PositiveSmallIntegerField(gettext_lazy("seat"), null=True)
    text = models.TextField(gettext_lazy("text"), max_length=2000)
    round = models.PositiveSmallIntegerField(gettext_lazy("round"), null=True)
    turn_of = models.PositiveSmallIntegerField(gettext_lazy("seat whose turn it was"), null=True)
    by_referee = models.BooleanField(gettext_lazy("by the referee"), default=False)
    act = models.CharField(
        gettext_lazy("action"), max_length=20, choices=Act, blank=True, default="", editable=False
    )
    token = models.UUIDField(unique=True)
    at = models.DateTimeField(gettext_lazy("time"))

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
