"""Email that came in: replies of players, stored before the mail server knows that they arrived."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.chat import Thread
from games.models.game import Game
from games.models.stored_json import DictField


class InboundEmail(models.Model):
    """A reply by a person in a conversation: about a game, or in a private `thread` of one.

    Or it is about a `topic` of another feature (`games.correspondence`), by its key and its number.
    Somebody without an account writes about it from an `address` that they have confirmed.

    Only what its sender has proven to have written is stored. `raw` is the message as it came, and
    empty once it is done with; it came in the game's phase `phase_no`. `understood` is what was
    understood: once the message is done with, it waits for a "confirm", and `phase_no` is the phase
    for which that is good. Before, it is what a worker is about to do at once. `response` is our
    answer in words, sent again (`repeats`) to a sender who sends the same message again.
    The doctor's own messages have no person.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="inbound_emails"
    )
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    thread = models.ForeignKey(Thread, models.CASCADE, null=True, related_name="+")
    topic = models.CharField(max_length=40, blank=True, default="", db_default="")
    address = models.EmailField(blank=True, default="", db_default="")
    message_id = models.CharField(max_length=320)
    token = models.UUIDField(default=uuid.uuid4, unique=True)
    """The token of the move or message it becomes, so that reading it twice makes only one."""
    received_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    claimed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    raw = models.BinaryField(default=bytes)
    understood = models.JSONField(null=True)
    phase_no = models.PositiveIntegerField(default=0)
    response = DictField(default=dict)
    repeats = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["person", "game", "thread", "topic", "message_id"],
                nulls_distinct=False,
                name="inbound_once_in_each",
            ),
        ]
        indexes: ClassVar = [
            # Read by features.inbound.inbox, which takes up what waits.
            models.Index(fields=["id"], name="inbound_waiting", condition=Q(state="waiting")),
            # Read by features.inbound.inbox, which counts what one person sends in an hour.
            models.Index(fields=["person", "received_at"], name="inbound_of_person"),
            # Read by services.operations.trim only.
            models.Index(fields=["received_at"], name="inbound_oldest"),
        ]

    def __str__(self) -> str:
        return f"Email #{self.pk} from {self.person}"


class InboundTally(models.Model):
    """How many emails of a day came to nothing, or were taken: a number for each `outcome`."""

    day = models.DateField()
    outcome = models.CharField(max_length=20)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "outcome"], name="inbound_tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.count} {self.outcome}"
