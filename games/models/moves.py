"""What happened in games: the moves that were made, and the events that they led to."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from games.models.game import Game
from games.models.seat import Seat


class Cause(models.TextChoices):
    """The cause of something that happened: a player, a computer player, the clock and so on."""

    RULES = "rules", gettext_lazy("the rules")
    PLAYER = "player", gettext_lazy("the player")
    CLOCK = "clock", gettext_lazy("the clock")
    COMPUTER = "house", gettext_lazy("the computer player")
    SUBSTITUTE = "substitute", gettext_lazy("the substitute")
    MODERATOR = "moderator", gettext_lazy("a moderator")
    TABLE = "table", gettext_lazy("a table vote")
    HOST = "host", gettext_lazy("the host")


class Move(models.Model):
    """A move, as the game record writes it. One for each phase and seat.

    `user` played it, None for the clock and computer players. `by_order` says that a
    standing order played it, which is shown only when the game is over. `token` comes with the
    form, so that the same POST twice is one move. An `abandoned` move was taken back by a rewind:
    it stands in the log, and counts no more. `to_move_since` and `deadline_at` are what the seat
    had of them then; None where it had no deadline, and for moves of before they were stored.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="moves")
    phase_no = models.PositiveIntegerField()
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="moves")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    move = models.JSONField()
    by_order = models.BooleanField(default=False)
    abandoned = models.BooleanField(default=False)
    cause = models.CharField(max_length=10, choices=Cause)
    token = models.UUIDField(null=True, unique=True)
    at = models.DateTimeField()
    to_move_since = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "phase_no", "seat"], name="move_once_for_phase_and_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat}, {self.phase_no}"


class Event(models.Model):
    """One event of a game, numbered from 1 without a gap. Never changed: a trigger refuses it.

    `payload` is the engine's encoded event: seat numbers, no person, no free text.
    """

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="events", verbose_name=gettext_lazy("game")
    )
    seq = models.PositiveIntegerField(gettext_lazy("step"))
    phase_no = models.PositiveIntegerField(gettext_lazy("phase"))
    kind = models.CharField(gettext_lazy("kind"), max_length=40)
    payload = models.JSONField()
    cause = models.CharField(gettext_lazy("cause"), max_length=10, choices=Cause)
    at = models.DateTimeField(gettext_lazy("time"))

    class Meta:
        verbose_name = gettext_lazy("event")
        verbose_name_plural = gettext_lazy("events")
        ordering: ClassVar = ["game", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="event_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.seq}"
