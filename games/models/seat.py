"""Seats at tables: facts and constraints, no verbs."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import COLOURS
from games.models.game import Game
from games.models.stored_json import DictField, ListField

if TYPE_CHECKING:
    from datetime import datetime


class SeatQuerySet(models.QuerySet["Seat"]):
    def reminder_due(self, now: "datetime") -> "SeatQuerySet":
        """Seats whose player is to be reminded, while there is still time."""
        due = self.filter(remind_at__lte=now, game__parked_at=None).exclude(deadline_at__lte=now)
        return due.order_by("remind_at", "pk")

    def not_played_at_once(self) -> "SeatQuerySet":
        """Those of which `Seat.is_played_at_once` says no; whoever changes it changes both."""
        return self.filter(Q(user__isnull=False, absent_since=None) | Q(reply_until__isnull=False))

    def to_move(self) -> "SeatQuerySet":
        """Seats that have a deadline, or will have one when the game is resumed."""
        return self.filter(Q(deadline_at__isnull=False) | Q(seconds_left__isnull=False))


class Seat(models.Model):
    """A place at a table, of a person or a computer player.

    `number` is given when the game starts. While the seat is to move it has a `deadline_at`.
    `to_move_phase` is the last phase in which it was to move. `deadline_set_at` is when the
    deadline was set or last moved; `to_move_since` is when the player could first move, whatever
    was moved later; None once they have been given time for an outage of email. `deadline_version`
    rises with every deadline, so that an email knows which one it speaks of. `full_time` says
    whether the deadline left the full time for a move: only such a one can be missed.
    `phase_deadline_at` is the full deadline that the seat would have, or has, from the opening of
    the present phase: a seat that is to move later has as long, and at least a quarter of the time
    for a move. `missed` lists which of the last deadlines were missed, the latest last.
    `ready_phase` is the last phase in which the player said that they need no more negotiation
    time. A computer player waits with its bribe until `reply_until` for the reply to what it asked
    the owner of the palace; while it is to move, until its `deadline_at`. While the game is paused,
    `seconds_left` is what is left of the play time. The game doesn't wait for an absent seat
    (`absent_since`). Where the host has changed the settings before the start and the player hasn't
    agreed yet, `agreed_settings` are those to which they had agreed.
    """

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="seats", verbose_name=gettext_lazy("game")
    )
    number = models.PositiveSmallIntegerField(gettext_lazy("number"), null=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="seats",
        verbose_name=gettext_lazy("person"),
    )
    computer_player = models.CharField(gettext_lazy("computer player"), max_length=20, blank=True)
    joined_at = models.DateTimeField(gettext_lazy("joined on"))
    agreed_settings = DictField(null=True)
    to_move_phase = models.PositiveIntegerField(gettext_lazy("last active phase"), default=0)
    deadline_set_at = models.DateTimeField(null=True)
    to_move_since = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField(gettext_lazy("deadline"), null=True)
    deadline_version = models.PositiveIntegerField(gettext_lazy("deadlines so far"), default=0)
    full_time = models.BooleanField(default=True)
    phase_deadline_at = models.DateTimeField(null=True)
    remind_at = models.DateTimeField(gettext_lazy("reminder"), null=True)
    seconds_left = models.PositiveIntegerField(null=True)
    ready_phase = models.PositiveIntegerField(default=0, db_default=0)
    reply_until = models.DateTimeField(null=True)
    missed = ListField(of=bool, default=list)
    last_miss_at = models.DateTimeField(null=True)
    absent_since = models.DateTimeField(gettext_lazy("absent since"), null=True)
    days_off_left = models.PositiveSmallIntegerField(default=0)

    objects = SeatQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("seat")
        verbose_name_plural = gettext_lazy("seats")
        ordering: ClassVar = ["number", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["game", "user"], name="seat_person_once"),
            models.CheckConstraint(
                condition=Q(user=None) | Q(computer_player=""), name="seat_person_or_house"
            ),
            models.CheckConstraint(
                condition=Q(deadline_at=None) | Q(seconds_left=None),
                name="seat_deadline_or_time_left",
            ),
        ]
        indexes: ClassVar = [
            # Read by clock.sweep only.
            models.Index(
                fields=["remind_at"], name="seat_reminder", condition=Q(remind_at__isnull=False)
            ),
            # Read by the dashboard only.
            models.Index(
                fields=["absent_since"],
                name="seat_absent",
                condition=Q(absent_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        player = self.user or (_("Computer") if self.computer_player else _("Nobody"))
        return f"{self.game}: {player}"

    @property
    def drawn_number(self) -> int:
        """The number of a seat of a started game; `ValueError` before the draw."""
        if self.number is None:
            raise ValueError("A seat has its number once the game has started.")
        return self.number

    def is_present(self) -> bool:
        """Whether a person sits here who isn't absent."""
        return self.user_id is not None and self.absent_since is None

    def is_played_at_once(self) -> bool:
        """Whether the game never waits for its move: the program makes it as soon as it is due.

        Not while a computer player waits for somebody's reply.
        """
        return not self.is_present() and self.reply_until is None

    def wants_substitute(self) -> bool:
        """Whether somebody else may take the seat over."""
        return not self.computer_player and not self.is_present()

    @property
    def colour(self) -> str:
        """The colour of a seat that has its number."""
        return "" if self.number is None else COLOURS[self.number]
