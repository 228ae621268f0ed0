"""Votes of a table about the game itself: to pause, for more time, to replace somebody, to end."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.models.game import Game


class Vote(models.Model):
    """A vote of the people at a table, open until `closes_at` or until nothing can change it.

    `amount` is the days of a pause or the hours of more time; `seat_number` would be
    replaced; `to_seq` is where a rewind would lead, which a `moderator` has proposed.
    `asks_absent` says that absent players may vote too, since only one person was present. `passed`
    is None while it is open.
    """

    class Kind(models.TextChoices):
        PAUSE = "pause", gettext_lazy("pause the game")
        RESUME = "resume", gettext_lazy("resume the game")
        EXTEND = "extend", gettext_lazy("extra time")
        REPLACE = "replace", gettext_lazy("replace an absent player with a computer player")
        END = "end", gettext_lazy("end the game early")
        REWIND = "rewind", gettext_lazy("rewind the game")

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="votes", verbose_name=gettext_lazy("game")
    )
    kind = models.CharField(gettext_lazy("kind"), max_length=10, choices=Kind)
    amount = models.PositiveSmallIntegerField(gettext_lazy("days or hours"), null=True)
    seat_number = models.PositiveSmallIntegerField(gettext_lazy("seat"), null=True)
    to_seq = models.PositiveIntegerField(gettext_lazy("back to step"), null=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    opened_at = models.DateTimeField(gettext_lazy("opened on"))
    closes_at = models.DateTimeField(gettext_lazy("closes on"))
    asks_absent = models.BooleanField(gettext_lazy("absent players can vote too"), default=False)
    closed_at = models.DateTimeField(gettext_lazy("closed on"), null=True)
    passed = models.BooleanField(gettext_lazy("passed"), null=True)

    class Meta:
        verbose_name = gettext_lazy("vote")
        verbose_name_plural = gettext_lazy("votes")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "kind"], condition=Q(closed_at=None), name="vote_one_of_a_kind"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, passed=None)
                | Q(closed_at__isnull=False, passed__isnull=False),
                name="vote_open_or_decided",
            ),
        ]
        indexes: ClassVar = [
            # Read by clock.sweep only.
            models.Index(fields=["closes_at"], name="vote_open", condition=Q(closed_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_kind_display()}"

    @property
    def needs_all(self) -> bool:
        """Whether it passes only if every present person says yes."""
        return self.kind in {Vote.Kind.END, Vote.Kind.REWIND}


class Ballot(models.Model):
    """One person's ballot in a vote: yes or no."""

    vote = models.ForeignKey(Vote, models.CASCADE, related_name="ballots")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    yes = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["vote", "user"], name="ballot_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {'yes' if self.yes else 'no'}"
