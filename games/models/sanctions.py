"""Sanctions on people, with their history, and staff notes about them."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy


class SanctionQuerySet(models.QuerySet["Sanction"]):
    def in_force(self, now: datetime) -> "SanctionQuerySet":
        """What holds at this instant; a warning holds until it is taken back."""
        return self.filter(Q(until=None) | Q(until__gt=now), ended_at=None)


class Sanction(models.Model):
    """A warning, a mute, a suspension or a ban, with the reason that the person reads.

    It holds until an instant (`until`), or without an end. `ended_at` says that it ended otherwise:
    it was lifted, or another one took its place, which also closes one that has run out. A warning
    is `seen_at` when the person says so. `appeal` is what the person writes against it, once, and
    `answered_at` when a moderator decided on that; `answer` is why it stays. One that was imposed
    with the decision on a `report` has no appeal of its own: that against the report is for both.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", gettext_lazy("a warning")
        MUTE = "mute", gettext_lazy("muted")
        SUSPENSION = "suspension", gettext_lazy("suspended")
        BAN = "ban", gettext_lazy("banned")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="sanctions",
        verbose_name=gettext_lazy("person"),
    )
    kind = models.CharField(gettext_lazy("kind"), max_length=10, choices=Kind)
    reason = models.CharField(gettext_lazy("reason"), max_length=500)
    at = models.DateTimeField(gettext_lazy("time"))
    until = models.DateTimeField(gettext_lazy("until"), null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=gettext_lazy("decided by"),
    )
    report = models.ForeignKey(
        "games.Report",
        models.SET_NULL,
        null=True,
        related_name="sanctions",
        verbose_name=gettext_lazy("report"),
    )
    ended_at = models.DateTimeField(gettext_lazy("lifted on"), null=True)
    seen_at = models.DateTimeField(gettext_lazy("read on"), null=True)
    appeal = models.TextField(gettext_lazy("appeal"), max_length=2000, blank=True)
    appealed_at = models.DateTimeField(gettext_lazy("appealed on"), null=True)
    answer = models.CharField(gettext_lazy("answer"), max_length=500, blank=True)
    answered_at = models.DateTimeField(gettext_lazy("answered on"), null=True)

    objects = SanctionQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("sanction")
        verbose_name_plural = gettext_lazy("sanctions")
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["person", "kind"],
                condition=Q(ended_at=None) & ~Q(kind="warning"),
                name="sanction_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=("warning", "ban"), until=None)
                | Q(kind__in=("mute", "suspension"), until__gt=F("at")),
                name="sanction_ends_or_not",
            ),
            models.CheckConstraint(
                condition=Q(appealed_at=None, appeal="", answered_at=None)
                | Q(appealed_at__isnull=False) & ~Q(appeal=""),
                name="sanction_appealed_in_words",
            ),
        ]
        indexes: ClassVar = [
            # Read by the dashboard only.
            models.Index(
                fields=["appealed_at"],
                name="sanction_appeals",
                condition=Q(appealed_at__isnull=False, answered_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.get_kind_display()}"


class StaffNote(models.Model):
    """What a moderator writes about a person, for moderators only."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="staff_notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField(max_length=2000)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.author} about {self.person}"


class HeldSanction(models.Model):
    """A mute or a suspension whose account was deleted, until it is over.

    It comes back to a person who signs up with the same address again. `address` is a keyed hash.
    """

    address = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=Sanction.Kind)
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["address", "kind"], name="held_sanction_once"),
        ]
        indexes: ClassVar = [
            # Read by `trim`.
            models.Index(fields=["until"], name="held_sanction_until"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} until {self.until}"
